"""One wire and one drawing per platform."""
