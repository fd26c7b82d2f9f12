"""``more``, ``context`` and ``copy``: commands on the quotations that a state names."""

import json
from collections.abc import Callable, Mapping
from itertools import chain, pairwise

from bot import messages, sentence_links, source_lines, verbatim
from bot.ask.model import Band
from bot.command import Library
from bot.commands.ask import fill_page
from bot.errors import BrokenStateError
from bot.escaping import as_csv
from bot.model import Answer, Clipping, Extract, Listing, Message, Section
from bot.source_lines import link

AROUND = 2  # sentences shown on either side


def more(library: Library, text: str) -> Answer | Message:
    extracts = [*verbatim.named_by(library.archive, sentence_links.decode(text))] if text else []
    shown, tried = fill_page(extracts)
    if not shown:
        return Message(messages.NO_MORE)
    band = Band.ANSWER if sentence_links.is_sure(text) else Band.CLOSEST
    rest = sentence_links.encode(map(sentence_links.address, extracts[tried:]), sure=band is Band.ANSWER)
    return Answer(shown, message=messages.doubt(band) or messages.FURTHER, more=rest, band=band)


def context(library: Library, text: str) -> Listing | Message:
    """Return the sentences around the one that ``text`` names, or around the first of a quotation, which is marked."""
    archive = library.archive
    address = _one(text)[0]
    extract, reading = verbatim.addressed(archive, address.key, address.index), archive.addressed(address.key)
    if extract is None or reading is None:
        return Message(messages.CHANGED)
    indexes = range(len(reading.passages))[max(0, extract.index - AROUND) : extract.index + AROUND + 1]
    shown = tuple(verbatim.named_by(archive, (sentence_links.Pointer(address.key, index) for index in indexes)))
    marked = next(place for place, one in enumerate(shown) if one.index == extract.index)
    return Listing(source_lines.source(extract.citation), (Section("", shown, marked=marked),))


def copy(library: Library, text: str) -> Clipping | Message:
    """Return the quotation that ``text`` ("STATE" or "STATE FORM") names, to paste elsewhere."""
    state, _, form = text.partition(" ")
    form = form.strip().lower() or "text"
    if form not in FORMS:
        return Message(messages.no_such_form(form, tuple(FORMS)))
    named = _one(state)
    sentences = [*verbatim.named_by(library.archive, named)]
    is_whole = len(sentences) == len(named) and all(source_lines.continues(*pair) for pair in pairwise(sentences))
    extract = verbatim.joined(library.archive, sentences) if is_whole else None
    return Clipping(FORMS[form](extract), form, tuple(sentences)) if extract else Message(messages.CHANGED)


def _one(text: str) -> tuple[sentence_links.Pointer, ...]:
    quotations = sentence_links.quotations(text.strip())
    if len(quotations) != 1:
        raise BrokenStateError(text)
    return quotations[0]


def _lines(extract: Extract) -> tuple[list[str], list[str], list[str]]:
    """Return the words and who says them, the caveats, and the notices, each on a line of its own."""
    said = [extract.text, *([f"— {speaker}"] if (speaker := source_lines.speaker(extract)) else [])]
    caveats = [f"{messages.CAVEAT} {caveat.text}" for caveat in extract.caveats]
    return said, caveats, [f"{messages.NOTICES[notice.why]} {notice.text}" for notice in extract.notices]


def _plain(extract: Extract) -> str:
    said, caveats, notices = _lines(extract)
    source = filter(None, (source_lines.source(extract.citation), link(extract.citation, extract.text)))
    return "\n".join((*said, *caveats, *source, *notices))


def _markdown(extract: Extract) -> str:
    markup = str.maketrans({mark: "\\" + mark for mark in "\\`*_{}[]()<>#+-.!|~"})
    source, address = source_lines.source(extract.citation).translate(markup), link(extract.citation, extract.text)
    said, caveats, notices = ([line.translate(markup) for line in lines] for lines in _lines(extract))
    cited = f"[{source}](<{address}>)" if address else source
    return "\n>\n".join(f"> {line}" for line in (*said, *(f"**{line}**" for line in caveats), cited, *notices))


def _csv(extract: Extract) -> str:
    cited = extract.citation
    row = {
        "quotation": extract.text,
        "speaker": extract.speaker or "",
        "voice": extract.voice,
        "caveat": " ".join(caveat.text for caveat in extract.caveats),
        "notice": " ".join(_lines(extract)[2]),
        "source": cited.source or "",
        "title": cited.title or "",
        "published": cited.published or "",
        "url": cited.url or "",
        "article": cited.article_id,
        "start": cited.span.start,
        "end": cited.span.end,
    }
    return as_csv((tuple(row), tuple(row.values()))).removesuffix("\n")


def _csl(extract: Extract) -> str:
    cited = extract.citation
    day = cited.published
    item = {
        "id": cited.article_id,
        "type": "article-newspaper",
        "title": source_lines.title(cited),
        "note": "\n".join(chain.from_iterable(_lines(extract))),
        "container-title": cited.source,
        "issued": {"date-parts": [[day.year, day.month, day.day]]} if day else None,
        "URL": cited.url,
    }
    return json.dumps([{name: value for name, value in item.items() if value}], ensure_ascii=False, indent=2)


FORMS: Mapping[str, Callable[[Extract], str]] = {"text": _plain, "markdown": _markdown, "csv": _csv, "csl-json": _csl}
