"""Edits to posted answers, and messages that nobody asked for: corrections, standing questions, silent feeds."""
