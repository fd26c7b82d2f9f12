"""Articles in, passages out. Knows nothing of chat.

What others may use is listed in ``__init__.pyi``. A module is loaded when one of its names is first used, so that
``stet --help`` loads none.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
