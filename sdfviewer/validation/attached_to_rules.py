"""``attached_to`` values and graph."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import rule


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
    return f"attached_to '{name}' is not a frame in this scope{hint}"


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
