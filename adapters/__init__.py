"""What people and machines reach the bot by: a package for each platform, the terminal, the JSON for machines, settings and store."""

__version__ = "0.2.0"
