"""The pictures in ``docs/img``: replies as the platforms are sent them, roughly as they show there."""
