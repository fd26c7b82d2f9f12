"""Sentence -> who says it, in what voice, and why a source has no name. See ``docs/theory/speakers.md``."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from retrieval.model import Attribution, Boilerplate, Kind, Manner, Quotation, Span, Voice
from retrieval.models.source_model import load_source_model
from retrieval.names.outlets import Press, press_of
from retrieval.speech.cues import Shape, Speech
from retrieval.speech.labels import QUOTED
from retrieval.speech.parties import Parties, Party, is_identified
from retrieval.speech.sources import find_speeches, is_outlet
from retrieval.speech.turns import find_turns
from retrieval.text.blocks import Layout, touching
from retrieval.text.boilerplate import POSTER
from retrieval.text.tokens import Tokens

_SIGNATURE_ENDS = (",", "(", ".")  # "— Ann Bell, mayor", "— Ann Bell (@annbell)"
_DASHES = frozenset(("―", "—", "–", "--", "-"))
_PAPER = re.compile(r", (?:[A-Z][\w’'-]*|of|the)(?: (?:[A-Z][\w’'-]*|of|the|&)){0,4}\s*(?:\n|$)")  # ", The Courier"
_REPORT_PARTS = (None, Boilerplate.HEADING, Boilerplate.TITLE)
_SIGNED = re.compile(r"(?:[A-Z][\w’'.-]+ ){1,3}[A-Z][\w’'-]+(?:, [^.!?\n]{2,60}[^.!?\n])?")  # "Ann Lee, 62"
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]m|my|we|our)\b")
_SPEECH_MARKS = re.compile(r"""[,:]\s?(?:["“]|``)|,\s?(?:["”]|'')""")  # a comma or colon parts speech from who speaks
_COMMENTS = re.compile(r"(?:\d+ )?(?:reader(?:s|['’]s|s['’])? )?comments(?: \(\d+\))?:?", re.IGNORECASE)  # a line
_STAGE = re.compile(  # "(Laughter and applause.)": nobody says it
    r"[(\[](?:[\w’'-]+ ){0,3}(?:laugh|applau|cheer|chuckl|boo|cross-?talk|inaudible|unintelligible|music|paus|sigh)"
    r"[\w ]*[.!]?[)\]][.!]?",
    re.IGNORECASE,
)
SURE = 0.75  # the probability that a sentence is speech, times that of the speaker's place, from which one is shown
_TERM_WORDS = 3  # up to this many quoted words are a quoted term, and no speech
_UNNAMED = ("anonym", "authori", "named", "identified", "by name")  # no other can match, and searching is slow
_ANONYMITY = re.compile(
    r"""\b(?:
        (?:sp(?:oke|eak\w*) | talk\w* | insist\w* | agreed\s+to\s+\w+ )?\s*
            on\s+(?:the\s+)?(?:strict\s+)?conditions?\s+of\s+(?:strict\s+)?anonymity
      | (?:request\w* | ask(?:ed|s|ing)\s+for | (?:(?:was|were)\s+)?(?:granted|given|promised) )\s+anonymity
      | sp(?:oke|eak\w*)\s+(?:\w+\s+){0,3}?anonymously
      | (?:ask(?:ed|s|ing) | request\w* | prefer\w* | wish\w* | want\w* | declin\w* | refus\w* )\s+
            (?:that\s+\w+\s+)?(?:not\s+to|to\s+not|to|not)\s+be\s+(?:publicly\s+)?(?:named|identified|quoted\s+by\s+name)
      | (?:do|does|did)\s?n[o’']?t\s+(?:want|wish)\s+to\s+be\s+(?:publicly\s+)?(?:named|identified)
      | (?:(?:was|were|is|are)\s?n[o’']?t | not | lack\w*\s+the) \s+authori[sz](?:ed|ation)\s+to\s+
            (?:\w+\s+)?(?:speak|talk|comment|discuss|disclose|be\s+quoted)
      | whose\s+name\w*\s+(?:is|are|has|have)\s+(?:being|been)\s+withheld
    )\b [^,;.”"]* (?:,\s(?:because|citing|fearing|as|since|for\sfear)\s[^,;.”"]*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE_SENTENCES, _AFTER_SENTENCES = 2, 1  # from a reason for anonymity to the source's words


@dataclass(frozen=True, slots=True)
class _Context:
    """What the rules share for one article."""

    layout: Layout
    tokens: Tokens
    press: Press
    parties: dict[int, Party | None]  # of the sentences that report somebody
    speeches: dict[int, Speech]
    quoted: tuple[int, ...]  # per sentence, the words of its longest quotation
    signed: dict[int, str]
    found: dict[int, Attribution]


def attribute(layout: Layout) -> tuple[Attribution | None, ...]:
    """Attribute each sentence; None is the outlet's own voice."""
    tokens, press = layout.tokens, press_of(layout.article)
    guesses = load_source_model().guesses(layout)
    speeches = find_speeches(layout, guesses, press)
    parties = Parties(layout, speeches.values())
    context = _Context(
        layout=layout,
        tokens=tokens,
        press=press,
        parties={i: parties.of(speech) for i, speech in speeches.items()},
        speeches=speeches,
        quoted=tuple(_words_quoted(tokens, line) for line in tokens.sentences),
        signed={},
        found={},
    )
    found = context.found
    owners = _owners(context)
    context.signed.update(_posts(layout))
    context.signed.update(_letters(context))
    for i, sentence in enumerate(layout.sentences):
        if sentence.boilerplate not in _REPORT_PARTS:
            continue
        for rule in _RULES if not sentence.boilerplate else (_own_cue,):
            attribution = rule(context, i)
            if attribution:
                found[i] = attribution
                break
    for i, owner in owners.items():
        said = found.get(owner)
        if said and not layout.sentences[i].boilerplate and said.voice is not Voice.OBSERVED:
            found[i] = Attribution(said.speaker, said.voice, Manner.QUOTED, None, "same quotation", said.sure)
    turns = find_turns(layout, press)
    for i in range(max(turns, default=len(layout.sentences)) + 1, len(layout.sentences)):
        if not context.quoted[i] and not _has_source(context, i):
            found.pop(i, None)  # what follows the last turn and names nobody itself is the outlet's
    found.update(turns)
    found = _with_anonymity(layout, found)
    texts = [layout.text(sentence).strip() for sentence in layout.sentences]
    end = next((i for i, text in enumerate(texts) if _COMMENTS.fullmatch(text)), len(texts))
    return tuple(None if i >= end or _STAGE.fullmatch(text) else found.get(i) for i, text in enumerate(texts))


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
    """Attribute a sentence to whom the model reads in it, or finds elsewhere."""
    speech = context.speeches.get(i)
    if speech is None or (speech.source is None and speech.name is None):
        return None
    party = context.parties[i]
    span = context.tokens.span(speech.cue, speech.last + 1)
    if party is None and (speech.source is None or speech.source.shape is not Shape.PRONOUN):
        return None
    if party is None:
        return Attribution(None, Voice.UNRESOLVED, _manner(context, i), span, "pronoun left open")
    sure = is_identified(party) and speech.likely * party.probability >= SURE
    return Attribution(party.label, _voice(context, speech, party), _manner(context, i), span, speech.rule, sure)


def _voice(context: _Context, speech: Speech, party: Party) -> Voice:
    if speech.observed:
        return Voice.OBSERVED
    if is_outlet(context.tokens, party.source, context.press):
        return Voice.MEDIA
    return Voice.NAMED if party.named else Voice.UNNAMED


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


def _unresolved(context: _Context, i: int) -> Attribution | None:
    if not _all_quoted(context.tokens, context.tokens.sentences[i]) and not _is_speech(context, i):
        return None
    return Attribution(None, Voice.UNRESOLVED, Manner.QUOTED, None, "speaker not told")


def _owners(context: _Context) -> dict[int, int]:
    """Map each sentence inside a quotation to the sentence that names its speaker; record signed quotations."""
    owners: dict[int, int] = {}
    spans = [sentence.span for sentence in context.layout.sentences]
    for quotation in context.layout.quotations:
        indexes = touching(spans, quotation.span)
        sourced = [i for i in indexes if _has_source(context, i)]
        signed = None if sourced else _signature(context, quotation)
        if signed:
            context.signed.update(dict.fromkeys(indexes, signed))
        elif sourced:
            owners.update({i: sourced[0] for i in indexes if not _has_source(context, i) and i not in owners})
    return owners


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
        signature = signature if signature and not QUOTED.search(signature["poster"]) else None
        while signature and before >= 0 and not layout.sentences[before].boilerplate:
            if layout.sentences[before].paragraph != sentence.paragraph:
                break
            yield before, signature["poster"].strip()
            before -= 1


def _letters(context: _Context) -> Iterator[tuple[int, str]]:
    """Yield the sentences of letters and answers in the first person, each with who has a line below: "Ann Lee, 62"."""
    sentences, layout = context.layout.sentences, context.layout
    signed = {}
    for i, sentence in enumerate(sentences):
        mention = next(iter(layout.mentions[i]), None)
        is_line = i > 0 and layout.article.text[sentences[i - 1].span.end : sentence.span.start].strip(" ") == "\n"
        is_signed = is_line and _SIGNED.fullmatch(layout.text(sentence).strip())
        if is_signed and mention and mention.kind is Kind.PERSON:
            signed[i] = mention.name
    for i, name in signed.items() if len(signed) > 1 else ():
        first = i
        while first and sentences[first - 1].paragraph >= sentences[i].paragraph - 1 and first - 1 not in signed:
            first -= 1
        letter = range(first, i)
        text = layout.article.text[sentences[first].span.start : sentences[i].span.start]
        if _FIRST_PERSON.search(text) and not any(context.quoted[j] for j in letter):
            yield from ((j, name) for j in letter)


def _has_source(context: _Context, i: int) -> bool:
    speech = context.speeches.get(i)
    return speech is not None and speech.source is not None and context.tokens.sentence_at(speech.source.first) == i


def _with_anonymity(layout: Layout, attributions: Mapping[int, Attribution]) -> dict[int, Attribution]:
    """Add to each unnamed source the reason that the article gives, wherever that is."""
    reasons: dict[str, Span] = {}
    for i, sentence in enumerate(layout.sentences):
        text = layout.text(sentence)
        if sentence.boilerplate or not any(stem in text for stem in _UNNAMED):
            continue
        match = _ANONYMITY.search(text)
        speaker = _unnamed_speaker(attributions, i) if match else None
        if match and speaker:
            start = sentence.span.start + match.start() + len(match.group()) - len(match.group().lstrip())
            reasons.setdefault(speaker, Span(start, sentence.span.start + match.start() + len(match.group().rstrip())))
    unnamed = ((i, said) for i, said in attributions.items() if said.voice is Voice.UNNAMED)
    reasoned = {i: replace(said, anonymity=reasons[said.speaker]) for i, said in unnamed if said.speaker in reasons}
    return {**attributions, **reasoned}


def _unnamed_speaker(attributions: Mapping[int, Attribution], i: int) -> str | None:
    """Return the unnamed source of the sentence, or of the nearest one around it."""
    near = (i, *range(i - 1, i - 1 - _BEFORE_SENTENCES, -1), *range(i + 1, i + 1 + _AFTER_SENTENCES))
    said = next((said for j in near if (said := attributions.get(j)) and said.speaker), None)
    return said.speaker if said and said.voice is Voice.UNNAMED else None


_Rule = Callable[[_Context, int], Attribution | None]
_RULES: tuple[_Rule, ...] = (_signed, _own_cue, _hearsay, _unresolved)
