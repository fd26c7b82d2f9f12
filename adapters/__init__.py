"""How people and machines reach the bot: the platforms, the terminal, JSON, the page; settings and store."""

__version__ = "0.2.0"
