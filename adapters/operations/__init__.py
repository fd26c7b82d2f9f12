"""Metrics and health, for those who run the bot."""
