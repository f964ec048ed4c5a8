"""SRDF: what MoveIt knows of a robot beyond its URDF, read beside the robot that it is about."""

from __future__ import annotations

from sdfviewer.document.document import Document

#: Elements of an SRDF, of which a URDF has none.
TAGS = frozenset(
    {"group", "group_state", "end_effector", "virtual_joint", "passive_joint", "joint_property"}
    | {"disable_collisions", "enable_collisions", "disable_default_collisions", "link_sphere_approximation"}
)


def is_semantic(document: Document) -> bool:
    """Return whether a document is an SRDF: a ``<robot>`` with elements of SRDF and without links and joints."""
    root = document.root
    if root is None or root.tag != "robot":
        return False
    tags = {child.tag for child in root.children}
    return not TAGS.isdisjoint(tags) and tags.isdisjoint(("link", "joint"))
