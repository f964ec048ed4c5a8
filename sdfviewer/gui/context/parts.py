"""Whether edits of visuals and collisions keep together what is one part."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from sdfviewer.session.session_change import SessionChange


class Parts(QObject):
    """The choice between editing all that is one part, and one shape alone.

    Another selection and each edit end that choice: after an edit of one shape alone there is no part any more.
    """

    #: The user has chosen otherwise.
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._separate = False

    @property
    def together(self) -> bool:
        """Whether the others of a part change too."""
        return not self._separate

    def separate(self, on: bool) -> None:
        """Let the next edit change only the selected shape, or its whole part."""
        if on != self._separate:
            self._separate = on
            self.changed.emit()

    def follow(self, change: SessionChange) -> None:
        """Keep parts together again after another selection and after an edit."""
        if change.document or change.selection:
            self.separate(False)
