"""Who counts as a newsroom, and telling one from any other body."""
