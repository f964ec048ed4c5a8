"""Elements are removed with what depends on them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.operations import copying, frames
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.limb import with_limbs
from sdfviewer.refactoring.removal import Dependent, find_dependents, remove_with_dependents
from tests.large import chain_of_links

TEXT = """<sdf version="1.11"><model name="m" canonical_link="b">
  <link name="a"/>
  <link name="b"/>
  <joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
  <frame name="f" attached_to="b"/>
  <frame name="g" attached_to="f"><pose relative_to="a"/></frame>
  <link name="c"><pose relative_to="g"/></link>
  <joint name="k" type="fixed"><parent>a</parent><child>c</child></joint>
  <frame name="free"/>
</model></sdf>
"""


@pytest.fixture
def model() -> Model:
    return load_model(TEXT)


def outline(model: Model, dependents: tuple[Dependent, ...]) -> dict[str, object]:
    found: dict[int | None, dict[str, object]] = {None: {}}
    for each in dependents:
        found[each.above][model.local_names[each.row]] = found[each.row] = {}
    return found[None]


def test_dependents_are_a_tree_with_each_element_once(model: Model) -> None:
    found = find_dependents(model, [model.row("m::b")])
    assert outline(model, found) == {"j": {}, "f": {"g": {"c": {"k": {}}}}}
    assert [model.local_names[each.row] for each in found] == ["j", "f", "g", "c", "k"]
    assert found[1].reference.name == "b"
    assert outline(model, find_dependents(model, [model.row("m::free")])) == {}


def test_nothing_is_left_that_names_what_is_gone(model: Model) -> None:
    edit = remove_with_dependents(model, [model.row("m::c"), model.row("m::f")])
    after = Loader().load(model.document.edited(edit.replacements))
    assert after is not None
    assert not after.diagnostics
    assert after.local_names == ["m", "a", "b", "j", "free"]
    assert edit.label == "Remove 2 elements and 2 dependents"


def test_a_chain_of_dependents_may_be_long() -> None:
    model = load_model(chain_of_links(sys.getrecursionlimit()))
    edit = remove_with_dependents(model, [model.row("chain::link_1")])
    after = Loader().load(model.document.edited(edit.replacements))
    assert after is not None
    assert after.local_names == ["chain", "link_0", "frame_0"]


def test_a_cycle_of_references_comes_to_an_end() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"/><frame name="x" attached_to="y"/>'
        '<frame name="y" attached_to="x"/></model></sdf>'
    )
    assert outline(model, find_dependents(model, [model.row("m::x")])) == {"y": {}}


def test_the_joint_of_a_robot_that_is_included_has_no_dependents_here(tmp_path: Path) -> None:
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>')
    world = '<sdf version="1.11"><world name="w"><include><uri>r.urdf</uri></include></world></sdf>'
    model = Loader().load(parse_document(world, tmp_path / "w.sdf"))
    assert model is not None
    assert find_dependents(model, [model.row("r::j")]) == ()


def test_a_limb_is_what_joints_carry_below_a_link_or_joint() -> None:
    names = "abcde"
    joints = "".join(
        f'<joint name="{parent}{child}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
        for parent, child in ("ab", "bc", "cd", "ae")
    )
    links = "".join(f'<link name="{name}"/>' for name in names)
    model = load_model(
        f'<sdf version="1.9"><model name="m">{links}{joints}<frame name="f" attached_to="d"/></model></sdf>'
    )
    limb = [model.local_names[row] for row in with_limbs(model, [model.row("m::b")])]
    assert limb == ["b", "c", "d", "ab", "bc", "cd", "f"]
    assert [model.local_names[row] for row in with_limbs(model, [model.row("m::cd")])] == ["d", "cd", "f"]
    edit = remove_with_dependents(model, with_limbs(model, [model.row("m::b")]))
    after = load_model(model.document.edited(edit.replacements).text)
    assert after.names[1:] == ["m::a", "m::e", "m::ae"]


@pytest.mark.parametrize("operation", [frames.remove, copying.duplicate])
def test_what_is_included_goes_with_its_include(operation: Operation, tmp_path: Path) -> None:
    (tmp_path / "arm.sdf").write_text('<sdf version="1.11"><model name="arm"><link name="hand"/></model></sdf>')
    text = """<sdf version="1.11"><world name="w"><include><uri>arm.sdf</uri></include>
      <include><uri>arm.sdf</uri><name>other</name></include></world></sdf>"""
    loader = Loader()
    model = loader.load(parse_document(text, tmp_path / "w.sdf"))
    assert model is not None
    include, part, of_other = map(model.row, ("arm", "arm::hand", "other::hand"))
    for rows in ((include, part), (part, include)):
        assert operation.refusal(model, rows) is None
        operation.perform(EditContext(model, loader), {"things": rows})
    for rows in ((include, of_other), (of_other, include)):
        why = operation.refusal(model, rows)
        assert why is not None
        with pytest.raises(EditError, match=r"is defined in arm\.sdf, which this file includes") as refused:
            operation.perform(EditContext(model, loader), {"things": rows})
        assert str(refused.value) == why


def test_the_root_stays(model: Model) -> None:
    for rows in ([0], [2, 0]):
        assert frames.remove.refusal(model, rows) == "the root of a file cannot be removed"
