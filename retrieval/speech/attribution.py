"""Sentence -> who says it, and in what voice. See ``docs/theory/speakers.md``."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from retrieval.model import Attribution, Boilerplate, Kind, Manner, Quotation, Voice
from retrieval.models.source_model import load_source_model
from retrieval.names.outlets import Press, press_of
from retrieval.speech.anonymity import with_anonymity
from retrieval.speech.coreference import Memory, Number, Party
from retrieval.speech.cues import Speech, cues
from retrieval.speech.labels import Labels
from retrieval.speech.sources import find_speeches, is_outlet
from retrieval.speech.turns import find_turns
from retrieval.text.blocks import Layout
from retrieval.text.boilerplate_patterns import POSTER
from retrieval.text.tokens import Tokens

_SIGNATURE_ENDS = (",", "(", ".")  # "— Ann Bell, mayor", "— Ann Bell (@annbell)"
_DASHES = frozenset(("―", "—", "–", "--", "-"))
_PAPER = re.compile(r", (?:[A-Z][\w’'-]*|of|the)(?: (?:[A-Z][\w’'-]*|of|the|&)){0,4}\s*(?:\n|$)")  # ", The Courier"
_REPORT_PARTS = (None, Boilerplate.HEADING, Boilerplate.TITLE)
_NOBODY = 0.6  # the probability from which a quotation that follows another is somebody else's
_BARE_WORDS = 3  # words of "the chief prosecutor": longer descriptions identify a speaker
_SPEECH_MARKS = re.compile(r"""[,:]\s?(?:["“]|``)|,\s?(?:["”]|'')""")  # a comma or colon parts speech from who speaks
_TERM_WORDS = 3  # up to this many quoted words are a quoted term, and no speech


@dataclass(frozen=True, slots=True)
class _Context:
    """What the rules share for one article."""

    layout: Layout
    tokens: Tokens
    press: Press
    memory: Memory
    speeches: dict[int, Speech]
    unsourced: frozenset[int]  # sentences that surely report nobody the article names
    quoted: tuple[int, ...]  # per sentence, the words of its longest quotation
    fully_quoted: frozenset[int]  # sentences wholly in quotation marks
    signed: dict[int, str]
    unattributable: set[int]  # quoted sentences before one that closes the quotation and goes on without a speaker
    found: dict[int, Attribution]


def attribute(layout: Layout) -> tuple[Attribution | None, ...]:
    """Attribute each sentence; None is the outlet's own voice."""
    tokens, press = layout.tokens, press_of(layout.article)
    guesses = load_source_model().guesses(layout)
    context = _Context(
        layout=layout,
        tokens=tokens,
        press=press,
        memory=Memory(layout, press, Labels(layout)),
        speeches=find_speeches(layout, guesses, press),
        unsourced=frozenset(i for i, each in guesses.items() if each.source is None and each.probability >= _NOBODY),
        quoted=tuple(_words_quoted(tokens, line) for line in tokens.sentences),
        fully_quoted=frozenset(i for i, line in enumerate(tokens.sentences) if _all_quoted(tokens, line)),
        signed={},
        unattributable=set(),
        found={},
    )
    found = context.found
    owners = _owners(context)
    context.signed.update(_posts(layout))
    for i, sentence in enumerate(layout.sentences):
        if sentence.boilerplate not in _REPORT_PARTS:
            continue
        for rule in _RULES if not sentence.boilerplate else (_own_cue,):
            attribution = rule(context, i)
            if attribution:
                found[i] = attribution
                break
    for i in owners:
        _copy_from(context, i, owners[i])
    for i in context.speeches.keys() - owners.keys():
        if _home(context, i) > i and (attribution := _elsewhere(context, i)):
            found[i] = attribution
    for i, turn in find_turns(layout, press, context.speeches).items():
        if i not in found or not (found[i].sure and found[i].speaker and _quotes_in_part(context, i)):
            found[i] = turn
    found = with_anonymity(layout, found)
    return tuple(found.get(i) for i in range(len(layout.sentences)))


def _quotes_in_part(context: _Context, i: int) -> bool:
    """Return whether a turn quotes somebody: "SMITH: He told us, “We will stay.”"."""
    line = context.tokens.sentences[i]
    return context.quoted[i] > _TERM_WORDS and not context.tokens.quoted[line.start]


def _words_quoted(tokens: Tokens, line: range) -> int:
    """Count the words of the longest quotation: several quoted terms are no speech."""
    if not any(tokens.quoted[line.start : line.stop]):
        return 0
    runs = groupby(line, key=lambda i: tokens.quoted[i])
    return max(sum(tokens.words[i][0].isalnum() for i in run) for quoted, run in runs if quoted)


def _all_quoted(tokens: Tokens, line: range) -> bool:
    quoted = tokens.quoted
    return any(quoted[line.start : line.stop]) and all(quoted[t] or not tokens.words[t][0].isalnum() for t in line)


def _manner(context: _Context, i: int) -> Manner:
    return Manner.QUOTED if context.quoted[i] else Manner.PARAPHRASED


def _own_cue(context: _Context, i: int) -> Attribution | None:
    """Attribute a sentence by its own cue."""
    speech = context.speeches.get(i)
    if speech is None or speech.source is None or _home(context, i) != i:
        return None
    party = context.memory.party(speech.source, i)
    span = context.tokens.span(speech.cue, speech.last + 1)
    if party is None:
        return Attribution(None, Voice.UNRESOLVED, _manner(context, i), span, "pronoun left open", speech.sure)
    _remember(context, i, speech, party)
    sure = _identifies(context, party, i) and speech.sure
    return Attribution(party.name, _voice(context, speech, party), _manner(context, i), span, speech.rule, sure)


def _home(context: _Context, i: int) -> int:
    """Return the sentence in which the source of sentence ``i`` stands."""
    speech = context.speeches.get(i)
    if speech is None or speech.source is None:
        return i
    return context.tokens.sentence_at(speech.source.first)


def _elsewhere(context: _Context, i: int) -> Attribution | None:
    """Attribute a sentence whose source stands in another one."""
    speech, home = context.speeches.get(i), _home(context, i)
    if speech is None or speech.source is None or home == i:
        return None
    between = range(min(home, i) + 1, max(home, i))
    if any(j not in context.speeches and j not in context.fully_quoted for j in between):
        return None  # the outlet has spoken since
    other, said = context.speeches.get(home), context.found.get(home)
    if other is not None and other.source == speech.source and said is not None:
        party = context.memory.speakers.get(home)
        if party is not None and home < i:
            context.memory.remember(i, party)
        known = said.sure or (party is not None and _identifies(context, party, home))
        sure = (speech.sure and known) or _runs_on(context, i, said)
        return Attribution(said.speaker, said.voice, _manner(context, i), None, "source in another sentence", sure)
    party = context.memory.party(speech.source, home) if home < i else None
    if party is None:
        return None
    context.memory.remember(i, party)
    sure = _identifies(context, party, i) and speech.sure
    voice = _voice(context, speech, party)
    return Attribution(party.name, voice, _manner(context, i), None, "source in another sentence", sure)


def _runs_on(context: _Context, i: int, said: Attribution) -> bool:
    """Return whether a sentence that is all quotation follows one that surely has the same speaker."""
    before = context.found.get(i - 1)
    return i in context.fully_quoted and before is not None and before.sure and before.speaker == said.speaker


def _identifies(context: _Context, party: Party, i: int) -> bool:
    """Return False where a reader does not learn who it is: "his lawyer", and "the mayor" whom the article names."""
    words = party.name.split()
    if party.named or party.source is None or len(words) > _BARE_WORDS or any(word[0].isupper() for word in words[1:]):
        return True
    if words[0].lower() in cues.possessives:
        return party.source.head in cues.bodies  # "their union", but not "its website"
    if words[0].lower() not in cues.pointing_determiners or party.number is not Number.PERSON:
        return True
    is_trade = party.source.head in cues.occupations and not context.memory.labels.holders((party.source.head,))
    return is_trade and context.memory.is_introduced(party.source, i)


def _voice(context: _Context, speech: Speech, party: Party) -> Voice:
    if speech.observed:
        return Voice.OBSERVED
    if party.source is not None and is_outlet(context.tokens, party.source, context.press):
        return Voice.MEDIA
    return Voice.NAMED if party.named else Voice.UNNAMED


def _remember(context: _Context, i: int, speech: Speech, party: Party) -> None:
    """Remember the speaker for the pronouns that follow; "Lee said she …" shows Lee's gender."""
    context.memory.remember(i, party)
    if speech.source is not None:
        context.memory.learn(party, speech.source.head)
    following = context.tokens.lower[speech.last + 1 : speech.last + 3]
    for word in following[:1] if following[:1] != ("that",) else following[1:]:
        context.memory.learn(party, word)


def _is_speech(context: _Context, i: int) -> bool:
    """Return False where the outlet only uses a quoted phrase."""
    line = context.tokens.sentences[i]
    plain = sum(1 for t in line if context.tokens.words[t][0].isalnum()) - context.quoted[i]
    parted = _SPEECH_MARKS.search(context.layout.text(context.layout.sentences[i])) is not None
    return context.quoted[i] > _TERM_WORDS and (parted or context.quoted[i] > plain)


def _hearsay(context: _Context, i: int) -> Attribution | None:
    speech = context.speeches.get(i)
    if speech is None or speech.source is not None or _is_speech(context, i):
        return None
    span = context.tokens.span(speech.cue, speech.last + 1)
    return Attribution(None, Voice.IMPERSONAL, _manner(context, i), span, speech.rule)


def _signed(context: _Context, i: int) -> Attribution | None:
    if i not in context.signed:
        return None
    return Attribution(context.signed[i], Voice.NAMED, Manner.QUOTED, None, "signed quotation")


def _continued(context: _Context, i: int) -> Attribution | None:
    """Attribute a sentence that is all quotation to the speaker of the sentence before it."""
    if i not in context.fully_quoted or i in context.unattributable or i in context.unsourced:
        return None
    j = i - 1
    while j >= 0 and context.layout.sentences[j].boilerplate:
        j -= 1
    before = context.found.get(j)
    if before is None or before.speaker is None or before.voice is Voice.OBSERVED:
        return None
    if j in context.memory.speakers:
        context.memory.remember(i, context.memory.speakers[j])
    return Attribution(before.speaker, before.voice, Manner.QUOTED, None, "quotation goes on", before.sure)


def _unresolved(context: _Context, i: int) -> Attribution | None:
    if i not in context.fully_quoted and not _is_speech(context, i):
        return None
    return Attribution(None, Voice.UNRESOLVED, Manner.QUOTED, None, "speaker not told")


def _owners(context: _Context) -> dict[int, int]:
    """Map each sentence inside a quotation to the sentence that names its speaker; record signed quotations."""
    owners: dict[int, int] = {}
    for quotation, indexes in _sentences_of(context):
        sourced = [i for i in indexes if _has_source(context, i)]
        signed = None if sourced else _signature(context, quotation)
        if signed:
            context.signed.update(dict.fromkeys((i for i in indexes if i not in context.speeches), signed))
        elif not sourced and indexes[-1] not in context.fully_quoted:
            context.unattributable.update(indexes[:-1])
        elif sourced:
            owners.update({i: sourced[0] for i in indexes if not _has_source(context, i) and i not in owners})
    return owners


def _sentences_of(context: _Context) -> Iterator[tuple[Quotation, list[int]]]:
    """Yield each quotation with the indexes of the sentences it touches."""
    sentences = context.layout.sentences
    first = 0
    for quotation in context.layout.quotations:
        while first < len(sentences) and sentences[first].span.end <= quotation.span.start:
            first += 1
        last = first
        while last < len(sentences) and sentences[last].span.start < quotation.span.end:
            last += 1
        if last > first:
            yield quotation, list(range(first, last))


def _signature(context: _Context, quotation: Quotation) -> str | None:
    """Return who signs a quotation: “…” — Ann Lee; “…” Ann Lee, The Courier, with nothing behind it."""
    tokens = context.tokens
    dash = bisect_left(tokens.starts, quotation.span.end)
    is_dashed = dash < len(tokens.words) and tokens.words[dash] in _DASHES
    signed = tokens.opening.get(dash + is_dashed)
    if signed is None or signed[1].kind is not Kind.PERSON:
        return None
    after = signed[0] + 1
    if not is_dashed:
        return signed[1].name if _PAPER.match(tokens.text, tokens.ends[signed[0]]) else None
    parted = (
        after >= len(tokens.words)
        or tokens.quoted[after]
        or "\n" in tokens.text[tokens.ends[signed[0]] : tokens.starts[after]]
        or tokens.words[after] in _SIGNATURE_ENDS
    )
    return signed[1].name if parted else None


def _posts(layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield the sentences of posts on social networks, each with whom the line under the post names."""
    for i, sentence in enumerate(layout.sentences):
        signature = POSTER.match(layout.text(sentence)) if sentence.boilerplate else None
        before = i - 1
        while signature and before >= 0 and not layout.sentences[before].boilerplate:
            if layout.sentences[before].paragraph != sentence.paragraph:
                break
            yield before, signature["poster"].strip()
            before -= 1


def _has_source(context: _Context, i: int) -> bool:
    speech = context.speeches.get(i)
    return speech is not None and speech.source is not None and _home(context, i) == i


def _copy_from(context: _Context, i: int, owner: int) -> None:
    said = context.found.get(owner)
    if said and not context.layout.sentences[i].boilerplate and said.voice is not Voice.OBSERVED:
        context.found[i] = Attribution(said.speaker, said.voice, Manner.QUOTED, None, "same quotation", said.sure)


_Rule = Callable[[_Context, int], Attribution | None]
_RULES: tuple[_Rule, ...] = (_own_cue, _signed, _elsewhere, _continued, _hearsay, _unresolved)
