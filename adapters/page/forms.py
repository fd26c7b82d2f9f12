"""A form as a browser sends it -> its fields."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

FIELDS = 8


async def fields(request: Request, largest: int) -> dict[str, str] | None:
    """Return the fields of the form that was sent; None where it is no form, or has more than ``largest`` bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > largest:
            return None
    try:
        return dict(parse_qsl(body.decode("ascii"), max_num_fields=FIELDS, errors="replace"))
    except ValueError:
        return None
