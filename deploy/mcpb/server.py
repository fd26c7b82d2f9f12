"""Starts Stet for a desktop assistant. The arguments are the folders of articles that the person chose, if any."""

import sys

from adapters.terminal.cli import main

# an assistant may pass the placeholder itself where nothing was chosen
folders = [each for each in sys.argv[1:] if each and not each.startswith("${")]
sys.argv = ["stet", "mcp", *(part for folder in folders for part in ("--articles", folder))]
main()
