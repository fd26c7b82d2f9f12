"""The errors of this package.

``QuestionService`` turns them into a ``Message``; ``GoldenError`` and ``WrongSinceError`` arise outside it.
"""


class BotError(Exception):
    pass


class BrokenStateError(BotError):
    """The state of a button or a command cannot be read."""


class DraftError(BotError):
    """A draft cannot be proofed; the message says why, and what to do."""


class GoldenError(BotError):
    """A file of golden questions is wrong, or does not fit the articles; the message says where and how."""


class UnknownCommandError(BotError):
    """No command has that name; the message is the closest one, or empty."""


class WrongSinceError(BotError):
    """A limit on how far back to search makes no sense; the message says how to write it."""
