"""A note that a section plane cuts the model open; a click on it removes the plane."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from sdfviewer.display_text import visible
from sdfviewer.gui.view3d.closable_note import ClosableNote
from sdfviewer.scene.section import Section


class SectionNote(ClosableNote):
    """Says at the top of a view what is cut, with a cross to remove the section plane."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas, "section_note", "Remove the section plane and show the model whole (Shift+Q)")

    def show_section(self, section: Section | None, root: str) -> None:
        """Say what the section of a model with a root frame cuts; None hides the note."""
        self.say("" if section is None else f"{describe_section(section, root)}   ✕")


def describe_section(section: Section, root: str) -> str:
    """Return in words how a section cuts: across an axis of the root, in the x-y plane of a frame, or along a face."""
    axes = [axis for axis, part in zip("xyz", section.normal, strict=True) if abs(part) == 1.0]
    if axes and section.frame == root:
        return f"Section across {axes[0]}"
    name = visible(section.frame.rpartition("::")[2])
    return f"Section in x-y of {name}" if axes == ["z"] and section.offset == 0.0 else f"Section on {name}"
