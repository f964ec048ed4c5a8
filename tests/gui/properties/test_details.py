"""What the panel says beside the values: what an inertia comes to, what is missing first, what only some types have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.properties.group_form import GroupForm, InertiaNote
from sdfviewer.gui.properties.reference_field import KeepChoice, ReferenceField
from sdfviewer.gui.properties.why import STEP
from sdfviewer.refactoring.properties.property_values import groups_of
from tests.gui.properties.properties_desk import PropertiesDesk

TEXT = """<sdf version="1.11">
  <world name="w">
    <light name="lamp" type="point"/>
    <light name="spot" type="spot"/>
    <model name="m">
      <link name="bar"><inertial><mass>12</mass>
        <inertia><ixx>2</ixx><iyy>5</iyy><izz>5</izz></inertia></inertial>
        <visual name="box"><geometry><box><size>1 1 1</size></box></geometry></visual>
        <visual name="ball"><geometry><sphere><radius>1</radius></sphere></geometry></visual>
        <sensor name="eye" type="camera"/>
        <sensor name="ear" type="imu"/>
      </link>
      <link name="arm"><pose>0 0 1 0 0 0</pose></link>
      <link name="tip"/>
      <link name="bob"><inertial auto="true"/>
        <collision name="c"><pose>0 0 0.5 0 0 0</pose>
          <geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision>
      </link>
      <joint name="hinge" type="revolute">
        <pose relative_to="bar"/>
        <parent>bar</parent>
        <child>arm</child>
        <axis><xyz expressed_in="__model__">0 0 2</xyz></axis>
      </joint>
      <joint name="weld" type="fixed"><parent>arm</parent><child>tip</child></joint>
    </model>
  </world>
</sdf>
"""


class Desk(PropertiesDesk):
    """A session and its properties panel, shown with every group open."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        super().__init__(qtbot, folder, TEXT, width=340)

    def select(self, *names: str) -> None:
        self.context.session.select(names)
        self.panel.details.complete()
        for form in self.panel.findChildren(GroupForm):
            if form.heading is not None and form.isVisible() and not form.is_open:
                form.heading.click()
        QApplication.processEvents()  # what was made just now gets its place

    def shown(self) -> set[str]:
        return {
            path
            for form in self.panel.findChildren(GroupForm)
            for path, field in form.fields.items()
            if field.isVisible()
        }

    def inertia(self) -> InertiaNote:
        return next(note for note in self.panel.findChildren(InertiaNote) if note.isVisible())

    def labels(self) -> set[str]:
        return {label.text() for label in self.panel.findChildren(QLabel) if label.isVisible()}


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    return Desk(qtbot, tmp_path)


def test_an_inertia_is_reported_as_what_has_it(desk: Desk) -> None:
    desk.select("m::bar")
    note = desk.inertia()
    assert note.moments.text() == "2   5   5  kg\N{NO-BREAK SPACE}m²"
    assert note.meaning.text() == "like a box of 2 × 1 × 1\N{NO-BREAK SPACE}m"
    desk.enter("inertial/inertia/ixx", "11")
    assert note.meaning.text().startswith("This inertia is impossible: its principal moments are 5, 5 and 11")
    assert note.meaning.property("role") == "error"
    desk.context.session.undo()
    assert note.meaning.property("role") == "muted"
    desk.select("m::tip")
    assert "No inertia in the file" in desk.inertia().meaning.text()


def test_the_axis_is_reported_in_the_joint_whatever_it_is_written_in(desk: Desk) -> None:
    desk.select("m::hinge")
    assert "0   0   1" in desk.labels()


def test_what_comes_first_is_reported_at_the_field(desk: Desk) -> None:
    desk.select("m::hinge")
    desk.enter("axis/mimic/multiplier", "2")
    assert desk.panel.details.field("axis/mimic/multiplier").fault.startswith("First choose the joint of <mimic>")
    assert desk.text == TEXT


def test_the_type_decides_what_is_shown(desk: Desk) -> None:
    desk.select("lamp")
    assert not {"spot/inner_angle", "direction"} & desk.shown()
    desk.select("spot")
    assert {"spot/inner_angle", "direction"} <= desk.shown()
    desk.select("m::bar::eye")
    assert "camera/horizontal_fov" in desk.shown()
    desk.select("m::bar::ear")
    assert "camera/horizontal_fov" not in desk.shown()


def test_several_share_only_what_all_have(desk: Desk) -> None:
    desk.select("m::hinge", "m::weld")
    assert "parent" in desk.shown()
    assert "axis/xyz" not in desk.shown()
    desk.select("m::bar::box", "m::bar::ball")
    assert "geometry" in desk.shown()
    assert not [path for path in desk.shown() if path.startswith("geometry/")]


def test_what_is_not_there_has_no_defaults(desk: Desk) -> None:
    desk.select("m::bar::box")
    assert desk.line("material/diffuse").placeholderText() == ""
    desk.enter("material/diffuse", "1 0 0 1")
    assert desk.line("material/ambient").placeholderText() == "0 0 0 1"


def test_degrees_of_the_earth_stay_degrees(desk: Desk) -> None:
    desk.settings.angle_unit = AngleUnit.DEGREES
    desk.select("world")
    desk.enter("spherical_coordinates/latitude_deg", "48.1")
    assert "<latitude_deg>48.1</latitude_deg>" in desk.text
    assert desk.line("spherical_coordinates/latitude_deg").text() == "48.1"
    desk.select("m::bar::ear")
    desk.enter("imu/orientation_reference_frame/custom_rpy", "0 0 1.5")
    assert "<custom_rpy>0 0 1.5</custom_rpy>" in desk.text  # three numbers stay as they are written


def test_the_world_has_no_place_to_explain(desk: Desk) -> None:
    desk.select("world")
    assert not desk.panel.resolved.isVisible()
    assert not desk.panel.why.isVisible()
    desk.select("m")
    assert desk.panel.resolved.isVisible()
    assert desk.panel.why.isVisible()


def test_stepping_ends_with_its_outline_when_somebody_types_elsewhere(qtbot: QtBot, desk: Desk) -> None:
    desk.select("m::bar")
    context = desk.panel.why.context
    desk.panel.why.step_to(0)
    assert context.highlights.chain_steps == ("world",)
    assert context.highlights.hovered == "world"
    context.highlights.show_chain(())
    assert context.highlights.hovered is None
    desk.panel.why.step_to(0)
    desk.panel.activateWindow()
    desk.panel.name.findChildren(QLineEdit)[0].setFocus()
    qtbot.waitUntil(lambda: not context.highlights.chain_steps)
    assert context.highlights.hovered is None


def test_no_step_leads_beyond_the_ends_of_a_chain(qtbot: QtBot, desk: Desk) -> None:
    desk.select("m::bar")
    bar, why = desk.panel.chain_bar, desk.panel.why
    back, on = bar.buttons["back"], bar.buttons["on"]

    def offered() -> tuple[int, bool, bool]:
        return why.currentIndex().row(), back.isEnabled(), on.isEnabled()

    assert offered() == (-1, True, True), "back begins at the end, on at the root"
    on.setFocus(Qt.FocusReason.TabFocusReason)
    shown = []
    for _ in range(3):
        QTest.keyClick(on, Qt.Key.Key_Space)
        shown.append(offered())
    assert shown == [(0, False, True), (1, True, True), (2, True, False)]
    assert why.context.highlights.chain_steps, "the keyboard stays where the steps are"
    assert why.hasFocus()
    QTest.keyClick(why, Qt.Key.Key_Up)
    assert offered() == (1, True, True)
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert offered() == (0, False, True)
    desk.select("m::weld")
    assert offered() == (-1, True, True)


def test_a_step_is_not_highlighted_any_more_when_its_chain_is_shown_again(desk: Desk) -> None:
    desk.select("m::bar")
    why = desk.panel.why
    why.step_to(1)
    assert [index.row() for index in why.selectedIndexes()] == [1]
    desk.context.session.select(["m::bar", "m"])  # which has no chain
    desk.select("m::bar")
    assert not why.context.highlights.chain_steps
    assert not why.selectedIndexes()
    assert why.currentIndex().row() == -1


def test_another_child_asks_what_stays(qtbot: QtBot, desk: Desk) -> None:
    desk.select("m::weld")
    field = desk.panel.details.field("child")
    assert isinstance(field, ReferenceField)
    field.picker.open()
    popup = field.picker.popup
    assert popup is not None
    QTest.keyClicks(popup.search, "bar")
    assert isinstance(popup.footer, KeepChoice)
    outcome = popup.footer.outcome
    qtbot.waitUntil(lambda: outcome.text() == "Its pose and its numbers stay the same.")
    popup.close()
    assert desk.text == TEXT


def test_no_caption_is_cut(desk: Desk) -> None:
    for name in ("world", "spot", "m", "m::bar", "m::bar::box", "m::bar::eye", "m::hinge"):
        desk.select(name)
        captions = [label for label in desk.panel.findChildren(ElidedLabel) if label.buddy() and label.isVisible()]
        assert len(captions) > 3, name
        assert [label.full_text for label in captions if label.text() != label.full_text] == [], name


def test_another_kind_starts_at_the_top(desk: Desk) -> None:
    area = desk.panel.findChild(QScrollArea)
    assert area is not None
    bar = area.verticalScrollBar()
    desk.panel.resize(340, 300)
    desk.select("m::bar")
    bar.setValue(200)
    desk.select("m::arm")
    assert bar.value() == 200  # the same field of the next link
    desk.select("m::hinge")
    assert bar.value() == 0


def test_fields_that_are_shown_for_the_first_time_follow_one_group_after_the_other(qtbot: QtBot, desk: Desk) -> None:
    desk.context.session.select(["m::hinge"])
    assert not desk.panel.details.findChildren(GroupForm)
    groups = groups_of(desk.panel.details.model, desk.panel.details.rows)
    qtbot.waitUntil(lambda: len(desk.panel.details.findChildren(GroupForm)) == len(groups))
    assert [form.group for form in desk.panel.details.findChildren(GroupForm)] == list(groups)


class _Windows(QObject):
    """Notes widgets that are shown as windows of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


def test_no_field_is_a_window_of_its_own_for_a_moment(desk: Desk, qapp: QApplication) -> None:
    windows = _Windows()
    qapp.installEventFilter(windows)
    desk.select("m::hinge")
    desk.select("m::arm")
    qapp.removeEventFilter(windows)
    assert windows.shown == []


def test_a_step_names_its_file_where_that_is_not_the_open_one(desk: Desk) -> None:
    desk.select("m::bar")
    why = desk.panel.why
    step = why.model().index(why.model().rowCount() - 1, 0).data(STEP)
    assert why.place_of(step) == f"line {step.span.line}"
    elsewhere = replace(step, span=replace(step.span, path="robots/leg.xacro"))
    assert why.place_of(elsewhere) == f"leg.xacro:{step.span.line}"
    tip = why.model().index(why.model().rowCount() - 1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert f"line {step.span.line}" in tip.splitlines()


def test_automatic_inertia_is_shown_where_values_would_be_written(desk: Desk) -> None:
    desk.select("m::bob")
    line = desk.line("inertial/mass")
    assert (line.text(), line.placeholderText()) == ("", "6")
    assert desk.line("inertial/pose").placeholderText() == "0 0 0.5 0 0 0"
    assert desk.line("inertial/inertia/ixx").placeholderText() == "0.065"
    desk.select("m::tip")
    assert desk.line("inertial/mass").placeholderText() == "1", "the default of a link without an inertial"


NAMED = """<robot name="r">
  <material name="blue"><color rgba="0 0 0.8 1"/></material>
  <link name="base">
    <visual name="hull"><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual>
    <visual name="lid"><geometry><box size="1 1 1"/></geometry>
      <material name="own"><color rgba="1 0 0 1"/></material></visual>
  </link>
  <link name="arm"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <joint name="weld" type="fixed"><parent link="base"/><child link="arm"/></joint>
  <gazebo reference="arm"><material>Gazebo/Red</material></gazebo>
</robot>
"""


def test_a_material_given_by_its_name_shows_the_colour_that_is_drawn(qtbot: QtBot, tmp_path: Path) -> None:
    desk = PropertiesDesk(qtbot, tmp_path, NAMED)
    model = desk.context.session.model
    assert model is not None
    visuals = [name for name, kind in zip(model.names, model.kinds, strict=True) if kind.value == "visual"]

    def look(number: int) -> tuple[str, str, set[str]]:
        desk.context.session.select([visuals[number]])
        line = desk.line("material/diffuse")
        labels = {label.text() for label in desk.panel.findChildren(QLabel) if label.isVisible()}
        return line.text(), line.placeholderText(), {text for text in labels if text.startswith("material '")}

    assert look(0) == ("", "0 0 0.8 1", {"material 'blue', line 2"})
    assert look(1) == ("1 0 0 1", "", set())
    assert look(2) == ("", "1 0 0 1", {"material 'Gazebo/Red', line 10"})


def test_the_fields_of_a_group_are_made_in_one_turn_and_shown_in_another(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    for name in ("_make_field", "_show"):
        part = getattr(GroupForm, name)
        monkeypatch.setattr(
            GroupForm, name, lambda form, *rest, name=name, part=part: (made.append(name), part(form, *rest))[1]
        )
    desk.context.session.select(["m::bar"])
    turns: list[set[str]] = [set(made)]
    jobs: list[Callable[[], object]] = [desk.panel.details._make_next]
    monkeypatch.setattr(Later, "do", lambda _later, job: jobs.append(job))
    while jobs:
        made.clear()
        jobs.pop(0)()
        turns.append(set(made))
    assert {"_make_field"} in turns
    assert {"_show"} in turns
    assert not any(len(turn) > 1 for turn in turns)
