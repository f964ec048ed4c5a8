"""A settings file that is broken never keeps the window from starting."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.settings import Settings, key_of
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.shell.window_place import WindowPlace
from sdfviewer.session.saved_state import SavedPoses, SavedTimeline, SavedView
from sdfviewer.session.session import Session
from tests.other_user import readable_folder, run_python

BROKEN = (
    b"[General]\ntheme=dark\nkeep=pose\nangle_unit=deg\nsnap_length=nan\nmodel_folders=@Invalid()\n"
    b"recent_files=a, b, @Variant(\\0\\0\\0\\x7f)\n[window]\ngeometry=@ByteArray(\\x1\\xd9\\xd0)\ndocks=5\n"
    b"[flags]\ndifference.side_by_side=maybe\n[poses]\nabc=" + b"[" * 50_000 + b"\n"
)


@pytest.mark.qt_log_ignore("QVariant::load")  # Qt reports the broken value
@pytest.mark.parametrize("seed", range(4))
def test_the_window_starts(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(BROKEN)
    for _ in range(seed * 2):
        at = rng.randrange(300)
        data[at : at + rng.randrange(20)] = rng.choice((b"", b"\xff", b"@Variant(", b"@ByteArray(", b"\n", b"="))
    file = tmp_path / "settings.ini"
    file.write_bytes(data)
    settings = Settings(QSettings(str(file), QSettings.Format.IniFormat))
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.show()
    QApplication.processEvents()
    assert window.isVisible()
    assert all(isinstance(folder, Path) for folder in (*settings.model_folders, *settings.recent_files))
    assert settings.saved("poses", Path("robot.sdf")) is None
    assert settings.snap_length > 0


def test_an_older_program_keeps_what_a_newer_one_has_set(
    make_window: Callable[[], MainWindow], settings: Settings, tmp_path: Path
) -> None:
    """Values that this version does not know count as not set, and stay for the program that knows them."""
    newer = {
        "theme": "sepia",
        "angle_unit": "gradians",
        "simulator": "a later one",
        "flags/hologram": "true",
        "shortcuts": '{"view.hologram": "H", "file.open": "Ctrl+Alt+O"}',
        "window/view/small/99/window": QByteArray(b"the layout of another version"),
    }
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for key, value in newer.items():
        store.setValue(key, value)
    store.sync()
    window = make_window()
    keys = window.app.settings.shortcuts
    assert window.actions_by_id["file.open"].shortcut() == QKeySequence(keys["file.open"])
    settings.shortcuts = {**keys, "file.open": "Ctrl+Alt+P"}
    window.close()
    settings_file = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings_file.sync()
    kept = {key: settings_file.value(key) for key in newer}
    newer["shortcuts"] = kept["shortcuts"]
    assert kept == newer
    assert '"view.hologram": "H"' in str(kept["shortcuts"])


def test_a_place_that_no_screen_has_is_clamped(qtbot: QtBot, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for number in ("NaN", "Infinity", "-1e308", "1e12", "9" * 400, "9" * 5000, "null", "[]"):
        place = f'{{"left": 0.1, "top": {number}, "width": {number}, "height": 0.5}}'
        store.setValue("window/place", place)
        window = QMainWindow()
        qtbot.addWidget(window)
        WindowPlace(window, Settings(store))
        window.show()
        assert window.screen().availableGeometry().intersects(window.geometry()), place


def test_recent_files_whose_names_no_system_takes_are_left_out(
    make_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("recent_files", ["x" * 5000, "a\0b", str(tmp_path)])
    assert Settings(store).recent_files == []
    assert make_window().isVisible()


@pytest.mark.parametrize("rubbish", ["[" * 50_000, "{", "5", "[1]", '{"a": [[{}]]}', '{"a": {"b": "c"}}'])
def test_rubbish_in_place_of_json_counts_as_nothing(tmp_path: Path, rubbish: str) -> None:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings, path = Settings(store), tmp_path / "robot.sdf"
    for group in ("xacro", "poses", "timelines", "views"):
        store.setValue(f"{group}/{key_of(path)}", rubbish)
    for key in ("shortcuts", "window/place"):
        store.setValue(key, rubbish)
    assert all(isinstance(keys, str) for keys in settings.shortcuts.values())
    assert isinstance(settings.window_place(), dict)
    session = Session(parse_document("<sdf/>", path))
    assert all(values == {} for values in SavedPoses(session, settings).all().values())
    assert SavedTimeline(session, settings).timeline.keyframes == ()
    SavedView(session, settings)
    assert session.visibility.is_default
    arguments = settings.xacro_arguments(path)
    assert (arguments is None) == (not rubbish.startswith('{"'))


def test_settings_that_may_not_be_written_keep_nobody_from_working() -> None:
    """A home that is read-only: the window opens, changes and saves a file, and says that unsaved work is not kept."""
    with readable_folder() as folder:
        path = folder / "work" / "a.sdf"
        path.parent.mkdir()
        path.write_text('<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>', encoding="utf-8")
        path.parent.chmod(0o777)
        path.chmod(0o666)
        home = folder / "home"
        home.mkdir(mode=0o555)
        names = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
        environment = {**dict.fromkeys(names, str(home)), "XDG_RUNTIME_DIR": "", "QT_QPA_PLATFORM": "offscreen"}
        modules = [
            "PySide6.QtWidgets",
            "sdfviewer.gui.shell.window",
            "sdfviewer.gui.shell.application",
            "encodings.idna",
        ]
        code = _WORK.format(path=str(path), settings=str(home / "sdfviewer.ini"))
        done = run_python(code, folder, modules=modules, environment=environment)
    assert "Traceback" not in done.err, done.err
    assert done.out.splitlines() == ["False", "saved b", "0.02"], done


_WORK = """
from pathlib import Path
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QKeySequence
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.window import MainWindow
application = make_application()
store = QSettings({settings!r}, QSettings.Format.IniFormat)
window = MainWindow(Settings(store))
window.show()
window.files.open([Path({path!r})])
session = window.current.session
at = session.document.text.index('"a"')
session.apply(Edit("Type", session.document, (Replacement(at, at + 3, '"b"'),)))
print(window.current.keep_unsaved_work())
window.saving.save(window.current)
print("saved", "b" if '"b"' in Path({path!r}).read_text() else "a")
window.app.settings.snap_length = 0.02
store.sync()
print(window.app.settings.snap_length)
sys.stdout.flush()
os._exit(0)
"""
