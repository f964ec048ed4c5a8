"""Names: validity, uniqueness and suggestions."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import count

from sdfviewer.model.near_names import NearNames
from sdfviewer.model.scope import Scope


def is_reserved(name: str) -> bool:
    """Return whether SDFormat keeps a name for itself."""
    return name == "world" or (len(name) > 3 and name.startswith("__") and name.endswith("__"))


def free_name_among(wanted: str, taken: Container[str], first: int = 2) -> str:
    """Return ``wanted``, or with the first number behind it, from ``first`` on, that makes a name nobody has."""
    if wanted not in taken:
        return wanted
    return next(name for number in count(first) if (name := f"{wanted}_{number}") not in taken)


def nearest(name: str, choices: Iterable[str] | NearNames) -> list[str]:
    """Return the names, two at most, that a wrong one may have meant."""
    return (choices if isinstance(choices, NearNames) else NearNames(choices)).nearest(name)


def did_you_mean(name: str, choices: Iterable[str] | NearNames) -> str:
    """Return the end of a message that offers the nearest of ``choices``, empty where none is near.

    Whoever asks often about the same names keeps them as :class:`NearNames`.
    """
    return _offer(nearest(name, choices))


def _offer(near: Iterable[str]) -> str:
    words = " or ".join(map(repr, near))
    return f"; did you mean {words}?" if words else ""


def reference_hint(scope: Scope, name: str, excluded: str = "") -> str:
    """Return the end of a message about a reference that finds nothing in a ``scope`` whose members are complete.

    Parameters
    ----------
    excluded
        A name that it cannot have meant: the other end of the joint.
    """
    head, separator, tail = name.partition("::")
    if separator and (nested := scope.nested.get(head)):
        hint = did_you_mean(tail, _near_names(nested[0]))
        return f"; model '{head}' exists, but contains no '{tail}'" + hint
    if not name.strip():
        return ""
    near = _near_names(scope)
    # The nearest name is more likely the tail of a longer one than a typing error.
    end = near.ending_with(name, excluded)
    return _offer([end] if end is not None else near.nearest(name, excluded))


def _near_names(scope: Scope) -> NearNames:
    """Return the names that can be written in a scope for its members and those of the models nested in it."""
    if scope.near_names is None:
        inner = (f"{model}::{member}" for model, (inner, _) in scope.nested.items() for member in inner.members)
        scope.near_names = NearNames((*scope.members, *inner))
    return scope.near_names
