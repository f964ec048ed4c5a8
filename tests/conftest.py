"""What every test can ask for, and what no test may depend on: the user's settings, paths and display."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

from sdfviewer.files import git
from sdfviewer.files.paths import home_folder, state_folder
from tests import leaks
from tests.patience import PATIENCE_SECONDS

REPOSITORY = Path(__file__).parents[1]
_GUI = Path(__file__).parent / "gui"

# An example that takes long on a busy machine is no failure: nothing is timed here. Each run draws others; the night
# has sixteen times as many: `packaging/test.sh -m hypothesis --hypothesis-profile night`.
hypothesis.settings.register_profile("sdfviewer", deadline=None, max_examples=25)
hypothesis.settings.register_profile("night", deadline=None, max_examples=400)
hypothesis.settings.load_profile("sdfviewer")


def _leave_the_user_alone() -> None:
    """Point home, settings, recovery files and sockets to empty places, and forget the user's model paths."""
    place = Path(tempfile.mkdtemp(prefix="sdfviewer-tests-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    home = home_folder()
    # Compiled shaders, lists of fonts and the key to the screen are no settings.
    os.environ.setdefault("XDG_CACHE_HOME", str(home / ".cache"))
    os.environ.setdefault("XAUTHORITY", str(home / ".Xauthority"))
    homes = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
    for variable in (*homes, "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        folder = place / variable.lower()
        folder.mkdir(mode=0o700)
        os.environ[variable] = str(folder)
    for variable in (
        "SDF_PATH",
        "GZ_SIM_RESOURCE_PATH",
        "IGN_GAZEBO_RESOURCE_PATH",
        "GAZEBO_MODEL_PATH",
        "GAZEBO_RESOURCE_PATH",
        "ROS_PACKAGE_PATH",
        "AMENT_PREFIX_PATH",
        "GZ_FUEL_CACHE_PATH",
    ):
        os.environ.pop(variable, None)


_leave_the_user_alone()


#: A screen that lasts while somebody holds the input of this script: it outlives Qt, and no crash leaves it behind.
_SCREEN = """
# So large that the pointer, which rests in the middle, hovers over no window.
Xvfb -displayfd "$0" -screen 0 4096x2560x24 -nolisten tcp >/dev/null 2>&1 &
cat
kill $!
wait
"""


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker a screen of its own: of all windows on a screen, one has the keyboard and the pointer."""
    if not hasattr(config, "workerinput") or shutil.which("Xvfb") is None or _NO_WINDOW is not None:
        return
    read, write = os.pipe()
    config.screen = subprocess.Popen(  # type: ignore[attr-defined]
        ["sh", "-c", _SCREEN, str(write)], stdin=subprocess.PIPE, pass_fds=(write,)
    )
    os.close(write)
    with os.fdopen(read, encoding="ascii") as answer:
        number = answer.readline().strip()
    assert number, "Xvfb does not start"
    os.environ.pop("WAYLAND_DISPLAY", None)
    os.environ.update(DISPLAY=f":{number}", QT_QPA_PLATFORM="xcb", XDG_SESSION_TYPE="x11")


def _why_no_window() -> str | None:
    """Return the reason for which no window can be opened, or None where one can."""
    try:
        importlib.import_module("PySide6")
    except ImportError:
        return "PySide6 is not installed"
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(os.environ.get(screen) for screen in screens):
        return "no display: packaging/test.sh brings a virtual one"
    return None


_NO_WINDOW = _why_no_window()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the GUI tests out where no window can be opened: without Qt they cannot even be imported."""
    if _NO_WINDOW is not None and (collection_path == _GUI or _GUI in collection_path.parents):
        return True
    return None


def pytest_report_header() -> list[str]:
    """Return what was left out, so that a short run is not mistaken for a whole one."""
    return [f"tests/gui left out: {_NO_WINDOW}"] if _NO_WINDOW is not None else []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write what was left out below a quiet run too, which has no header."""
    if _NO_WINDOW is not None:
        terminalreporter.write_line(f"tests/gui left out: {_NO_WINDOW}")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect without the garbage collector, which would look at all tests again and again.

    Several workers begin at the same time, and each would compile the same tests: each first compiles a share of them.
    """
    gc.disable()
    try:
        _compile_share(session.config)
        return (yield)
    finally:
        gc.collect()
        gc.enable()


def _compile_share(config: pytest.Config) -> None:
    """Import this worker's share of the modules with tests: pytest keeps what it compiles for all."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    number, workers = int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])
    folders = [Path(each).absolute() for each in config.args if "::" not in each]
    files = sorted({file for folder in folders for file in folder.rglob("test_*.py") if REPOSITORY in file.parents})
    for file in files[number::workers]:
        if pytest_ignore_collect(file, config) or "benchmarks" in file.parts:
            continue
        name = ".".join(file.relative_to(REPOSITORY).with_suffix("").parts)
        # What cannot be imported is said where pytest collects it.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in tests/gui, so that a run can ask for the tests that need Qt, or for the others."""
    in_gui = {path: _GUI in path.parents for path in {item.path for item in items}}
    for item in items:
        if in_gui[item.path]:
            item.add_marker(pytest.mark.gui)
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
        if "corpus" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.corpus)
        if _NO_WINDOW is not None and item.get_closest_marker("gui"):
            item.add_marker(pytest.mark.skip(reason=_NO_WINDOW))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave out of a worker's reports the names of all folders and marks of a test: a third of what it sends."""
    report = yield
    if hasattr(item.config, "workerinput"):
        report.keywords = {}
    return report


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """Give git as long as a busy machine needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(git, "TIMEOUT_SECONDS", PATIENCE_SECONDS)
        yield


@pytest.fixture(autouse=True)
def _nothing_decided() -> None:
    """Forget what other tests have decided about xacro files."""
    (state_folder() / "xacro.json").unlink(missing_ok=True)


@pytest.fixture
def others_set_aside() -> Iterator[None]:
    """Let the garbage collector look only at what a test makes: see tests/leaks.py."""
    with leaks.others_set_aside():
        yield


@pytest.fixture(scope="session")
def examples() -> Path:
    """Return the folder of the examples that ship with the program."""
    return REPOSITORY / "resources" / "examples"


@pytest.fixture(scope="session")
def collection() -> Path:
    """Return the folder of files that stand for real ones; its README says which."""
    return REPOSITORY / "tests" / "collection"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of all files that something must hold for: see tests/corpus.py."""
    from tests.corpus import corpus_folder

    return corpus_folder()


@pytest.fixture
def commit() -> Callable[[Path], None]:
    """Return what commits a file to a git repository in its folder, made where there is none; skip without git."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")

    def run(path: Path) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        for words in (["init", "-q"], ["add", "--", path.name], ["commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-C", str(path.parent), *identity, *words], check=True, capture_output=True)

    return run
