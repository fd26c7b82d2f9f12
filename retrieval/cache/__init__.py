"""Results -> files that the next start reads; a file with any fault is made again."""
