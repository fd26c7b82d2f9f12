"""Why a server cannot be reached."""

from __future__ import annotations

import aiohttp


def describe_connection_error(error: Exception) -> str:
    match error:
        case TimeoutError():
            return "it does not answer in time"
        case aiohttp.ClientConnectorDNSError():
            return "its name is not found"
        case aiohttp.ClientSSLError():
            return "its certificate is not accepted"
        case ConnectionRefusedError() | aiohttp.ClientConnectorError():
            return "nobody answers there"
        case _:
            return "the connection broke off"
