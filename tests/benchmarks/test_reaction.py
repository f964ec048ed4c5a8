"""What somebody at the window waits for after an edit: every panel, and the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.document.edits import Edit, set_text
from sdfviewer.refactoring.adding import insert_member
from tests.benchmarks.conftest import NAME, ROBOT
from tests.large import world_of_shapes

if TYPE_CHECKING:
    from sdfviewer.gui.shell.files.open_file import OpenFile

pytestmark = pytest.mark.gui


@pytest.fixture
def world(tmp_path: Path) -> Iterator[OpenFile]:
    """Open a world of 3000 models in the real window, with one of them selected."""
    path = tmp_path / "world.sdf"
    path.write_text(world_of_shapes(3000), encoding="utf-8")
    yield from open_in_window(path, tmp_path, lambda names: [name for name in names if "::" not in name][-10])


@pytest.fixture
def robot(tmp_path: Path) -> Iterator[OpenFile]:
    """Open a robot of a hundred links in the real window, with a link of its arm selected."""
    yield from open_in_window(ROBOT, tmp_path, lambda _names: f"{NAME}::l_elbow_flex_link")


def open_in_window(path: Path, folder: Path, choose: Callable[[Sequence[str]], str]) -> Iterator[OpenFile]:
    """Yield a file in the real window, on settings of its own, with one frame selected."""
    from PySide6.QtCore import QSettings
    from PySide6.QtTest import QTest

    from sdfviewer.gui.context.settings import Settings
    from sdfviewer.gui.kit.theme import Choice, apply_theme
    from sdfviewer.gui.shell.application import make_application
    from sdfviewer.gui.shell.window import MainWindow

    apply_theme(make_application(), Choice.DARK)
    window = MainWindow(Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)))
    window.files.open([path])
    window.resize(1440, 900)
    window.show()
    workspace = window.current
    assert workspace is not None
    model = workspace.session.model
    assert model is not None
    workspace.session.select([choose(model.names)])
    QTest.qWait(1500)
    yield workspace
    for each in tuple(window.files.opened):
        window.files.drop(each)
    window.close()
    window.deleteLater()


@pytest.mark.target({"the panels": 0.1})
@pytest.mark.parametrize("what", ["the panels", "the panels and the picture"])
def test_edit_one_pose_and_show_it_in(benchmark: BenchmarkFixture, world: OpenFile, what: str) -> None:
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtTest import QTest

    benchmark.extra_info["on"] = f"{what} of a world of 3000 models"
    session = world.session
    numbers = iter(range(1, 1_000_000))

    def prepare() -> tuple[tuple[Edit], dict[str, object]]:
        QTest.qWait(300)  # what may follow later has followed
        row = session.selected_row
        assert session.model is not None
        assert row is not None
        pose = session.model.elements[row].find("pose")
        return (Edit("Move", session.document, set_text(session.document, pose, f"{next(numbers)} 0 0 0 0 0")),), {}

    def react(edit: Edit) -> None:
        session.apply(edit)
        if what != "the panels":
            QCoreApplication.processEvents()

    benchmark.pedantic(react, setup=prepare, rounds=10, warmup_rounds=1)


@pytest.mark.target({"the panels": 0.1})
@pytest.mark.parametrize("what", ["the panels", "the panels and the picture"])
def test_add_a_model_and_show_it_in(benchmark: BenchmarkFixture, world: OpenFile, what: str) -> None:
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtTest import QTest

    benchmark.extra_info["on"] = f"{what} of a world of 3000 models"
    session = world.session
    numbers = count()

    def prepare() -> tuple[tuple[Edit], dict[str, object]]:
        QTest.qWait(300)
        assert session.model is not None
        return (insert_member(session.model, 0, "model", f"added_{next(numbers)}"),), {}

    def react(edit: Edit) -> None:
        session.apply(edit)
        if what != "the panels":
            QCoreApplication.processEvents()

    benchmark.pedantic(react, setup=prepare, rounds=10, warmup_rounds=1)


@pytest.mark.target(0.016)
@pytest.mark.parametrize("where", ["robot", "world"])
def test_follow_the_mouse_with_a_handle_in_the_window(
    benchmark: BenchmarkFixture, where: str, request: pytest.FixtureRequest
) -> None:
    """One move of the mouse, until all is handed to OpenGL; drawing it is measured elsewhere."""
    from PySide6.QtCore import QPointF, Qt

    from sdfviewer.gui.view3d.tools.gizmo_tool import Axes
    from sdfviewer.scene.tools.gizmo import Mode

    workspace: OpenFile = request.getfixturevalue(where)
    benchmark.extra_info["on"] = f"{NAME if where == 'robot' else 'a world of 3000 models'}, with the panels"
    canvas = workspace.view.canvas
    assert canvas is not None
    tool = canvas.tools.gizmo
    tool.choose(Mode.MOVE, Axes.WORLD, snaps=False, alone=False)
    gizmo = tool.gizmo()
    assert gizmo is not None
    x, y = gizmo.project_world(gizmo.origin[None])[0].tolist()
    assert tool.press(QPointF(x, y))
    canvas.grabFramebuffer()
    steps = count()

    def follow() -> None:
        step = next(steps)
        tool.move(QPointF(x + step % 40, y + step % 23), Qt.KeyboardModifier.NoModifier)
        tool.shapes()
        canvas.makeCurrent()
        canvas.renderer.upload()
        canvas.doneCurrent()

    benchmark(follow)
    tool.cancel()
