"""Scores of `stet eval`: as a table, as JSON, as a picture."""
