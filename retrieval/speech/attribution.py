"""Sentence -> who says it, and in what voice.

Theory of operation
-------------------

Every sentence has one voice. A wrong name beside it is the worst error here, and "speaker not told" the honest one; so
nobody is guessed from nearness alone: something in the copy has to say who speaks.

First each sentence is read by itself. ``cue_matching`` looks at the words that can tell of speech (a reporting verb,
"according to", a colon behind a name), and each calls up its rules: does the verb report here, or is it a noun, a
passive, a denial of speech, and which phrase is its subject? Of several cues the one nearest to the main clause wins.

Then ``_RULES`` are asked, sentence by sentence in reading order, and the first that speaks decides. A cue with a source
comes first; it also settles whom "she" or "the mayor" means, by what ``coreference`` remembers of the sentences read
before. Then, for what stands in quotation marks without a cue, a name signed under it, or the speaker of the sentence
before. Then hearsay, which nobody says; and last, for a quotation that none of these explains, that its speaker is
open. What is left is the outlet's own voice. Where one quotation runs over several sentences, the sentence with the cue
owns it, be it the last, and its speaker goes to the others when all are read. Quotations of up to three words are
nobody's speech.

What a rule finds is a candidate. ``speech_features`` weighs it, by a small logistic model: which rule and verb, whether
a quotation, "that" or nothing stands beside them, who the source is, and how by ``syntax`` cue and source depend on one
another. Who is likely to speak is what caveats and denials are judged by. Who is shown beside the sentence must be
sure: more probable, where nothing is quoted most of all, and told by a name or a whole phrase that a reader can rely
on, not by "his lawyer". Else nobody is shown, and a quotation's speaker is open.

A parse is no verdict: alone it found the speaker of 79 direct quotations in a hundred, where the rules found 94. But it
tells what no words side by side can: that a cue stands in a relative clause, that its subject is another, and
(``made_whole``) that what stands before the verb is only a part of it, as in "a source close to Lee said".

An example
----------

    >>> from retrieval.model import Article
    >>> from retrieval.pipeline import read_one
    >>> def trace(text):
    ...     for passage in read_one(Article("pier", text)).passages:
    ...         rule = passage.attribution.rule if passage.attribution else "none"
    ...         print(passage.sentence.index, passage.voice, passage.speaker, rule, sep=" | ")
    >>> trace("“The beams creaked. They were rotten,” said Orla Finch, the mayor. “We had no choice.” She said that "
    ...     "storms had done it. According to harbour officials, repairs will take a year. The Gazette reported that "
    ...     "two boats were lost. A diver was reportedly hurt. The pier was built in 1902. “Nobody asked us.”")
    0 | named | Orla Finch | same quotation
    1 | named | Orla Finch | cue before its subject
    2 | named | Orla Finch | quotation goes on
    3 | named | Orla Finch | subject before its cue
    4 | unnamed | harbour officials | according to
    5 | media | Gazette | subject before its cue
    6 | impersonal | None | hearsay adverb
    7 | outlet | None | none
    8 | unresolved | None | speaker not told

1 has "said" before its subject, and 0 is of the same quotation. "She" in 3 is who spoke last. 4 is a source without a
name, 5 a newspaper, 6 nobody. 8 is quoted, and nobody spoke just before it.

What it cannot do
-----------------

A pronoun is whoever spoke before, or the subject there; in "Finch met Lee. She said …" that may be the wrong one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from retrieval.lexicon.word_classes import classes
from retrieval.model import Attribution, Boilerplate, Kind, Manner, Quotation, Sentence, Voice
from retrieval.press.outlets import Press, press_of
from retrieval.speech import cues
from retrieval.speech.coreference import Memory, Number, Party
from retrieval.speech.cue_matching import find_speeches, is_outlet
from retrieval.speech.cues import Speech
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

_AFTER_SIGNATURE = (",", "(", ".")  # "— Ann Bell, mayor", "— Ann Bell (@annbell)"
_DASHES = frozenset(("―", "—", "–", "--", "-"))
_REPORTING = (None, Boilerplate.HEADING, Boilerplate.TITLE)
_POINTING = (classes("articles") - {"a", "an"}) | classes("demonstratives", "possessives")
_POSSESSIVES = classes("possessives")
_BARE = 3  # words of "the chief prosecutor": more tell by themselves who it is
_SPOKEN = re.compile(r"""[,:]\s?(?:["“]|``)|,\s?(?:["”]|'')""")  # a comma or colon parts speech from who speaks
_ARMS_LENGTH = 3  # quoted words up to this many are a term held at arm's length, and nobody's speech


@dataclass(frozen=True, slots=True)
class _Page:
    """What the rules of one article share."""

    layout: Layout
    tokens: Tokens
    press: Press
    memory: Memory
    speeches: tuple[Speech | None, ...]
    quoted: tuple[int, ...]  # per sentence, how many words stand in its longest quotation
    whole: frozenset[int]  # sentences that stand wholly in quotation marks
    signed: dict[int, str]
    closed: set[int]  # sentences of a quotation that a sentence closes which tells more, though not who speaks
    found: dict[int, Attribution]

    def between(self, i: int, j: int) -> str:
        """Return what stands between two tokens."""
        return self.tokens.text[self.tokens.ends[i] : self.tokens.starts[j]]


def attribute(layout: Layout) -> tuple[Attribution | None, ...]:
    """Return the attribution of each sentence, none for the outlet's own voice."""
    tokens, press = layout.tokens, press_of(layout.article)
    page = _Page(
        layout=layout,
        tokens=tokens,
        press=press,
        memory=Memory(layout, press),
        speeches=find_speeches(
            tokens,
            [
                line if sentence.boilerplate in _REPORTING else None
                for sentence, line in zip(layout.sentences, tokens.sentences, strict=True)
            ],
            press,
        ),
        quoted=tuple(_words_quoted(tokens, line) for line in tokens.sentences),
        whole=frozenset(i for i, line in enumerate(tokens.sentences) if _all_quoted(tokens, line)),
        signed={},
        closed=set(),
        found={},
    )
    found = page.found
    owners = _owners(page)
    for i, sentence in enumerate(layout.sentences):
        if sentence.boilerplate not in _REPORTING:
            continue
        for rule in _RULES if not sentence.boilerplate else (_own_cue,):
            attribution = rule(page, i)
            if attribution:
                found[i] = attribution
                break
    for i in owners:
        _carry(page, i, owners[i])
    return tuple(found.get(i) for i in range(len(layout.sentences)))


def _words_quoted(tokens: Tokens, line: range) -> int:
    """Return how many words stand in the longest quotation of a sentence: several terms make no speech."""
    if not any(tokens.quoted[line.start : line.stop]):
        return 0
    runs = groupby(line, key=lambda i: tokens.quoted[i])
    return max(sum(tokens.words[i][0].isalnum() for i in run) for quoted, run in runs if quoted)


def _all_quoted(tokens: Tokens, line: range) -> bool:
    """Return whether a sentence stands wholly in quotation marks."""
    return any(tokens.quoted[line.start : line.stop]) and all(
        tokens.quoted[t] or not tokens.words[t][0].isalnum() for t in line
    )


def _manner(page: _Page, i: int) -> Manner:
    return Manner.QUOTED if page.quoted[i] else Manner.PARAPHRASED


def _own_cue(page: _Page, i: int) -> Attribution | None:
    """Attribute a sentence by the cue that it holds itself."""
    speech = page.speeches[i]
    if speech is None or speech.source is None:
        return None
    party = page.memory.party(speech.source, i)
    span = page.tokens.span(speech.cue, speech.last + 1)
    if party is None or _is_a_text(page, speech, party):
        return Attribution(None, Voice.UNRESOLVED, _manner(page, i), span, "pronoun left open", speech.sure)
    _remember(page, i, speech, party)
    sure = _is_told_apart(party) and speech.sure
    return Attribution(party.name, _voice(page, speech, party), _manner(page, i), span, speech.rule, sure)


def _is_told_apart(party: Party) -> bool:
    """Return whether a reader learns who it is: not of "his lawyer" or "the official"."""
    words = party.name.split()
    if party.named or party.source is None:
        return True
    bare = len(words) <= _BARE and not any(word[0].isupper() for word in words[1:])
    if bare and words[0].lower() in _POSSESSIVES:
        return party.source.head in cues.BODIES  # "their union", but not "its website"
    return not bare or words[0].lower() not in _POINTING or party.number is not Number.PERSON


def _is_a_text(page: _Page, speech: Speech, party: Party) -> bool:
    """Return whether "it reads" speaks of a letter or a sign, and not of the office or paper named last."""
    it_reads = speech.lemma == "read" and speech.source is not None and speech.source.head == "it"
    return it_reads and _voice(page, speech, party) is not Voice.UNNAMED


def _voice(page: _Page, speech: Speech, party: Party) -> Voice:
    if speech.observed:
        return Voice.OBSERVED
    if party.source is not None and is_outlet(page.tokens, party.source, page.press):
        return Voice.MEDIA
    return Voice.NAMED if party.named else Voice.UNNAMED


def _remember(page: _Page, i: int, speech: Speech, party: Party) -> None:
    """Keep the speaker in mind for the pronouns to come; "Lee said she …" tells Lee's gender."""
    if speech.rule != "passive with its agent":  # "Lee was asked by a reporter. She said …" is Lee
        page.memory.remember(i, party)
    if speech.source is not None:
        page.memory.learn(party, speech.source.head)
    following = page.tokens.lower[speech.last + 1 : speech.last + 3]
    for word in following[:1] if following[:1] != ("that",) else following[1:]:
        page.memory.learn(party, word)


def _is_speech(page: _Page, i: int) -> bool:
    """Return whether somebody speaks in a sentence, and not the outlet with a quoted phrase."""
    line = page.tokens.sentences[i]
    plain = sum(1 for t in line if page.tokens.words[t][0].isalnum()) - page.quoted[i]
    parted = _SPOKEN.search(page.layout.text(page.layout.sentences[i])) is not None
    return page.quoted[i] > _ARMS_LENGTH and (parted or page.quoted[i] > plain)


def _hearsay(page: _Page, i: int) -> Attribution | None:
    """Attribute to nobody what is only said to be so."""
    speech = page.speeches[i]
    if speech is None or _is_speech(page, i):
        return None
    return Attribution(
        None, Voice.IMPERSONAL, _manner(page, i), page.tokens.span(speech.cue, speech.last + 1), speech.rule
    )


def _signed(page: _Page, i: int) -> Attribution | None:
    """Attribute a sentence of a quotation to the name signed under it."""
    if i not in page.signed:
        return None
    return Attribution(page.signed[i], Voice.NAMED, Manner.QUOTED, None, "signed quotation")


def _led_in(page: _Page, i: int) -> Attribution | None:
    """Attribute a sentence that is a quotation to the speaker of the sentence before it."""
    if i not in page.whole or i in page.closed:
        return None
    j = i - 1
    while j >= 0 and page.layout.sentences[j].boilerplate:
        j -= 1
    before = page.found.get(j)
    if before is None or before.speaker is None or before.voice is Voice.OBSERVED:
        return None
    if j in page.memory.speakers:
        page.memory.remember(i, page.memory.speakers[j])
    return Attribution(before.speaker, before.voice, Manner.QUOTED, None, "quotation goes on", before.sure)


def _unresolved(page: _Page, i: int) -> Attribution | None:
    """Leave open who says what stands in quotation marks."""
    if i not in page.whole and not _is_speech(page, i):
        return None
    return Attribution(None, Voice.UNRESOLVED, Manner.QUOTED, None, "speaker not told")


def _owners(page: _Page) -> dict[int, int]:
    """Return for each sentence inside a quotation the sentence that tells who speaks it; note the signed ones."""
    owners: dict[int, int] = {}
    for quotation, indexes in _sentences_of(page):
        telling = [i for i in indexes if _tells(page, i)]
        signed = None if telling else _signature(page, quotation)
        if signed:
            page.signed.update(dict.fromkeys((i for i in indexes if not page.speeches[i]), signed))
        elif not telling and indexes[-1] not in page.whole:
            page.closed.update(indexes[:-1])
        elif telling:
            owners.update({i: telling[0] for i in indexes if not _tells(page, i) and i not in owners})
    return owners


def _sentences_of(page: _Page) -> Iterator[tuple[Quotation, list[int]]]:
    """Yield each quotation with the indexes of the sentences it touches."""
    sentences = page.layout.sentences
    first = 0
    for quotation in page.layout.quotations:
        while first < len(sentences) and sentences[first].span.end <= quotation.span.start:
            first += 1
        last = first
        while last < len(sentences) and sentences[last].span.start < quotation.span.end:
            last += 1
        if last > first:
            yield quotation, list(range(first, last))


def _signature(page: _Page, quotation: Quotation) -> str | None:
    """Return who signs a quotation: “…” — Ann Lee."""
    tokens = page.tokens
    dash = bisect_left(tokens.starts, quotation.span.end)
    signed = tokens.opening.get(dash + 1)
    if signed is None or tokens.words[dash] not in _DASHES or signed[1].kind is not Kind.PERSON:
        return None
    after = signed[0] + 1
    parted = (
        after >= len(tokens.words)
        or tokens.quoted[after]
        or "\n" in page.between(signed[0], after)
        or tokens.words[after] in _AFTER_SIGNATURE
    )
    return signed[1].name if parted else None


def _tells(page: _Page, i: int) -> bool:
    speech = page.speeches[i]
    return speech is not None and speech.source is not None


def _carry(page: _Page, i: int, owner: int) -> None:
    """Attribute a sentence inside a quotation to the speaker of the quotation."""
    told = page.found.get(owner)
    sentence: Sentence = page.layout.sentences[i]
    if told is None or sentence.boilerplate or told.voice is Voice.OBSERVED:
        return
    page.found[i] = Attribution(told.speaker, told.voice, Manner.QUOTED, None, "same quotation", told.sure)


_RULES: tuple[Callable[[_Page, int], Attribution | None], ...] = (
    _own_cue,
    _signed,
    _led_in,
    _hearsay,
    _unresolved,
)
