"""Elements are added, duplicated and removed as a person would write it."""

from __future__ import annotations

import numpy as np
import pytest

import sdfviewer
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.editing.editable import RefactoringError
from sdfviewer.semantics.editing.removal import references_to, remove
from sdfviewer.semantics.editing.structure import duplicate, insert_member

TEXT = """<sdf version="1.9">
  <world name="w">
    <model name="m">
      <link name="a">
        <visual name="v">
          <geometry><sphere><radius>1</radius></sphere></geometry>
        </visual>
      </link> <!-- the only one -->
      <frame name="f" attached_to="a"/>
      <joint name="j" type="fixed"><parent>world</parent><child>f</child></joint>
    </model>
    <frame name="g" attached_to="m"/>
    <frame name="h"><pose relative_to="m::f"/></frame>
  </world>
</sdf>
"""


@pytest.fixture
def model() -> Model:
    return sdfviewer.load(TEXT)


def edited(model: Model, edit: object) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))  # type: ignore[attr-defined]
    assert result is not None
    assert not result.diagnostics
    return result


@pytest.mark.parametrize(
    ("owner", "tag", "expected"),
    [
        ("m", "link", '\n      <link name="link">\n        <pose>0 0 0 0 0 0</pose>\n      </link>\n    </model>'),
        ("world", "frame", '\n    <frame name="frame">\n      <pose>0 0 0 0 0 0</pose>\n    </frame>\n  </world>'),
        ("m::a", "visual", '\n        <visual name="visual">\n          <geometry>\n            <box>'),
    ],
)
def test_new_elements_are_indented_and_named(model: Model, owner: str, tag: str, expected: str) -> None:
    edit = insert_member(model, model.row(owner), tag)
    after = edited(model, edit)
    assert expected in after.document.text
    assert after.frame(edit.added[0]).kind.value == tag


def test_a_joint_is_added_between_two_links(model: Model) -> None:
    with pytest.raises(RefactoringError, match="parent and a child"):
        insert_member(model, model.row("m"), "joint")
    after = edited(model, insert_member(model, model.row("m"), "link", "b"))
    after = edited(after, insert_member(after, after.row("m"), "joint", "k", parent="a", child="b"))
    assert after.joints_by_row[after.row("m::k")].type == "revolute"


@pytest.mark.parametrize(("owner", "tag", "name"), [("m", "visual", "x"), ("m", "link", "f"), ("m", "link", "world")])
def test_what_cannot_stand_there_is_refused(model: Model, owner: str, tag: str, name: str) -> None:
    with pytest.raises(RefactoringError):
        insert_member(model, model.row(owner), tag, name)


@pytest.mark.parametrize("name", ["m", "m::a", "m::a::v", "m::f", "g"])
def test_a_duplicate_stands_behind_its_original_and_is_equal(model: Model, name: str) -> None:
    row = model.row(name)
    edit = duplicate(model, row)
    (copy,) = edit.added
    after = edited(model, edit)
    np.testing.assert_array_equal(after.frame(copy).pose, model.X_RootF[row])
    assert after.frame(copy).kind is model.kinds[row]
    assert copy.endswith("_copy")
    assert "<!-- the only one -->" in after.document.text


def test_what_refers_to_an_element_is_listed(model: Model) -> None:
    assert [reference.name for reference in references_to(model, [model.row("m")])] == ["m", "m::f"]
    assert [reference.name for reference in references_to(model, [model.row("m::a")])] == ["a"]
    assert references_to(model, [model.row("g")]) == []


def test_removing_takes_the_line(model: Model) -> None:
    after = edited(model, remove(model, [model.row("g")]))
    assert after.document.text == TEXT.replace('    <frame name="g" attached_to="m"/>\n', "")
    with pytest.raises(RefactoringError):
        remove(model, [0])
