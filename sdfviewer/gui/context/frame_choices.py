"""What a reference may name, as the lists of pickers show it."""

from __future__ import annotations

from sdfviewer.gui.kit.fields.frame_picker import FrameChoice
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTarget


def choice_of(model: Model, target: ReferenceTarget) -> FrameChoice:
    """Return a frame that a reference names as pickers show it; the default holds where it has no name."""
    kind = model.kinds[target.row] if target.row >= 0 else Kind.WORLD
    name = target.name
    label = f"default: {model.local_names[target.row]}" if name is None else model.reference_label(name, target.row)
    return FrameChoice(name, label, kind.value, target.reason)
