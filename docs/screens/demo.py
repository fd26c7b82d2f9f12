"""`python -m docs.screens.demo`: a minute of Stet over the bundled samples -> ``docs/demo.webp``, and docs/demo.md.

What ``stet`` prints as its commands are typed, then what ``stet page`` shows in the Chromium that is installed. The
picture bears the digest of the terminal's text, so that a test can tell whether both are of one run.
"""

import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from docs.screens.__main__ import PROJECT, found_browser
from docs.screens.pages import WINDOW, styled

PICTURE, DOCUMENT = PROJECT / "docs" / "demo.webp", PROJECT / "docs" / "demo.md"
TRANSCRIPT = re.compile(r"(?<=```text\n).*?(?=\n```)", re.DOTALL)
COMMANDS = (
    'ask "what did witnesses in bucha tell the guardian?"',
    'verify "a further 380 people were buried in mass graves in Bucha"',
    'ask "what did the choir sing at easter?"',
    "disputed Bucha",
)
PAGE = "page"
STET = (sys.executable, "-m", "adapters")
ASKED = "how many people were buried in mass graves in Bucha?"
SIZE = {"width": 970, "height": 600}
COLUMNS = 112
KEYS = 6  # typed from one picture to the next
QUICK, GLANCE, READ = 250, 1500, 6000  # milliseconds that a picture stays
TIMEOUT = 120_000  # milliseconds that the page may take on a busy machine

Frame = tuple[Image.Image, int]  # and how long it stays


def printed(home: str) -> dict[str, Text]:
    """Return what ``stet`` prints at each command, for somebody without settings."""
    environment = _environment(home, COLUMNS=str(COLUMNS), FORCE_COLOR="1")
    outputs = {}
    for command in COMMANDS:
        run = (*STET, *shlex.split(command))
        done = subprocess.run(run, cwd=home, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
        outputs[command] = Text.from_ansi(done.stdout.rstrip())
    return outputs


def transcript(outputs: Mapping[str, Text]) -> str:
    lines = "\n\n".join(f"$ stet {command}\n{text.plain}" for command, text in outputs.items()).splitlines()
    return "\n".join(map(str.rstrip, lines))


def _environment(home: str, **settings: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": home, "PYTHONPATH": str(PROJECT), "PYTHONUNBUFFERED": "1", **settings}


def _typing(line: str) -> Iterator[str]:
    yield from (line[:end] for end in range(KEYS, len(line), KEYS))
    yield line


def _taken(page: Page, milliseconds: int) -> Frame:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB"), milliseconds


def in_the_terminal(page: Page, outputs: Mapping[str, Text]) -> Iterator[Frame]:
    """Yield each command as it is typed, and its reply."""
    for command in (*COMMANDS, PAGE):
        for line in _typing(f"stet {command}"):
            yield _printed(page, Text(f"$ {line}█"), QUICK)
        if command in outputs:
            yield _printed(page, Text.assemble(f"$ stet {command}\n", outputs[command]), READ)


def _printed(page: Page, text: Text, milliseconds: int) -> Frame:
    console = Console(file=io.StringIO(), width=COLUMNS, force_terminal=True, color_system="standard", record=True)
    console.print(text)
    window = console.export_html(theme=DEFAULT_TERMINAL_THEME, inline_styles=True, code_format=WINDOW)
    page.set_content(styled("terminal", window))
    return _taken(page, milliseconds)


def on_the_page(page: Page, address: str) -> Iterator[Frame]:
    """Yield a question as it is typed, its answer, the article, a checked draft, and what is unverified."""
    page.goto(address)
    yield _taken(page, GLANCE)
    for line in _typing(ASKED):
        page.get_by_label("Question", exact=True).last.fill(line)
        yield _taken(page, QUICK)
    page.keyboard.press("Enter")
    page.wait_for_url("**q=**")
    yield _taken(page, READ)
    page.locator("a.opens").first.click()
    page.wait_for_load_state()
    yield _taken(page, READ)
    page.goto(f"{address}/proof?sample=1")
    yield _taken(page, GLANCE)
    page.locator("main button.primary").click()
    page.locator(".checked").first.wait_for()
    yield _taken(page, READ)
    page.goto(f"{address}/unverified")
    yield _taken(page, READ)


@contextmanager
def served(home: str) -> Iterator[str]:
    """Serve the page while the context lasts, and return its address."""
    environment = _environment(home, STET_PAGE_PORT="0")
    with subprocess.Popen((*STET, PAGE), cwd=home, env=environment, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield next(filter(None, (re.search(r"http://[\d.:]+", line) for line in process.stdout or ())))[0]
        finally:
            process.terminate()


def main() -> None:
    with TemporaryDirectory() as home, sync_playwright() as playwright, served(home) as address:
        opened = playwright.chromium.launch(executable_path=found_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.set_default_timeout(TIMEOUT)
        outputs = printed(home)
        images, stays = zip(*in_the_terminal(page, outputs), *on_the_page(page, address), strict=True)
        opened.close()
    text = transcript(outputs)
    digest = hashlib.sha256(text.encode()).hexdigest()
    images[0].save(PICTURE, save_all=True, append_images=images[1:], duration=stays, lossless=True, xmp=digest.encode())
    DOCUMENT.write_text(TRANSCRIPT.sub(lambda _: text, DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
