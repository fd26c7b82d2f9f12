"""The console script ``stet``: the list of its commands, each imported when it is run.

``stet --help`` imports neither spaCy nor a platform's SDK.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from importlib import import_module

import click
from bot.escape_controls import escape_line

from adapters import __version__
from adapters.settings import debugging
from bot.commands.table import TABLE
from retrieval import collect_rarely

INTERRUPTED = 130  # 128 and SIGINT, as shells have it

# The name of each command: the module and the function, and its line in the list. Commands of the chat come beside.
COMMANDS = {
    "add": ("archiving:add", "Add files, folders and web pages to the archive, and follow feeds."),
    "ask": ("asking:ask", "Answer a question with sentences of the articles."),
    "audit": ("records:audit", "Show what was answered: when, where, to whom, and each place that was shown."),
    "chat": ("console:chat", "Ask question after question at a prompt, with history and the slash commands."),
    "check": (
        "configuration_check:check",
        "Say what is wrong, what is configured and what each platform lacks.",
    ),
    "discord": ("serving:discord", "Serve Discord until stopped."),
    "eval": ("asking:evaluate", "Score the answers to a file of golden questions."),
    "export": ("asking:export", "Print what was read in the articles as JSON lines, for other programs."),
    "feedback": ("records:feedback", "Show what people thought of answers, with reason and date."),
    "fill": ("archiving:fill", "Fill the archive in OpenSearch with articles."),
    "mcp": ("serving:mcp", "Serve an assistant on this machine, by the Model Context Protocol."),
    "page": ("serving:page", "Serve the page that shows articles as they were read, until stopped."),
    "read": ("asking:read", "Show how articles are read: sentences, names, speakers, caveats and what each covers."),
    "reindex": ("archiving:reindex", "Build the index of the archive anew."),
    "remove": ("archiving:remove", "Remove articles from the archive with every version, or stop following a feed."),
    "run": ("serving:run", "Serve every platform that has its tokens, and follow the feeds, until stopped."),
    "slack": ("serving:slack", "Serve Slack until stopped."),
    "watch": ("archiving:watch", "Look at the feeds that are followed, each when it is due, until stopped."),
    "watches": ("records:watches", "List the standing questions of all channels, or end one."),
}
ROWS = {row.name: row for row in TABLE}


class LazyGroup(click.Group):
    """Imports a command when it is run, and lists all by the lines that stand here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every name, in the order of the alphabet."""
        del ctx
        return sorted(COMMANDS.keys() | ROWS.keys())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name in COMMANDS:
            module, function = COMMANDS[cmd_name][0].split(":")
            command: click.Command = getattr(import_module(f"adapters.terminal.{module}"), function)
            return command
        if cmd_name in ROWS:
            from adapters.terminal.asking import chat_command  # noqa: PLC0415 - loads the reading

            return chat_command(ROWS[cmd_name])
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every command with its line."""
        lines = {name: row.help for name, row in ROWS.items()} | {name: line for name, (_, line) in COMMANDS.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, lines[name]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="stet")
def cli() -> None:
    """Ask a newsroom's own articles; get their sentences, word for word, with source, speaker and caveat."""


def explain(error: Exception) -> None:
    """Print to standard error what went wrong and what to do; with STET_DEBUG the traceback too."""
    if debugging():
        traceback.print_exception(error)
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return
        case click.NoSuchOption(ctx=click.Context(command_path=path)):
            message = (
                f"{error.format_message()} `{path} --help` lists them. Put -- before words that begin with a dash."
            )
        case click.UsageError(ctx=click.Context(command_path=path)):
            message = f"{error.format_message()} `{path} --help` says what there is."
        case click.ClickException():
            message = error.format_message()
        case _:
            message = f"something went wrong ({type(error).__name__}: {error}). STET_DEBUG=1 shows where."
    first, *others = map(escape_line, message.splitlines() or [""])
    click.echo("\n".join((f"stet: {first}", *others)), err=True)


def main() -> None:
    """Run ``stet``: a failure is a sentence on standard error, and no traceback unless STET_DEBUG=1."""
    collect_rarely()
    if logging.lastResort:  # what is logged while nothing serves: a line of ours, like any other
        logging.lastResort.setFormatter(logging.Formatter("stet: %(message)s"))
    try:
        status = cli.main(prog_name="stet", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        explain(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # the reader has gone; keep the interpreter from complaining when it flushes what is left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the last resort, so that no traceback reaches a user
        explain(error)
        sys.exit(1)
    sys.exit(status or 0)
