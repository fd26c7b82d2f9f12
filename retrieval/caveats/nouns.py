"""The nouns by which outlets name what they could not stand up: closed classes, in small letters.

A noun that stands in none of them falls to a class by its shape (see ``objects``), never to nothing.
"""

from __future__ import annotations

from retrieval.tables import listed

# What one thing is called by turns, in the singular.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("video", "footage", "clip", "film", "broadcast"),
    ("image", "picture", "photo", "photograph", "screenshot", "snapshot", "still"),
    ("audio", "recording", "tape", "call", "voice"),
    ("post", "message", "tweet", "text", "comment"),
    (
        *("letter", "document", "memo", "memorandum", "email", "e-mail", "transcript", "dossier", "brief", "leak"),
        *("draft", "opinion", "note", "list", "contract", "file", "diary", "paper", "agreement", "filing"),
        "manuscript",
    ),
    ("sample", "file", "spreadsheet", "database", "dataset", "data"),
)
PICTURED = frozenset({0, 1, 2})  # the families of what is seen or heard
FIGURES = listed("""
    figure figures number numbers toll tolls casualty casualties count counts total totals estimate estimates
    tally statistics data deaths fatalities losses victims percentage sum amount price cost size
""")
ACCOUNTS = listed("""
    account accounts testimony testimonies story stories version versions recollection recollections narrative
    narratives experiences memories tale tales
""")
CLAIMS = listed("""
    claims allegations accusations assertions reports statements charges rumours rumors boasts comments remarks
    descriptions announcements characterisations characterizations
""")
CLAIM = listed("""
    claim allegation accusation assertion report statement charge rumour rumor information reporting suggestion
    announcement news comment remark description characterisation characterization explanation declaration boast
    denial confession version assessment belief word tip
""")
CHARGES = listed("allegations accusations allegation accusation charges charge misconduct")
REPORTS = listed("report reports story stories article articles reporting coverage")
POINTERS = listed("this that it these those they them such which")
SEVERAL = listed("these those they them")
POSSESSIVES = listed("his her its their")
SIDES = listed("either both neither sides two none")
DEFINITE = listed("the this that these those his her its their any either neither none each both such some")
# How a noun ends that tells of saying or of happening, and nouns that end so and do not.
TOLD = ("tion", "ment", "sion", "ance", "ence")
NOT_TOLD = listed("identification location situation position condition destruction population direction")
EMBEDDED = listed("whether if when where how who what that why")
OFTEN = listed("often frequently generally usually rarely seldom always most many routinely largely")
HARD = listed("difficult hard impossible rarely often frequently")
PREPOSITIONS = listed("of by from in on at that who which about over to for with and or as against")
EMPTY = DEFINITE | listed("""
    a an all of no such one two and or nor to in on at for with 's ’s ' ’ , whether authenticity veracity accuracy
    truth details detail extent contents content identity location independently immediately who which
""")
# People who are named so vaguely that the words find no speaker.
ANYBODY = listed("""
    woman women man men people person witness witnesses side sides party parties either both campaign residents
    survivors one local several some many
""")
# Those whose the claims are that are said to be "of" them, though their names are no names.
BODIES = listed("""
    woman women man men witness witnesses group groups side sides party parties rebels activists residents officials
    survivors refugees protesters campaign spokesman spokeswoman minister ministry army military government police
    opposition villagers relatives militants accusers users suspect attackers
""")
