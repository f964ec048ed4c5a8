"""Tells PySide6 in advance that this program calls the methods of Qt by their own names."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import PySide6.QtCore  # noqa: F401  # makes __feature__

_OWN_NAMES, _NO_QT = 0, -1
"""How PySide6 notes that a module uses Qt and renames nothing, and that it does not use Qt."""


def keep_names_of_qt() -> None:
    """List the modules of the program and of Python where PySide6 notes which modules use Qt.

    A script may rename the methods of Qt (``from __feature__ import snake_case``). So PySide6 reads the source of each
    module that is imported after it, in search of its own name; a module that has it keeps the names that it knows.
    Reading those of the program takes a fifteenth of the start of the window.
    """
    noted = getattr(sys.modules.get("__feature__"), "pyside_feature_dict", {})
    for name in sys.stdlib_module_names:
        noted.setdefault(name, _NO_QT)
    package = Path(__file__).parents[2]
    for folder, folders, files in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        name = package.name + folder[len(str(package)) :].replace(os.sep, ".")
        for file in files:
            if file.endswith(".py"):
                noted.setdefault(name if file == "__init__.py" else f"{name}.{file[:-3]}", _OWN_NAMES)
