"""The wall of the library: an unforeseen exception ends a call as one typed error with a report."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from inspect import unwrap
from traceback import walk_tb
from types import CodeType
from typing import Any, ParamSpec, TypeVar

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.faults import fault_error

_P = ParamSpec("_P")
_R = TypeVar("_R")


def walled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function that raises an InternalError where it raises what is no error of this library.

    What is wrong with the call itself, such as a missing argument, stays the TypeError that Python raises.
    """
    doing = f"answer {function.__qualname__}"
    body = unwrap(function).__code__

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except SdfViewerError:
            raise
        except Exception as error:
            if _is_of_caller(error, body):
                raise
            raise fault_error(doing, error) from error

    return call


def _is_of_caller(error: Exception, body: CodeType) -> bool:
    """Return whether Python could not make the call, or a stream that the caller gave has failed."""
    if isinstance(error, OSError):
        return error.filename is None
    return isinstance(error, TypeError) and all(frame.f_code is not body for frame, _ in walk_tb(error.__traceback__))


class Walled:
    """A class whose public methods and properties stand behind the wall, in its subclasses too."""

    __slots__ = ()

    def __init_subclass__(cls, **words: Any) -> None:
        super().__init_subclass__(**words)
        for name, member in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(member, property):
                getter = None if member.fget is None else walled(member.fget)
                setattr(cls, name, property(getter, member.fset, member.fdel, member.__doc__))
            elif isinstance(member, cached_property):
                member.func = walled(member.func)
            elif isinstance(member, classmethod):
                setattr(cls, name, classmethod(walled(member.__func__)))
            elif callable(member) and hasattr(member, "__qualname__") and not isinstance(member, type):
                setattr(cls, name, walled(member))
