"""Slack in both modes, Socket Mode and HTTP. No other package knows its SDK."""
