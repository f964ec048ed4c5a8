"""Functions whose unknown keyword arguments name the right one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from sdfviewer.model.near_names import did_you_mean

_P = ParamSpec("_P")
_R = TypeVar("_R")

#: What other libraries call these arguments, in small letters without underscores.
_ELSEWHERE = {
    **dict.fromkeys(
        (
            "searchpaths", "searchpath", "path", "modelpaths", "modelpath", "packagepaths", "packagedirs", "packages",
            "meshdir", "meshdirs", "includepaths", "resourcepaths", "dirs", "folders",
        ),
        "paths",
    ),
    **dict.fromkeys(("args", "mappings", "xacroargs", "params", "parameters", "substitutionargs"), "arguments"),
    **dict.fromkeys(("customparsers", "modelparsers", "parser", "plugins"), "parsers"),
    **dict.fromkeys(("file", "filename", "filepath", "fname", "filelike", "xml", "text", "string", "uri"), "source"),
}  # fmt: skip


def with_named_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function whose error for an unknown keyword argument names the right one."""
    known = list(inspect.signature(function).parameters)

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{function.__name__}() has no argument '{name}'{_hint(name, known)}")
        return function(*args, **kwargs)

    return call


def _hint(name: str, known: list[str]) -> str:
    right = _ELSEWHERE.get(name.replace("_", "").lower())
    if right == known[0]:  # the one that is given by its place
        return f"; give it first, without a name, or as {right}="
    return f"; use {right}=" if right in known else did_you_mean(name, known)
