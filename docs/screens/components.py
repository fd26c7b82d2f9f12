"""Discord's Components V2 -> HTML: the components and the markdown that this program sends, and no others."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from discord import ButtonStyle, ComponentType

Component = Mapping[str, Any]
_INLINE = re.compile(r"\\(?P<plain>[^\w\s])|\*\*(?P<bold>.+?)\*\*|\[(?P<label>(?:\\.|[^\]])+)\]\(<[^>]*>\)")
_BEGINNINGS = (("> ", "blockquote"), ("-# ", "small"))


def html(components: Iterable[Component]) -> str:
    """Return the components below each other. Raises ``ValueError`` for one that is not known here."""
    return "".join(map(_component, components))


def _component(component: Component) -> str:
    match ComponentType(component["type"]):
        case ComponentType.container:
            colour = f"#{component['accent_color']:06x}"
            return f'<div class=container style="--accent: {colour}">{html(component["components"])}</div>'
        case ComponentType.text_display:
            return "".join(map(_line, component["content"].split("\n")))
        case ComponentType.separator:
            return "<hr>"
        case ComponentType.action_row:
            return f"<div class=row>{html(component['components'])}</div>"
        case ComponentType.button:
            kind = ButtonStyle(component["style"]).name
            return f'<span class="button {kind}">{escape(component["label"])}</span>'
        case ComponentType.select:
            return f"<span class=select>{escape(component['placeholder'])} <span>▾</span></span>"
        case other:
            raise ValueError(f"No picture is known of Discord's {other.name}.")


def _line(line: str) -> str:
    for beginning, tag in _BEGINNINGS:
        if line.startswith(beginning):
            return f"<{tag}>{_inline(line.removeprefix(beginning))}</{tag}>"
    return f"<p>{_inline(line)}</p>"


def _inline(words: str) -> str:
    """Return words with their marks obeyed and everything else as it stands."""
    shown, end = "", 0
    for mark in _INLINE.finditer(words):
        shown += escape(words[end : mark.start()]) + _marked(mark)
        end = mark.end()
    return shown + escape(words[end:])


def _marked(mark: re.Match[str]) -> str:
    if mark["bold"]:
        return f"<b>{_inline(mark['bold'])}</b>"
    return f"<a>{_inline(mark['label'])}</a>" if mark["label"] else escape(mark["plain"])
