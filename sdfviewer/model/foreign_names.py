"""What other libraries call the attributes of models: yourdfpy, urchin, rod, Drake, MuJoCo, Gazebo's bindings.

The names are in ``resources/foreign_names.json``: by class, what to use here, and after it the names for it, in small
letters without underscores and without a leading ``get``. A name of one class is one of its subclasses too.
"""

from __future__ import annotations

import json
from functools import cache

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
