"""Fields for the numbers of a pose, in any notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QWidget

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, AngleUnit, NumberField, PickButton, angle_step
from sdfviewer.gui.kit.widgets import column_of, line_of, named, set_menu, set_style_property, styled
from sdfviewer.gui.properties.section import LABEL_WIDTH, make_caption, make_form
from sdfviewer.number_text import format_exact, format_shown
from sdfviewer.refactoring.pose_notation import (
    Notation,
    convert,
    nearest,
    normalised,
    numbers_of,
    parse_pose,
    quaternion_length,
)
from sdfviewer.transforms import Array

UNIT_WIDTH = 24
_LEAST_LINE = 150
"""Pixels of a line with a number, its name and unit that stays beside its caption."""
_NAME_WIDTH = 36
"""Pixels of the names of the numbers, so that they are below each other."""
#: What each notation is called in menus.
NAMES = {
    Notation.RADIANS: "Roll, Pitch, Yaw in Radians",
    Notation.DEGREES: "Roll, Pitch, Yaw in Degrees",
    Notation.QUATERNION: "Quaternion x, y, z, w",
}
_POSITION = ("x", "y", "z")
_ANGLES = ("roll", "pitch", "yaw")
_QUATERNION = ("x", "y", "z", "w")
#: Of a quaternion that is written as it is typed.
_NEARLY_ONE = 1e-6


@dataclass(frozen=True)
class PoseEntry:
    """The numbers of a pose as the user entered them, in a notation.

    ``form`` says in words what was pasted, if anything, and ``relative_to`` which frame that names.
    """

    numbers: Sequence[float]
    notation: Notation
    form: str = ""
    relative_to: str = ""


class PoseEditor(QWidget):
    """Three lengths, and three angles or the four numbers of a quaternion.

    Attributes
    ----------
    fields
        Of the notation shown: six or seven, in the order of a ``<pose>``.
    caption
        The button beside the rotation; its menu chooses the notation.
    """

    #: The user has entered a pose: a `PoseEntry`.
    committed = Signal(PoseEntry)
    #: The `PoseEntry` while one of its numbers is being dragged.
    scrubbed = Signal(PoseEntry)
    #: The notation in which the file should write the pose.
    rewritten = Signal(Notation)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._written: tuple[float, ...] = (0.0,) * 6
        self._own = Notation.RADIANS
        self._editable = False
        self._refusals: Mapping[Notation, str] = {}
        self._is_draft = False
        self._position = [PoseField(name, unit=LENGTH) for name in _POSITION]
        self._angles = [PoseField(name) for name in _ANGLES]
        self._quaternion = [PoseField(f"quaternion {name}") for name in _QUATERNION]
        self._angle_units = [QLabel() for _ in _ANGLES]
        self.caption = styled(named(QPushButton("rotation"), "Notation of the rotation"), "caption")
        self.caption.setFixedWidth(LABEL_WIDTH)
        self.menu = QMenu(self.caption, toolTipsVisible=True)
        self.menu.aboutToShow.connect(self.fill_menu)
        set_menu(self.caption, self.menu)
        self._note = QLabel(wordWrap=True)
        self._note.hide()
        form = make_form(self)
        self.pick_button = PickButton()
        self._position_lines = _lines(_POSITION, self._position, [QLabel(LENGTH) for _ in _POSITION])
        form.addRow(_caption_with(self.pick_button), self._position_lines)
        self._angle_lines = _lines(_ANGLES, self._angles, self._angle_units)
        self._quaternion_lines = _lines(_QUATERNION, self._quaternion, [QLabel() for _ in _QUATERNION])
        form.addRow(self.caption, column_of(self._angle_lines, self._quaternion_lines, margins=0, spacing=0))
        form.addRow("", self._note)
        self._form = form
        for field in (*self._position, *self._angles, *self._quaternion):
            field.committed.connect(lambda _value, field=field: self._finish(field))
            field.returnPressed.connect(lambda field=field: self._take_draft(field))
            field.textEdited.connect(lambda _text: self._look())
            field.reverted.connect(self._revert)
            field.pasted.connect(partial(self._paste_into, field))
            field.copy_wanted.connect(self.copy)
            field.scrubbed.connect(lambda _value: self.scrubbed.emit(PoseEntry(self._numbers(), self.notation)))
            field.can_scrub = field not in self._quaternion
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)
        settings.changed.connect(self._show)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for lines in (self._position_lines, self._angle_lines, self._quaternion_lines):
            lines.setMinimumWidth(min(_LEAST_LINE, self.width()))  # below its label rather than narrower

    @property
    def notation(self) -> Notation:
        """The notation that is shown and typed."""
        return self._settings.notation

    @property
    def fields(self) -> list[PoseField]:
        """The visible fields."""
        return [*self._position, *self._rotation]

    @property
    def _rotation(self) -> list[PoseField]:
        return self._quaternion if self.notation is Notation.QUATERNION else self._angles

    @property
    def note(self) -> str:
        """The message below the numbers, empty if there is none."""
        return self._note.text()

    # --- what is shown ---------------------------------------------------------------------------------------------

    def show_numbers(
        self, written: Sequence[float], own: Notation, *, editable: bool, refusals: Mapping[Notation, str]
    ) -> None:
        """Show the numbers of a file, in whichever notation the user reads.

        Parameters
        ----------
        written, own
            The numbers of the file and their notation.
        editable
            Whether they can be changed.
        refusals
            Why the file cannot have the pose in other notations.
        """
        self._written, self._own, self._editable, self._refusals = tuple(written), own, editable, refusals
        self._show()

    def show_unwritten(self, X_RF: Array | None) -> None:
        """Show the raw pose (4, 4) that something is being dragged to; None shows what is written."""
        numbers: Sequence[float] = self._shown
        if X_RF is not None:
            numbers = nearest(numbers_of(X_RF, self.notation), self._shown, self.notation)
        # Most numbers stay as they are when something is moved along an axis.
        for field, number in zip(self.fields, map(_readable, numbers), strict=True):
            if number != field.value or field.isModified():
                field.set_value(number)

    @property
    def _shown(self) -> list[float]:
        return convert(self._written, self._own, self.notation)

    def _show(self) -> None:
        quaternion = self.notation is Notation.QUATERNION
        self._angle_lines.setVisible(not quaternion)
        self._quaternion_lines.setVisible(quaternion)
        for unit in self._angle_units:
            unit.setText(self._settings.angle_unit.value)
        tip = "Quaternion x, y, z, w" if quaternion else "Roll, pitch, yaw about the fixed axes x, y, z"
        where = "" if self._own is self.notation else f". {self._own_notation}"
        self.caption.setToolTip(f"{tip}{where}. Click to choose another notation.")
        for field in self._angles:
            field.step = angle_step(self._settings.angle_unit)
            field.unit = self._settings.angle_unit.value
        self.pick_button.setEnabled(self._editable)
        for field, number in zip(self.fields, self._shown, strict=True):
            field.setReadOnly(not self._editable)
            field.set_value(_readable(number))
        self._is_draft = False
        self._look()

    @property
    def _own_notation(self) -> str:
        """How the file has the rotation, in words."""
        return f"The file has the rotation {self._own.phrase}"

    def _revert(self) -> None:
        """Show what is written in place of what was typed."""
        self._show()

    def _show_message(self, text: str, role: str = "muted") -> None:
        self._note.setText(text)
        self._form.setRowVisible(self._note, bool(text))
        set_style_property(self._note, "role", role)

    def _look(self) -> None:
        """Say below the numbers what is wrong with them, or what will become of them."""
        faults = [f"{field.accessibleName()}: {field.fault}" for field in self.fields if field.fault]
        if faults:
            self._show_message(faults[0], "error")
            return
        typed = any(field.isModified() for field in self._quaternion) or self._is_draft
        if self.notation is not Notation.QUATERNION or not typed:
            self._show_message("" if self._own is self.notation else self._own_notation)
            return
        numbers = [0.0, 0.0, 0.0, *(field.typed for field in self._quaternion)]
        length, unit = quaternion_length(numbers), normalised(numbers)
        if unit is None:
            self._show_message("A quaternion of length zero is not a rotation.", "error")
        elif abs(length - 1.0) > _NEARLY_ONE:
            written = "  ".join(format_shown(number, 4) for number in unit[3:])
            self._show_message(f"Its length is {format_shown(length, 4)}; at length one it is {written}.")
        else:
            self._show_message("")

    # --- what is typed ---------------------------------------------------------------------------------------------

    def _finish(self, field: PoseField) -> None:
        """Commit a number at once, but those of a quaternion together, when the focus leaves them."""
        if field not in self._quaternion:
            self._commit()
            return
        self._is_draft = True
        if QApplication.focusWidget() not in self._others(field):
            self._commit_draft()
        else:
            self._look()

    def _others(self, field: PoseField) -> list[PoseField]:
        return [each for each in self._quaternion if each is not field]

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        # If the whole window loses focus, the user may be looking up a number in another program.
        if old in self._quaternion and new is not None and new not in self._quaternion:
            self._commit_draft()

    def _take_draft(self, field: PoseField) -> None:
        # Qt emits returnPressed before editingFinished; a new number comes with `committed`.
        if not field.isModified():
            self._commit_draft()

    def _commit_draft(self) -> None:
        if self._is_draft and not any(field.fault for field in self._quaternion):
            self._commit()

    def _commit(self) -> None:
        numbers = self._shown
        if self._is_draft:
            numbers[3:] = [field.value for field in self._quaternion]
            if normalised(numbers) is None:
                self._look()
                return
            self._is_draft = False
        self.committed.emit(PoseEntry(self._with_typed(numbers), self.notation))

    def _with_typed(self, numbers: list[float]) -> list[float]:
        """Return numbers with those that were typed: what is shown has fewer digits than what is written."""
        pairs = zip(self.fields, numbers, strict=True)
        return [number if field.value == _readable(number) else field.value for field, number in pairs]

    def _numbers(self) -> list[float]:
        return self._with_typed(self._shown)

    def copy(self) -> None:
        """Copy all numbers, as the cells of a spreadsheet."""
        QGuiApplication.clipboard().setText("\t".join(format_exact(_readable(number)) for number in self._shown))

    def paste(self) -> None:
        """Put the pose in the clipboard into all fields."""
        self._paste_into(self._position[0], QGuiApplication.clipboard().text())

    def _paste_into(self, field: QWidget, text: str) -> None:
        """Put a pose that was pasted into one field into all of them, or three numbers into its line."""
        if not self._editable:
            return
        angles = Notation.DEGREES if self._settings.angle_unit is AngleUnit.DEGREES else Notation.RADIANS
        try:
            found = parse_pose(text, angles)
        except ValueError as error:
            self._show_message(str(error), "error")
            return
        numbers, notation = list(found.numbers), found.notation
        if len(numbers) == 3:
            shown = convert(self._written, self._own, angles)
            turns = field in self._angles or field in self._quaternion
            numbers = [*shown[:3], *numbers] if turns else [*numbers, *shown[3:]]
        self._is_draft = False
        self.committed.emit(PoseEntry(numbers, notation, found.form, found.relative_to))

    # --- the menu --------------------------------------------------------------------------------------------------

    def fill_menu(self) -> None:
        """Fill the menu."""
        self.menu.clear()
        self._add_notations("Display As", self.notation, self.choose, {})
        self.menu.addSeparator()
        self._add_notations("Write to File As", self._own, self.rewritten.emit, self._refusals)

    def _add_notations(
        self, title: str, current: Notation, run: Callable[[Notation], object], refusals: Mapping[Notation, str]
    ) -> None:
        heading = self.menu.addAction(title)
        heading.setEnabled(False)
        group = QActionGroup(self.menu)
        for notation, name in NAMES.items():
            action = self.menu.addAction(name)
            action.setCheckable(True)
            action.setActionGroup(group)
            action.setChecked(notation is current)
            action.setEnabled(notation not in refusals)
            action.setToolTip(refusals.get(notation, name))
            action.triggered.connect(lambda _=False, notation=notation: run(notation))

    def choose(self, notation: Notation) -> None:
        """Show and type poses in another notation from now on."""
        self._settings.notation = notation


class PoseField(NumberField):
    """One number of a pose; what is wrong stays in it, and a whole pose can be pasted into it."""

    #: Escape was pressed: discard everything typed.
    reverted = Signal()
    #: Text of more than one number was pasted into this field.
    pasted = Signal(str)
    #: The user wants to copy all numbers of the pose.
    copy_wanted = Signal()

    @property
    def typed(self) -> float:
        """The number in the text, or the last valid one."""
        try:
            return self.parse(self.text())
        except ValueError:
            return self.value

    def refuse(self, fault: str) -> None:
        """Keep what was typed: the reason is shown below it."""

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        try:
            self.parse(text)
        except ValueError:
            self.pasted.emit(text)
        else:
            self.paste()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste) and not self.isReadOnly():
            self._paste()
        elif event.key() == Qt.Key.Key_Escape and self.isModified():
            self.reverted.emit()
        else:
            super().keyPressEvent(event)

    def make_menu(self) -> QMenu:
        """Return the menu of all lines of text, whose Paste takes a whole pose."""
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in menu.actions():
            if action.objectName() == "edit-paste":
                action.triggered.disconnect()
                action.triggered.connect(self._paste)
        menu.addSeparator()
        menu.addAction("Copy All Numbers").triggered.connect(self.copy_wanted)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.make_menu().popup(event.globalPos())


def _readable(number: float) -> float:
    """Return a number with fifteen digits: a written 0.1 comes back as 0.1 from a rotation matrix."""
    return float(f"{number:.15g}")


def _lines(names: Sequence[str], fields: Sequence[QWidget], units: Sequence[QLabel]) -> QWidget:
    """Return a line for each number with its name and unit, so wide that all its digits can be read and edited."""
    lines = QWidget()
    column = column_of(parent=lines, margins=0, spacing=2)
    for name, field, unit in zip(names, fields, units, strict=True):
        caption = QLabel(name)
        for label, width in ((caption, _NAME_WIDTH), (unit, UNIT_WIDTH)):
            label.setProperty("role", "muted")
            label.setFixedWidth(width)
        column.addWidget(line_of(caption, (field, 1), unit))
    return lines


def _caption_with(button: QWidget) -> QWidget:
    """Return the label of the position with a button at its end."""
    return line_of(make_caption("position", "x, y, z", LABEL_WIDTH - button.sizeHint().width() - 4), button)
