"""How news English words a denial and an accusation: compiled patterns, to be searched in one sentence."""

from __future__ import annotations

import re


def _pattern(words: str) -> re.Pattern[str]:
    """Return the verbose pattern: white space in it counts for nothing, ``_`` stands for any."""
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


DENYING = _pattern(
    r"""\b(?: den(?:y|ies|ied|ying) | reject(?:s|ed|ing)? | refut(?:es?|ed|ing) | rebut(?:s|ted|ting)?
        | disput(?:es|ed|ing) | disavow(?:s|ed|ing)? | repudiat(?:es?|ed|ing) | dismiss(?:es|ed|ing)? )\b"""
)
REBUTTING = _pattern(
    r"""\b(?: (?: tr(?:y|ies|ied) | seek | sought | attempt\w* | move[ds]? ) _ to _ (?: disprove | discredit | refute )
        | (?: with | issu\w+ | general | blanket | flat | repeated | official | of ) _ denials? )\b"""
)
REBUTTING_STEMS = ("disprove", "discredit", "refute", "denial")
# What is denied, where the verb alone does not tell: one rejects a claim, and also a plan or an offer.
CHARGE = _pattern(
    r"""\b(?: claims? | allegations? | accusations? | charges? | reports? | suggestions? | responsib\w+ | involvement
        | wrongdoing | guilt | blame | any | the_idea | criticisms? | assertions? | accounts? | stor(?:y|ies) )\b"""
)
# What is granted or refused, and no charge; "rights abuses", "funding the group" and "loan fraud" are one.
_GRANTED = r"""(?: access | entry | visas? | bail | parole | asylum | citizenship | the_right | freedoms?
    | rights? (?! _ (?:abus|viol) ) | medical | food | aid | coverage | insurance | benefits | care | treatment
    | services? | loans? | funding | permits? | permission | licen[cs]es? | applications? | requests? | petitions?
    | motions? | appeals? | hearings? | clemency | tenure | due_process )
    (?= _ (?: to | into | for | from | of | by | in | on | and | or | after | before | at | over | under | with
        | without | because | as | when | while | until | since | earlier | later | this | last | again | was | were )\b
      | \s* (?: [,.;:!?“"‘(] | $ ) )"""
# Facts that no article charges anybody with.
_FACTS = r"(?: climate | the_science | global_warming | the_holocaust | evolution | reality )"
# "neither confirmed nor denied", "denied them entry", "was denied bail", "there is no denying".
NO_DENIAL = _pattern(
    rf"""\b(?:
        (?: not | n['’]t | never | neither | nor | cannot | no_one | nobody ) _ (?:\w+_){{0,3}}?
            (?: den(?:y|ied) | dispute[ds]? | reject | dismiss )
        | den(?:y|ied|ies|ying) _ (?: us | them | him | her )
        | no _ denying
        | den(?:y|ied|ies|ying) _
            (?:(?!allegations|claims|charges|reports|accusations|(?:that|any|\w+ing)\b)\w+_){{0,2}}? {_GRANTED}
        | den(?:y|ied|ies|ying) _ {_FACTS}
        | (?<!continue\s) (?<!continues\s) (?<!continued\s)
            (?: to | can | could | may | might | would | should | will ) _ (?: deny | reject | dismiss | dispute )
        | (?: was | were | is | are | be | been | being ) _ (?:\w+ly_)? (?: denied | dismissed | rejected ) _
            (?: entry | access | bail | from | an? | the | by ) )\b"""
)
# Who staged a rally held it; what was staged was no rally.
_STAGED = r"""staged? (?! _ (?: (?: an? | its | his | her | their | our | more | several | dozens )\b | \d ) )"""
_FAKERY = rf"""(?: fakes? | faked | fabricat\w+ | {_STAGED} | staging | provocations? | hoax\w* | lies? | baseless
    | groundless | unfounded | false | falsehoods? | untrue | fiction | nonsense | propaganda | disinformation
    | smears? | slander\w* | rigged (?! _ (?: system | election | vote | game ) ) | invent(?:ed|ions?) | made[\ -]up
    | set[\ -]up | witch_hunt | concocted | orchestrated )"""
FAKERY = _pattern(rf"\b{_FAKERY}\b")
CALLED_FAKE = _pattern(
    rf"""\b(?: (?: call | describ | dismiss | denounc | brand | label | paint | portray | claim | insist
        | alleg | argu | maintain | assert | accus )\w* | sa(?:id|ys?|ying) | stat(?:es|ed|ing) )\b
        [^.!?]{{0,120}}? \b{_FAKERY}\b"""
)
NOTHING_DONE = _pattern(
    r"""\b(?: sa(?:id|ys?) | saying | insist(?:s|ed|ing)? | maintain(?:s|ed)? | assert(?:s|ed) | claim(?:s|ed)?
        | stat(?:es|ed) )\b [,:]? _ (?:that_)? [“"‘]?
        (?: no_\w+ | none | neither | never | nobody | there_(?:was|is|were)_no
        | (?: it | he | she | they | we | I | its | his | her | their | the ) _ (?:\w+_){0,3}?
            (?: (?: had | have | has | did | do | does ) (?: _(?:not|never|nothing|no)\b | n['’]t )
                (?! _ (?: share | agree | know | expect | think | believe | want | see | seem | need | like | plan
                    | intend )\b )
            | (?: was | were | is | are ) (?: _(?:not|never|in_no_way) | n['’]t ) _ (?:\w+ly_)?
                (?: involved | responsible | guilty | behind | true | to_blame | at_fault | targeting | aware ) ) )"""
)
ACCUSING = _pattern(
    r"""\b(?: accus\w+ | alleg\w+ | blam\w+ | charg\w+ | war_crimes? | guilty | responsib\w+ | behind
        | massacre\w* | murder\w* | kill\w* | tortur\w* | atrocit\w+ | genocide | fraud\w* | abus\w+ | brib\w+
        | attack\w* | shot | executed | stole | violat\w+ | bomb\w* | shell\w* | target\w+ | poison\w*
        | rap(?:e[ds]?|ing) )\b"""
)

# A sentence without any of these (in lower case) cannot match: the patterns are slow, and most sentences deny nothing.
DENYING_STEMS = ("deny", "denie", "reject", "refut", "rebut", "disput", "disavow", "repudiat", "dismiss")
FAKE_STEMS = (
    *("fake", "fabricat", "stag", "provocation", "hoax", "lie", "liar", "baseless", "groundless", "unfounded"),
    *("false", "untrue", "fiction", "nonsense", "propaganda", "disinform", "smear", "slander", "rigged", "invent"),
    *("made", "set", "witch", "concoct", "orchestrat"),
)
ACCUSING_STEMS = (
    *(
        "accus",
        "alleg",
        "blam",
        "charg",
        "war",
        "guilty",
        "responsib",
        "behind",
        "massacre",
        "murder",
        "kill",
        "tortur",
    ),
    *("atrocit", "genocide", "fraud", "abus", "brib", "attack", "shot", "executed", "stole", "violat", "bomb", "shell"),
    *("target", "poison", "rap"),
)
NO_STEMS = ("no", "n't", "n’t", "never")
