"""Questions in, replies out. Knows nothing of any platform."""
