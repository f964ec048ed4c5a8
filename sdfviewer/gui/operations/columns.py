"""The dialog that asks what the columns of a table of joint states hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.operations.form_dialog import FormDialog
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.joint_states import JointStatesError, parse_joint_states

_MOST_CELLS = 8


class ColumnsDialog(FormDialog):
    """What each column of a CSV file holds: names of joints, ``time``, and ``-`` for a column to skip.

    Attributes
    ----------
    columns
        The names, separated by commas.
    """

    def __init__(
        self,
        path: Path,
        kinematics: Kinematics,
        columns: Sequence[str],
        cells: Sequence[str],
        read: Callable[[Path, Sequence[str]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Read Joint States", "Read", parent)
        self.setMinimumWidth(520)
        self._path, self._kinematics, self._count, self._read = path, kinematics, len(columns), read
        has_names = any(column == cell for column, cell in zip(columns, cells, strict=True))
        why = "Some columns have no joint of that name." if has_names else "The first line names no joints."
        text = f"{path.name}: {why} Name the joint of each column, in order."
        self._first = QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.column.insertWidget(0, self._first)
        more = f" … ({len(cells)} columns)" if len(cells) > _MOST_CELLS else ""
        shown = QLabel(", ".join(cells[:_MOST_CELLS]) + more, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.add_row("first line", shown, "The first line of the file")
        self.columns = named(QLineEdit(", ".join(columns)), "Columns")
        self.columns.textChanged.connect(lambda _text: self.validate())
        self.add_row("columns", self.columns, "Joint names, time, and - to skip a column")
        names = ", ".join(dict.fromkeys(dof.name for dof in kinematics.dofs))
        self.add_note(f"time, - to skip, or one of: {names}")
        self.check = self._check
        self.validate()

    @property
    def names(self) -> list[str]:
        """The names typed."""
        return [word.strip() for word in self.columns.text().split(",")]

    def _check(self) -> None:
        """Refuse what the table cannot have: a line of zeros is read with its columns.

        Raises
        ------
        JointStatesError
            With the reason.
        """
        if len(self.names) != self._count:
            raise JointStatesError(f"the file has {self._count} columns, but {len(self.names)} are named")
        parse_joint_states(",".join("0" * self._count), self._kinematics, self.names)

    def accept(self) -> None:
        """Read the file, where the names can be used."""
        if self.validate():
            self._read(self._path, self.names)
            super().accept()
