"""Readings in, hits out, in one SQLite file that outlasts the process and grows article by article."""
