"""The doors: a package for each platform, the terminal, the JSON for machines, settings and store."""

__version__ = "0.1.0"
