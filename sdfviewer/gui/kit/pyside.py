"""How PySide6 is set up before the first widget: it keeps the names of Qt's methods, and overrides may raise.

In CPython 3.10 and 3.11 an exception that C code raises, say for a key that is missing, becomes an object only when
Python code catches it. PySide6 takes what escapes from an override for an object at once, and the process dies: nothing
reports the exception, and the next start has to recover unsaved work.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar
from weakref import WeakSet

import PySide6.QtCore  # noqa: F401  # makes __feature__
from shiboken6 import Shiboken

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


_QT = ("PySide6.", "Shiboken", "shiboken6")
"""What the names of the modules of Qt's classes begin with."""
_OWN = "sdfviewer."
_RAISING_NOTHING: WeakSet[Callable[..., Any]] = WeakSet()
_Method = TypeVar("_Method", bound=Callable[..., Any])


def guard_overrides() -> None:
    """From now on, make objects of the exceptions that escape from the overrides of new classes of this program."""
    if sys.version_info < (3, 12):
        Shiboken.Object.__init_subclass__ = classmethod(_guard)  # type: ignore[assignment]


def raises_nothing(method: _Method) -> _Method:
    """Leave an override as it is: one that raises nothing, and that a view asks thousands of times."""
    _RAISING_NOTHING.add(method)
    return method


def _guard(cls: type) -> None:
    if not cls.__module__.startswith(_OWN):  # a script may have widgets of its own
        return
    qt = [base for base in cls.__mro__ if base.__module__.startswith(_QT)]
    for name, method in list(vars(cls).items()):
        if not isinstance(method, FunctionType) or name.startswith("__") or method in _RAISING_NOTHING:
            continue
        if any(name in vars(base) for base in qt):
            setattr(cls, name, guarded(method))


def guarded(method: FunctionType) -> Callable[..., Any]:
    """Return the method, with whatever it raises caught and raised again."""

    def alone(self: object) -> Any:
        try:
            return method(self)
        except BaseException:
            raise

    def with_arguments(self: object, *arguments: Any, **named: Any) -> Any:
        try:
            return method(self, *arguments, **named)
        except BaseException:
            raise

    # A signal gives a slot as many arguments as its code takes.
    code = method.__code__
    takes_none = code.co_argcount == 1 and not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return functools.update_wrapper(alone if takes_none else with_arguments, method)
