"""The commands: one table, and a function each."""
