"""``attached_to`` and ``relative_to`` values and graphs, placement frames."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import Message, rule


@rule("attached-to-invalid", 401, libsdformat="FRAME_ATTACHED_TO_INVALID")
def attached_to_invalid(name: str, hint: str) -> str:
    """A frame attached to a name that is not a frame in its scope.

    ``attached_to`` names a link, joint, frame or model beside the frame, or one inside such a model
    (``nested::link``). A model refers only to what is in it.

    libsdformat adds errors of the frame graph, and ELEMENT_INVALID for a world that did not load.

    Bad: ``<frame name="tool" attached_to="wrist"/>`` where no sibling is called ``wrist``.

    Use instead: the name of a sibling, or no ``attached_to``: the model frame.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 4
    """
    return f"attached_to '{name}' is not a frame in this scope" + hint


@rule("attached-to-cycle", 402, libsdformat="FRAME_ATTACHED_TO_CYCLE")
def attached_to_cycle(names: Sequence[str]) -> str:
    """Frames whose ``attached_to`` attributes form a cycle.

    Following ``attached_to`` must end at a link or at the world: the body that carries the frame. Nothing carries the
    frames of a cycle.

    A frame without ``relative_to`` is measured from what it is attached to, so the same cycle is in the graph of poses.
    libsdformat reports it there too, POSE_RELATIVE_TO_CYCLE, once for each frame, and adds ELEMENT_INVALID for a world
    that did not load. Here one cause is one problem; a cycle of ``relative_to`` that is written is another one.

    Bad: ``<frame name="F1" attached_to="F2"/> <frame name="F2" attached_to="F1"/>``

    Use instead: one of them attached to a link.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 5
    """
    if len(names) == 1:
        return f"frame '{names[0]}' is attached to itself"
    return f"attached_to cycle: {' → '.join([*names, names[0]])}"


@rule("relative-to-invalid", 501, libsdformat="POSE_RELATIVE_TO_INVALID")
def relative_to_invalid(name: str, hint: str, attribute: str = "relative_to") -> str:
    """A pose relative to a name that is not a frame in its scope.

    ``relative_to`` names a link, joint, frame or model beside the element with the pose, or one inside such a model
    (``nested::link``). A model refers only to what is in it. Files of 1.5 and 1.6 call the attribute ``frame``.

    For visuals, collisions, sensors and other things on a link it is a warning: libsdformat resolves their poses only
    when a program asks for them.

    libsdformat adds errors of the pose graph, and ELEMENT_INVALID for a world that did not load.

    Bad: ``<pose relative_to="wrist">`` where no sibling is called ``wrist``.

    Use instead: the name of a sibling, or no ``relative_to``: the default of that element.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 6
    """
    return f"{attribute} '{name}' is not a frame in this scope" + hint


@rule("relative-to-cycle", 502, libsdformat="POSE_RELATIVE_TO_CYCLE")
def relative_to_cycle(names: Sequence[str]) -> str:
    """Poses whose ``relative_to`` attributes form a cycle.

    Following ``relative_to`` must end at the model frame, or at the world in a world; otherwise no pose of the cycle
    is defined. The defaults count too: a joint without ``relative_to`` is measured from its child, so a child that is
    measured from that joint closes a cycle.

    libsdformat reports a cycle once for each of its frames and once for each frame that leads into it, and adds
    ELEMENT_INVALID for a world that did not load. Here each cycle is one problem. Of a URDF, libsdformat drops links
    that form a cycle apart from the rest without a word; here that is an error, too: they would not be there.

    Bad: ``<link name="A"><pose relative_to="B"/></link> <link name="B"><pose relative_to="A"/></link>``

    Use instead: measure one of them from a frame outside the cycle.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 7
    """
    if len(names) == 1:
        return f"the pose of '{names[0]}' is relative to itself"
    return f"relative_to cycle: {' → '.join([*names, names[0]])}"


@rule("placement-frame-invalid", 503, libsdformat="POSE_RELATIVE_TO_INVALID")
def placement_frame_invalid(name: str, hint: str) -> str:
    """A ``placement_frame`` that is not a frame of the model that is placed.

    The pose of a model with a placement frame is the pose of that frame; it is named as seen from inside the model.

    Bad: ``<model name="m" placement_frame="bottom">`` without a frame ``bottom`` in ``m``.

    Use instead: a frame of the model.

    Source: model composition proposal, "1.4.4 Placement frame: //include/placement_frame"
    """
    return f"placement_frame '{name}' is not a frame of this model" + hint


@rule("placement-frame-without-pose", 504, libsdformat="MODEL_PLACEMENT_FRAME_INVALID")
def placement_frame_without_pose() -> str:
    """An include with a ``placement_frame`` and no ``<pose>``: it says which frame to place, and not where.

    Bad: ``<include><uri>mug</uri><placement_frame>bottom</placement_frame></include>``

    Use instead: a ``<pose>`` beside it, ``<pose/>`` for no offset.

    Source: model composition proposal, "1.4.4 Placement frame: //include/placement_frame"
    """
    return Message("<placement_frame> needs a <pose> beside it", "write <pose/> for no offset")


@rule("root-pose-relative", 505, libsdformat="ATTRIBUTE_INVALID")
def root_pose_relative(name: str) -> str:
    """The pose of a file's top model relative to a frame.

    Nothing is around the top model of a file, and the frames inside it move with it.

    Bad: ``<sdf version="1.9"><model name="m"><pose relative_to="base">...``

    Use instead: ``<pose>``, or ``placement_frame`` for the frame that the pose is meant for.

    Source: libsdformat, ``checkXmlFromRoot``
    """
    return Message(
        f"the pose of a file's top model cannot be relative to '{name}': nothing is around it", "remove the attribute"
    )
