"""Phase 3: joints and canonical links."""

from __future__ import annotations

from sdfviewer.diagnostics import rule


@rule("joint-parent-invalid", 301, libsdformat="JOINT_PARENT_LINK_INVALID")
def joint_parent_invalid(name: str, hint: str) -> str:
    """A joint whose parent names no frame of its model.

    The parent is the name of a link, or since 1.8 of any frame in the same scope (``nested::link`` reaches down), or
    ``world``.

    Bad: ``<parent>bass</parent>`` where the link is called ``base``.

    Use instead: ``<parent>base</parent>``

    Source: pose frame semantics proposal, phase 3; model composition proposal, "1.5.1 Joint parent and child"
    """
    return f"the joint's parent '{name}' is no frame in this scope{hint}"


@rule("joint-child-invalid", 302, libsdformat="JOINT_CHILD_LINK_INVALID")
def joint_child_invalid(name: str, hint: str) -> str:
    """A joint whose child names no frame of its model, or names the world, which nothing can carry.

    Bad: ``<child>world</child>``

    Use instead: ``<parent>world</parent>`` and the moving link as child.

    Source: pose frame semantics proposal, phase 3; libsdformat, ``Joint::Load``
    """
    if name == "world":
        return "the world cannot be the child of a joint; make it the parent"
    return f"the joint's child '{name}' is no frame in this scope{hint}"


@rule("joint-parent-is-child", 303, libsdformat="JOINT_PARENT_SAME_AS_CHILD")
def joint_parent_is_child(parent: str, child: str, body: str) -> str:
    """A joint whose parent and child are the same, by name or because both frames belong to one link.

    A joint constrains the motion between two bodies. Frames attached to the same link cannot move apart.

    Bad: ``<parent>base</parent> <child>base</child>``

    Use instead: two different links, or frames that are attached to different links.

    Source: pose frame semantics proposal, phase 3
    """
    if parent == child:
        return f"parent and child of the joint are both '{parent}'"
    return f"parent '{parent}' and child '{child}' of the joint are both fixed to '{body}'"


@rule("joint-child-is-world", 305, libsdformat="JOINT_CHILD_LINK_INVALID")
def joint_child_is_world(name: str) -> str:
    """A joint whose child is fixed in the world.

    A joint moves its child; what is attached to the world does not move.

    Bad: ``<world><frame name="here"/> <joint ...><parent>cart</parent><child>here</child></joint></world>``

    Use instead: ``<parent>here</parent><child>cart</child>``

    Source: libsdformat, ``checkScopedJointParentChildNames``
    """
    return f"the child '{name}' is attached to the world, which no joint can move; make it the parent"


@rule("joint-type-invalid", 304, libsdformat="ATTRIBUTE_INVALID")
def joint_type_invalid(name: str, hint: str) -> str:
    """A joint of a type that SDFormat does not know.

    Known are ``ball``, ``continuous``, ``fixed``, ``gearbox``, ``prismatic``, ``revolute``, ``revolute2``, ``screw``
    and ``universal``.

    Bad: ``<joint type="hinge">``

    Use instead: ``<joint type="revolute">``

    Source: libsdformat, ``Joint::Load``
    """
    return f"'{name}' is no type of joint{hint}"


@rule("canonical-link-invalid", 310, libsdformat="MODEL_CANONICAL_LINK_INVALID")
def canonical_link_invalid(name: str, hint: str) -> str:
    """A ``canonical_link`` that names no link of the model.

    The model frame is attached to the canonical link. It may lie in a nested model: ``nested::link``.

    Bad: ``<model name="m" canonical_link="bass">`` where the link is called ``base``.

    Use instead: ``canonical_link="base"``, or leave it out: the first link is taken.

    Source: pose frame semantics proposal, "Implicit frame defined by //model/pose attached to canonical link"
    """
    return f"the canonical link '{name}' is no link of this model{hint}"


@rule("model-without-link", 311, libsdformat="MODEL_WITHOUT_LINK")
def model_without_link(name: str) -> str:
    """A model that has no link, neither its own nor in a nested model.

    The model frame, and every frame that leans on it, would be attached to nothing. A static model may do without.

    Bad: ``<model name="empty"/>``

    Use instead: ``<model name="m"><link name="base"/></model>``

    Source: libsdformat, ``Model::Load``
    """
    return f"model '{name}' has no link; a model that is not static needs one"
