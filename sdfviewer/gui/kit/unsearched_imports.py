"""Imports without the search that PySide6 adds to them."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import PySide6.QtCore  # noqa: F401  # from here on imports are searched


@contextmanager
def unsearched_imports() -> Iterator[None]:
    """Import modules as Python does.

    PySide6 reads the source of each module that is imported after it, in search of its own name. It does so for scripts
    that rename the methods of Qt (``from __feature__ import snake_case``): a module that uses Qt must not see those
    names. No program does this before it opens the window, but one that does keeps the search.
    """
    searching, plain = builtins.__import__, getattr(builtins, "__orig_import__", None)
    renamings = getattr(sys.modules.get("__feature__"), "pyside_feature_dict", {}).values()
    if plain is None or any(isinstance(names, int) and names > 0 for names in renamings):
        yield
        return
    builtins.__import__ = plain
    try:
        yield
    finally:
        builtins.__import__ = searching
