"""Phases 6 to 8: ``relative_to`` values and graph, placement frames."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import rule


@rule("relative-to-invalid", 501, libsdformat="POSE_RELATIVE_TO_INVALID")
def relative_to_invalid(name: str, hint: str) -> str:
    """A pose relative to a name that is no frame in its scope.

    ``relative_to`` names a sibling link, joint, frame or model, or one below it (``nested::link``); never one above.

    Bad: ``<pose relative_to="wrist">`` where no sibling is called ``wrist``.

    Use instead: the name of a sibling, or no ``relative_to``: the default of that element.

    Source: pose frame semantics proposal, phase 6
    """
    return f"relative_to '{name}' is no frame in this scope{hint}"


@rule("relative-to-cycle", 502, libsdformat="POSE_RELATIVE_TO_CYCLE")
def relative_to_cycle(names: Sequence[str]) -> str:
    """Poses that are measured from each other in a circle.

    Following ``relative_to`` must end at the model frame (at the world in a world), else no pose on the circle has a
    place. The defaults count as edges too: a joint without ``relative_to`` is measured from its child, so a child
    that is measured from that joint closes a circle.

    Bad: ``<link name="A"><pose relative_to="B"/></link> <link name="B"><pose relative_to="A"/></link>``

    Use instead: one of them measured from a frame off the circle.

    Source: pose frame semantics proposal, phase 7
    """
    if len(names) == 1:
        return f"the pose of '{names[0]}' is relative to itself"
    return f"relative_to runs in a circle: {' → '.join([*names, names[0]])}"


@rule("placement-frame-invalid", 503, libsdformat="POSE_RELATIVE_TO_INVALID")
def placement_frame_invalid(name: str, hint: str) -> str:
    """A ``placement_frame`` that is no frame of the model that is placed.

    The pose of a model with a placement frame is the pose of that frame; it is named as seen from inside the model.

    Bad: ``<model name="m" placement_frame="bottom">`` without a frame ``bottom`` in ``m``.

    Use instead: a frame of the model.

    Source: model composition proposal, "1.5.4 placement_frame"
    """
    return f"the placement frame '{name}' is no frame of this model{hint}"


@rule("placement-frame-without-pose", 504, libsdformat="MODEL_PLACEMENT_FRAME_INVALID")
def placement_frame_without_pose() -> str:
    """An include that says which frame of the model it places, but not where.

    Bad: ``<include><uri>mug</uri><placement_frame>bottom</placement_frame></include>``

    Use instead: a ``<pose>`` beside it, ``<pose/>`` for no offset.

    Source: model composition proposal, "1.4.4 Placement frame: //include/placement_frame"
    """
    return "a <placement_frame> needs a <pose> beside it"


@rule("root-pose-relative", 505, libsdformat="ATTRIBUTE_INVALID")
def root_pose_relative(name: str) -> str:
    """The pose of a file's top model relative to a frame.

    Around the top model of a file there is nothing that it could be measured from; frames inside it move along with it.

    Bad: ``<sdf version="1.9"><model name="m"><pose relative_to="base">...``

    Use instead: ``<pose>``, or ``placement_frame`` for the frame that the pose is meant for.

    Source: libsdformat, ``checkXmlFromRoot``
    """
    return f"the pose of a file's top model cannot be relative to '{name}': there is no frame around it"
