"""The reason an article gives for not naming a source: "who spoke on condition of anonymity because …"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from retrieval.model import Attribution, Span, Voice
from retrieval.text.blocks import Layout

_STEMS = ("anonym", "authori", "named", "identified", "by name")  # nothing else can match, and searching is slow
_REASON = re.compile(
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
_BEFORE_SENTENCES, _AFTER_SENTENCES = 2, 1  # from the reason to the source's words


def with_anonymity(layout: Layout, attributions: Mapping[int, Attribution]) -> dict[int, Attribution]:
    """Add to each unnamed source the reason that the article gives, wherever it stands."""
    reasons: dict[str, Span] = {}
    for i, sentence in enumerate(layout.sentences):
        text = layout.text(sentence)
        if sentence.boilerplate or not any(stem in text for stem in _STEMS):
            continue
        match = _REASON.search(text)
        speaker = _unnamed_speaker(attributions, i, len(layout.sentences)) if match else None
        if match and speaker:
            start = sentence.span.start + match.start() + len(match.group()) - len(match.group().lstrip())
            reasons.setdefault(speaker, Span(start, sentence.span.start + match.start() + len(match.group().rstrip())))
    return {
        i: replace(each, anonymity=reasons[each.speaker])
        if each.voice is Voice.UNNAMED and each.speaker in reasons
        else each
        for i, each in attributions.items()
    }


def _unnamed_speaker(attributions: Mapping[int, Attribution], i: int, count: int) -> str | None:
    """Return the unnamed source of the sentence, or of the nearest one around it."""
    near: Sequence[int] = [i, *range(i - 1, max(-1, i - 1 - _BEFORE_SENTENCES), -1)]
    for j in (*near, *range(i + 1, min(count, i + 1 + _AFTER_SENTENCES))):
        attribution = attributions.get(j)
        if attribution and attribution.speaker:
            return attribution.speaker if attribution.voice is Voice.UNNAMED else None
    return None
