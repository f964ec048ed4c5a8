"""What a monkey does with the window: each gesture is one that a hand could make."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QKeyCombination, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDrag, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QMessageBox, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.paths import real_path
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.kit.widgets import widgets_in
from sdfviewer.gui.operations.place_cards import PlaceCard
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.table import OPERATIONS
from tests.operations.arguments import NoArgumentError, arguments_for

#: Actions that end the program, or leave it.
_NEVER = ("file.quit", "file.fetch", "joints.record")
_TYPED = (
    "<", ">", '"', "x", "</link>", '<link name="n"/>', "\n", '<frame name="q" attached_to="q"/>', "&", "<!--", " ",
    '<joint name="j" type="revolute"><parent>a</parent><child>b</child></joint>', "<pose>1 2 3 0 0 nan</pose>",
    "<include><uri>http://[</uri></include>", "1e308", "::", "ünï", "\t", '<model name="m">', "</model>", "]]>",
)  # fmt: skip
_KEYS = (
    "Return", "Esc", "Tab", "Backspace", "Del", "Up", "Down", "Left", "Right", "Home", "End", "PgDown", "Space", "F2",
    "F3", "F4", "F8", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+F", "Ctrl+Space",
    "Shift+Down", "Shift+End", "Ctrl+/", "Alt+Up", "Ctrl+D", "Ctrl+R", "Ctrl+S", "W", "E", "R", "H", "1", "-", ".", "0",
    "A",
)  # fmt: skip
#: What changes values and names of what is there, and what adds to it.
_EDITS = (
    "set_pose", "move", "set_coordinate", "set_property", "set_limits", "rename", "set_parent", "set_relative_to",
    "add_link", "add_frame", "add_sensor", "remove", "duplicate", "mate", "mirror",
)  # fmt: skip
_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
_MODIFIERS = (_NONE, _NONE, _NONE, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)


class Hand:
    """A hand at the window.

    Parameters
    ----------
    copy
        Returns another file that may be changed.

    Attributes
    ----------
    originals
        What each file held when it was opened, by the identity of its tab.
    contents
        What the files beside an opened one held then.
    """

    def __init__(
        self, window: MainWindow, rng: random.Random, folder: Path, copy: Callable[[random.Random, Path], Path]
    ) -> None:
        self.window, self.rng, self.folder, self._copy = window, rng, folder, copy
        self.originals: dict[int, bytes] = {}
        self.contents: dict[Path, bytes] = {}
        self._held: tuple[QWidget, QPoint] | None = None
        self._is_present = False
        # What it answers to dialogs depends on when they come; what it does otherwise must not.
        self._other_rng = random.Random(rng.random())
        window.files.added.connect(self._note)

    # --- dialogs and menus, which wait for somebody ------------------------------------------------------------------

    def accompany(self) -> None:
        """Answer dialogs and menus from now on."""
        self._is_present = True
        QTimer.singleShot(30, self._answer)

    def rest(self) -> None:
        """Answer nothing any more."""
        self.let_go()
        self._is_present = False
        self.window.files.added.disconnect(self._note)

    def _answer(self) -> None:
        if not self._is_present:
            return
        # Before the answer: it may open the next dialog, which waits for an answer too.
        QTimer.singleShot(30, self._answer)
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        rng = self._other_rng
        if popup is not None:
            key = rng.choice((Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape))
            if isinstance(popup, QMenu) and rng.random() < 0.5:
                popup.close()
            elif key != Qt.Key.Key_Return or not _is_on_forbidden(popup):
                QTest.keyClick(popup, key)
        elif isinstance(modal, QMessageBox):
            modal.button(rng.choice(_standard_buttons(modal))).click() if _standard_buttons(modal) else modal.reject()
        elif isinstance(modal, QDialog) and rng.random() < 0.15:
            modal.accept() if rng.random() < 0.5 else modal.reject()

    # --- gestures ----------------------------------------------------------------------------------------------------

    @property
    def file(self) -> OpenFile | None:
        """The file that is shown."""
        return self.window.current

    def open(self, *paths: Path) -> str:
        """Open files at once."""
        self.window.files.open(paths)
        return ", ".join(path.name for path in paths)

    def _note(self, file: OpenFile) -> None:
        """Note what a file holds that has been opened."""
        path = file.session.path
        is_new = path is None or not path.exists()  # a conversion proposes a file
        self.originals[id(file)] = file.session.document.to_bytes() if is_new else path.read_bytes()
        if not is_new and path.is_relative_to(self.folder):
            for each in path.parent.rglob("*"):
                if each.is_file():
                    self.contents.setdefault(real_path(each), each.read_bytes())

    def let_go(self) -> None:
        """Release what is dragged."""
        if self._held is not None:
            widget, at = self._held
            self._held = None
            QTest.mouseRelease(widget, _LEFT, _NONE, at)

    def widget(self) -> QWidget | None:
        """Return something in sight, in a dialog where one is open."""
        modal = QApplication.activeModalWidget()
        tops = [modal] if modal is not None else [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        top = self.rng.choice(tops) if tops else self.window
        below = [each for each in widgets_in(top) if each.isVisible() and each.isEnabled()]
        return self.rng.choice(below) if below else top

    def point(self, widget: QWidget) -> QPoint:
        """Return a point in a widget."""
        return QPoint(self.rng.randrange(max(widget.width(), 1)), self.rng.randrange(max(widget.height(), 1)))


def _is_on_forbidden(popup: QWidget) -> bool:
    """Return whether a menu is about to run what ends or leaves the program."""
    action = popup.activeAction() if isinstance(popup, QMenu) else None
    return action is not None and (action.objectName() in _NEVER or action.text().startswith(("Quit", "Download")))


def _standard_buttons(box: QMessageBox) -> list[QMessageBox.StandardButton]:
    return [box.standardButton(each) for each in box.buttons() if box.standardButton(each).value]


def act(hand: Hand) -> str:
    """Run an action of the menus."""
    actions = hand.window.actions_by_id
    id = hand.rng.choice([each for each in actions if each not in _NEVER])
    if actions[id].isEnabled() and QApplication.activeModalWidget() is None:
        actions[id].trigger()
    return id


def click(hand: Hand) -> str:
    """Click anywhere."""
    widget = hand.widget()
    if widget is None or _leads_out(widget):
        return ""
    button = hand.rng.choice((_LEFT, _LEFT, _LEFT, Qt.MouseButton.RightButton))
    what = hand.rng.choice((QTest.mouseClick, QTest.mouseClick, QTest.mouseDClick))
    name = type(widget).__name__
    what(widget, button, hand.rng.choice(_MODIFIERS), hand.point(widget))
    return name


def _leads_out(widget: QWidget) -> bool:
    """Return whether a button runs what is never to be run."""
    default = getattr(widget, "defaultAction", lambda: None)()
    return (default is not None and default.objectName() in _NEVER) or widget.objectName() in _NEVER


def press(hand: Hand) -> str:
    """Begin to drag, or go on with it, or let go."""
    if hand._held is None:
        widget = hand.widget()
        if widget is None or _leads_out(widget):
            return ""
        at = hand.point(widget)
        QTest.mousePress(widget, _LEFT, hand.rng.choice(_MODIFIERS), at)
        hand._held = widget, at
        return f"press {type(widget).__name__}"
    return ""


def drag(hand: Hand) -> str:
    """Drag from one point to another in the 3D view, a graph or any other widget."""
    file = hand.file
    widget: QWidget | None = None
    if file is not None and hand.rng.random() < 0.5:
        widget = file.view.canvas
    if widget is None or not widget.isVisible():
        widget = hand.widget()
    if widget is None or _leads_out(widget):
        return ""
    start, end = hand.point(widget), hand.point(widget)
    name = type(widget).__name__
    button = hand.rng.choice((_LEFT, _LEFT, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton))
    modifiers = hand.rng.choice(_MODIFIERS)
    # Selected text is dragged by Qt itself, which waits for a mouse that nobody moves.
    give_up = QTimer(singleShot=True, interval=0)
    give_up.timeout.connect(QDrag.cancel)
    QTest.mousePress(widget, button, modifiers, start)
    for part in range(1, 5):
        give_up.start()
        at = QPointF(start + (end - start) * (part / 4))
        where = widget.mapToGlobal(at)
        event = QMouseEvent(QEvent.Type.MouseMove, at, where, Qt.MouseButton.NoButton, button, modifiers)
        QApplication.sendEvent(widget, event)
        if part == 2:
            QApplication.processEvents()
    if hand.rng.random() < 0.15:
        QTest.keyClick(widget, Qt.Key.Key_Escape)
    QTest.mouseRelease(widget, button, modifiers, end)
    return name


def wheel(hand: Hand) -> str:
    """Turn the wheel."""
    widget = hand.widget()
    if widget is None:
        return ""
    at = QPointF(hand.point(widget))
    turn = QPoint(0, hand.rng.choice((-120, 120, 1200, -1200)))
    event = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), turn, Qt.MouseButton.NoButton, hand.rng.choice(_MODIFIERS),
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    name = type(widget).__name__
    QApplication.sendEvent(widget, event)
    return name


def _combination(text: str) -> QKeyCombination:
    combination: QKeyCombination = QKeySequence(text)[0]  # type: ignore[index]  # the types of Qt do not know it
    return combination


def key(hand: Hand) -> str:
    """Press keys where the keyboard is."""
    keys = [hand.rng.choice(_KEYS) for _ in range(hand.rng.randrange(1, 4))]
    for each in keys:
        target = QApplication.focusWidget() or hand.window
        combined = _combination(each)
        QTest.keyClick(target, combined.key(), combined.keyboardModifiers())
    return "+".join(keys)


def write(hand: Hand) -> str:
    """Type a word where the keyboard is."""
    text = hand.rng.choice(_TYPED)
    _type(hand, text)
    return repr(text)


def _type(hand: Hand, text: str) -> None:
    # QTest.keyClicks ends the process at the first letter that is not of ASCII.
    for letter in text:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, _combination(letter).key() if letter.isalnum() else 0, _NONE, letter)
            QApplication.sendEvent(QApplication.focusWidget() or hand.window, event)


def edit_source(hand: Hand) -> str:
    """Type into the source, replacing some of it."""
    if hand.file is None or QApplication.activeModalWidget() is not None:
        return ""
    editor = hand.file.source.editor
    if editor.isReadOnly():
        return ""
    cursor = editor.textCursor()
    cursor.setPosition(hand.rng.randrange(editor.document().characterCount()))
    count = hand.rng.choice((0, 0, 1, 8, 60))
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, count)
    text = hand.rng.choice(_TYPED)
    if hand.rng.random() < 0.5:
        cursor.insertText(text)
    else:
        editor.setTextCursor(cursor)
        editor.setFocus()
        _type(hand, text)
    return repr(text)


def select(hand: Hand) -> str:
    """Select frames."""
    session = hand.file.session if hand.file is not None else None
    if session is None or session.model is None or not len(session.model):
        return ""
    session.select(hand.rng.choices(session.model.names, k=hand.rng.choice((0, 1, 1, 2, 5))))
    return ""


def move_joints(hand: Hand) -> str:
    """Move a joint."""
    session = hand.file.session if hand.file is not None else None
    if session is None or session.kinematics is None or not session.kinematics.dofs:
        return ""
    joint = hand.rng.choice(session.kinematics.dofs).joint
    session.move_joints({joint.name: (hand.rng.uniform(-4, 4),)})
    return joint.name


def operate(hand: Hand) -> str:
    """Do what a form does, and answer the card that asks where that is written."""
    file = hand.file
    session = file.session if file is not None else None
    if file is None or session is None or QApplication.activeModalWidget() is not None:
        return ""
    try:
        model = session.edited_model if session.is_current else None
        if model is None or not len(model):
            return ""
        operation = hand.rng.choice([OPERATIONS[name] for name in _EDITS])
        arguments = arguments_for(hand.rng, EditContext(model, session.make_loader()), operation)
    except (NoArgumentError, SdfViewerError):
        return ""
    file.context.edits.make(lambda: edit_by(session, model, operation, **arguments))
    for card in [each for each in hand.window.findChildren(PlaceCard) if each.isVisible()]:
        for group in card.choices:
            hand.rng.choice(group).click()
        QApplication.processEvents()
        if hand.rng.random() < 0.8 and card.accept_button.isEnabled():
            card.accept_button.click()
        else:
            card.reject()
    for _ in range(hand.rng.choice((0, 20, 100))):  # the files are evaluated
        QTest.qWait(5)
        if session.is_current and not session.is_reading:
            break
    return operation.name


def undo(hand: Hand) -> str:
    """Undo or redo some steps."""
    id = hand.rng.choice(("edit.undo", "edit.undo", "edit.redo"))
    for _ in range(hand.rng.choice((1, 1, 5))):
        if QApplication.activeModalWidget() is None:
            hand.window.actions_by_id[id].trigger()
    return id


def open_another(hand: Hand) -> str:
    """Open another file, beside the window or at once."""
    if len(hand.window.files.opened) > 3:
        return ""
    path = hand._copy(hand.rng, hand.folder)
    if hand.rng.random() < 0.5:
        return hand.open(path)
    hand.window.files.open_soon([path])
    for _ in range(hand.rng.choice((1, 10, 100))):
        QTest.qWait(5)
        if hand.window.files.opening is None:
            break
    return path.name


def close(hand: Hand) -> str:
    """Close the file, with or without a question."""
    file = hand.file
    if file is None or len(hand.window.files.opened) < 2:
        return ""
    hand.window.files.drop(file)
    return file.name


def change_on_disk(hand: Hand) -> str:
    """Change the file as another program does, or take it away, or bring it back."""
    file = hand.file
    if file is None or file.session.path is None:
        return ""
    path = file.session.path
    what = hand.rng.randrange(4)
    data = path.read_bytes() if path.exists() else hand.originals.get(id(file), b"")
    at = hand.rng.randrange(len(data) + 1)
    if what == 0:
        path.unlink(missing_ok=True)
    elif what == 1:
        path.write_bytes(data[:at])
    else:
        path.write_bytes(data[:at] + hand.rng.choice(_TYPED).encode() + data[at:])
    hand.window.disk.look_at_disk()
    return ("removed", "cut", "changed", "changed")[what]


def resize(hand: Hand) -> str:
    """Give the window another size."""
    hand.window.resize(hand.rng.randrange(500, 2000), hand.rng.randrange(300, 1200))
    return ""


def wait(hand: Hand) -> str:
    """Let timers and threads work."""
    QTest.qWait(hand.rng.choice((10, 100, 600)))
    return ""


#: What a monkey does, and how often.
GESTURES: dict[str, tuple[Callable[[Hand], str], int]] = {
    "act": (act, 20),
    "click": (click, 20),
    "drag": (drag, 12),
    "wheel": (wheel, 4),
    "key": (key, 12),
    "write": (write, 6),
    "edit_source": (edit_source, 10),
    "select": (select, 8),
    "move_joints": (move_joints, 6),
    "operate": (operate, 10),
    "undo": (undo, 8),
    "open_another": (open_another, 2),
    "close": (close, 1),
    "change_on_disk": (change_on_disk, 1),
    "resize": (resize, 1),
    "wait": (wait, 4),
}
