"""Joints and canonical links."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, rule
from sdfviewer.model.kinds import JOINT_TYPES


@rule("joint-parent-invalid", 301, libsdformat="JOINT_PARENT_LINK_INVALID")
def joint_parent_invalid(name: str, hint: str) -> str:
    """A joint whose parent is not a frame of its model.

    The parent is a link, or since 1.8 any frame in the same scope (``nested::link`` reaches into nested models), or
    ``world``. A model refers only to what is in it: to join two models, write the joint in the model that has both.

    libsdformat does not look at the joints of nested models, so it accepts there what it refuses at the top of a file.
    Here it is an error wherever the model is.

    libsdformat adds FRAME_ATTACHED_TO_INVALID for the same name, and ELEMENT_INVALID for a world that did not load;
    here it is one problem.

    Bad: ``<parent>bass</parent>`` where the link is called ``base``.

    Use instead: ``<parent>base</parent>``

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 3; model
    composition proposal, "1.2.2 //joint/parent and //joint/child refer to frames, not just links"
    """
    return f"parent '{name}' is not a frame in this scope" + hint


@rule("joint-child-invalid", 302, libsdformat="JOINT_CHILD_LINK_INVALID")
def joint_child_invalid(name: str, hint: str) -> str:
    """A joint whose child is not a frame of its model, or is the world.

    A joint moves its child, and nothing moves the world. The document on the legacy behavior allows ``world`` as the
    child. libsdformat 12 and later refuse it, whatever the version of the file. The quick fix makes the world the
    parent, and keeps the place of the joint and the direction in which it moves.

    The frame of the joint is attached to its child and measured from it. libsdformat therefore adds
    FRAME_ATTACHED_TO_INVALID, POSE_RELATIVE_TO_INVALID and errors of both graphs for the same name, and ELEMENT_INVALID
    for a world that did not load; here it is one problem.

    Bad: ``<parent>base</parent> <child>world</child>``

    Use instead: ``<parent>world</parent> <child>base</child>``, with the opposite axis.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 3; libsdformat,
    ``Joint::Load``
    """
    if name == "world":
        return Message("the world cannot be the child of a joint", "make it the parent")
    return f"child '{name}' is not a frame in this scope" + hint


@rule("joint-parent-is-child", 303, libsdformat="JOINT_PARENT_SAME_AS_CHILD")
def joint_parent_is_child(parent: str, child: str, body: str) -> str:
    """A joint whose parent and child are one body: the same name, or two frames of one link.

    A joint constrains the motion between two bodies. Frames attached to the same link cannot move apart.

    Bad: ``<parent>base</parent> <child>base</child>``

    Use instead: two different links, or frames that are attached to different links.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 3
    """
    if parent == child:
        return Message(f"parent and child of this joint are both '{parent}'", "name two links")
    return Message(
        f"parent '{parent}' and child '{child}' of this joint are both fixed to '{body}'", "name frames of two links"
    )


@rule("joint-child-is-world", 305, libsdformat="JOINT_CHILD_LINK_INVALID")
def joint_child_is_world(name: str) -> str:
    """A joint whose child is attached to the world.

    A joint moves its child, and what is attached to the world does not move.

    libsdformat adds ELEMENT_INVALID for a world that did not load.

    Bad: ``<world><frame name="here"/> <joint ...><parent>cart</parent><child>here</child></joint></world>``

    Use instead: ``<parent>here</parent><child>cart</child>``

    Source: libsdformat, ``checkScopedJointParentChildNames``
    """
    return Message(f"child '{name}' is attached to the world, which a joint cannot move", "make it the parent")


@rule("joint-type-invalid", 304, libsdformat="ATTRIBUTE_INVALID")
def joint_type_invalid(name: str, hint: str) -> str:
    """A joint of a type that SDFormat does not know.

    Known are ``ball``, ``continuous``, ``fixed``, ``gearbox``, ``prismatic``, ``revolute``, ``revolute2``, ``screw``
    and ``universal``.

    Bad: ``<joint type="hinge">``

    Use instead: ``<joint type="revolute">``

    Source: libsdformat, ``Joint::Load``
    """
    return f"'{name}' is not a joint type" + (hint or Message("", f"use one of {', '.join(sorted(JOINT_TYPES))}"))


@rule("canonical-link-invalid", 310, libsdformat="MODEL_CANONICAL_LINK_INVALID")
def canonical_link_invalid(name: str, hint: str) -> str:
    """A ``canonical_link`` that is not a link of the model.

    The model frame is attached to the canonical link, which may be in a nested model: ``nested::link``. The document
    on composition asks for it in models that are not static only; ``gz sdf --check`` refuses it in static ones too.

    Bad: ``<model name="m" canonical_link="bass">`` where the link is called ``base``.

    Use instead: ``canonical_link="base"``, or leave it out: the first link is taken.

    Source: pose frame semantics proposal, "Implicit frame defined by //model/pose attached to canonical link"
    """
    return f"canonical_link '{name}' is not a link of this model" + hint


@rule("model-without-link", 311, libsdformat="MODEL_WITHOUT_LINK")
def model_without_link(name: str) -> str:
    """A model without a link of its own or in a nested model.

    The model frame, and every frame attached to it, would have no body. A static model needs no link.

    The document on kinematics shows an empty model as an example. libsdformat refuses it, and so does this program.

    Bad: ``<model name="empty"/>``

    Use instead: ``<model name="m"><link name="base"/></model>``

    Source: libsdformat, ``Model::Load``
    """
    return Message(f"model '{name}' has no link", "add a <link>, or <static>true</static>")
