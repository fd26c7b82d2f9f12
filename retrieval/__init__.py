"""Articles in, passages out. Knows nothing of chat."""
