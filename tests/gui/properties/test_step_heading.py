"""The first line of a step of *Why here?*: what it is relative to stays, whatever the room."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.properties import why
from sdfviewer.gui.properties.why import GAP, StepHeading, fit_heading
from tests.gui.properties.properties_desk import PropertiesDesk

LONG = "l_gripper_r_parallel_tip_joint"
PARENT = "l_gripper_r_finger_tip_link"


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetrics:
    return QLabel().fontMetrics()


@pytest.fixture
def bold(qapp: QApplication) -> QFontMetrics:
    font = QFont(QLabel().font())
    font.setBold(True)
    return QFontMetrics(font)


@pytest.mark.parametrize(
    ("name", "edge"),
    [
        (LONG, ("in ", PARENT, " by default")),
        (LONG, ("in ", PARENT, "")),
        (PARENT, ("in ", "pr2", " by default")),
        ("leg", ("in ", PARENT, " by default, placed by ", LONG)),
        ("Jp", ("in parent ", PARENT, ": X_PJp")),
        (LONG, ("moved by the joints",)),
    ],
)
@pytest.mark.parametrize("room", [240, 290, 2000])
def test_names_are_elided_and_no_word_is_left_out(
    metrics: QFontMetrics, bold: QFontMetrics, name: str, edge: tuple[str, ...], room: int
) -> None:
    shown = fit_heading(name, edge, "line 3045", room, metrics, bold)
    rest = shown.edge
    for word in filter(None, edge[::2]):
        before, found, rest = rest.partition(word)
        assert found == word, f"{word!r} is missing in {shown}"
        assert len(before) != 1, "more than an ellipsis is left of a name"
    name_width, edge_width = bold.horizontalAdvance(shown.name), metrics.horizontalAdvance(shown.edge)
    beside = name_width + GAP + metrics.horizontalAdvance(shown.place)
    for width in (beside, edge_width) if shown.lines == 2 else (beside + GAP + edge_width,):
        assert width <= room + len(edge), "each text is rounded to whole pixels"
    if room == 2000:
        assert shown == StepHeading(name, "".join(edge), "line 3045")


def test_names_are_whole_in_two_lines_where_one_is_too_narrow(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    """`shoulder_pan_joint` and `shoulder_lift_joint` were both ``shoulde…t_joint`` in the panel of a laptop."""
    for name in ("shoulder_pan_joint", "shoulder_lift_joint"):
        edge = ("in ", name, " by default")
        shown = fit_heading("upper_arm_link", edge, "ur_macro.xacro:274", 280, metrics, bold)
        assert shown == StepHeading("upper_arm_link", "".join(edge), "ur_macro.xacro:274", 2)


def test_the_place_stays_where_the_name_is_too_long(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    """Most steps of a robot with long names did not say in which line they are written."""
    room = bold.horizontalAdvance(PARENT)
    shown = fit_heading(PARENT, ("in ", "pr2", " by default"), "line 1303", room, metrics, bold)
    assert (shown.edge, shown.place, shown.lines) == ("in pr2 by default", "line 1303", 2)
    assert shown.name.startswith("l_gri")
    assert "…" in shown.name


def test_a_place_in_another_file_keeps_its_line(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    """Steps of an included model had no place where the panel was as narrow as a laptop makes it."""
    edge = ("in ", "iris_with_gimbal", " by default")
    names = bold.horizontalAdvance("gimbal") + GAP + metrics.horizontalAdvance("".join(edge))
    room = names + GAP + 14 * metrics.averageCharWidth()
    shown = fit_heading("gimbal", edge, "a_model_of_a_gimbal.sdf:135", room, metrics, bold)
    assert shown.name == "gimbal"
    assert shown.place.startswith("…")
    assert shown.place.endswith(":135")


def test_a_step_that_leads_nowhere_has_the_line_to_itself(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    assert fit_heading("g", (), "line 7", 240, metrics, bold) == StepHeading("g", "", "line 7")
    assert fit_heading(LONG, (), "line 7", 100, metrics, bold).name.count("…") == 1


def test_a_narrow_panel_says_what_each_step_is_relative_to(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of the steps took the room of *in …* and of *by default*."""
    painted: dict[str, StepHeading] = {}

    def fit(name: str, *args: object) -> StepHeading:
        painted[name] = fit_heading(name, *args)  # type: ignore[arg-type]
        return painted[name]

    monkeypatch.setattr(why, "fit_heading", fit)
    text = (
        f'<sdf version="1.9"><model name="pr2"><link name="{PARENT}"/><link name="other"/>'
        f'<joint name="{LONG}" type="fixed"><parent>other</parent><child>{PARENT}</child></joint>'
        f'<frame name="tip" attached_to="{LONG}"/></model></sdf>'
    )
    desk = PropertiesDesk(qtbot, tmp_path, text, 330)
    desk.context.session.select(("pr2::tip",))
    qtbot.waitUntil(lambda: {LONG, PARENT, "tip"} <= painted.keys())
    for name in (LONG, PARENT, "tip"):
        edge = painted[name].edge
        assert edge.startswith("in "), painted[name]
        assert edge.endswith(" by default"), painted[name]


def test_a_step_in_another_file_opens_that_file(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "hand").mkdir()
    hand = tmp_path / "hand" / "model.sdf"
    hand.write_text('<sdf version="1.9"><model name="hand">\n<link name="palm"/></model></sdf>', encoding="utf-8")
    (tmp_path / "hand" / "model.config").write_text("<model><sdf>model.sdf</sdf></model>", encoding="utf-8")
    include = "<include><uri>model://hand</uri></include>"
    text = f'<sdf version="1.9"><model name="m"><link name="l"/>{include}</model></sdf>'
    desk = PropertiesDesk(qtbot, tmp_path, text, 330)
    desk.context.session.finder.look_in([tmp_path])
    desk.context.session.refresh()
    opened: list[str] = []
    desk.context.requests.other_file.connect(lambda span: opened.append(f"{Path(span.path).name}:{span.line}"))
    desk.context.session.select(("m::hand::palm",))
    view = desk.panel.why
    view.doubleClicked.emit(view.model().index(view.model().rowCount() - 1, 0))
    assert opened == ["model.sdf:2"]
    desk.panel.sentence.linkActivated.emit("place")
    assert opened == ["model.sdf:2"] * 2


def test_six_zeros_take_one_line_each(qtbot: QtBot, tmp_path: Path) -> None:
    """A chain of a dozen steps is mostly zeros: two lines of them, twice, made ten screens of wheel steps."""
    links = '<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
    text = f'<sdf version="1.9"><model name="m">{links}</model></sdf>'
    desk = PropertiesDesk(qtbot, tmp_path, text, 330)
    heights = {}
    for name in "ab":
        desk.context.session.select((f"m::{name}",))
        view = desk.panel.why
        heights[name] = view.sizeHintForRow(view.model().rowCount() - 1)
    line = QLabel().fontMetrics().height() + 2
    assert heights["b"] - heights["a"] == 2 * line
