"""While a reference is half typed, what hangs on it stays in sight as a ghost, and the view says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.settings import Settings
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

TEXT = """<sdf version="1.11"><model name="m">
<link name="forearm"><pose>0 1 0 0 0 0</pose></link>
<link name="hand"><pose relative_to="forearm">0 0 1 0 0 0</pose>
<visual name="v"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual></link>
</model></sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Callable[[str], Stage]:
    return lambda text: Stage(qtbot, settings, text)


def write(shown: Stage, old: str, new: str) -> None:
    start = shown.text.index(old)
    session = shown.session
    session.apply(Edit("Type", session.document, (Replacement(start, start + len(old), new),)))


def ghost(shown: Stage) -> set[str]:
    """Return the names of what is drawn as a ghost."""
    shown.context.later.flush()
    model, poses = shown.session.model, shown.canvas.renderer.ghost_poses
    assert model is not None
    if poses is None:
        return set()
    placed = np.isfinite(poses).all(axis=(1, 2))
    return {name for name, each in zip(model.names, np.asarray(placed), strict=True) if each}


def test_what_hangs_on_a_half_typed_reference_stays_as_a_ghost(stage: Callable[[str], Stage]) -> None:
    shown = stage(TEXT)
    before = shown.X("m::hand").copy()
    assert ghost(shown) == set()
    for half, whole in (("forearm", "fo"), ("fo", "for")):
        write(shown, f'relative_to="{half}"', f'relative_to="{whole}"')
        assert ghost(shown) == {"m::hand", "m::hand::v"}
        row = shown.session.model.row("m::hand")
        np.testing.assert_array_equal(shown.canvas.renderer.ghost_poses[row], before)
        assert "1 frame cannot be placed" in shown.view.staleness
        shown.canvas.grabFramebuffer()
    write(shown, 'relative_to="for"', 'relative_to="forearm"')
    assert ghost(shown) == set()
    assert shown.view.staleness == ""


def names_at(shown: Stage) -> list[str]:
    """Return the names that the picture shows."""
    shown.canvas.grabFramebuffer()
    model = shown.session.model
    assert model is not None
    return [model.names[target.row] for target in shown.canvas.renderer.targets.names]


def test_what_cannot_be_placed_keeps_its_name_at_its_last_pose(stage: Callable[[str], Stage]) -> None:
    """A selected frame lost its label and its full triad while its reference was half typed."""
    shown = stage(TEXT)
    shown.session.select(("m::hand",), None)
    assert "m::hand" in names_at(shown)
    write(shown, '"forearm"', '"fo"')
    assert "m::hand" in names_at(shown)
    write(shown, '"fo"', '"forearm"')
    assert names_at(shown).count("m::hand") == 1


def test_what_cannot_be_placed_stays_in_sight_while_a_fix_is_previewed(
    stage: Callable[[str], Stage], qtbot: QtBot
) -> None:
    """It vanished with its name, though the fix puts it somewhere; so did what the fix has nothing to do with."""
    other = '<frame name="grasp"><pose relative_to="hand">0 2 0 0 0 0</pose></frame></model>'
    shown = stage(TEXT.replace("</model>", f'<link name="torso"/>{other}'))
    last = shown.X("m::grasp").copy()
    shown.session.select(("m::hand", "m::grasp"), None)
    write(shown, 'relative_to="forearm"', 'relative_to="fo"')
    write(shown, 'relative_to="hand"', 'relative_to="ha"')
    document = shown.session.document
    start = document.text.index('"fo"')
    fix = Edit("Fix", document, (Replacement(start, start + len('"fo"'), '"torso"'),))
    with qtbot.waitSignal(shown.context.previews.edit_changed):
        shown.context.previews.show(fix)
    assert ghost(shown) == {"m::hand", "m::hand::v", "m::grasp"}
    model, poses = shown.session.model, shown.canvas.renderer.ghost_poses
    assert model is not None
    assert poses is not None
    np.testing.assert_allclose(poses[model.row("m::hand"), :3, 3], [0, 0, 1], err_msg="where the fix would put it")
    np.testing.assert_array_equal(poses[model.row("m::grasp")], last)
    assert {"m::hand", "m::grasp"} <= set(names_at(shown))
    shown.context.previews.show(None)
    assert ghost(shown) == {"m::hand", "m::hand::v", "m::grasp"}


def test_a_half_typed_child_of_a_urdf_is_said(stage: Callable[[str], Stage]) -> None:
    """The link went to the root without a word."""
    shown = stage(
        """<robot name="r"><link name="base"/><link name="forearm"/><joint name="elbow" type="fixed">
        <origin xyz="1 0 0"/><parent link="base"/><child link="forearm"/></joint></robot>"""
    )
    assert shown.view.staleness == ""
    write(shown, 'child link="forearm"', 'child link="fore"')
    assert shown.view.staleness == "Joint elbow names an unknown child: what hangs on it is shown at the root."
    write(shown, 'child link="fore"', 'child link="forearm"')
    assert shown.view.staleness == ""


def test_a_frame_that_never_had_a_place_has_no_ghost(stage: Callable[[str], Stage]) -> None:
    shown = stage(TEXT.replace('"forearm">0', '"nowhere">0'))
    assert ghost(shown) == set()
    assert shown.view.staleness == ""


def test_while_the_xml_is_broken_the_view_says_that_it_is_older(stage: Callable[[str], Stage]) -> None:
    shown = stage(TEXT)
    write(shown, "</link>\n</model>", "</link>\n<fr</model")
    assert shown.session.model is not None
    assert "cannot be read" in shown.view.staleness


def test_the_camera_keeps_what_cannot_be_placed_in_sight(stage: Callable[[str], Stage]) -> None:
    """As long as the user has not moved it; it went to what was left, and the ghost was beside the view."""
    shown = stage(TEXT)
    shown.canvas.grabFramebuffer()
    place = shown.X("m::hand")[:3, 3].copy()
    write(shown, '"forearm"', '"fo"')
    shown.canvas.grabFramebuffer()
    assert "m::hand" in ghost(shown)
    size = (shown.canvas.width(), shown.canvas.height())
    (pixel,), _ = shown.canvas.camera.project(place[None], *size)
    assert (pixel > 0).all()
    assert (pixel < size).all()


def _is_wide(widget: QWidget, width: int) -> bool:
    return widget.width() == width


def test_what_the_view_says_covers_neither_tools_nor_shapes_nor_titles(
    stage: Callable[[str], Stage], qtbot: QtBot
) -> None:
    shown = stage(TEXT)
    canvas, note = shown.canvas, shown.view.findChild(QLabel, "last_known")
    assert note is not None
    shown.view.sides.titles[0].show()
    write(shown, '"forearm"', '"fo"')
    shown.view.shapes.show()
    for width in (700, 300):
        shown.view.resize(width, 500)
        qtbot.waitUntil(partial(_is_wide, canvas, width))
        others = (shown.view.strip, shown.view.shapes, shown.view.sides.titles[0])
        for other in others:
            assert canvas.rect().contains(other.geometry())
            assert not other.geometry().intersects(note.geometry())
        assert canvas.rect().contains(note.geometry())
        assert set(others) <= set(canvas.overlays)


def test_the_view_says_at_which_line_the_xml_is_broken(stage: Callable[[str], Stage]) -> None:
    shown = stage(TEXT)
    note = shown.view.findChild(QLabel, "last_known")
    assert note is not None
    write(shown, "</model>", "<oops </model>")
    line = TEXT[: TEXT.index("</model>")].count("\n") + 1
    assert f"See line {line}. This is the last valid state." in note.text()
