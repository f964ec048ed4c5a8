"""The first line of a step of *Why here?*: what it is relative to stays, whatever the room."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.properties import why
from sdfviewer.gui.properties.why import GAP, STEP, StepHeading, WhyView, fit_heading
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
    width = bold.horizontalAdvance(shown.name) + GAP + metrics.horizontalAdvance(shown.edge)
    assert width <= room + len(edge), "each text is rounded to whole pixels"
    if room == 2000:
        assert shown == StepHeading(name, "".join(edge), "line 3045")


def test_the_place_stays_as_long_as_the_names_can_be_recognized(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    """Most steps of a robot with long names did not say in which line they are written."""
    edge = ("in ", "pr2", " by default")
    room = bold.horizontalAdvance(PARENT) + 2 * GAP + metrics.horizontalAdvance("".join(edge))
    shown = fit_heading(PARENT, edge, "line 1303", room, metrics, bold)
    assert (shown.edge, shown.place) == ("in pr2 by default", "line 1303")
    assert shown.name.startswith("l_gri")
    assert "…" in shown.name
    narrow = fit_heading(PARENT, edge, "line 1303", room // 2, metrics, bold)
    assert (narrow.edge, narrow.place) == ("in pr2 by default", "")


def test_a_place_in_another_file_keeps_its_line(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    """Steps of an included model had no place where the panel was as narrow as a laptop makes it."""
    edge = ("in ", "iris_with_gimbal", " by default")
    words = GAP + metrics.horizontalAdvance("in  by default")
    room = words + bold.horizontalAdvance("gimbal") + GAP + 24 * metrics.averageCharWidth()
    shown = fit_heading("gimbal", edge, "a_model_of_a_gimbal.sdf:135", room, metrics, bold)
    assert shown.name == "gimbal"
    assert shown.place.startswith("…")
    assert shown.place.endswith(":135")


def test_a_short_name_leaves_its_room_to_a_long_one(metrics: QFontMetrics, bold: QFontMetrics) -> None:
    shown = fit_heading(LONG, ("in ", "pr2", " by default"), "line 3045", 240, metrics, bold)
    assert shown.edge == "in pr2 by default"
    assert "…" in shown.name


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


def test_a_place_that_has_no_room_beside_the_name_is_in_the_line_below(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "\n" * 3000
    frames = f'<link name="{PARENT}"/>{lines}<frame name="{LONG}"/>'
    text = f'<sdf version="1.9"><model name="pr2">{frames}</model></sdf>'
    desk = PropertiesDesk(qtbot, tmp_path, text, 250)
    desk.context.session.select((f"pr2::{LONG}",))
    view = desk.panel.why
    number = next(row for row in range(view.model().rowCount()) if view.model().index(row, 0).data(STEP).name == LONG)
    index = view.model().index(number, 0)
    step = index.data(STEP)
    args = (
        step.edge_parts,
        view.place_of(step),
        view.visualRect(index).width() - 40,
        view.fontMetrics(),
        view.fontMetrics(),
    )
    assert fit_heading(LONG, *args).place == ""
    view.scrollTo(index)
    with_place = view.viewport().grab(view.visualRect(index)).toImage()
    monkeypatch.setattr(WhyView, "place_of", lambda _view, _step: "")
    assert view.viewport().grab(view.visualRect(index)).toImage() != with_place
