"""What can go wrong on the side of the questions.

    BotError
    ├── BrokenStateError       a button's or a command's state cannot be read
    ├── GoldenError            a file of golden questions is wrong
    ├── UnknownCommandError    no command has that name
    └── WrongSinceError        it cannot be told how far back is to be asked

None of them reaches an asker: the desk words them as a ``Message``; a ``GoldenError`` and a ``WrongSinceError``
arise outside it.
"""


class BotError(Exception):
    """The root of this package's errors."""


class BrokenStateError(BotError):
    """A button's or a command's state cannot be read."""


class GoldenError(BotError):
    """A file of golden questions is wrong, or does not fit the articles; the message says where and how."""


class UnknownCommandError(BotError):
    """No command has that name."""


class WrongSinceError(BotError):
    """What is said of how far back to ask makes no sense; the message says how to write it."""
