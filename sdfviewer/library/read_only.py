"""Objects that only an edit changes: what would change them otherwise names the edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfviewer.model.near_names import Hinted, NearNames, foreign_names

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
    """Return the call of an edit that a name may mean, empty where there is none."""
    if not name.startswith(_EDITING):
        return ""
    from sdfviewer.operations.table import OPERATIONS  # noqa: PLC0415  # only a wrong name asks

    if name in OPERATIONS:
        return f"edit.{name}(...)"
    known = foreign_names()["DocumentEdit"].get(name.replace("_", "").lower(), "")
    if known.startswith("edit."):
        return known
    near = NearNames(OPERATIONS).nearest(name)
    return f"edit.{near[0]}(...)" if near else ""


class ReadOnly(Hinted):
    """An object whose public attributes cannot be assigned to, with an error that names the edit for that."""

    __slots__ = ()

    def _hint(self, name: str) -> str:
        edit = "" if self._right(name) else edit_for(name)
        return f"; use {OPEN_TO_EDIT} {edit}" if edit else super()._hint(name)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            if not name.startswith("_"):
                edit = EDITS_FOR.get(name, "edit.set_property(...)")
                what = f"'{type(self).__name__}.{name}' cannot be assigned to"
                raise AttributeError(f"{what}; use {OPEN_TO_EDIT} {edit}", name=name, obj=self)
            object.__setattr__(self, name, value)
