"""Every field and list of the window in a world of 3000 models: no key, click or step in one does much work at once.

Nobody lists the fields. The test goes through all panels, all actions and what they open, finds all widgets that take
keys, and drives each. A kind of widget that it cannot drive, and a dialog that nothing here opens, make it fail.

Work is counted as calls of Python functions in the window's thread, within one turn of the event loop.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from types import CodeType, FrameType
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QInputDialog,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QMessageBox,
    QPlainTextEdit,
    QProgressDialog,
    QScrollBar,
    QSplitterHandle,
    QTabBar,
    QTabWidget,
    QTextEdit,
    QToolBar,
    QWidget,
)
from shiboken6 import isValid

import sdfviewer.gui
from sdfviewer.gui.context.previews import Previews
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs.graph_widget import GraphView
from sdfviewer.gui.kit import jobs
from sdfviewer.gui.kit.frame_picker import FramePicker
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.refusals import ActionSpec
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.kinds import Kind
from tests.large import world_of_models
from tests.patience import PATIENCE_MILLISECONDS

pytestmark = pytest.mark.pictures

MODELS = 3000
CALLS = 60_000
"""Calls in one turn of the event loop: what takes some 30 to 50 ms."""
ROWS = MODELS + 100
"""Rows that a list may be filled with at once, one a model; longer lists ask a model for what is in sight."""
FEW = 2
"""How many fields of one kind each run drives in a panel: such as the sliders of three joints."""
SETTLE_MILLISECONDS = 220
"""How long something may be put off: previews, searches and pictures of what was typed."""

ROBOT = "".join(
    f'<link name="l{n}"><pose>{n} 0 0 0 0 0</pose><visual name="v"><geometry><box/></geometry></visual>'
    f'<inertial/><sensor name="s" type="imu"/><light name="lamp" type="point"/></link><frame name="f{n}"/>'
    for n in range(6)
) + "".join(
    f'<joint name="j{n}" type="revolute"><parent>l{n}</parent><child>l{n + 1}</child><axis><xyz>0 0 1</xyz>'
    "<limit><lower>-1</lower><upper>1</upper></limit></axis></joint>"
    for n in range(5)
)
WORLD = world_of_models(MODELS).replace(
    "</world>",
    f'<model name="robot">{ROBOT}<model name="hand"><link name="palm"/></model></model><frame name="corner"/></world>',
)

FIELDS = (
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QComboBox,
    QAbstractItemView,
    QAbstractSpinBox,
    QAbstractSlider,
    QKeySequenceEdit,
)
#: What takes the keyboard and has no text, rows or value: it needs no driving here.
OTHERS = (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QMenu,
    QMenuBar,
    QSplitterHandle,
    QTabBar,
    QTabWidget,
    QToolBar,
    GraphView,
    SceneWidget,
)
#: Actions that are not triggered: they end the program or the file, replace it, or wait for a second window or a click.
LEFT_OUT = {"file.quit", "file.close", "file.reload", "help.whats_this", "joints.sweep", "help.tour"}
#: Dialogs that no action opens in such a world, and what opens them.
NOT_HERE = {
    "AddMeshDialog": "a mesh file dropped on the view",
    "ArgumentsDialog": "a xacro file",
    "ExpansionDialog": "a xacro file",
    "ColumnsDialog": "a table of joint states",
    "CertificateDialog": "a URDF that becomes SDFormat",
    "RefusalDialog": "a refactoring that cannot be made",
    "UpdateReferencesDialog": "another file that includes this one",
    "DownloadDialog": "an included model that is missing",
    "MergeDialog": "a file that another program has changed",
    "LostWorkDialog": "unsaved work that was stored",
    "ValueDialog": "a value of a xacro file",
    "PlaceCard": "a value of a xacro file that is written at several places",
    "ContextCard": "an edit of what another file contains",
    "UriDialog": "a part with URIs that is moved to another file",
    "ModelPicker": "a button of Add Include; its models come from the disk",
}


class Work:
    """What is done in the window's thread.

    Attributes
    ----------
    most
        The most calls in one turn of the event loop since `reset`, and the functions called most often in it.
    previews
        The number of edits whose effect was asked for.
    """

    def __init__(self) -> None:
        self.jobs = 0
        self._lock = Lock()
        self.reset()

    def reset(self) -> None:
        self.most, self.often, self.previews = 0, "", 0

    def turn(self, do: Callable[[], object] | None = None) -> None:
        """Do something, or what is due in the event loop, and count the calls."""
        called: list[CodeType] = []

        def note(frame: FrameType, event: str, _argument: object) -> None:
            if event == "call":
                called.append(frame.f_code)

        sys.setprofile(note)
        try:
            do = do or QCoreApplication.processEvents
            do()
        finally:
            sys.setprofile(None)
        if len(called) > self.most:
            most = Counter(called).most_common(4)
            often = [f"{n} × {Path(code.co_filename).stem}.{code.co_name}" for code, n in most]
            self.most, self.often = len(called), ", ".join(often)

    def finish(self) -> None:
        """Run the event loop until what was put off, and what is computed beside it, is done."""
        flags = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
        # Also on a busy machine what was put off for a shorter time comes before it.
        quiet = QTimer(singleShot=True, interval=SETTLE_MILLISECONDS)
        quiet.start()
        limit = QDeadlineTimer(PATIENCE_MILLISECONDS)
        while quiet.isActive() or self.jobs:
            if self.jobs:
                quiet.start()
            assert not limit.hasExpired(), "what is computed beside the window comes to no end"
            self.turn(partial(QCoreApplication.processEvents, flags))
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def begin_job(self) -> None:
        with self._lock:
            self.jobs += 1

    def end_job(self, _future: Future[Any]) -> None:
        with self._lock:
            self.jobs -= 1


class Driver:
    """Drives all fields that somebody can reach in a window, each once.

    Attributes
    ----------
    driven
        The dialogs and panels, with the fields that were driven in each.
    faults
        Fields in which something did too much.
    most
        The number of fields of one kind that are driven in each dialog or panel.
    previews
        The number of edits whose effect was asked for.
    """

    def __init__(self, window: MainWindow, work: Work) -> None:
        self.window, self.work = window, work
        self.most = sys.maxsize
        self.driven: dict[str, list[str]] = {}
        self.faults: list[str] = []
        self.previews = 0

    def check(self, what: str, *steps: Callable[[], object]) -> None:
        """Take some steps and do all that follows from them, and note where that was too much."""
        self.work.reset()
        for step in steps:
            self.work.turn(step)
            self.work.turn()
        self.work.finish()
        if self.work.most > CALLS:
            self.faults.append(f"{what}: {self.work.most} calls in a turn of the event loop: {self.work.often}")
        self.previews += self.work.previews
        if self.work.previews > len(steps):
            self.faults.append(f"{what}: {self.work.previews} previews")

    def drive_all(self, where: str, top: QWidget) -> None:
        """Drive all fields that can be seen in a widget."""
        for widget in [top, *top.findChildren(QWidget)]:
            if isValid(widget) and widget.isVisible() and widget.isEnabled() and not _is_part(widget):
                self._drive(where, widget)

    def _drive(self, where: str, widget: QWidget) -> None:
        name = f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}".strip()
        known = self.driven.setdefault(where, [])
        if isinstance(widget, FramePicker):
            if name not in known:
                known.append(name)
                self._open_picker(f"{where}, {name}", widget)
        elif not isinstance(widget, FIELDS):
            if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and type(widget) is not QWidget:
                is_known = isinstance(widget, (*OTHERS, QAbstractScrollArea))
                if not is_known and widget.focusProxy() is None:
                    self.faults.append(f"{where}: nobody drives {name}")
        elif name not in known and sum(each.startswith(f"{type(widget).__name__} ") for each in known) < self.most:
            known.append(name)
            self._drive_field(f"{where}, {name}", widget)

    def _drive_field(self, what: str, field: QWidget) -> None:
        field.setFocus()
        keys = partial(partial, self._press, field)
        if isinstance(field, QAbstractItemView):
            self._check_rows(what, field)
            bar = field.verticalScrollBar()
            steps = map(keys, (Qt.Key.Key_PageDown, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Down))
            self.check(what, *steps, lambda: bar.setValue(bar.maximum() // 2))
        elif isinstance(field, QComboBox):
            if field.count() > ROWS:
                self.faults.append(f"{what}: filled with {field.count()} entries")
            self.check(what, *map(keys, (Qt.Key.Key_M, Qt.Key.Key_O, Qt.Key.Key_Down)))
        elif isinstance(field, QAbstractSlider | QKeySequenceEdit):
            self.check(what, *map(keys, (Qt.Key.Key_Right, Qt.Key.Key_Left)))
        elif isinstance(field, QPlainTextEdit | QTextEdit) and field.isReadOnly():
            self.check(what, *map(keys, (Qt.Key.Key_PageDown, Qt.Key.Key_End)))
        else:
            if isinstance(field, QLineEdit):
                field.selectAll()
            letters = map(keys, (Qt.Key.Key_1, Qt.Key.Key_M, Qt.Key.Key_O, Qt.Key.Key_D))
            self.check(what, *letters)
            if field.window() is self.window:
                self.check(f"{what}, Escape", keys(Qt.Key.Key_Escape))
            elif isinstance(field, QLineEdit):
                self.check(f"{what} emptied", field.clear)  # the list below it is driven with all its rows

    @staticmethod
    def _press(field: QWidget, key: Qt.Key) -> None:
        """Press a key in a field, unless what the key before has done took it away."""
        if isValid(field) and field.isVisible():
            QTest.keyClick(field, key)

    def _check_rows(self, what: str, view: QAbstractItemView) -> None:
        model = view.model()
        if model is not None and not type(model).__module__.startswith("sdfviewer") and model.rowCount() > ROWS:
            self.faults.append(f"{what}: filled with {model.rowCount()} rows at once")

    def _open_picker(self, what: str, picker: FramePicker) -> None:
        self.check(f"{what} opened", picker.open)
        popup = picker.popup
        if popup is not None:
            self.drive_all(f"picker {picker.accessibleName()}", popup)
            if isValid(popup):
                popup.close()
            self.work.finish()

    def trigger(self, id: str) -> bool:
        """Trigger an action and drive what it opens, then close that and take back what was edited.

        Returns
        -------
        bool
            Whether it has opened something.
        """
        self.check(f"action {id}", self.window.actions_by_id[id].trigger)
        opened = False
        for top in QApplication.topLevelWidgets():
            if isValid(top) and top.isVisible() and top is not self.window and not isinstance(top, QProgressDialog):
                opened = True
                self.drive_all(type(top).__name__, top)
        self.close_what_is_open()
        self.take_back()
        return opened

    def close_what_is_open(self) -> None:
        tops = [top for top in QApplication.topLevelWidgets() if top.isVisible() and top is not self.window]
        for top in tops:
            if isValid(top):
                _ = top.reject() if isinstance(top, QDialog) else top.close()
        if tops:
            self.work.finish()

    def take_back(self) -> None:
        file = self.window.current
        assert file is not None
        file.flush()
        if file.session.can_undo:
            while file.session.can_undo:
                file.session.undo()
            self.work.finish()


def _is_part(widget: QWidget) -> bool:
    """Return whether a widget belongs to another that is driven."""
    if isinstance(widget, QScrollBar | QHeaderView) or widget.objectName().startswith("qt_"):
        return not isinstance(widget, QLineEdit)
    around = widget.parentWidget()
    while around is not None and not around.isWindow():
        if isinstance(around, QAbstractSpinBox | QComboBox | QAbstractItemView):
            return True
        around = around.parentWidget()
    return False


@pytest.fixture(scope="module")
def work() -> Iterator[Work]:
    work = Work()
    with pytest.MonkeyPatch.context() as patch:

        class Counting(ThreadPoolExecutor):
            def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
                work.begin_job()
                future = super().submit(*arguments, **options)
                future.add_done_callback(work.end_job)
                return future

        prepare = Previews.prepare

        def counted(previewer: Previews, *edit_and_files: Any) -> Any:
            work.previews += 1
            return prepare(previewer, *edit_and_files)

        patch.setattr(jobs, "ThreadPoolExecutor", Counting)
        patch.setattr(Previews, "prepare", counted)
        for name in ("getOpenFileName", "getSaveFileName"):
            patch.setattr(QFileDialog, name, lambda *_more, **_named: ("", ""))
        patch.setattr(QFileDialog, "getExistingDirectory", lambda *_more, **_named: "")
        patch.setattr(QFileDialog, "getOpenFileNames", lambda *_more, **_named: ([], ""))
        patch.setattr(QInputDialog, "getText", lambda *_more, **_named: ("", False))
        patch.setattr(QMessageBox, "question", lambda *_more, **_named: QMessageBox.StandardButton.Cancel)
        yield work


@pytest.fixture(scope="module")
def driver(qapp: QApplication, work: Work, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """Drive one window, which is the same for all tests of this module: opening the world takes longest."""
    importlib.import_module("sdfviewer.gui.compare.plot")  # takes a turn of its own, whenever that comes
    folder: Path = tmp_path_factory.mktemp("large")
    path = folder / "large.sdf"
    path.write_text(WORLD, encoding="utf-8")
    window = MainWindow(Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)))
    window.resize(1600, 1000)
    window.show()
    window.files.open([path])
    driver = Driver(window, work)
    work.finish()
    yield driver
    for file in tuple(window.files.opened):
        window.files.drop(file)
    window.close()
    window.deleteLater()
    work.finish()


@pytest.fixture(autouse=True)
def _as_it_was(driver: Driver) -> Iterator[None]:
    driver.faults.clear()
    yield
    driver.most = sys.maxsize
    driver.close_what_is_open()
    driver.take_back()
    driver.window.actions_by_id["workspace.inspect"].trigger()
    driver.window.actions_by_id["view.reset_layout"].trigger()
    driver.work.finish()


def select(driver: Driver, *names: str) -> None:
    file = driver.window.current
    assert file is not None
    if file.session.selection != names:
        file.session.select(names)
        driver.work.finish()


# --- panels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [FEW, pytest.param(sys.maxsize, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("dock", [spec.id for spec in DOCKS if spec.id != "properties"])
def test_all_fields_of_a_panel(driver: Driver, dock: str, most: int) -> None:
    """Each run drives some fields of each kind in each panel, the nightly run all."""
    driver.most = most
    driver.driven.pop(dock, None)
    select(driver, "robot::l3")
    driver.check(f"{dock} shown", lambda: driver.window.docks.reveal(dock))
    driver.drive_all(dock, driver.window.docks.docks[dock])
    if dock == "source":
        for action in ("source.replace", "source.line", "source.references"):
            driver.check(action, driver.window.actions_by_id[action].trigger)
            driver.drive_all(dock, driver.window.docks.docks[dock])
    assert not driver.faults, "\n".join(driver.faults)


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        (Kind.LINK, FEW),
        *(
            pytest.param(kind, sys.maxsize, marks=pytest.mark.nightly)
            for kind in (Kind.LINK, Kind.MODEL, Kind.FRAME, Kind.VISUAL, Kind.SENSOR, Kind.LIGHT, Kind.JOINT)
        ),
    ],
)
def test_all_properties(driver: Driver, kind: Kind, most: int) -> None:
    """Each run drives some fields of each kind of a link, the nightly run all of each kind of element."""
    driver.most = most
    file = driver.window.current
    assert file is not None
    assert file.session.model is not None
    model = file.session.model
    inside = [row for row, name in enumerate(model.names) if name.startswith("robot::") and model.kinds[row] is kind]
    driver.check(f"{kind} selected", lambda: file.session.select([model.names[inside[0]]]))
    driver.window.docks.reveal("properties")
    for where in [each for each in driver.driven if each == "properties" or each.startswith("picker ")]:
        del driver.driven[where]
    driver.previews = 0
    driver.drive_all("properties", driver.window.docks.docks["properties"])
    assert driver.driven["properties"]
    assert driver.previews > 0 or "picker relative_to" not in driver.driven
    assert not driver.faults, "\n".join(driver.faults)


def test_the_list_of_measurements(driver: Driver) -> None:
    file = driver.window.current
    assert file is not None
    canvas = file.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    actions = driver.window.actions_by_id
    actions["tool.measure"].trigger()
    for number in range(3):
        for name in ("robot::l0", f"model_{number}"):
            driver.check("measured", partial(canvas.tools.measure.pick_frame, name))
    driver.drive_all("3D view", file.view)
    actions["tool.select"].trigger()
    assert any("Measurements" in field for field in driver.driven["3D view"])
    assert not driver.faults, "\n".join(driver.faults)


# --- actions and what they open --------------------------------------------------------------------------------------

DONE: set[str] = set()
#: What is selected for an action: most want one frame, some several.
SELECTIONS = (("robot::l1", "robot::l2", "robot::l3"), ("robot::f3",))


def _menus() -> dict[str, list[ActionSpec]]:
    menus: dict[str, list[ActionSpec]] = {}
    for spec in ACTIONS:
        if spec.id not in LEFT_OUT and not spec.id.startswith(("file.new", "theme.")):
            menus.setdefault(spec.menu, []).append(spec)
    return menus


MENUS = _menus()


@pytest.mark.nightly
@pytest.mark.parametrize("menu", MENUS)
def test_all_fields_of_what_a_menu_opens(driver: Driver, menu: str) -> None:
    DONE.add(menu)
    for spec in MENUS[menu]:
        for selection in SELECTIONS if spec.text.endswith("…") else SELECTIONS[:1]:
            select(driver, *selection)
            if driver.trigger(spec.id):
                break
        if spec.checkable and not spec.group:
            driver.trigger(spec.id)
    assert not driver.faults, "\n".join(driver.faults)


@pytest.mark.nightly
def test_every_dialog_was_opened(driver: Driver) -> None:
    """Runs last: a dialog that nobody opens above is one whose fields nobody drives."""
    for module in pkgutil.walk_packages(sdfviewer.gui.__path__, "sdfviewer.gui."):
        importlib.import_module(module.name)

    def leaves(base: type[object]) -> Iterator[str]:
        below = [each for each in base.__subclasses__() if each.__module__.startswith("sdfviewer")]
        for each in below:
            yield from leaves(each)
            if not each.__subclasses__():
                yield each.__name__

    dialogs = {*leaves(QDialog)}
    if MENUS.keys() != DONE:
        pytest.skip("not all other tests of this module have run in this process")
    assert sorted(dialogs - driver.driven.keys() - NOT_HERE.keys()) == [], "open them above, or say what does"
