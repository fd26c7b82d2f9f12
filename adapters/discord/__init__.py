"""Discord. No other package knows its SDK."""
