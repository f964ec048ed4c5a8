"""What the menus show but do not offer for what is selected, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtGui import QAction

from sdfviewer.gui.shell.action_spec import ActionSpec
from sdfviewer.gui.shell.open_file import OpenFile
from sdfviewer.refactoring.editable import why_edited_as_text
from sdfviewer.session.read_only import why_read_only

_RENAMES = frozenset({"edit.rename", "edit.rename_preview"})
#: What edits the selected frame, and is therefore refused where that is read-only.
FRAME_EDITS = _RENAMES | {
    "edit.duplicate",
    "edit.move_to",
    "edit.remove",
    "edit.pose",
    "edit.paste_pose",
    "edit.relative_to",
    "edit.attached_to",
}


def why_refused(spec: ActionSpec, file: OpenFile) -> str | None:
    """Return why an action would be refused for what is selected in a file; None where it would not be."""
    session = file.session
    if session.model is None:
        return None
    row = session.selected_row
    reason = why_edited_as_text(session.document) if spec.edits else None
    if reason is None and row is not None and spec.id in FRAME_EDITS:
        reason = why_read_only(session, row)
    if reason is None or (reason.renames and spec.id in _RENAMES):
        return None
    return reason.sentence


class DisabledWhileOpen:
    """Disables actions while a menu shows them; with their shortcuts they say why they are refused.

    Parameters
    ----------
    actions
        All actions by their id.
    current
        Returns the file that they would act on.
    """

    def __init__(self, actions: Mapping[str, QAction], current: Callable[[], OpenFile | None]) -> None:
        self._actions, self._current = actions, current
        self._disabled: list[tuple[QAction, str]] = []

    def disable(self, specs: Iterable[ActionSpec]) -> None:
        """Disable those that would be refused now; their tooltips say why."""
        self.restore()
        file = self._current()
        for spec in specs if file is not None else ():
            action = self._actions[spec.id]
            assert file is not None
            reason = why_refused(spec, file) if action.isEnabled() else None
            if reason is not None:
                self._disabled.append((action, action.toolTip()))
                action.setEnabled(False)
                action.setToolTip(reason)

    def restore(self) -> None:
        """Enable them again."""
        for action, tip in self._disabled:
            action.setEnabled(True)
            action.setToolTip(tip)
        self._disabled.clear()
