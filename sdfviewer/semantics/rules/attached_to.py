"""Phases 4 and 5: ``attached_to`` values and graph."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import rule


@rule("attached-to-invalid", 401, libsdformat="FRAME_ATTACHED_TO_INVALID")
def attached_to_invalid(name: str, hint: str) -> str:
    """A frame attached to a name that is no frame in its scope.

    ``attached_to`` names a sibling link, joint, frame or model, or one below it (``nested::link``); never one above.

    Bad: ``<frame name="tool" attached_to="wrist"/>`` where no sibling is called ``wrist``.

    Use instead: the name of a sibling, or no ``attached_to``: the model frame.

    Source: pose frame semantics proposal, phase 4
    """
    return f"attached_to '{name}' is no frame in this scope{hint}"


@rule("attached-to-cycle", 402, libsdformat="FRAME_ATTACHED_TO_CYCLE")
def attached_to_cycle(names: Sequence[str]) -> str:
    """Frames whose ``attached_to`` lead back to themselves.

    Following ``attached_to`` must end at a link or at the world: that is the body that carries the frame. Frames in a
    circle are carried by nothing.

    Bad: ``<frame name="F1" attached_to="F2"/> <frame name="F2" attached_to="F1"/>``

    Use instead: one of them attached to a link.

    Source: pose frame semantics proposal, phase 5
    """
    if len(names) == 1:
        return f"frame '{names[0]}' is attached to itself"
    return f"attached_to runs in a circle: {' → '.join([*names, names[0]])}"
