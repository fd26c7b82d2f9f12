"""The console script ``stet``. Each command's module is imported when the command runs, so ``--help`` is fast."""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
from importlib import import_module

import click
from click.shell_completion import get_completion_class

from adapters import __version__
from bot.escaping import escape_line
from retrieval import collect_rarely

INTERRUPTED = 130  # the exit status of shells for Ctrl-C: 128 and SIGINT
SENTENCE_END = re.compile(r"""(?:(?<=[^\s.]{3}[.?!])|(?<=['"`”)][.?!])) (?=[A-Z`])""")  # not within “St. Ives”

# Each command: its module and function, and its line in the list.
COMMANDS = {
    "add": ("archiving:add", "Add files, folders and web pages to the archive, or follow feeds."),
    "ask": ("asking:ask", "Answer a question with sentences from the articles."),
    "audit": ("records:audit", "Show past answers: when, where, to whom, and each passage that was shown."),
    "backup": ("archiving:backup", "Save the archive, the state and the settings without secrets in a folder."),
    "chat": ("console:chat", "Ask questions at a prompt, with history and the slash commands."),
    "check": ("configuration_check:check", "Show what is wrong, what is set up, and what each platform still needs."),
    "completion": ("cli:completion", "Print the completion script of a shell: bash, zsh or fish."),
    "discord": ("serving:discord", "Serve Discord until stopped."),
    "eval": ("asking:evaluate", "Score the answers to a file of golden questions."),
    "export": ("asking:export", "Print what was read in each article as JSON lines, for other programs."),
    "feedback": ("records:feedback", "Show what people thought of answers, with reason and date."),
    "fill": ("archiving:fill", "Fill the archive in OpenSearch with articles."),
    "follow": ("archiving:follow", "Check the followed feeds and folders, each when it is due, until stopped."),
    "mcp": ("serving:mcp", "Serve an AI assistant on this machine over the Model Context Protocol."),
    "page": ("serving:page", "Serve the web page until stopped."),
    "proof": ("proofing:proof", "Check a draft: quotations, figures, names, lost caveats and denials."),
    "read": ("asking:read", "Show how articles are read: sentences, names, speakers, caveats and what each covers."),
    "reindex": ("archiving:reindex", "Rebuild the index of the archive, or renew its texts from their files."),
    "remove": ("archiving:remove", "Remove articles with all their versions, or stop following a feed."),
    "restore": ("archiving:restore", "Put back what `stet backup` saved; removed articles stay removed."),
    "run": ("serving:run", "Serve every platform that has its tokens, and check the feeds, until stopped."),
    "slack": ("serving:slack", "Serve Slack until stopped."),
    "subscriptions": ("records:subscriptions", "List the standing questions of all channels, or end one."),
}
# The chat's commands, as bot.commands.command_table has them; repeated because that table loads every rule.
CHAT_COMMANDS = {
    "article": "Show one article at a glance.",
    "context": "Show the sentences around an extract.",
    "copy": "Copy an extract as text, markdown, csv or csl-json.",
    "corrections": "List corrections that other articles still need.",
    "disputed": "Show what somebody denies.",
    "first": "Show when words were first written: “WORDS”, or NAME said WORDS.",
    "help": "Show what the bot can do.",
    "more": "Show the next extracts of an answer.",
    "quoted": "Count whom the articles quote, and how.",
    "said": "Show every sentence attributed to somebody.",
    "sources": "List the articles by outlet.",
    "unverified": "Show what outlets say they could not verify.",
    "verify": "Check whether an article has a quotation.",
    "watch": "Post what new articles say about it in this channel.",
    "watches": "List this channel's standing questions, or end one.",
    "who": "Show who somebody is: spellings, roles, what they said.",
}
LINES = CHAT_COMMANDS | {name: line for name, (_, line) in COMMANDS.items()}
# The list of commands. The two that a terminal only explains are not in it.
SECTIONS = {
    "Ask": "ask chat who said first quoted unverified disputed sources article more context copy help",
    "Check": "verify proof corrections read eval",
    "Archive": "add remove follow reindex fill export backup restore",
    "Serve": "check run slack discord page mcp audit feedback subscriptions completion",
}


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
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell. For bash, add to ~/.bashrc: eval "$(stet completion bash)"."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"There is no completion for {shell}.")
    script = kind(cli, {}, "stet", "_STET_COMPLETE")
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
            message = f"{error.format_message()} See `{path} --help`."
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
        status = cli.main(prog_name="stet", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        explain(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # the reader has gone; keep the interpreter from complaining when it flushes standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the last resort, so that no traceback reaches a user
        explain(error)
        sys.exit(1)
    sys.exit(status or 0)
