"""What somebody at the window waits for after an edit: every panel, and the picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.document.edits import set_text
from sdfviewer.semantics.editing.structure import insert_member
from sdfviewer.session import Edit

if TYPE_CHECKING:
    from sdfviewer.gui.workspace import Workspace

pytestmark = pytest.mark.gui


@pytest.fixture
def world(corpus: Path, tmp_path: Path) -> Iterator[Workspace]:
    """Open a world of 3000 models in the real window, with one of them selected."""
    from PySide6.QtCore import QSettings
    from PySide6.QtTest import QTest

    from sdfviewer.gui.application import make_application
    from sdfviewer.gui.settings import Settings
    from sdfviewer.gui.theme import Choice, apply_theme
    from sdfviewer.gui.window import MainWindow

    apply_theme(make_application(), Choice.DARK)
    window = MainWindow(Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)))
    window.files.open([corpus / "gazebosim+gz-sim" / "examples" / "worlds" / "3k_shapes.sdf"])
    window.resize(1440, 900)
    window.show()
    workspace = window.current
    assert workspace is not None
    model = workspace.session.model
    assert model is not None
    workspace.session.select([[name for name in model.names if "::" not in name][-10]])
    QTest.qWait(1500)
    yield workspace
    for each in tuple(window.files.workspaces):
        window.files.drop(each)
    window.close()
    window.deleteLater()


@pytest.mark.target({"the panels": 0.1})
@pytest.mark.parametrize("what", ["the panels", "the panels and the picture"])
def test_edit_one_pose_and_show_it_in(benchmark: BenchmarkFixture, world: Workspace, what: str) -> None:
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
        return (Edit("Move", set_text(session.document, pose, f"{next(numbers)} 0 0 0 0 0")),), {}

    def react(edit: Edit) -> None:
        session.apply(edit)
        if what != "the panels":
            QCoreApplication.processEvents()

    benchmark.pedantic(react, setup=prepare, rounds=10, warmup_rounds=1)


@pytest.mark.target({"the panels": 0.1})
@pytest.mark.parametrize("what", ["the panels", "the panels and the picture"])
def test_add_a_model_and_show_it_in(benchmark: BenchmarkFixture, world: Workspace, what: str) -> None:
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtTest import QTest

    benchmark.extra_info["on"] = f"{what} of a world of 3000 models"
    session = world.session
    numbers = count()

    def prepare() -> tuple[tuple[Edit], dict[str, object]]:
        QTest.qWait(300)
        assert session.model is not None
        return (insert_member(session.model, 0, "model", f"added_{next(numbers)}")[0],), {}

    def react(edit: Edit) -> None:
        session.apply(edit)
        if what != "the panels":
            QCoreApplication.processEvents()

    benchmark.pedantic(react, setup=prepare, rounds=10, warmup_rounds=1)
