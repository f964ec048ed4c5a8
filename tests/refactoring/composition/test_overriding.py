"""What an included file writes is overridden in the include; the file stays as it is, and libsdformat's rules hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.overriding import override_pose, why_not_overridden
from sdfviewer.refactoring.editable import RefactoringError

PART = """<sdf version="1.11"><model name="part">
  <link name="base"/>
  <link name="arm"><pose degrees="true">1 0 0 0 0 90</pose></link>
  <frame name="tip" attached_to="arm"><pose relative_to="arm">0 0 1 0 0 0</pose></frame>
</model></sdf>
"""
WORLD = """<sdf version="1.11">
  <world name="w">
    <include>
      <uri>part.sdf</uri>
      <name>left</name>
    </include>
    <model name="own"><link name="l"/></model>
  </world>
</sdf>
"""


def load(folder: Path, text: str) -> Model:
    (folder / "part.sdf").write_text(PART, encoding="utf-8")
    world = folder / "world.sdf"
    world.write_text(text, encoding="utf-8")
    model = Loader().load(open_document(world))
    assert model is not None
    return model


def overridden(folder: Path, model: Model, name: str, numbers: str) -> Model:
    edit = override_pose(model, model.row(name), numbers)
    after = Loader().load(parse_document(model.document.edited(edit.replacements).text, folder / "world.sdf"))
    assert after is not None
    assert [str(each.message) for each in after.diagnostics] == []
    return after


def test_the_pose_of_a_link_is_modified_and_its_frames_follow(tmp_path: Path) -> None:
    model = load(tmp_path, WORLD)
    after = overridden(tmp_path, model, "left::arm", "0 2 0 0 0 0")
    assert np.allclose(after.X_RootF[after.row("left::arm")][:3, 3], (0, 2, 0))
    assert np.allclose(after.X_RootF[after.row("left::tip")][:3, 3], (0, 2, 1))
    assert np.allclose(after.X_RootF[after.row("left::arm")][:3, :3], np.eye(3))
    assert after.document.text == WORLD.replace(
        "      <name>left</name>\n",
        """      <name>left</name>
      <experimental:params xmlns:experimental="http://sdformat.org/schemas/experimental">
        <link element_id="arm">
          <pose action="modify">0 2 0 0 0 0</pose>
        </link>
      </experimental:params>
""",
    )
    assert (tmp_path / "part.sdf").read_text(encoding="utf-8") == PART


def test_a_pose_that_is_not_written_is_added_and_changed_in_its_place(tmp_path: Path) -> None:
    model = overridden(tmp_path, load(tmp_path, WORLD), "left::base", "0 0 3 0 0 0")
    assert np.allclose(model.X_RootF[model.row("left::base")][:3, 3], (0, 0, 3))
    again = overridden(tmp_path, model, "left::base", "0 0 4 0 0 0")
    assert again.document.text == model.document.text.replace(">0 0 3 0 0 0<", ">0 0 4 0 0 0<")
    both = overridden(tmp_path, again, "left::tip", "0 0 5 0 0 0")
    assert both.document.text.count("experimental:params") == again.document.text.count("experimental:params")
    assert np.allclose(both.X_RootF[both.row("left::tip")][:3, 3], (1, 0, 5))


@pytest.mark.parametrize(
    ("name", "reason"), [("own::l", "not in a model that this file includes"), ("left", "is not in")]
)
def test_what_is_not_included_is_edited_itself(tmp_path: Path, name: str, reason: str) -> None:
    model = load(tmp_path, WORLD)
    assert reason in (why_not_overridden(model, model.row(name)) or "")
    with pytest.raises(RefactoringError):
        override_pose(model, model.row(name), "0 0 0 0 0 0")


def test_what_is_merged_is_overridden_by_its_own_name(tmp_path: Path) -> None:
    include = "<include merge='true'><uri>part.sdf</uri></include>"
    model = load(tmp_path, f"<sdf version='1.11'><model name='m'><link name='l'/>{include}</model></sdf>")
    assert why_not_overridden(model, model.row("m::arm")) is None
    after = overridden(tmp_path, model, "m::arm", "5 0 0 0 0 0")
    np.testing.assert_allclose(after.X_RootF[after.row("m::arm")][:3, 3], (5, 0, 0))
    assert "<link element_id='arm'>" in after.document.text.replace('"', "'")
