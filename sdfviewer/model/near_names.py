"""Suggestions for a wrong name, found without comparing it with all names, and objects that make them.

A file may hold as many wrong names as right ones. Only names that share rare pairs of letters with the wrong one are
compared with it, so that each question takes the same time in a small scope and in a large one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sdfviewer.diagnostics import Message
from sdfviewer.resources import resource

#: Maximum number of names that are all compared with the wrong one.
_FEW = 16
#: Of more, the number that are compared: those that share most pairs of letters with it.
_COMPARED = 6
#: Maximum number of names looked at for each pair of letters.
_LOOKED_AT_FOR_A_PAIR = 32
#: Maximum number of names looked at for all pairs together.
_LOOKED_AT = 240
#: Longer names are not suggested, because comparing them takes too long.
_LONGEST = 100
_ALIKE = 0.6


class NearNames:
    """Names to choose from.

    Parameters
    ----------
    choices
        The names, looked at when requested; of equally near ones those that come first are preferred.
    """

    def __init__(self, choices: Iterable[str]) -> None:
        self._given = choices
        self._by_pair: dict[str, list[str]] | None = None
        self._by_tail: dict[str, str] | None = None
        self._nearest: dict[tuple[str, tuple[str, ...]], list[str]] = {}

    @cached_property
    def _choices(self) -> list[str]:
        return [choice for choice in dict.fromkeys(self._given) if len(choice) <= _LONGEST]

    @cached_property
    def _by_lower_case(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for choice in self._choices:
            found.setdefault(choice.casefold(), []).append(choice)
        return found

    def nearest(self, name: str, excluded: Collection[str] = ()) -> list[str]:
        """Return the names, two at most, that a wrong one may have meant."""
        if len(name) > _LONGEST:
            return []
        question = name, tuple(excluded)
        if question not in self._nearest:
            self._nearest[question] = self._compare(name, excluded)
        return self._nearest[question]

    def ending_with(self, tail: str, excluded: Collection[str] = ()) -> str | None:
        """Return the first name that is ``tail`` in a nested model: ``arm::tail``, None if there is none."""
        if self._by_tail is None:
            self._by_tail = {}
            for choice in self._choices:
                rest = choice.partition("::")[2]
                while rest:
                    self._by_tail.setdefault(rest, choice)
                    rest = rest.partition("::")[2]
        found = self._by_tail.get(tail)
        return None if found in excluded else found

    def _compare(self, name: str, excluded: Collection[str]) -> list[str]:
        import difflib  # noqa: PLC0415  # needed only where something is wrong

        same = self._by_lower_case.get(name.casefold(), [])
        if same := [choice for choice in same if choice != name and choice not in excluded][:2]:
            return same
        choices = self._choices if len(self._choices) <= _FEW else self._candidates(name)
        choices = [each for each in choices if each not in excluded]
        close = difflib.get_close_matches(name, choices, n=_FEW, cutoff=_ALIKE)
        close.sort(key=lambda each: name not in each)  # a whole name with a prefix, before one with another number
        return close[:2]

    def _candidates(self, name: str) -> list[str]:
        if self._by_pair is None:
            self._by_pair = {}
            for choice in self._choices:
                for pair in _pairs(choice):
                    self._by_pair.setdefault(pair, []).append(choice)
        lists = sorted((self._by_pair[pair] for pair in _pairs(name) if pair in self._by_pair), key=len)
        shared: Counter[str] = Counter()
        for choices in lists:
            shared.update(choices[:_LOOKED_AT_FOR_A_PAIR])
            if shared.total() >= _LOOKED_AT:
                break
        return [choice for choice, _ in shared.most_common(_COMPARED)]


def _pairs(name: str) -> Iterable[str]:
    """Return the pairs of letters of a name, each once, in its order; its beginning and its end count as letters."""
    padded = f"\0{name}\0"
    return dict.fromkeys(padded[at : at + 2] for at in range(len(padded) - 1))


@lru_cache(maxsize=8)
def near_names_of(choices: tuple[str, ...]) -> NearNames:
    """Return the same object for the same names: an edit seldom changes them, and what was compared is known then."""
    return NearNames(choices)


def nearest(name: str, choices: Iterable[str] | NearNames, excluded: Collection[str] = ()) -> list[str]:
    """Return the names, two at most, that a wrong one may have meant."""
    return (choices if isinstance(choices, NearNames) else NearNames(choices)).nearest(name, excluded)


def did_you_mean(name: str, choices: Iterable[str] | NearNames) -> str:
    """Return the end of a message that offers the nearest of ``choices``, empty where none is near.

    Whoever asks often about the same names keeps them as :class:`NearNames`.
    """
    return offer_names(nearest(name, choices))


def offer_names(near: Iterable[str]) -> str:
    """Return the end of a message that offers names, empty where there are none."""
    words = " or ".join(map(repr, near))
    return Message("", f"did you mean {words}?") if words else ""


#: What the entry of a name begins with that means exactly the same as one of ours: it works.
_SAME = "="


@cache
def foreign_names() -> dict[str, dict[str, str]]:
    """Return what to use here for the names of other libraries, by the class whose attributes they might be.

    After ``=`` is the attribute that means the same, or the way to it, ``=location.line``; nothing is the thing itself.
    """
    tables = json.loads(resource("foreign_names.json").read_text(encoding="utf-8"))
    return {
        class_name: {name: right for right, names in table.items() for name in names.split()}
        for classes, table in tables.items()
        for class_name in classes.split()
    }


def _same(thing: object, way: str) -> Any:
    """Return what is at the end of a way of attributes, which may be a call: ``limits.range``, ``inertia()``."""
    names = way.removesuffix("()")
    found: Any = attrgetter(names)(thing) if names else thing
    return found() if way.endswith("()") else found


class Hinted:
    """An object whose missing attributes name the right one; names of other libraries that mean the same work.

    Type checkers do not see that: to them, what is missing is an error.
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            message = f"'{type(self).__name__}' has no attribute '{name}'"
            if not name.startswith("_"):
                if (right := self._right(name)).startswith(_SAME):
                    return _same(self, right.removeprefix(_SAME))
                message += self._hint(name)
            raise AttributeError(message, name=name, obj=self)

    def _right(self, name: str) -> str:
        """Return what to use for a name of another library, empty for one that none has."""
        known = name.replace("_", "").lower()
        for spelling in (known, known.removeprefix("get"), known.removeprefix("compute")):
            for each in type(self).__mro__:
                if right := foreign_names().get(each.__name__, {}).get(spelling):
                    return right
        return ""

    def _hint(self, name: str) -> str:
        """Return a suggestion for a wrong name, for the end of a message; empty where no name is near."""
        classes = type(self).__mro__
        if right := self._right(name):
            return f"; use {right}"
        own = [word for each in classes if each.__module__.startswith("sdfviewer") for word in vars(each)]
        fields = [word for each in classes for word in getattr(each, "__dataclass_fields__", ())]
        return did_you_mean(name, [word for word in (*own, *fields) if not word.startswith("_")])
