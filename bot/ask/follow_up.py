"""A follow-up -> the question in full, and where its answer is likely; and the words that only address the bot."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import retrieval
from bot.ask.model import Analysis, AnswerType
from retrieval import STOPWORDS, VERBS, Archive, Entity, Hit, Kind, Voice, is_region, is_word, term, terms, words

# Weights of words taken from the previous question: where all of it is meant ("and in Leeds?"), where a pronoun means
# a part of it, where it is only the context, and of whom a pronoun means.
_WHOLE, _PART, _CONTEXT, _PERSON = 0.7, 0.4, 0.3, 0.8

_OPENERS = (("and",), ("but",), ("or",), ("so",), ("what", "about"), ("how", "about"), ("what", "of"), ("same", "for"))
_HE = frozenset("he him his she her hers".split())
_THEY = frozenset("they them their theirs".split())
_IT = frozenset("it its this that these those there then".split())
# "is there a …", "who said that …": no pronouns.
_NO_PRONOUN_AFTER = {
    "there": retrieval.classes("forms_of_be"),
    "that": frozenset(word for word, verb in VERBS.items() if verb.lemma in ("say", "report")),
}


_SPEAKER = re.compile(
    r"(?:and |so |but )?(?:what|how) (?:did|does|do|has|have) (.+?)"
    r" (?:sa(?:y|id)|tell|told|think|call(?:ed)?|claim(?:ed)?|warn(?:ed)?|respond(?:ed)?|reply|replied|react(?:ed)?)\b"
)
_NAME = 3  # letters at least of a name
_AGENT = re.compile(r"\bby (?:the )?(\w+(?: \w+)?)$")


@dataclass(frozen=True, slots=True)
class Earlier:
    """The previous question and its answer, or what was shown last; ``analysis`` is empty where nothing was asked."""

    analysis: Analysis
    chosen: tuple[Hit, ...]


def leans(asked: tuple[str, ...]) -> bool:
    return opens(asked) or pronoun(asked) is not None or len([w for w in asked if _is_content(w)]) <= 1


def stands_alone(text: str) -> bool:
    """Return whether nothing in a question can refer to what was asked or shown before."""
    asked = words(plain(text))
    refers = any(word in _HE | _THEY | _IT and not _is_no_pronoun(asked, i) for i, word in enumerate(asked))
    return not refers and not leans(asked)


def is_bare(text: str) -> bool:
    """Return whether a question has no word of its own to look for: "and where?", "how many of them?"."""
    return not any(map(_is_content, words(text)))


def opens(asked: tuple[str, ...]) -> bool:
    """Return whether a question begins like one that replaces a part of the previous one ("and in Leeds?")."""
    return any(asked[: len(opener)] == opener for opener in _OPENERS)


def pronoun(asked: tuple[str, ...]) -> str | None:
    """Return the first pronoun, where it does not refer to something earlier in the question."""
    for i, word in enumerate(asked):
        if word in _HE | _THEY | _IT and not _is_no_pronoun(asked, i):
            return word
        if _is_content(word):
            return None
    return None


def _is_no_pronoun(asked: tuple[str, ...], i: int) -> bool:
    is_last = i + 1 == len(asked)
    return not is_last and i > 0 and asked[i - 1] in _NO_PRONOUN_AFTER.get(asked[i], ())


def _is_content(word: str) -> bool:
    return word not in STOPWORDS and word not in FOLLOW_UP_WORDS


def follow(analysis: Analysis, earlier: Earlier, archive: Archive) -> Analysis:
    """Return ``analysis`` completed from the previous question and its answer.

    A question that names somebody or something else than the articles of that answer is a new one.
    """
    asked = words(analysis.text)
    named, is_leaning = entities(asked, archive), leans(asked)
    names = [entity for entity in named if is_name(entity)]
    if not is_leaning and names and earlier.chosen:
        sentences = archive.searchable({chosen.article_id for chosen in earlier.chosen}).values()
        known = {each for sentence in chain.from_iterable(sentences) for each in sentence.own}
        if not all(any(spelt <= known for spelt in spellings(entity)) for entity in names):
            return analysis
    before = entities(words(earlier.analysis.text), archive)
    means_whole = is_leaning and (opens(asked) or pronoun(asked) is None)
    share = _WHOLE if means_whole else _PART if is_leaning else _CONTEXT
    completed = _carry(analysis, earlier.analysis, named, archive, share)
    carried = [word for word, _ in completed.words[len(analysis.words) :]]
    meant = _meant_by(pronoun(asked), earlier, archive) if is_leaning else None
    if meant:
        own = dict.fromkeys(each for each in map(term, words(meant)) if each and each not in _terms(completed))
        completed = replace(completed, words=(*completed.words, *((each, ((each, _PERSON),)) for each in own)))
    return replace(
        completed,
        types=earlier.analysis.types if means_whole and analysis.types == (AnswerType.ANY,) else analysis.types,
        near=tuple(chosen.place for chosen in earlier.chosen),
        named=tuple(map(spellings, named)) if is_leaning else (),
        parties=(*analysis.parties, *(spellings(e) for e in named if e not in before)),
        wording=" ".join(filter(None, (analysis.text, *carried, meant))),
    )


def entities(asked: tuple[str, ...], archive: Archive) -> tuple[Entity, ...]:
    """Return the entities named among folded words; articles need not have a bare surname as it is typed."""
    content = [word for word in asked if _is_content(word)]
    # a name of function words or of one letter is the question's grammar
    typed = {word for word in content if len(word) > 1} or {*asked}
    named = tuple(entity for entity in archive.register().named(asked) if not typed.isdisjoint(_forms(entity)))
    single = None if named else archive.register().meant(" ".join(content))
    return (single,) if single else named


def is_name(entity: Entity) -> bool:
    """Return whether an entity is more than a plain word, or letters, that somewhere stands like a name: "NOW"."""
    spelt = words(entity.name)
    return is_region(entity.name) or any(len(word) >= _NAME and not is_word(word) for word in spelt)


def _forms(entity: Entity) -> Iterator[str]:
    """Yield the words of each spelling, and each spelling as one word: "U.N." is typed as "un"."""
    for spelt in (entity.name, *entity.variants):
        yield from words(spelt)
        yield "".join(words(spelt))


def shares_topic(text: str, shown: Iterable[Hit], archive: Archive) -> bool:
    """Return whether each content word of a line is in an article that was shown, or names an entity; and there is one.

    One that isn't is likelier to be about something else: "is the standfirst about Leeds?".
    """
    asked = words(text)
    articles = {each.article_id for each in shown}
    known = {name for sentence in chain.from_iterable(archive.searchable(articles).values()) for name in sentence.terms}
    named = {word for entity in entities(asked, archive) for spelt in spellings(entity) for word in spelt}
    content = [term(word) for word in asked if _is_content(word)]
    return bool(content) and known.union(named).issuperset(content)


def speakers_asked(asked: tuple[str, ...], archive: Archive) -> tuple[Entity, ...]:
    """Return whose words or deeds are asked for by name: "what did X say", "how many were expelled by X"."""
    match = _SPEAKER.match(" ".join(asked)) or _AGENT.search(" ".join(asked))
    return entities(tuple(match[1].split()), archive) if match else ()


def spellings(entity: Entity) -> tuple[frozenset[str], ...]:
    return tuple(filter(None, (frozenset(terms(spelt)) for spelt in (entity.name, *entity.variants))))


def _carry(analysis: Analysis, before: Analysis, named: tuple[Entity, ...], archive: Archive, share: float) -> Analysis:
    """Return ``analysis`` with the words of ``before``, except names replaced by another of the same kind."""
    kinds = {entity.kind for entity in named}
    replaced = (entity for entity in archive.register().named(words(before.text)) if entity.kind in kinds)
    replaced_terms = {each for entity in replaced for spelt in spellings(entity) for each in spelt}
    known = _terms(analysis) | replaced_terms
    carried = tuple(
        (word, tuple((name, weight * share) for name, weight in found))
        for word, found in before.words
        if known.isdisjoint(name for name, _ in found)
    )
    return replace(analysis, words=(*analysis.words, *carried))


def _terms(analysis: Analysis) -> set[str]:
    return {name for _, found in analysis.words for name, _ in found}


def _meant_by(word: str | None, earlier: Earlier, archive: Archive) -> str | None:
    """Return whom a pronoun means: whom the question before names, else the speaker of the answer, or its only name.

    "They" are no single person.
    """
    if word is None or word in _IT:
        return None
    is_person = word in _HE
    kinds = {Kind.PERSON} if is_person else {Kind.ORG, Kind.GROUP}
    asked = {entity.name for entity in entities(words(earlier.analysis.text), archive) if entity.kind in kinds}
    if asked:
        return asked.pop() if len(asked) == 1 else None
    for chosen in earlier.chosen[:1]:
        if is_person and chosen.passage.voice is Voice.NAMED:
            return chosen.passage.speaker
        mentioned = {m.name for m in chosen.passage.mentions if m.kind in kinds}
        return mentioned.pop() if len(mentioned) == 1 else None
    return None


# What somebody says to the bot about the question, in which "you" and "I" are not what it is about.
_TO_THE_BOT = re.compile(
    r"(?i)\b(?:(?:can|could|would|will) (?:you|i) (?:please )?(?:tell|show|find|give|get|check|look|quote|remind|send"
    r"|help|say|see|use|ask|confirm)(?: me)?|(?:do|have|did) (?:you|i) (?:have|know|got|find)|you (?:have|got|know)"
    r"|(?:tell|give|show|find|get|send|remind|help|let|for|to) me"
    r"|i(?:['’]?m| am|['’]?d| would)? (?:need|want|wonder(?:ing)?|like|think|thought|hear|heard|read|remember|recall"
    r"|saw|look(?:ing)?|try(?:ing)?|writ(?:e|ing)|check(?:ing)?)|thank you)\b"
)
_PERSONAL = frozenset("i me my you your yours".split())  # a "mine" in the news is nearly always one for coal


def is_personal(text: str) -> bool:
    """Return whether a question is about the asker or the bot: "how do i reset my password", "who made you"."""
    return not _PERSONAL.isdisjoint(words(_TO_THE_BOT.sub(" ", text)))


# Courtesies, and words of asking. They count little where articles have them, and nothing elsewhere.
_FOLLOW_UP_WORDS = """
need needs pls please plz thanks thx cheers hi hello hey morning ta mate guys folks anyone anybody else
got have give gimme get find show check remind wondering wonder know knows looking want wanna can could
quote quotes quoted line lines wording word words exact exactly verbatim precise precisely actual actually
statement comment comments say says said saying tell told mention mentions mentioned call calls called describe
describes described according story stories article articles piece report reports reported reporting author
true thing things stuff something anything everything someone somebody about regarding re bit part sort kind type way
lot much many number figure figures happen happens happened happening going person people man woman which what who whom
whose when where why how ever really just even still yet anyway again also basically name names
"""
FOLLOW_UP_WORDS = frozenset(_FOLLOW_UP_WORDS.split())

_GREETING = re.compile(
    r"(?i)^\s*(?:(?:hi|hello|hey|morning|afternoon|evening)\b[\s,!.]*(?:(?:stet|there|all|bot)\b[\s,!.:]*)?)?"
    r"(?:(?:a |one )?(?:quick|short) (?:q|question|one)\b[\s,:–—-]*)?"
    r"(?:(?:\w+ ){0,2}(?:desk|team|subs?)(?: here)?\s*[-–—:,]+\s*)?"
)
# References to the asker's own day, or to the page in front of them, which no article has.
_DEIXIS = re.compile(
    r"(?i)\b(?:this|the past) (?:week|month|year)\b|\b(?:recently|currently|lately|nowadays|these days|right now)\b"
    r"|\b(?P<word>which|what|who) of the following\b"
    r"|\baccording to (?:the|this) (?:article|story|report|passage|text|author|piece|paragraph)\b"
)


# "How many boats sank and who is Ada Lunn?": what comes after "and" or a question mark is a question by itself.
_SECOND = re.compile(
    r"(?:\?|,?\sand|;)\s+(?P<second>(?:who|what|when|where|why|how|which)(?: (?:many|much|long|old|often|far))?"
    r"(?:['’]s|\s(?:is|are|was|were|do|does|did|has|have|had|will|can|could|would|should)\b)\s?\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def second_question(text: str) -> str:
    """Return the second of two questions in one line; "" where there is only one."""
    found = _SECOND.search(text)
    return found["second"].strip(" ?") if found and not is_bare(found["second"]) else ""


def plain(question: str) -> str:
    """Return ``question`` without its greeting, and without references to the asker's day or page."""
    return _DEIXIS.sub(lambda match: match["word"] or " ", _GREETING.sub("", question, count=1))
