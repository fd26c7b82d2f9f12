"""The desk's commands: one table, and a function each."""
