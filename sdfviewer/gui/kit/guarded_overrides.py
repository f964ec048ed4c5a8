"""Keeps the process alive when an override of a method of Qt raises, in CPython 3.10 and 3.11.

There an exception that C code raises, say for a key that is missing, becomes an object only when Python code catches
it. PySide6 takes what escapes from an override for an object at once, and the process dies: nothing reports the
exception, and the next start has to recover unsaved work.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar
from weakref import WeakSet

from shiboken6 import Shiboken

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
