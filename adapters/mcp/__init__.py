"""Assistants: the desk's replies as tools of the Model Context Protocol, over standard input and output or HTTP."""
