"""What can go wrong on the side of the questions.

    BotError
    ├── BrokenStateError       a button's or a command's state cannot be read
    └── UnknownCommandError    no command has that name

None of them reaches an asker: the desk words them as a ``Message``.
"""


class BotError(Exception):
    """The root of this package's errors."""


class BrokenStateError(BotError):
    """A button's or a command's state cannot be read."""


class UnknownCommandError(BotError):
    """No command has that name."""
