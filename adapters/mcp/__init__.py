"""The Model Context Protocol: the bot's replies as tools for assistants, over standard input and output or HTTP."""
