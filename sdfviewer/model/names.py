"""Names: validity, uniqueness, short forms and suggestions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count

from sdfviewer.diagnostics import Message, Rule
from sdfviewer.model.near_names import NearNames, did_you_mean, near_names_of, nearest, offer_names
from sdfviewer.model.scope import Scope

__all__ = [
    "FreeNames",
    "NameIndex",
    "did_you_mean",
    "free_name_among",
    "is_merged_frame",
    "is_reserved",
    "merged_frame",
    "merged_model",
    "nearest",
    "reference_hint",
]

#: A short form is not longer: all ends of a very long name would fill the memory. The full name always counts.
_LONGEST_SHORT_NAME = 1000
#: The beginning of the names of frames that represent merged models.
_MERGED = "_merged__"


def is_reserved(name: str) -> bool:
    """Return whether SDFormat keeps a name for itself."""
    return name == "world" or (len(name) > 3 and name.startswith("__") and name.endswith("__"))


def merged_frame(name: str) -> str:
    """Return the name of the frame that represents a merged model, as libsdformat calls it."""
    return f"{_MERGED}{name}__model__"


def merged_model(frame: str) -> str:
    """Return the name of the model that a frame represents, see :func:`merged_frame`."""
    return frame.removeprefix(_MERGED).removesuffix("__model__")


def is_merged_frame(name: str) -> bool:
    """Return whether a name is one that :func:`merged_frame` gives."""
    return name.startswith(_MERGED)


def free_name_among(wanted: str, taken: Container[str], first: int = 2) -> str:
    """Return ``wanted``, or with the first number behind it, from ``first`` on, that makes a name that is free."""
    if wanted not in taken:
        return wanted
    return next(name for number in count(first) if (name := f"{wanted}_{number}") not in taken)


class NameIndex:
    """Finds scoped names by their ends: ``arm::gripper::palm`` is also called ``gripper::palm`` and ``palm``.

    Parameters
    ----------
    names
        The names; several may be equal.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    @cached_property
    def _by_end(self) -> Mapping[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            numbers.setdefault(name, []).append(number)
            # A name of a million parts is copied only where an end of it is short enough.
            end = name.find("::")
            while end >= 0:
                end += len("::")
                if len(name) - end <= _LONGEST_SHORT_NAME:
                    numbers.setdefault(name[end:], []).append(number)
                end = name.find("::", end)
        return numbers

    def ending_with(self, name: str) -> Sequence[int]:
        """Return the numbers of the names that are this one or end with it behind ``::``, in their order."""
        return self._by_end.get(name, ())

    def meant_by(self, name: str) -> Sequence[int]:
        """Return the numbers of the names that are this one; where none is, of those that end with it."""
        ends = self.ending_with(name)
        return [number for number in ends if self._names[number] == name] or ends

    @property
    def unique(self) -> dict[str, int]:
        """The number of the only name that is this one or ends with it, by each such name."""
        return {name: numbers[0] for name, numbers in self._by_end.items() if len(numbers) == 1}


class FreeNames:
    """Gives names of which each is used once: a name that is taken gets ``_``, or ``_`` and a number.

    Parameters
    ----------
    taken
        Names that are given already.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def new(self, wanted: str) -> str:
        """Return a name that was not given before."""
        name = wanted if wanted not in self._taken else f"{wanted}_"
        # A file may have thousands of equal names: the numbers of one are counted once.
        number = self._next.get(wanted, 2)
        while name in self._taken:
            name = f"{wanted}_{number}"
            number += 1
        self._next[wanted] = number
        self._taken.add(name)
        return name


def reference_hint(scope: Scope, rule: Rule, name: str, *excluded: str) -> str:
    """Return the end of a message about a reference that finds nothing in a ``scope`` whose members are complete.

    Parameters
    ----------
    rule
        What the reference breaks.
    excluded
        Names that it cannot have meant: that of the frame whose reference it is, and the other end of a joint.
    """
    head, separator, tail = name.partition("::")
    if separator and (nested := scope.nested.get(head)):
        hint = did_you_mean(tail, _near_names(nested[0])) if scope.findings.may_hint(rule) else ""
        return Message("", f"model '{head}' exists, but contains no '{tail}'") + hint
    if not name.strip() or not scope.findings.may_hint(rule):
        return ""
    near = _near_names(scope)
    # The nearest name is more likely the tail of a longer one than a typing error.
    end = near.ending_with(name, excluded)
    return offer_names([end] if end is not None else near.nearest(name, excluded))


def _near_names(scope: Scope) -> NearNames:
    """Return the names that can be written in a scope for its members and those of the models nested in it."""
    if scope.near_names is None:
        inner = (f"{model}::{member}" for model, (inner, _) in scope.nested.items() for member in inner.members)
        scope.near_names = near_names_of((*scope.members, *inner))
    return scope.near_names
