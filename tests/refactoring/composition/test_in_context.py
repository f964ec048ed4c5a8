"""An edit of what an included file writes is made in that file, in the include, or as a frame of this file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.written_rows import in_included_file
from sdfviewer.model.model import Model
from sdfviewer.operations import frames, properties
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.refactoring.composition.in_context import Way, WrittenIn, effect_of, users_of, ways_of
from sdfviewer.refactoring.unmoved import with_files

PARTS = {
    "arm.sdf": """<sdf version="1.11">
  <model name="arm">
    <link name="base"/>
    <link name="upper"><pose relative_to="shoulder"/></link>
    <joint name="shoulder" type="revolute">
      <pose relative_to="base" degrees="true">0 0 0.1 0 0 90</pose>
      <parent>base</parent><child>upper</child>
      <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>
    </joint>
    <frame name="tool" attached_to="upper"><pose>0 0 0.8 0 0 0</pose></frame>
  </model>
</sdf>
""",
    "robot.sdf": """<sdf version="1.11">
  <model name="robot">
    <link name="cart"/>
    <include><uri>arm.sdf</uri><name>left</name><pose>0 1 0 0 0 0</pose></include>
    <include><uri>arm.sdf</uri></include>
  </model>
</sdf>
""",
    "world.sdf": """<sdf version="1.11">
  <world name="w">
    <include><uri>robot.sdf</uri></include>
    <include><uri>arm.sdf</uri><name>bench</name></include>
  </world>
</sdf>
""",
    "merged.sdf": """<sdf version="1.11">
  <model name="m">
    <link name="own"/>
    <include merge="true"><uri>arm.sdf</uri></include>
  </model>
</sdf>
""",
}


class Project:
    """Files that include each other, and the model of one."""

    def __init__(self, folder: Path, file: str) -> None:
        for name, text in PARTS.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.loader = Loader()
        self.model = self.read(open_document(folder / file))

    def read(self, document: object, *files: object) -> Model:
        """Return the model of a document without any problem, with other files as they will be."""
        model, problems = with_files(self.loader, files).load_with_diagnostics(document)  # type: ignore[arg-type]
        assert [each.message for each in problems if each.is_error] == []
        assert model is not None
        return model

    def edit(self, name: str, operation: Operation, holder: str = "frame", **arguments: object) -> Edit:
        """Return what an operation does to something that is included."""
        row = self.model.row(name)
        seen = in_included_file(self.model, [row])
        assert seen is not None
        value = [row] if holder in ("thing", "frames") else row
        on = EditContext(seen, self.loader)
        return operation.perform(on, {holder: value, **arguments}).only_edit

    def ways(self, edit: Edit) -> dict[WrittenIn, Way]:
        """Return the ways to make an edit."""
        return {each.place: each for each in ways_of(edit, self.loader)}

    def after(self, way: Way) -> Model:
        """Return what the file means once an edit is made in one way."""
        assert way.why == ""
        document = way.edit.document.edited(way.edit.replacements)
        return self.read(document, *(after for _, after in way.files))


def position(model: Model, name: str) -> list[float]:
    return [round(float(each), 9) + 0.0 for each in model.X_RootF[model.row(name), :3, 3]]


@pytest.mark.parametrize(
    ("file", "name", "twin"),
    [
        ("robot.sdf", "robot::left::tool", "robot::arm::tool"),
        ("world.sdf", "robot::left::tool", "bench::tool"),
        ("world.sdf", "bench::tool", "robot::arm::tool"),
        ("merged.sdf", "m::tool", ""),
    ],
)
def test_a_pose_goes_where_it_is_wanted(tmp_path: Path, file: str, name: str, twin: str) -> None:
    project = Project(tmp_path, file)
    before = project.model
    edit = project.edit(name, frames.set_pose, pose=[0, 0, 0.5, 0, 0, 0])
    ways = project.ways(edit)
    moved = position(before, name)
    moved[2] -= 0.3

    in_file = project.after(ways[WrittenIn.FILE])
    assert position(in_file, name) == pytest.approx(moved)
    ((old, new),) = ways[WrittenIn.FILE].files
    assert (old.text, new.text) == (PARTS["arm.sdf"], PARTS["arm.sdf"].replace("0 0 0.8 0", "0 0 0.5 0"))

    here = project.after(ways[WrittenIn.INCLUDE])
    assert position(here, name) == pytest.approx(moved)
    if twin:
        assert position(in_file, twin)[2] == pytest.approx(position(before, twin)[2] - 0.3)
        assert position(here, twin) == position(before, twin)

    own = project.after(ways[WrittenIn.FRAME])
    assert position(own, name) == position(before, name)
    (added,) = ways[WrittenIn.FRAME].edit.added
    assert position(own, added) == pytest.approx(moved)
    assert own.bodies[own.row(added)] == own.bodies[own.row(name)]


def test_relative_to_is_overridden_and_nothing_moves(tmp_path: Path) -> None:
    project = Project(tmp_path, "world.sdf")
    edit = project.edit("bench::tool", frames.set_relative_to, target="base", keep="pose")
    ways = project.ways(edit)
    for place in (WrittenIn.FILE, WrittenIn.INCLUDE):
        after = project.after(ways[place])
        np.testing.assert_allclose(after.X_RootF, project.model.X_RootF, atol=1e-9)
        assert after.relative_to[after.row("bench::tool")] == after.row("bench::base")
    own = project.after(ways[WrittenIn.FRAME])
    (added,) = ways[WrittenIn.FRAME].edit.added
    assert own.names[own.relative_to[own.row(added)]] == "bench::base"
    assert position(own, added) == position(own, "bench::tool")


def test_attributes_values_and_ends_of_joints_are_overridden(tmp_path: Path) -> None:
    project = Project(tmp_path, "world.sdf")
    edit = project.edit("bench::tool", frames.set_attached_to, target="base", keep="pose")
    after = project.after(project.ways(edit)[WrittenIn.INCLUDE])
    assert after.names[after.attached_to[after.row("bench::tool")]] == "bench::base"

    edit = project.edit("bench::shoulder", properties.set_property, "thing", path="axis/limit/upper", value="2")
    ways = project.ways(edit)
    after = project.after(ways[WrittenIn.INCLUDE])
    uppers = {joint.name: joint.axes[0].upper for joint in after.joints}
    assert uppers == {"robot::left::shoulder": 1, "robot::arm::shoulder": 1, "bench::shoulder": 2}
    assert "nothing moves" in ways[WrittenIn.FRAME].why


def test_what_is_overridden_already_is_changed_in_its_place(tmp_path: Path) -> None:
    project = Project(tmp_path, "world.sdf")
    first = project.ways(project.edit("bench::shoulder", frames.set_coordinate, "frames", coordinate="x", value=1.0))
    project.model = project.after(first[WrittenIn.INCLUDE])
    once = project.model.document.text
    assert once.count("element_id") == 1
    second = project.ways(project.edit("bench::shoulder", frames.set_coordinate, "frames", coordinate="x", value=2.0))
    project.model = project.after(second[WrittenIn.INCLUDE])
    assert project.model.document.text == once.replace(">1 0 0.1", ">2 0 0.1")
    assert position(project.model, "bench::shoulder")[0] == 2

    in_file = second[WrittenIn.FILE]
    assert in_file.files[0][1].text == PARTS["arm.sdf"].replace(">0 0 0.1", ">2 0 0.1")
    assert "bench::shoulder" not in effect_of(in_file, project.loader).moved, "the include overrides it"

    back = project.ways(project.edit("bench::shoulder", frames.set_coordinate, "frames", coordinate="x", value=0.0))
    project.model = project.after(back[WrittenIn.INCLUDE])
    assert "params" not in project.model.document.text, "what the file says needs no change"


def test_what_an_include_brings_by_another_include_is_placed_by_it(tmp_path: Path) -> None:
    project = Project(tmp_path, "world.sdf")
    for name, where in (("robot::left", [0, 3, 0]), ("robot::arm", [0, 4, 0])):
        edit = project.edit(name, frames.set_pose, pose=[*where, 0, 0, 0])
        project.model = project.after(project.ways(edit)[WrittenIn.INCLUDE])
        assert position(project.model, name) == where
    assert '<model element_id="left">' in project.model.document.text
    assert '<model element_id="arm">' in project.model.document.text


def test_all_users_of_the_file_are_named_with_what_moves(tmp_path: Path) -> None:
    project = Project(tmp_path, "world.sdf")
    way = project.ways(project.edit("bench::tool", frames.set_pose, pose=[0, 0, 0.5, 0, 0, 0]))[WrittenIn.FILE]
    others = [open_document(tmp_path / name) for name in ("robot.sdf", "merged.sdf", "arm.sdf")]
    users = {each.document.name: each.moved for each in users_of(way.files[0], others, project.loader, lambda: False)}
    assert users == {
        str(tmp_path / "robot.sdf"): ("robot::left::tool", "robot::arm::tool"),
        str(tmp_path / "merged.sdf"): ("m::tool",),
    }


def test_what_an_include_cannot_say_is_refused_with_the_reason(tmp_path: Path) -> None:
    project = Project(tmp_path, "world.sdf")
    edit = project.edit("bench::tool", frames.set_pose, pose=[1, 0, 0, 0, 0, 0])
    for gone, why in (
        (' attached_to="upper"', "'attached_to', but not take it out"),
        (' name="arm"', "of the model itself"),
    ):
        at = edit.document.text.index(gone)
        other = replace(edit, replacements=(Replacement(at, at + len(gone), ""),))
        assert why in project.ways(other)[WrittenIn.INCLUDE].why


def test_rows_of_two_includes_are_not_edited_as_one(tmp_path: Path) -> None:
    model = Project(tmp_path, "robot.sdf").model
    both = [model.row("robot::left::tool"), model.row("robot::arm::tool")]
    assert in_included_file(model, both) is None
    assert in_included_file(model, [model.row("robot::cart")]) is None
