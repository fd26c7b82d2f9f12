"""The console script ``stet``. Each command's module is imported when the command runs, so ``--help`` is fast."""

import logging
import os
import re
import sys
import traceback
from importlib import import_module

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from adapters import __version__
from bot.escaping import escape_line
from retrieval import collect_rarely, read_table

SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
INTERRUPTED = 130  # the exit status of shells for Ctrl-C: 128 and SIGINT
SENTENCE_END = re.compile(r"""(?:(?<=[^\s.]{3}[.?!])|(?<=['"`”)][.?!])) (?=[A-Z`])""")  # not within “St. Ives”


SECTIONS, COMMANDS = read_table("adapters.terminal", "commands.toml").values()
CHAT_COMMANDS = read_table("bot.commands", "commands.toml")  # not from its module, which loads every rule
LINES = {name: line for name, (_, line) in (CHAT_COMMANDS | COMMANDS).items()}


class LazyGroup(click.Group):
    """Lists the commands from the tables above, and imports one when it is run."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for heading, names in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, LINES[name]) for name in names.split()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name == "help" and rest and rest[0] in COMMANDS:
            name, rest = rest[0], ["--help"]
        return name, command and load_command(str(name)), rest

    def invoke(self, ctx: click.Context) -> object:
        from adapters.terminal.options import errors_as_sentences  # noqa: PLC0415 - loads the settings

        with errors_as_sentences():
            return super().invoke(ctx)


def load_command(name: str) -> click.Command:
    if name in CHAT_COMMANDS:
        from adapters.terminal.asking import chat_command  # noqa: PLC0415 - loads the reading
        from bot.commands.command_table import find  # noqa: PLC0415

        return chat_command(find(name))
    place, line = COMMANDS[name]
    module, function = place.split(":")
    command: click.Command = getattr(import_module(f"adapters.terminal.{module}"), function)
    command.help = command.help or line
    return command


@click.group(
    cls=LazyGroup,
    commands=[click.Command(name, short_help=line, hidden=name.startswith("watch")) for name, line in LINES.items()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="stet")
def cli() -> None:
    """Ask a newsroom's own articles. Answers are quoted word for word, with source, speaker and caveat."""


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
def completion(shell: str) -> None:
    """Print the completion script of a shell. For bash, add to ~/.bashrc: eval "$(stet completion bash)"."""
    script = SHELLS[shell](cli, {}, "stet", "_STET_COMPLETE")
    # `source` would start the shell to check its version
    click.echo(script.source_template % script.source_vars())


def is_debug_mode() -> bool:
    """Whether tracebacks are wanted, whatever is wrong with the settings, which take a while to load."""
    return os.environ.get("STET_DEBUG", "0").lower() in ("1", "true", "yes", "on")


def explain(error: Exception) -> None:
    """Print to standard error what went wrong and, on a line of its own, what to do; with STET_DEBUG the traceback."""
    if is_debug_mode():
        traceback.print_exception(error)
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return
        case click.NoSuchOption(ctx=click.Context(command_path=path)):
            message = f"{error.format_message()} See `{path} --help`. Put -- before words that begin with a dash."
        case click.UsageError(ctx=click.Context(command_path=path)):
            text = error.format_message().replace("\n\t", " ")  # a list of choices
            message = f"{text}{'' if text.endswith(('.', '?')) else '.'} See `{path} --help`."
        case click.ClickException():
            message = error.format_message()
        case _:
            message = f"Something went wrong ({type(error).__name__}: {error}). Set STET_DEBUG=1 to see where."
    lines = message.splitlines() or [""]
    first, *others = map(escape_line, SENTENCE_END.split(lines[0], maxsplit=1) + lines[1:])
    label = click.style("stet:", fg="red", bold=True)
    shown = "\n".join((f"{label} {first}", *others))
    click.echo(shown, err=True, color=False if os.environ.get("NO_COLOR") else None)


def main() -> None:
    """Run ``stet``; a failure is a sentence on standard error, without a traceback unless STET_DEBUG=1."""
    collect_rarely()
    if logging.lastResort:  # used while no server has set up logging
        logging.lastResort.setFormatter(logging.Formatter("stet: %(message)s"))
    try:
        # where the reader of standard output has gone, click exits by itself, with 1
        sys.exit(cli.main(prog_name="stet", standalone_mode=False) or 0)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        explain(error)
        sys.exit(error.exit_code)
    except Exception as error:  # noqa: BLE001 - the last resort, so that no traceback reaches a user
        explain(error)
        sys.exit(1)
