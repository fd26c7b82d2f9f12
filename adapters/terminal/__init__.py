"""Stet at a terminal: `stet` and its commands, and replies as text."""
