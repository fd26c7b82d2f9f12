"""The options that several of ``stet``'s commands take."""

from __future__ import annotations

import click

articles_option = click.option(
    "--articles",
    "paths",
    multiple=True,
    metavar="PATH",
    help="A file or folder of articles; may be given several times."
    " Default: STET_ARTICLES, else what was added, else the seeds.",
)
source_option = click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="NAME",
    help="Look through the articles of this outlet alone; may be given several times.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")
