"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import PySide6.QtCore  # noqa: F401  # from here on imports are searched

from sdfviewer.collection import paused_collection


@contextmanager
def _unsearched_imports() -> Iterator[None]:
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


# Hundreds of modules are made here, and all stay: to look for garbage among them takes a tenth of the time, and to
# search them for the name of PySide6 a fifth.
with paused_collection(), _unsearched_imports():
    from sdfviewer.gui.shell.application import hidden_context, main, render_window

__all__ = ["hidden_context", "main", "render_window"]
