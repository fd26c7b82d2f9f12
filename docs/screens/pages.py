"""Replies -> pages of HTML to be photographed, as they show in Slack, on Discord, in a terminal and on the page.

Each is drawn of what is sent, printed or served. Only the looks of Slack, Discord and the terminal are ours.
"""

import asyncio
import io
from collections.abc import Iterable
from html import escape
from pathlib import Path

import httpx
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI

from adapters.discord.panels import compose, draw
from adapters.page.app import application
from adapters.page.rendering import static
from adapters.slack.blocks import draw as draw_for_slack
from adapters.terminal.text import Drawing
from bot.model import Question, Reply
from bot.service import QuestionService
from docs.screens import block_kit, components

HERE = Path(__file__).resolve().parent
COLUMNS = 92
THEMES = {False: DEFAULT_TERMINAL_THEME, True: MONOKAI}  # by whether it is dark
TIME = {"slack": "2:14 PM", "discord": "Today at 2:14 PM"}
ALONE = {"slack": "Only visible to you", "discord": "Only you can see this"}
WARNING = (
    '<svg viewBox="0 0 20 20"><path d="M10 2l8.5 16h-17z" fill="#ffcc4d" stroke="#ffcc4d" stroke-linejoin="round" '
    'stroke-width="2"/><path d="M9 7h2l-.4 6H9.4zM9 14.5h2v2H9z" fill="#231f20"/></svg>'
)
WINDOW = (
    '<div class=bar><i></i><i></i><i></i></div><pre style="color: {foreground}; background: {background}">{code}</pre>'
)
STYLESHEET = '<link rel="stylesheet" href="/style.css">'


def slack(service: QuestionService, asked: str) -> str:
    """Return a question and its reply as they show in Slack."""
    drawing = draw_for_slack(service.answer(Question(asked, brief=True)), 1, handover=True)
    return _chat("slack", asked, block_kit.html(drawing.blocks))


def discord(service: QuestionService, asked: str) -> str:
    """Return a question and its reply as they show on Discord."""
    reply = service.answer(Question(asked, brief=True))
    return _chat("discord", asked, components.html(asyncio.run(_components(reply))))


async def _components(reply: Reply) -> list[components.Component]:
    """Return what Discord is sent; its library makes no view outside a loop."""
    return compose(draw(reply, 1, handover=True)).to_components()


def _chat(platform: str, asked: str, reply: str) -> str:
    """Return a question that names the bot and the reply to it; or a command, and what who gave it sees alone."""
    shown = reply.replace("⚠️", WARNING)
    if asked.startswith("/"):
        typed = escape(asked.replace("/", "/stet ", 1) if platform == "slack" else asked)
        alone = f"<p class=only>{ALONE[platform]}</p>"
        above, below = (alone, "") if platform == "slack" else ("", alone)
        return styled(platform, f"<p class=typed>{typed}</p>{_message(platform, '', f'{shown}{below}', above)}")
    question = f"<p><span class=mention>@Stet</span> {escape(asked)}</p>"
    joint = "<p class=thread>1 reply</p>" if platform == "slack" else ""
    above = f"<p class=reference>@Robin &nbsp;@Stet {escape(asked)}</p>" if platform == "discord" else ""
    return styled(platform, f"{_message(platform, 'Robin', question)}{joint}{_message(platform, '', shown, above)}")


def _message(platform: str, person: str, words: str, above: str = "") -> str:
    """Return what a person wrote, or without one the bot."""
    avatar = (
        f"<span class=avatar>{person[0]}</span>" if person else f'<span class="avatar bot">{static("icon.svg")}</span>'
    )
    by = f"<b>{person}</b>" if person else "<b>Stet</b><span class=app>APP</span>"
    time = f"<time>{TIME[platform]}</time>"
    return f"<div class=message>{above}{avatar}<p class=by>{by} {time}</p>{words}</div>"


def terminal(service: QuestionService, typed: Iterable[str], *, dark: bool) -> str:
    """Return commands and their replies as a terminal prints them."""
    console = Console(file=io.StringIO(), width=COLUMNS, force_terminal=True, color_system="standard", record=True)
    for words in typed:
        console.print(f"$ stet {words}", markup=False, highlight=False)
        command, _, rest = words.partition(" ")
        reply = (
            service.answer(Question(rest.strip('"'))) if command == "ask" else service.command_in_full(command, rest)
        )
        console.print(Drawing(reply), "")
    printed = console.export_html(
        theme=THEMES[dark],
        inline_styles=True,
        code_format=WINDOW,
    )
    return styled("terminal", printed)


def styled(kind: str, body: str) -> str:
    style = (HERE / "style.css").read_text(encoding="utf-8")
    return f"<!doctype html><html lang=en><meta charset=utf-8><style>{style}</style><body class={kind}>{body}"


def served(service: QuestionService, *addresses: str) -> list[str]:
    """Return what the page answers at each address, its style sheet in it."""
    return asyncio.run(_served(service, addresses))


async def _served(service: QuestionService, addresses: Iterable[str]) -> list[str]:
    transport = httpx.ASGITransport(application(service))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
        answers = [(await browser.get(address)).raise_for_status().text for address in addresses]
    return [answer.replace(STYLESHEET, f"<style>{static('style.css')}</style>") for answer in answers]
