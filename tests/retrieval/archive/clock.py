"""A clock for archives, which tells the time that it is set to."""

from datetime import UTC, datetime

MORNING = datetime(2024, 3, 1, 8, tzinfo=UTC)


class Clock:
    """Shows the morning until it is set."""

    moment = MORNING

    def __call__(self) -> float:
        return self.moment.timestamp()
