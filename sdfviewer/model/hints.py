"""Objects whose missing attributes name the right one."""

from __future__ import annotations

import json
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sdfviewer.model.near_names import did_you_mean
from sdfviewer.resources import resource

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
