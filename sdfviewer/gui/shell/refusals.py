"""What an action is declared with, and why the menus show but do not offer it for what is selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from sdfviewer.display_text import as_sentence
from sdfviewer.formats.registry import has_versions
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.view3d.tools.tool_strip import EDITING_TOOLS
from sdfviewer.model.model import Model
from sdfviewer.operations import frames
from sdfviewer.operations.declaration import Operation
from sdfviewer.refactoring.editable import why_edited_as_text
from sdfviewer.session.read_only import why_not_current, why_read_only
from sdfviewer.session.session import Session
from sdfviewer.versions import Version, format_version

#: What needs a selection although it edits nothing.
_NEEDS_SELECTION = frozenset({"edit.copy_pose", "edit.select_none"})
#: What fields of the properties edit: of what is included, too, since they ask where that goes.
_BY_FIELDS = (frames.set_pose, frames.set_relative_to, frames.set_attached_to)
#: What changes the section plane, and what it says where there is none.
SECTION_EDITS = frozenset({"section.flip", "section.off"})
NO_MOTION = "There is no motion. Start Joints → Sweep, or open Joints → Motion, and add keyframes."
NO_SECTION = "Nothing is cut: there is no section plane."


def has_motion(file: OpenFile) -> bool:
    """Return whether a motion of the joints is shown."""
    if "joints" not in file.panels:
        return False
    return file.joints.sweeping or file.joints.shown_motion is not None


def why_refused(spec: ActionSpec, file: OpenFile, opened: Iterable[OpenFile]) -> str | None:
    """Return why an action would be refused for what is selected in a file; None where it would not be."""
    if (reason := _why_not_of_state(spec, file, opened)) is not None:
        return reason
    model = file.session.edited_model
    if model is None:
        return None
    if has_versions(model.document) and spec.id == version_action(model.version):
        return f"The file is in SDFormat {format_version(model.version)} already."
    return why_not_of_selection(spec, file.session, model)


def _why_not_of_state(spec: ActionSpec, file: OpenFile, opened: Iterable[OpenFile]) -> str | None:
    """Return why an action would be refused as a file is now, whatever is selected; None where it would not be."""
    if spec.id == "file.revert" and not file.session.dirty:
        return "The file has not changed since it was saved."
    if spec.id == "file.save_all" and not any(each.session.dirty for each in opened):
        return "No file has changed since it was saved."
    if spec.id == "joints.record" and not has_motion(file):
        return NO_MOTION
    return NO_SECTION if spec.id in SECTION_EDITS and file.session.section is None else None


def why_not_of_selection(spec: ActionSpec, session: Session, model: Model) -> str | None:
    """Return why an action would be refused for what is selected; None where it would not be."""
    row, operation = session.selected_row, spec.operation
    if row is None and spec.id in _NEEDS_SELECTION:
        return SELECT_FIRST
    is_edit = spec.edits or spec.id in EDITING_TOOLS
    reason = why_edited_as_text(session.document) if is_edit else None
    if reason is not None:
        is_of_row = row is not None and operation is not None and operation.refusal(model, session.selected_rows)
        own = why_read_only(session, row) if is_of_row and row is not None else None
        return (own or reason).sentence
    if operation is None:
        return None
    rows = session.selected_rows
    if operation in _BY_FIELDS and session.is_current:
        model = session.edited_at(rows) or model
    why = operation.refusal(model, rows)
    current = why_not_current(session) if why is None else None
    return as_sentence(why) if why is not None else None if current is None else current.sentence


class DisabledWhileOpen:
    """Disables actions while a menu shows them; with their shortcuts they say why they are refused.

    Parameters
    ----------
    actions
        All actions by their id.
    files
        The files that they would act on.
    """

    def __init__(self, actions: Mapping[str, QAction], files: Files) -> None:
        self._actions, self._files = actions, files
        self._disabled: list[tuple[QAction, str]] = []

    def disable(self, specs: Iterable[ActionSpec], submenus: Iterable[QMenu] = ()) -> None:
        """Disable those that would be refused now, and submenus that offer nothing else; their tooltips say why."""
        self.restore()
        for spec in specs:
            reason = self.why(spec)
            if reason is not None:
                self._disable(self._actions[spec.id], reason)
        for menu in submenus:
            shown = [action for action in menu.actions() if not action.isSeparator()]
            if shown and not any(action.isEnabled() for action in shown):
                self._disable(menu.menuAction(), shown[0].toolTip())

    def why(self, spec: ActionSpec) -> str | None:
        """Return why an action that is enabled would be refused now; None where it would not be."""
        file = self._files.current
        if file is None or not self._actions[spec.id].isEnabled():
            return None
        return why_refused(spec, file, self._files.opened)

    def _disable(self, action: QAction, reason: str) -> None:
        self._disabled.append((action, action.toolTip()))
        action.setEnabled(False)
        action.setToolTip(reason)

    def restore(self) -> None:
        """Enable them again."""
        for action, tip in self._disabled:
            action.setEnabled(True)
            action.setToolTip(tip)
        self._disabled.clear()


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
    again
        Whether it also runs where it is chosen while it is on.
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
    again: bool = False
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
