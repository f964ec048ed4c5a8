"""A window that is made once and handed from test to test, each of which finds it as it was made.

To make a window, to show it and to delete it takes longer than most tests. So a test gets the window of the test
before it, where that can be brought back to what it was: all that can be seen, asked or remembered of it is compared
with what that was when the window was made. A window that differs is closed, and the next test gets a new one.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Iterator
from enum import Enum
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QObject, QSettings, QSize, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QLabel, QLineEdit, QWidget

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.help.tour import Tour
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.safe_text import uncorrected
from sdfviewer.gui.kit.theme import DARK, Choice, apply_theme, build_stylesheet
from sdfviewer.gui.kit.widgets import paint_again
from sdfviewer.gui.shell.files import opening
from sdfviewer.gui.shell.menus import EXAMPLES, RECENT
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.templates import TEMPLATES
from tests.patience import PATIENCE_MILLISECONDS

_PLAIN = (bool, int, float, str, bytes, QByteArray, Enum, type(None))
_MOST_TURNS = 1000
#: The panels of a window by default, and what is folded then.
ALL_PANELS = ("tree", "properties", "joints", "graphs", "problems", "source")
#: What the progress of an opening, and the warning that a file cannot be opened, have shown last: each says another
#: thing before it is seen again.
_OF_NO_CONSEQUENCE = ("_opening", "_refused", "_warning")


def new_window(settings: Settings, panels: Collection[str] = ALL_PANELS) -> MainWindow:
    """Return a new window in sight, laid out as it was left, else with some panels."""
    window = MainWindow(settings)
    window.resize(1280, 800)
    if not window.workspaces.restore():
        _lay_out(window, panels)
    window.show()
    assert QTest.qWaitForWindowExposed(window, PATIENCE_MILLISECONDS)
    return window


def _paint_dark() -> bool:
    """Paint all windows in the theme of the tests again; return whether it was another one."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    is_other = application.styleSheet() != build_stylesheet(DARK)
    if is_other:
        apply_theme(application, Choice.DARK)
    return is_other


def _lay_out(window: MainWindow, panels: Collection[str]) -> None:
    """Show some panels where the window has them by default, the source in front of the problems."""
    window.workspaces.reset()
    for id, dock in window.docks.docks.items():
        dock.setVisible(id in panels)
    if "source" in panels:
        window.docks.docks["source"].raise_()


def close_files(window: MainWindow) -> None:
    """Close all files without asking, and without painting a picture of each for the next start."""
    window.settings.forget_recent_files()
    for file in tuple(window.files.opened):
        window.files.drop(file)


def _settle(window: MainWindow) -> None:
    """Let happen what waits for a later turn of the event loop, and delete what is to be deleted."""
    with uncorrected():  # what is deleted shows nothing
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    for _ in range(_MOST_TURNS):
        if not any(each.has_jobs for each in window.findChildren(Later)):
            return
        QApplication.processEvents()


#: What a window is like with some panels: its switches, its layouts, the sizes of its docks, and all there is to see.
_Notes = tuple[dict[str, bool], tuple[QByteArray, QByteArray], dict[QDockWidget, QSize], Counter[str]]


class KeptWindow:
    """A window, its settings, and what both were when it was made."""

    def __init__(self, folder: Path, panels: Collection[str] = ALL_PANELS) -> None:
        self._store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.settings = Settings(self._store)
        self.panels = panels
        self._noted: dict[frozenset[str], _Notes] = {}
        self.window = new_window(self.settings, panels)
        _lay_out(self.window, panels)  # the panels that were hidden before the window was seen have told nobody
        self._place_inner()
        self._forget()
        self._place = self.window.pos()
        self._note()

    def _place_inner(self) -> None:
        """Open and close a file: what only a file brings into sight gets its place with the first one."""
        self.window.files.open_document(parse_document(TEMPLATES["model"].text()))
        self._close_all()

    def _note(self) -> None:
        """Note what the window is like, which it is to be like again."""
        for _ in range(3):  # the buttons of hidden panels come and go, and are laid out, in turns of their own
            QApplication.processEvents()
        self._switches = {id: action.isChecked() for id, action in self.window.actions_by_id.items()}
        self._layouts = self.window.saveState(), self.window.docks.centre.saveState()
        self._sizes = {dock: dock.size() for dock in self.window.docks.docks.values()}
        self.fresh = self._state()
        self._noted[frozenset(self.panels)] = self._switches, self._layouts, self._sizes, self.fresh

    def show_panels(self, panels: Collection[str]) -> None:
        """Show other panels from now on."""
        if set(panels) == set(self.panels):
            return
        self.panels = panels
        if frozenset(panels) in self._noted:
            self._switches, self._layouts, self._sizes, self.fresh = self._noted[frozenset(panels)]
            self._lay_out()
            if not self.differences():
                self._resize_hidden()
                return
        _lay_out(self.window, panels)
        self._place_inner()
        self._forget()
        self._note()

    def _state(self) -> Counter[str]:
        state = state_of(self.window)
        state.update(f"{key} is set to {self._store.value(key)}" for key in self._store.allKeys())
        return state

    def differences(self) -> list[str]:
        """Return in what the window and its settings differ from what they were."""
        before, now = self.fresh, self._state()
        if dict(before) == dict(now):  # counters look each up in the other
            return []
        return [f"not now: {each}" for each in before - now] + [f"only now: {each}" for each in now - before]

    def reset(self) -> list[str]:
        """Bring the window back to what it was, and paint it no more; return what cannot be brought back."""
        self._close_dialogs()
        if not self.window.isVisible():
            return ["the window is closed"]  # it would never become active again
        self._switch_back()  # what a file has answers while it is open
        self.window.setUpdatesEnabled(False)
        self._close_all()
        self._switch_back()
        self._forget()
        differences = self.differences()
        if differences:
            self._lay_out()
            differences = self.differences()
        self._resize_hidden()
        return differences

    def hide(self) -> None:
        """Take the window out of sight of a test that does not ask for it."""
        self.window.hide()
        # Where that is told later, the popup that a test has opened by then closes.
        handle = self.window.windowHandle()
        for _ in range(_MOST_TURNS):
            if QGuiApplication.focusWindow() is not handle:
                return
            QTest.qWait(10)

    def show(self) -> None:
        """Bring the window into sight again as it was."""
        self.window.setUpdatesEnabled(False)
        self.window.show()
        assert QTest.qWaitForWindowExposed(self.window, PATIENCE_MILLISECONDS)
        self._forget()

    def _close_dialogs(self) -> None:
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        for other in QApplication.topLevelWidgets():
            if other is not self.window and other.isVisible():
                other.close()
        for tour in self.window.findChildren(Tour):
            tour.end()

    def _close_all(self) -> None:
        self.window.files.cancel_openings()
        close_files(self.window)
        _settle(self.window)
        with pytest.MonkeyPatch.context() as patch:
            # The test still holds its files: to look for the garbage that they will be takes longer than all else here.
            patch.setattr(opening, "give_back_memory", lambda *, collect, forget: None)
            self.window.files.closed.flush()

    def _switch_back(self) -> None:
        """Switch off what has been switched on, and on what has been switched off; the first workspace comes back."""
        for id, is_on in 2 * tuple(self._switches.items()):  # what the ghost shows switches the ghost on
            action = self.window.actions_by_id[id]
            if action.isChecked() is not is_on and (is_on or action.actionGroup() is None):
                action.trigger() if action.isEnabled() else action.setChecked(is_on)
        self.window.workspaces.finish()

    def _lay_out(self) -> None:
        """Put the window and its panels where they were."""
        self.window.move(self._place)
        self.window.resize(1280, 800)
        self.window.welcome.follow_files()  # it may show recent files, which are forgotten
        _lay_out(self.window, self.panels)
        self.window.workspaces.changed.emit(self.window.workspaces.current)
        layout, inner = self._layouts
        self.window.restoreState(layout)
        self.window.docks.centre.restoreState(inner)
        self._forget()

    def _resize_hidden(self) -> None:
        """Give a tab behind others the size that it had in front of them."""
        for dock, size in self._sizes.items():
            if dock.visibleRegion().isEmpty():
                dock.resize(size)

    def _forget(self) -> None:
        """Forget all settings, and where the keyboard was."""
        _settle(self.window)
        self.window.files.model_paths = ()
        self._store.clear()
        shutil.rmtree(self.settings.thumbnails, ignore_errors=True)
        self.settings.changed.emit()
        if _paint_dark():
            self.window.repaint_icons()
            self.window.welcome.refresh()
        for path in (RECENT, EXAMPLES):
            self.window.menus.menu(path).clear()
        for topic in self.window.notices.topics:
            self.window.notices.withdraw(topic)
        self.window.status.clear_message()
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            QTest.qWaitForWindowActive(self.window, PATIENCE_MILLISECONDS)
        self.window.welcome.setFocus()
        _settle(self.window)

    def close(self) -> None:
        """Close the window for good."""
        close_files(self.window)
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


class WindowKeeper:
    """Keeps a window for the next test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0
        self._kept: KeptWindow | None = None

    def take(self, panels: Collection[str] = ALL_PANELS) -> KeptWindow:
        """Return the window that is kept, or a new one, with some panels."""
        if self._kept is not None and not self._kept.window.isVisible():
            self._kept.show()
            if self._kept.differences():
                self.close()
        if self._kept is None:
            self._made += 1
            self._kept = KeptWindow(self._folder / str(self._made), panels)
        else:
            self._kept.show_panels(panels)
            paint_again(self._kept.window)  # not before: between two tests nobody looks
        return self._kept

    def put_back(self) -> None:
        """Keep the window for the next test, unless it is no longer what it was."""
        kept, self._kept = self._kept, None
        if kept is not None and kept.reset():
            kept.close()
        else:
            self._kept = kept

    def hide(self) -> None:
        """Let no test run beside a window in sight that it ignores."""
        if self._kept is not None:
            self._kept.hide()

    def close(self) -> None:
        """Keep no window any more."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()


def state_of(window: MainWindow) -> Counter[str]:
    """Return what can be seen and asked of a window, and what its parts remember."""
    state = Counter(_remembered(window))
    for each in (window, *window.findChildren(QObject)):
        for answer in _asked(each):
            state[f"{type(each).__name__} {each.objectName()} {answer}"] += 1
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    others = [each for each in application.topLevelWidgets() if each is not window and each.isVisible()]
    whole = {
        "layout": bytes(window.saveState().data()),
        "inner layout": bytes(window.docks.centre.saveState().data()),
        "keyboard": type(window.focusWidget()).__name__,
        "is active": window.isActiveWindow(),
        "style sheet": application.styleSheet(),
        "window colour": application.palette().window().color().name(),
        "pointer": application.overrideCursor(),
        "other windows": sorted(type(each).__name__ for each in others),
    }
    state.update(f"{name} {value}" for name, value in whole.items())
    return state


def _asked(each: QObject) -> Iterator[str]:
    """Yield what an object answers, in groups."""
    if isinstance(each, QWidget):
        if not each.isVisible():  # it shows what there is to show when it is seen the next time
            if each.isWindow():
                yield "is not deleted"
            return
        place = None if each.visibleRegion().isEmpty() else each.geometry().getRect()
        yield f"{place} {each.isEnabled()} {each.toolTip()} {each.windowTitle()}"
    if isinstance(each, QLabel | QLineEdit | QAbstractButton):
        yield each.text()
    if isinstance(each, QAbstractButton):
        yield f"{each.text()} {each.isChecked()}"
    elif isinstance(each, QAction):
        keys = [key.toString() for key in each.shortcuts()]
        yield f"{each.text()} {each.isChecked()} {each.isEnabled()} {each.isVisible()} {each.toolTip()} {keys}"
    elif isinstance(each, QShortcut):
        keys = [key.toString() for key in each.keys()]  # noqa: SIM118
        yield f"{each.isEnabled()} {keys}"
    elif isinstance(each, QTimer):
        yield f"{each.isActive()} of {each.interval()} ms"


def _remembered(window: MainWindow) -> Iterator[str]:
    """Yield what the parts of a window remember in Python, by where it is."""
    waiting: list[tuple[str, object]] = [("window", window)]
    seen: set[int] = set()
    while waiting:
        place, each = waiting.pop()
        role = _ROLES[type(each)]
        if role is _Role.PLAIN:
            yield f"{place} = {each!r}"
        elif role is _Role.NONE or id(each) in seen:
            continue
        else:
            seen.add(id(each))
            if role is _Role.PART:
                parts = getattr(each, "__dict__", {}).items()
                waiting += [(f"{place}.{name}", value) for name, value in parts if name not in _OF_NO_CONSEQUENCE]
                continue
            assert isinstance(each, Collection)
            yield f"{place} has {len(each)}"
            if isinstance(each, dict):
                waiting += [(f"{place}[{key}]", value) for key, value in each.items() if isinstance(key, str)]
            elif isinstance(each, list | tuple):
                waiting += [(f"{place}[{number}]", value) for number, value in enumerate(each)]


class _Role(Enum):
    """What is remembered of an object."""

    PLAIN = "itself"
    COLLECTION = "how many it holds, and what"
    PART = "its attributes"
    NONE = "nothing"


class _Roles(dict[type, _Role]):
    """What is remembered of objects of a type; there are few types, and thousands of objects."""

    def __missing__(self, kind: type) -> _Role:
        if issubclass(kind, _PLAIN):
            role = _Role.PLAIN
        elif issubclass(kind, dict | list | tuple | set | frozenset):
            role = _Role.COLLECTION
        else:
            role = _Role.PART if kind.__module__.startswith("sdfviewer.gui") else _Role.NONE
        self[kind] = role
        return role


_ROLES = _Roles()
