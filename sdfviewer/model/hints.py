"""Objects whose missing attributes name the right one."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from sdfviewer.model.near_names import did_you_mean
from sdfviewer.resources import resource


@cache
def foreign_names() -> dict[str, dict[str, str]]:
    """Return what to use here for the names of other libraries, by the class whose attributes they might be."""
    tables = json.loads(resource("foreign_names.json").read_text(encoding="utf-8"))
    return {
        class_name: {name: right for right, names in table.items() for name in names.split()}
        for classes, table in tables.items()
        for class_name in classes.split()
    }


#: The edit to use instead of an assignment.
EDITS_FOR = {
    "pose": "edit.move(frame, X_RootF) or edit.set_pose(frame, xyz=...)",
    "raw_pose": "edit.set_pose(frame, X)",
    "name": "edit.rename(old, new)",
    "relative_to": "edit.set_relative_to(frame, target)",
    "attached_to": "edit.set_attached_to(frame, target)",
    "parent": "edit.set_parent(joint, frame)",
    "child": "edit.set_child(joint, frame)",
    "limits": "edit.set_limits(joint, lower, upper)",
    "axis": "edit.set_property(joint, 'axis/xyz', (0, 0, 1))",
    "type": "edit.set_property(joint, '@type', 'fixed')",
    "mass": "edit.set_inertial(link, mass=...)",
    "inertial": "edit.set_inertial(link, mass=...)",
    "geometry": "edit.set_geometry(part, geometry)",
}


OPEN_TO_EDIT = "document = sdfviewer.open_document(path), then: with document.edit() as edit:"
_EDITING = ("add_", "set_", "rename", "remove", "delete", "move_", "duplicate", "apply_")


def edit_for(name: str) -> str:
    """Return the call of an edit that a name may mean, empty where it is not that of an edit."""
    if not name.startswith(_EDITING):
        return ""
    return foreign_names()["DocumentEdit"].get(name.replace("_", "").lower(), f"edit.{name}(...)")


class Hinted:
    """An object whose missing attributes name the right one.

    Type checkers do not see that: to them, what is missing is an error.
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            message = f"'{type(self).__name__}' has no attribute '{name}'"
            if not name.startswith("_"):
                message += self._hint(name)
            raise AttributeError(message, name=name, obj=self)

    def _hint(self, name: str) -> str:
        """Return a suggestion for a wrong name, for the end of a message; empty where no name is near."""
        known = name.replace("_", "").lower()
        classes = type(self).__mro__
        for spelling in (known, known.removeprefix("get"), known.removeprefix("compute")):
            for each in classes:
                if right := foreign_names().get(each.__name__, {}).get(spelling):
                    return f"; use {right}"
        own = [word for each in classes if each.__module__.startswith("sdfviewer") for word in vars(each)]
        fields = [word for each in classes for word in getattr(each, "__dataclass_fields__", ())]
        return did_you_mean(name, [word for word in (*own, *fields) if not word.startswith("_")])


class ReadOnly(Hinted):
    """An object whose public attributes cannot be assigned to, with an error that names the edit for that."""

    __slots__ = ()

    def _hint(self, name: str) -> str:
        edit = edit_for(name)
        return f"; use {OPEN_TO_EDIT} {edit}" if edit else super()._hint(name)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            if not name.startswith("_"):
                edit = EDITS_FOR.get(name, "edit.set_property(...)")
                what = f"'{type(self).__name__}.{name}' cannot be assigned to"
                raise AttributeError(f"{what}; use {OPEN_TO_EDIT} {edit}", name=name, obj=self)
            object.__setattr__(self, name, value)
