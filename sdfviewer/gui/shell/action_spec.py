"""The declaration of an action; see :mod:`sdfviewer.gui.shell.actions.declaration`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdfviewer.operations.declaration import Operation
from sdfviewer.versions import Version, format_version

#: What an action says that needs a selection.
SELECT_FIRST = "Select a frame first."


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    id
        ``topic.verb``, by which settings and tests find it.
    menu
        Path of its menu, ``"View/Camera"``.
    text
        What it does, with an ellipsis where it asks first.
    shortcut
        Key sequence in Qt's portable form, or empty.
    more_shortcuts
        Other key sequences that do the same.
    icon
        Name in the icon font, or empty.
    tip
        What it does in one sentence; the shortcut is added.
    run
        What it does, called with the parts of the window and with the state of the switch, False for any other action.
    checkable
        Whether it is a switch.
    group
        Switches of one group exclude each other.
    on
        Whether the switch is on at the first start.
    section
        Starts a new section of its menu.
    needs_file
        Whether it is disabled while no file is open.
    toolbar
        Whether it is in the toolbar.
    short
        What its button says where it has no icon.
    edits
        Whether it edits more than names, so that it is refused in a file that is edited as text.
    in_source
        Whether the source view handles its shortcut before the window.
    operation
        What it does to the model: it says why it is refused for what is selected.
    """

    id: str
    menu: str
    text: str
    shortcut: str
    icon: str
    tip: str
    run: Callable[..., object]
    checkable: bool = False
    group: str = ""
    on: bool = False
    section: bool = False
    needs_file: bool = True
    toolbar: bool = False
    short: str = ""
    edits: bool = False
    in_source: bool = False
    more_shortcuts: tuple[str, ...] = ()
    operation: Operation | None = None


def version_action(version: Version) -> str:
    """Return the id of the action that converts the current file to a version of SDFormat."""
    return f"refactor.version_{format_version(version)}"
