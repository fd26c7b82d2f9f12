"""Articles in, passages out. Knows nothing of chat.

This is its front door: what others may use stands in ``__init__.pyi``, and a room is loaded when a name of it is first
asked for, so that ``stet --help`` pays for none.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
