"""Slack: its wire in both modes, Socket Mode and HTTP, and its drawing, Block Kit. No other package knows its SDK."""
