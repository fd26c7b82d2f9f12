"""Sentences and names -> who says what, and who denies it."""
