"""What can go wrong on the side of the questions.

    BotError
    ├── BrokenStateError       a button's or a command's state cannot be read
    ├── GoldenError            a file of golden questions is wrong
    └── UnknownCommandError    no command has that name

None of them reaches an asker: the desk words them as a ``Message``; a ``GoldenError`` arises outside it.
"""


class BotError(Exception):
    """The root of this package's errors."""


class BrokenStateError(BotError):
    """A button's or a command's state cannot be read."""


class GoldenError(BotError):
    """A file of golden questions is wrong, or does not fit the articles; the message says where and how."""


class UnknownCommandError(BotError):
    """No command has that name."""
