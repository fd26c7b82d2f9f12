"""A transcript or an interview -> whose turn each sentence is in: "KING: When did you know?" and what follows."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.model import Attribution, Boilerplate, Kind, Manner, Voice
from retrieval.names.gazetteer import is_word
from retrieval.names.outlets import Press
from retrieval.speech.cues import cues
from retrieval.text.blocks import Layout

RULE = "turn of a transcript"
_NAME = r"[A-Z][\w.'’-]*"
_LABEL = re.compile(
    rf"[\"“]?(?P<who>{_NAME}(?: (?:{_NAME}|of|the|de|van|von|bin)){{0,4}})"
    r"(?P<office> ?(?:,|\()[^:\n]{2,60})? ?: ?(?=\S)"
)
_BY_LETTER = re.compile(r"(?P<who>[QA])\.(?P<office>)(?=\s|$)")
_ADDRESS = re.compile(r"\b(?:I|I['’]m|we|you|my|me|our|your)\b|\?", re.IGNORECASE)
_BRACKETED = re.compile(r"[(\[].*[)\]]\.?")  # "(Applause.)", "[laughs]"
_NAME_LINE = re.compile(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){1,3}|[a-z][\w.'’-]+(?: [a-z][\w.'’-]*){1,3}")
_ANSWERS = frozenset(("A", "Answer"))
_UNKNOWN = _ANSWERS | {"Q", "Question"}  # an interviewer and who answers
_MIN_SENTENCES = 1.5  # in a paragraph, on average, where not each sentence is one
_MIN_TURNS = 4
_MIN_PARTIES = 2  # who speak at least twice
_MIN_ADDRESSING = 0.5  # of the turns, that say "I", "you" or ask something: unlike "Date: …", "Ohio: …"


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody's turn: the sentences with the label and with the first words. ``party`` tells speakers apart."""

    label: int
    sentence: int
    party: str
    speaker: str | None
    voice: Voice


def find_turns(layout: Layout, press: Press) -> dict[int, Attribution]:
    """Return who says the sentences of turns, in an article in which people take turns."""
    turns = list(_labelled(layout, press))
    if not _is_transcript(layout, turns):
        return {}
    lead = {m.name for row in layout.mentions[: turns[0].label] for m in row if m.kind is Kind.PERSON}
    answers = lead.pop() if len(lead) == 1 else None  # "A." is whom alone the article has named before the first "Q."
    found = {}
    for turn, stop in zip(turns, [*(each.label for each in turns[1:]), None], strict=True):
        for i in _sentences_of(layout, turn, stop):
            speaker, voice = (
                (answers, Voice.NAMED) if answers and turn.party in _ANSWERS else (turn.speaker, turn.voice)
            )
            found[i] = Attribution(speaker, voice, Manner.QUOTED, None, RULE)
    return found


def _sentences_of(layout: Layout, turn: Turn, stop: int | None) -> Iterator[int]:
    """Yield the sentences of a turn; ``stop`` is where the next one begins.

    The last turn ends with its paragraph, as does one of unknown people. A question alone in a line before the next
    turn is a heading, unless each sentence has its own line.
    """
    sentences, tokens = layout.sentences, layout.tokens
    own = sentences[turn.sentence].paragraph
    is_quoted = tokens.is_quoted(tokens.sentences[turn.sentence].start)
    by_line = len(sentences) < _MIN_SENTENCES * (sentences[-1].paragraph + 1)
    for i in range(turn.sentence, len(sentences) if stop is None else stop):
        goes_on = sentences[i].paragraph != own
        if goes_on and (stop is None or turn.party in _UNKNOWN):
            return
        text = layout.text(sentences[i]).strip()
        is_heading = i + 1 == stop and sentences[i - 1].paragraph != sentences[i].paragraph and text.endswith("?")
        closed = goes_on and is_quoted and not any(tokens.is_quoted(t) for t in tokens.sentences[i])
        if sentences[i].boilerplate or closed or _BRACKETED.fullmatch(text) or (goes_on and is_heading and not by_line):
            continue
        yield i


def _labelled(layout: Layout, press: Press) -> Iterator[Turn]:
    """Yield the turns that a label opens: the name of a person or a newsroom, initials, a role or "Q"."""
    mentions = [m for row in layout.mentions for m in row if m.kind is Kind.PERSON]
    persons = {m.name for m in mentions}
    offices: dict[str, set[str]] = {}  # whom the article gives an office, by its last word
    for m in mentions:
        if m.role:
            offices.setdefault(m.role.of(layout.article.text).lower().split()[-1], set()).add(m.name)
    labels = dict(_labels(layout))
    introduced = {label["who"] for label in labels.values() if " " in label["who"]}
    lines = dict(_name_lines(layout, persons))
    for i in sorted(labels.keys() | lines.keys()):
        if i in lines:
            name = _bearer(lines[i], introduced, persons)
            yield Turn(i, i + 1, name.lower(), name, Voice.NAMED)
        elif turn := _turn(i, labels[i], introduced, persons, press):
            holders = offices.get(turn.party, set()) if turn.speaker is None else set()
            yield replace(turn, speaker=next(iter(holders)), voice=Voice.NAMED) if len(holders) == 1 else turn


def _labels(layout: Layout) -> Iterator[tuple[int, re.Match[str]]]:
    for i, sentence in enumerate(layout.sentences):
        line = layout.article.text.rfind("\n", 0, sentence.span.start) + 1
        is_line = not layout.article.text[line : sentence.span.start].strip()
        label = _LABEL.match(layout.text(sentence)) or (_BY_LETTER.match(layout.text(sentence)) if is_line else None)
        if label and (is_line or label["who"].isupper()) and sentence.boilerplate in (None, Boilerplate.HEADING):
            yield i, label


def _name_lines(layout: Layout, persons: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs that are the same name each time, in title case: "ann lee" above what she says.

    With a plain word in it ("Read More", "Bill Marsh") a line is a name only where the article has a person so called.
    """
    lines = {i: text for i, each in enumerate(layout.sentences) if _NAME_LINE.fullmatch(text := layout.text(each))}
    often = Counter(lines.values())
    for i, text in lines.items():
        name = text.title() if text.islower() else text
        is_name = _bearer(name, set(), persons) in persons or not any(map(is_word, text.split()))
        if is_name and often[text] > 1 and i + 1 < len(layout.sentences):
            yield i, name


def _turn(line: int, label: re.Match[str], introduced: set[str], persons: set[str], press: Press) -> Turn | None:
    who, words = label["who"], label["who"].lower().split()
    bearer = _bearer(who, introduced, persons)
    outlet = None if label["office"] or bearer in persons else press.outlet(tuple(who.split()))
    if outlet and outlet.name:
        return Turn(line, line, who.lower(), who, Voice.MEDIA)
    is_role = who.isupper() and (words[-1] in cues.transcript_roles or words[0] in ("the", "unidentified"))
    if who in _UNKNOWN or (is_role and bearer not in persons):
        return Turn(line, line, who if who in _UNKNOWN else words[-1], None, Voice.UNRESOLVED)
    if bearer in persons or who.isupper():
        return Turn(line, line, bearer.lower().split()[-1], bearer, Voice.NAMED)
    return None


def _bearer(who: str, introduced: set[str], persons: set[str]) -> str:
    """Return the fullest name of whom a label means: "KING" is "Larry King", "NPH" are somebody's initials."""
    words = who.lower().split()
    if len(words) == 1:
        names = {name for name in introduced if name.lower().endswith(f" {words[0]}")}
        names = names or {name for name in persons if name.lower().startswith(f"{words[0]} ")}
        if len(names) == 1:
            return _bearer(names.pop(), set(), persons)
    initials = {name for name in persons if " " in name and "".join(word[0] for word in name.split()) == who}
    named = {name for name in persons if " " in name and _is_short_for(words, name.lower().split())}
    found = named or initials
    return found.pop() if len(found) == 1 else who


def _is_short_for(words: list[str], name: list[str]) -> bool:
    """Return whether a label names a person: "Lee", "A. Lee", "Mayor Ann Lee" are "Ann Lee"."""
    own_first = len(words) == 1 or words[0][0] == name[0][0] or name[0] in words
    return words[-1] == name[-1] and own_first


def _is_transcript(layout: Layout, turns: list[Turn]) -> bool:
    often = [party for party, count in Counter(turn.party for turn in turns).items() if count > 1]
    headings = [turn for turn in turns if turn.label == turn.sentence and layout.sentences[turn.label].boilerplate]
    if len(headings) > len(turns) / 2:
        return False
    changes = sum(a.party != b.party for a, b in pairwise(turns))
    if len(often) < _MIN_PARTIES or len(turns) < _MIN_TURNS or changes < _MIN_TURNS - 1:
        return False
    beginnings = (layout.sentences[turn.sentence : turn.sentence + 4] for turn in turns)
    texts = (layout.article.text[said[0].span.start : said[-1].span.end] for said in beginnings)
    return sum(bool(_ADDRESS.search(text)) for text in texts) >= _MIN_ADDRESSING * len(turns)
