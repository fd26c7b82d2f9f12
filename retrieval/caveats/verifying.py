"""The words in which news English says that something was, or was not, stood up: closed classes, in small letters."""

from __future__ import annotations

from retrieval.tables import listed

# An article, or a sentence, without any of these holds no trigger; looked for before anything is taken apart.
STEMS = (
    "verif",
    "confirm",
    "corroborat",
    "authentic",
    "substantiat",
    "geolocat",
    "independently",
    "vouch",
    "veracity",
    "accuracy",
    "truth",
    "genuine",
    "not seen",
    "not viewed",
    "not reviewed",
    "n't seen",
    "n’t seen",
)

BASE = listed("verify confirm corroborate authenticate substantiate geolocate")
DONE = listed("verified confirmed corroborated authenticated substantiated geolocated verifiable")
DOING = listed("verifying confirming corroborating authenticating substantiating geolocating")
NOUNS = listed("verification confirmation corroboration authentication substantiation")
UNDONE = listed("unverified unverifiable unconfirmed uncorroborated unauthenticated")

# Words that speak of standing something up only together with "independently", or with its truth.
WEAK_BASE = listed("""
    assess check review establish determine ascertain prove evaluate examine validate vet test
""")
WEAK_DONE = listed("""
    assessed checked reviewed established determined ascertained proved proven evaluated examined validated vetted
    tested guaranteed
""")
SEEN = listed("seen viewed reviewed examined")
TRUTH = listed("""
    authenticity veracity accuracy truth truthfulness provenance genuineness validity genuine authentic
""")

NEGATIONS = listed("""
    not n't n’t nt never unable impossible difficult hard failed cannot rarely seldom hardly
""")
IMPERSONAL = listed("impossible possible difficult hard easy")
BEING = listed("be been being is are was were 's ’s")
HAVING = listed("has have had 've ’ve")
AUXILIARIES = BEING | HAVING | listed("'re ’re 'm ’m can ca could did does do will would also still so far yet")
LINKS = (
    BEING
    | BASE
    | DONE
    | listed("""
    to able in a position possible easy yet so far also even still ever or and as of at this that point time once
    , all both any either today yesterday tonight night morning afternoon evening week immediately fully go there
    monday tuesday wednesday thursday friday saturday sunday
""")
)
NOUN_LINKS = listed("independent immediate further full direct outside external reliable such solid separate")
LACKING = listed("no little without lacks lacked lacking lack absence awaiting pending")
NEGATIVE_SUBJECTS = listed("none neither nor nothing nobody little few no")
HAMPERING = listed("""
    prevent prevents prevented preventing hamper hampers hampered hampering hinder hinders hindered hindering
    limit limits limited limiting complicate complicates complicated complicating preclude precludes precluded
    precluding impede impedes impeded impeding block blocks blocked blocking thwart thwarts thwarted thwarting
    restrict restricts restricted restricting
""")
GETTING = listed("have get getting obtain obtaining find finding secure securing gain gaining provide receive")
MEANS = listed("efforts ability attempts reporters journalists 's ’s ' ’ media their its")
TRYING = listed("working trying attempting seeking efforts process")
REMAINING = listed("remain remains remained stay stays")
