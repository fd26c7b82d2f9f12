"""A question, and the previous one -> what the archive is asked, and what type of answer is wanted.

Shorthand is written out as articles write it: "pm" as prime minister, "NY" as New York.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, pairwise

from rapidfuzz.distance import OSA

import retrieval
from bot import messages
from bot.ask.follow_up import FOLLOW_UP_WORDS, Earlier, follow, plain, speakers_asked, spellings
from bot.ask.model import Analysis, AnswerType
from bot.model import Question
from retrieval import STOPWORDS, Archive, Boilerplate, Query, is_region, is_word, read_table, term, us_states, words

_ASKED = {
    "who (?:wrote|reported|contributed|filed|edited)|helped (?:with|report|write)|contributors?|by-?lines?"
    "|credit(?:s|ed)?|authors? of (?:the|this)|journalists? (?:on|behind)": {Boilerplate.CREDIT, Boilerplate.BYLINE},
    "photos?|pictures?|images?|pix|pics?|photographers?|captions?": {Boilerplate.CREDIT, Boilerplate.CAPTION},
    "published|publication date|datelines?|dated|filed": {Boilerplate.DATELINE},
    "correct(?:ed|ions?)|clarif(?:y|ied|ications?)|amended|retract(?:ed|ions?)|(?:get|got|gotten) wrong"
    "|(?:earlier|previous|original) versions? of (?:the|this)": {Boilerplate.CORRECTION},
}
_ASKED_RULES = tuple((re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), kinds) for pattern, kinds in _ASKED.items())


def boilerplate_kinds(text: str) -> frozenset[Boilerplate]:
    return frozenset().union(*(kinds for pattern, kinds in _ASKED_RULES if pattern.search(text)))


# Weights of terms: of words that only address the bot, and of what a word is written together with.
_FOLLOW_UP, _JOINED = 0.2, 0.9
_KNOWN = 2  # sentences at least with a word that a correction is made to, and articles with one that is read as meant
_BEFORE_NOUN = "an?|the|of|in|at|on|by|for|about|from|with|his|her|its|their|our|any|no"
_NAME = 3  # letters at least of a name
_LEFT_OUT = ("s", "nt", "ll", "re", "ve", "d")  # after an apostrophe that was not typed
_HALF = 5  # letters at least of the second of two words written as one ("tshirt")
MOST = 40  # words of a question that are looked for at most

_MEASURES = frozenset("many much old big large tall fast long often far high".split())
_MIXED = re.compile(r"([^\W\d_]+)(\d+)")

Terms = tuple[tuple[str, float], ...]


def understand(
    question: Question, archive: Archive, shorthand: tuple[tuple[str, str], ...] = (), earlier: Earlier | None = None
) -> Analysis:
    """Return what ``question`` asks for, in the words of the articles in ``archive``.

    ``shorthand`` is the newsroom's own, as (short, written out).
    """
    slips = dict(_slips(plain(question.text), archive))
    text, wording = (_spelt(typed, slips) for typed in (plain(question.text), question.text))
    asked = words(text)
    # without measures ("how many", "how old")
    subject = tuple(word for i, word in enumerate(asked) if not (i and asked[i - 1] == "how" and word in _MEASURES))
    written = written_out(subject, text, shorthand)
    content = dict.fromkeys((short, word) for short, meant in written for word in meant if word not in STOPWORDS)
    wanted = tuple(islice(content, MOST))
    # articles may write two words as one: "cop 27" as "COP27"
    pairs = [(one, one + two) for one, two in pairwise(asked) if two.isdigit()]
    # fetched together: an archive on another machine takes as long for one as for all
    counts = archive.vocabulary().frequencies({*(term(word) for _, word in wanted), *(both for _, both in pairs)})
    parts = {term(part) for _, word in wanted if not counts[term(word)] for part in (*_mixed(word), *_halves(word))}
    counts = {**counts, **archive.vocabulary().frequencies(parts - counts.keys())}
    joined = {one: ((both, _JOINED),) for one, both in pairs if counts[both]}
    found = [(short, _alternatives(word, archive, counts) + joined.get(word, ())) for short, word in wanted]
    analysis = Analysis(
        text=text,
        query=Query(boilerplate=boilerplate_kinds(text)),
        words=tuple((short, terms) for short, terms in found if terms),
        types=types_of(asked),
        parties=tuple(map(spellings, speakers_asked(asked, archive))),
        wording=wording,
        read_as=tuple(slips.items()),
        offered=next((_spelt(text, {word: near}) for word, near in _misspelt(text, archive)), ""),
    )
    if earlier:
        analysis = follow(analysis, earlier, archive)
    weights: dict[str, float] = {}
    for _, terms in analysis.words:
        for name, weight in terms:
            weights[name] = max(weight, weights.get(name, 0.0))
    return replace(analysis, query=replace(analysis.query, terms=tuple(weights.items())))


def _alternatives(word: str, archive: Archive, counts: Mapping[str, int]) -> Terms:
    """Return the terms that ``word`` may be found by; none where it only addresses the bot and no article has it."""
    own = term(word)
    if not own or (word in FOLLOW_UP_WORDS | TYPE_NOUNS and not counts[own]):
        return ()
    base = _FOLLOW_UP if word in FOLLOW_UP_WORDS else 1.0
    found = {own: base}
    if not counts[own]:
        found |= {term(part): base * _JOINED for part in _forms(word, archive, counts) if term(part)}
    return tuple(found.items())


def _mixed(word: str) -> tuple[str, ...]:
    mixed = _MIXED.fullmatch(word)
    return mixed.groups() if mixed else ()


def _halves(word: str) -> tuple[str, ...]:
    """Return what may be the second of two words written as one."""
    return () if is_word(word) else tuple(word[at:] for at in range(1, len(word) - _HALF + 1))


def _forms(word: str, archive: Archive, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield what an unknown ``word`` consists of, and the words of the name of which it is a known variant."""
    yield from (part for part in (*_mixed(word), *_halves(word)) if counts[term(part)])
    named = archive.register().meant(word)
    variants = [words(spelt) for spelt in (named.name, *named.variants)] if named else []
    if (word,) in variants:
        yield from (part for spelt in variants for part in spelt)


def _slips(text: str, archive: Archive) -> Iterator[tuple[str, str]]:
    """Yield the typing errors in common words, each with the word meant: lower case, one letter, in several articles.

    Countries and nations are common words; any other name is none, and what an article has is no error.
    """
    for word, near in _misspelt(text, archive):
        is_common = is_word(near) or retrieval.is_listed_people(near.title()) or is_region(near.title())
        if word in text and OSA.distance(word, near) == 1 and is_common and not is_region(word.title()):
            hits = archive.search(Query(((term(near), 1.0),)), 5 * _KNOWN)
            if len({hit.article_id for hit in hits}) >= _KNOWN:
                yield word, near


def _misspelt(text: str, archive: Archive) -> Iterator[tuple[str, str]]:
    """Yield the unknown words of a question, each with the nearest word that several sentences have."""
    unknown = [w for w in dict.fromkeys(words(text)) if may_be_name(w, text) and not is_capitalised(w, text)]
    parts = {term(part) for word in unknown for part in (word, *_mixed(word), *_halves(word))}
    counts = archive.vocabulary().frequencies(parts) if parts else {}
    for word in unknown:
        if not counts[term(word)] and next(_forms(word, archive, counts), None) is None:
            nearest = archive.vocabulary().spellings(word)
            known = archive.vocabulary().frequencies(set(map(term, nearest)))
            yield from ((word, near) for near in nearest[:1] if known[term(near)] >= _KNOWN)


def spelling_notes(analysis: Analysis) -> tuple[str, ...]:
    """Return how typing errors were read, and the question to ask if another word is one."""
    read = tuple(messages.read_as(*pair) for pair in analysis.read_as)
    return (*read, messages.did_you_mean(analysis.offered)) if analysis.offered else read


def is_capitalised(word: str, text: str) -> bool:
    """Return whether a folded word was typed as a name: with a capital, not as the first word nor in capitals alone."""
    typed = re.findall(r"[^\W_]+", text)[1:]
    return not text.isupper() and any(each[0].isupper() and word in words(each) for each in typed)


def may_be_name(word: str, text: str) -> bool:
    """Return whether a folded word is no plain English one, or was typed as a name."""
    plainly = (word, *(word.removesuffix(ending) for ending in _LEFT_OUT))
    return is_capitalised(word, text) or (word.isalpha() and len(word) >= _NAME and not any(map(is_word, plainly)))


def is_noun(word: str, text: str) -> bool:
    """Return whether a folded word may be a name, or stands where nouns do: first, "the zeppelin", "of lemons"."""
    behind = re.compile(rf"(?:^\W*|\b(?:{_BEFORE_NOUN}) ){re.escape(word)}\b")
    return may_be_name(word, text) or behind.search(text.lower()) is not None


def _spelt(text: str, instead: Mapping[str, str]) -> str:
    """Return ``text`` with these folded words replaced."""
    for word, near in instead.items():
        text = re.sub(rf"\b{re.escape(word)}\b", near, text, flags=re.IGNORECASE)
    return text


_SHORTHAND: dict[str, str] = read_table("bot.ask", "shorthand.toml")
# "OK" and the like are seldom states, except after a town: "Tulsa, OK".
_CODE = re.compile(r"\b(?!(?:HI|OH|OK)\b)[A-Z]{2}\b|(?<=, )[A-Z]{2}\b")
# "us" is a country, except after these words.
_PRONOUN_AFTER = frozenset(
    "against among behind between by for from of on to with ask find gave get give help let remind show showed tell"
    " told".split()
)


def written_out(
    words: tuple[str, ...], text: str, more: tuple[tuple[str, str], ...] = ()
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each of the asker's folded ``words`` (or shorthand of several) with the words that it abbreviates.

    A word that is no shorthand is its own meaning. ``text`` is the question as typed: "NY" is a state, "in" is not.
    ``more`` is the newsroom's own shorthand, which has priority.
    """
    codes = set[str]() if text.isupper() else us_states().keys() & _CODE.findall(text)
    states = ((code.lower(), f"{code} {us_states()[code]}") for code in codes)
    pairs = (*_SHORTHAND.items(), *states, *more)
    table = {tuple(short.split()): tuple(full.lower().split()) for short, full in pairs}
    found: list[tuple[str, tuple[str, ...]]] = []
    at, longest = 0, max(map(len, table), default=0)
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if words[at : at + n] in table), 0)
        if words[at] == "us" and at and words[at - 1] in _PRONOUN_AFTER:
            length = 0
        short = words[at : at + max(length, 1)]
        found.append((" ".join(short), table[short] if length else short))
        at += len(short)
    return tuple(found)


# Nouns that name the type of answer asked for: "the mayor's age" is answered by a sentence without the word.
TYPE_NOUNS = frozenset(
    "age ages date location whereabouts price prices cost costs salary amount percentage proportion reason reasons"
    " motive motives total tally toll".split()
)
_IS = r"(?:is|was|are|were|has|have|had|can|could|should|did|do|does|will|would)"

# In verbose mode: white space and line ends are not part of a pattern, so a space is written \s.
_TYPES = {
    AnswerType.VERIFICATION: rf"""(?:un)?verif\w+ | corroborat\w+ | authenticat\w+ | independently\sconfirmed
        | stands?\sup | stood\sup | as\sfact
        | ^{_IS}\s.*\b(?:confirm\w* | proven | solid | reliable | legit | true | real | genuine)$
        | ^(?:\w+\s){{0,3}}confirmed$ | (?:safe|good|ok|okay|fine)\sto\s(?:run|use|say|print|publish)
        | (?:can|could|should)\swe\s(?:run|use|say|print|trust) | caveats?""",
    AnswerType.DENIAL: rf"""den(?:y|ies|ied|ial|ials) | refut\w+ | rebut\w* | disput\w+
        | ^{_IS}\s.*\b(?:accept | admit | acknowledge | concede | confess | own\sup | take\sresponsibility)\w*""",
    AnswerType.COMPARISON: r"""compar\w+ | differ\w* | versus | vs | agree\son | discrepanc\w+ | consistent
        | contradict\w* | each\s(?:outlet|paper|story|article|side) | all\sthe\s(?:stories|articles|papers)""",
    AnswerType.AGE: r"how\sold | ages?(?:\sof)? | aged",
    AnswerType.DURATION: r"""how\s(?:long|often|fast|far|high|tall|big|large|deep|heavy|wide)
        | how\smany\s(?:years|months|weeks|days|hours)""",
    AnswerType.MONEY: r"""how\smuch | cost | costs | price | prices | worth | salary | fined? | percentage
        | what\s(?:percent\w*|share|proportion|amount)""",
    AnswerType.NUMBER: r"""how\s(?:many|few) | numbers?\sof | toll | what\s(?:number|score|fraction) | total | tally
        | count | (?:any|a|the|latest|exact)\s(?:figures?|numbers?|estimates?) | figures?\s(?:for|on|of)""",
    AnswerType.REASON: r"""why | reasons? | how\scome | what\s(?:caused|led|prompted|triggered) | motive
        | because\sof\swhat""",
    AnswerType.DATE: r"""whens? | wh(?:at|ich)\s(?:day|date|time|year|month) | how\slong\sago | date\sof
        | since\swhen""",
    AnswerType.PLACE: r"""wheres? | whereabouts | location
        | wh(?:at|ich)\s(?:\w+\s)?(?:town|city|country|nation|place|village|street|state|region|province|county
          |continent)s?""",
    AnswerType.QUOTATION: r"""quot(?:e|es|ed|ation|ations) | sound\s?bites? | exact\swords | verbatim | wording
        | reaction | statement | comments?
        | (?:respon(?:se|d|ded|ds) | repl(?:y|ied|ies) | react(?:ed|s)?)\sto
        | what\s(?:did|does|do|has|have)\s(?:\w+\s){1,6}
          (?:say|said|tell|told|write|written|tweet\w*|post\w*|call|called|think|claim\w*|warn\w*)""",
    AnswerType.NAME: r"""names?\sof | what(?:s|\sis|\swas)\s(?:\w+\s){1,5}names?
        | what\s(?:is|are|was|were)\s(?:\w+\s){1,4}(?:called|named)
        | wh(?:at|ich)\s(?:\w+\s)?(?:company|firm|bank|team|club|party|agency|group|organi[sz]ation|airline|newspaper
          |magazine|network|university|school|hospital|brand|film|movie|show|song|book|band|ship|website|app|actor
          |actress|singer|player|official|minister|leader|president|senator|general|judge|author|celebrity|star|coach)s?""",
    AnswerType.DEFINITION: r"""^who(?:s|\sis|\sare|\swas)\s(?!the\b|a\b|an\b)(?:\w+\s?){1,3}$
        | ^what(?:s|\sis|\sare)\s(?:\w+\s?){1,3}$""",
    AnswerType.PERSON: r"""who | whom | whose | whos
        | names?\sof\s(?:the|a|his|her|their)\s(?:\w+\s)?(?:man|woman|boy|girl|person|people)""",
}
_TYPE_RULES = tuple((kind, re.compile(rf"\b(?:{pattern})\b", re.VERBOSE)) for kind, pattern in _TYPES.items())


def types_of(asked: tuple[str, ...]) -> tuple[AnswerType, ...]:
    """Return the types of answer that a question (its folded words) asks for, the surest first; ``ANY`` by no rule.

    The question word decides ("how many were confirmed" asks for a number). Whether something was verified or denied
    counts beside a question word only where nothing else can be meant.
    """
    text = " ".join(asked)
    return tuple(kind for kind, pattern in _TYPE_RULES if pattern.search(text)) or (AnswerType.ANY,)
