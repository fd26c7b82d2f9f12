# noqa: INP001 - MkDocs loads it by its path
"""What MkDocs calls while it builds the site: the reference from the program, and links to files outside the site."""

import re
from collections.abc import Iterator
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from adapters.json_contract import DEFINITIONS
from adapters.settings import TABLE
from adapters.terminal.cli import COMMANDS, cli, load_command

OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?!how-to/|img/|docs/)([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, "reference.md", content=reference()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to files of the repository that the site has not into their names."""
    del config
    depth = page.file.src_uri.count("/")
    known = set(files.src_uris)

    def kept(match: re.Match[str]) -> str:
        target = match[0].rpartition("(")[2].rstrip(")").partition("#")[0]
        ups = target.count("../")
        if ups <= depth and target.replace("../", "") in known:
            return match[0]
        words, path = match[1], match[2]
        return words if words.startswith("`") else f"{words} (`{path}` in the repository)"

    return OUTSIDE.sub(kept, markdown)


def reference() -> str:
    """Return the reference: the command line, settings, JSON and errors."""
    parts = ("# Reference", "This page is generated from the program.", *_commands(), *_settings(), *_json(), ERRORS)
    return "\n\n".join(parts) + "\n"


def _commands() -> Iterator[str]:
    yield "## Command line"
    context = click.Context(cli, info_name="stet")
    for name in sorted(COMMANDS):
        command = load_command(name)
        own = click.Context(command, info_name=name, parent=context)
        yield f"### stet {name}"
        yield f"{COMMANDS[name][1]}"
        yield f"```text\n{command.get_help(own)}\n```"


def _settings() -> Iterator[str]:
    yield "## Settings"
    rows = (f"| `{row.name}` | {_cell(row.help)} | {f'`{row.default}`' if row.default else ''} |" for row in TABLE)
    yield "\n".join(("| setting | what it does | default |", "|---|---|---|", *rows))


def _json() -> Iterator[str]:
    yield "## JSON"
    yield "`stet … --json` prints one object a line. Keys may be added; none is renamed. Assistants get the same."
    for name, definition in DEFINITIONS.items():
        schema = definition.schema
        if "properties" in schema:
            rows = (
                f"| `{key}` | {_type(value)} | {_cell(value.get('description', ''))} |"
                for key, value in schema["properties"].items()
            )
            yield f"### {name}"
            yield "\n".join(("| key | type | what it is |", "|---|---|---|", *rows))


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"].rpartition("/")[2])
    if "const" in value or "enum" in value:
        return ", ".join(f"`{each}`" for each in value.get("enum", (value.get("const"),)))
    if "anyOf" in value:
        return " or ".join(_type(each) for each in value["anyOf"])
    kind = value.get("type", "any")
    kinds = " or ".join(kind) if isinstance(kind, list) else kind
    return f"list of {_type(value['items'])}" if kinds == "array" and "items" in value else kinds


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


ERRORS = """## Errors

An error is one sentence on standard error: what happened, and what to do. Standard output is empty or complete.

| exit status | meaning |
|---|---|
| 0 | done, also if nothing answers the question |
| 1 | something failed, or `stet check` found a fault |
| 2 | wrong usage, or a file that can't be read |
| 130 | stopped with Ctrl-C; what was finished is kept |

An article that can't be read is left out with a warning. If no article can be read, that is an error."""
