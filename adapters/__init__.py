"""The doors: a package for each platform, the terminal, the JSON for machines, settings and store."""
