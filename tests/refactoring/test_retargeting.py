"""Refactorings move nothing they promise not to move, and touch only what they change."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer import transforms
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTarget, ReferenceTargets
from sdfviewer.model.values import format_number
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_writing import refusal, set_attached_to, set_relative_to, write_pose
from sdfviewer.refactoring.renaming import rename
from tests.corpus import at_least
from tests.frames import frame_in

ARM = """<sdf version="1.9">
  <model name="arm" canonical_link="base">
    <link name="base"/>
    <link name="upper"><!-- shoulder --><pose relative_to='base'>0 0 0.25   0 0.5 0</pose></link>
    <frame name="tool" attached_to="upper"><pose>0 0.1 0 0 0 90</pose></frame>
    <frame name="grip" attached_to="tool"/>
    <frame name="deg"><pose degrees="true">0 0 0 0 0 90</pose></frame>
    <frame name="quat"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 1</pose></frame>
    <joint name="shoulder" type="revolute">
      <parent>base</parent><child>upper</child><axis><xyz expressed_in="tool">0 0 1</xyz></axis>
    </joint>
    <model name="hand"><link name="palm"/><frame name="tip" attached_to="palm"/></model>
    <frame name="end" attached_to="hand::tip"/>
  </model>
</sdf>
"""


def edited(model: Model, edit: Edit) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))
    assert result is not None
    return result


@pytest.fixture
def arm() -> Model:
    return load_model(ARM)


def test_keeping_the_pose_rewrites_only_pose_and_attribute(arm: Model) -> None:
    row = arm.row("arm::upper")
    after = edited(arm, set_relative_to(arm, row, "deg", keep="pose"))
    np.testing.assert_allclose(after.X_RootF, arm.X_RootF, atol=1e-12)
    before_lines, after_lines = ARM.splitlines(), after.document.text.splitlines()
    assert [n for n, (a, b) in enumerate(zip(before_lines, after_lines, strict=True)) if a != b] == [3]
    assert "<!-- shoulder --><pose relative_to='deg'>" in after_lines[3]


def test_keeping_the_numbers_moves_the_frame(arm: Model) -> None:
    row = arm.row("arm::upper")
    after = edited(arm, set_relative_to(arm, row, "deg", keep="numbers"))
    assert after.document.text == ARM.replace("relative_to='base'", "relative_to='deg'")
    assert not np.allclose(after.X_RootF[row], arm.X_RootF[row])


def test_the_default_is_reached_by_removing_the_attribute(arm: Model) -> None:
    after = edited(arm, set_relative_to(arm, arm.row("arm::upper"), None))
    assert "<pose>0 0 0.25   0 0.5 0</pose>" in after.document.text


def test_attaching_keeps_a_frame_in_place_that_leans_on_it(arm: Model) -> None:
    row = arm.row("arm::grip")
    after = edited(arm, set_attached_to(arm, row, "base"))
    np.testing.assert_allclose(after.X_RootF, arm.X_RootF, atol=1e-12)
    assert frame_in(arm, "arm::grip").body == frame_in(arm, "arm::upper")
    assert frame_in(after, "arm::grip").body == frame_in(after, "arm::base")


@pytest.mark.parametrize(
    ("name", "target", "attribute", "why"),
    [
        ("tool", "grip", "relative_to", "cycle: arm::tool → arm::grip → arm::tool"),
        ("tool", "tool", "relative_to", "cycle"),
        ("tool", "grip", "attached_to", "cycle"),
        ("tool", "too", "relative_to", "did you mean 'tool'"),
        ("tool", "palm", "attached_to", "not a frame in this scope"),
        ("upper", "base", "attached_to", "only a <frame> has"),
    ],
)
def test_illegal_targets_are_refused_with_the_reason(
    arm: Model, name: str, target: str, attribute: Attribute, why: str
) -> None:
    row = arm.row(name)
    assert why in (refusal(arm, row, target, attribute) or "")
    with pytest.raises(RefactoringError, match=why.replace("?", r"\?")):
        (set_relative_to if attribute == "relative_to" else set_attached_to)(arm, row, target)


def test_legal_targets_are_not_refused(arm: Model) -> None:
    row = arm.row("tool")
    assert refusal(arm, row, "hand::tip") is None
    assert refusal(arm, row, "__model__") is None
    names = [target.name for target in ReferenceTargets(arm, arm.row("arm::hand::tip"), "relative_to")]
    assert names == ["__model__", "palm", "tip"]


def test_one_target_is_looked_up_as_all_are_listed() -> None:
    first = '<model name="n"><link name="a"/><frame name="f"/></model>'
    second = '<model name="n"><link name="a"/><link name="b"/></model>'
    link = '<link name="l"><visual name="v"/></link>'
    inner = f'{link}<frame name="a"/>{first}{second}<joint name="l" type="fixed"/>'
    world = f'<world name="w"><model name="m">{inner}</model><frame name="f"/></world>'
    model = load_model(f'<sdf version="1.11">{world}</sdf>')
    names = {"__model__", "world", "", *model.names, *model.local_names, "n::a", "n::b", "n::f", "l::v", "m::n::a"}
    for row in range(1, len(model)):
        targets = ReferenceTargets(model, row, "relative_to")
        listed = {target.name: target for target in targets}
        for name in names:
            found = targets.named(name)
            assert found == listed[name] if name in listed else found.row == UNRESOLVED and found.reason


def test_all_targets_are_listed_without_a_look_at_each_kind(arm: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed() -> list[list[ReferenceTarget]]:
        vars(arm).pop("_names_in_scopes", None)
        return [list(ReferenceTargets(arm, row, "relative_to")) for row in range(1, len(arm))]

    before = listed()
    assert arm.is_vertex.any()
    monkeypatch.setattr(Kind, "is_vertex", property(lambda kind: pytest.fail(f"{kind} is looked at")))
    assert listed() == before


def test_a_target_is_judged_without_a_list_of_all(arm: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Model, "names_in_scope")
    assert refusal(arm, arm.row("tool"), "hand::tip") is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("deg", '<pose degrees="true">1 0 0 0 0 45</pose>'),
        ("quat", '<pose rotation_format="quat_xyzw">1 0 0 0 0 0.38268343236508'),
        ("tool", "<pose>1 0 0 0 0 0.7853981633974483</pose>"),
        ("grip", '<frame name="grip" attached_to="tool">\n      <pose>1 0 0 0 0 0.7853981633974483</pose>'),
    ],
)
def test_poses_are_written_in_their_own_notation(arm: Model, name: str, expected: str) -> None:
    X = transforms.pose_to_matrix([1, 0, 0, 0, 0, np.pi / 4])
    row = arm.row(name)
    after = edited(arm, Edit("Move", arm.document, write_pose(arm, row, X)))
    np.testing.assert_allclose(after.raw_poses[row], X, atol=1e-12)
    assert expected in after.document.text


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<!-- mount --> 0 0 0 0 0 0 <!-- metres -->", "<!-- mount --> 1 0 0 0 0 0 <!-- metres -->"),
        ("0 0 0 <!-- split --> 0 0 0", "1 0 0 0 0 0 <!-- split --> 0 0 0"),
        ("0 0", "1 0 0 0 0 0"),
        ("<![CDATA[0 0 0 0 0 0]]>", "1 0 0 0 0 0"),
        ("", "1 0 0 0 0 0"),
    ],
)
def test_comments_and_broken_values_beside_the_numbers_do_no_harm(written: str, expected: str) -> None:
    text = f'<sdf version="1.9"><model name="m"><link name="l"><pose>{written}</pose></link></model></sdf>'
    model = load_model(text)
    after = model.document.edited(write_pose(model, 1, transforms.pose_to_matrix([1, 0, 0, 0, 0, 0])))
    assert after.text == text.replace(written + "</pose>", expected + "</pose>")


def test_unchanged_numbers_keep_their_digits(arm: Model) -> None:
    row = arm.row("upper")
    X = arm.raw_poses[row].copy()
    X[0, 3] = 2
    text = edited(arm, Edit("Move", arm.document, write_pose(arm, row, X))).document.text
    assert "<pose relative_to='base'>2 0 0.25   0 0.5 0</pose>" in text


def test_a_model_is_placed_by_its_placement_frame() -> None:
    model = load_model(
        """<sdf version="1.9"><world name="w"><frame name="shelf"><pose>1 2 3 0 0 1</pose></frame>
        <model name="m" placement_frame="p"><pose relative_to="shelf">0 0 1 0 0 0</pose>
        <link name="l"/><frame name="p"><pose>0 0.5 0 0 1 0</pose></frame></model></world></sdf>"""
    )
    row = model.row("m")
    np.testing.assert_allclose(frame_in(model, "m::p").resolve_pose("shelf")[:3, 3], [0, 0, 1], atol=1e-12)
    moved = edited(model, set_relative_to(model, row, "world"))
    np.testing.assert_allclose(moved.X_RootF, model.X_RootF, atol=1e-12)
    X = transforms.pose_to_matrix([4, 5, 6, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(
        edited(moved, Edit("Move", moved.document, write_pose(moved, row, X))).X_RootF[row], X, atol=1e-12
    )


def test_renaming_updates_every_reference(arm: Model) -> None:
    for old, new, count in (("tool", "tcp", 3), ("hand", "gripper", 2), ("upper", "upper arm", 3)):
        edit = rename(arm, arm.row(old), new)
        assert len(edit.replacements) == count
        after = edited(arm, edit)
        assert not after.diagnostics
        np.testing.assert_array_equal(after.X_RootF, arm.X_RootF)
        names = dict(edit.renamed)
        assert [names.get(name, name) for name in arm.names] == after.names


@pytest.mark.parametrize("name", ["", "world", "__x__", "a::b", "base"])
def test_names_that_cannot_be_are_refused(arm: Model, name: str) -> None:
    with pytest.raises(RefactoringError):
        rename(arm, arm.row("tool"), name)


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_numbers_read_back_as_they_are(value: float) -> None:
    assert abs(float(format_number(value)) - value) <= 1e-12


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (-0.0, "0"),
        (1e-17, "0"),
        (2.0, "2"),
        (math.pi / 2, "1.5707963267948966"),
        (0.7499999999999999, "0.75"),
        (1e22, "1e+22"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert format_number(value) == text


def test_refactorings_hold_on_files_of_the_corpus(corpus: Path) -> None:
    """Re-target every link and frame of whole models to the model frame, and rename it: nothing may move."""
    done = 0
    for path in sorted(corpus.rglob("*.sdf"))[::5]:
        document = open_document(path)
        model = Loader().load(document)
        if model is None or any(d.is_error for d in model.diagnostics) or model.version < (1, 7):
            continue
        for row in range(1, len(model)):
            if (
                model.kinds[row] not in (Kind.LINK, Kind.JOINT, Kind.FRAME)
                or model.sources[row] is not None
                or done % 7
            ):
                done += 1
                continue
            done += 1
            own = ReferenceTargets(model, row, "relative_to").names[0][0]
            if refusal(model, row, own) is None:
                after = edited(model, set_relative_to(model, row, own))
                np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-9, err_msg=str(path))
            after = edited(model, rename(model, row, "a new name"))
            np.testing.assert_array_equal(after.X_RootF, model.X_RootF)
            assert len(after.diagnostics) == len(model.diagnostics), path
    assert done > at_least(100)


OLD = """<sdf version="1.6">
  <model name="m">
    <link name="a"><pose>0 0 1 0 0 0</pose></link>
    <link name="b"><pose {0}="a">0 0 2 0 0 0</pose></link>
  </model>
</sdf>
"""


@pytest.mark.parametrize("attribute", ["frame", "relative_to"])
def test_old_files_name_the_frame_of_a_pose_by_either_of_two_attributes(attribute: str) -> None:
    model = load_model(OLD.format(attribute))
    assert model.relative_to_written[model.row("m::b")] == "a"
    after = edited(model, set_relative_to(model, model.row("m::b"), None))
    np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-12)
    assert "<pose>0 0 3 0 0 0</pose>" in after.document.text
    after = edited(model, rename(model, model.row("m::a"), "c"))
    assert f'<pose {attribute}="c">' in after.document.text


def test_a_version_that_has_no_words_for_it_names_no_frame_of_a_pose() -> None:
    model = load_model('<sdf version="1.4"><model name="m"><link name="a"/><link name="b"/></model></sdf>')
    why = refusal(model, model.row("m::b"), "a")
    assert why == "a pose in SDFormat 1.4 cannot name its frame; convert the file to SDFormat 1.7 or later"
    assert refusal(model, model.row("m::b"), None) is None


def test_what_an_older_tool_has_flattened_is_not_renamed() -> None:
    text = (
        '<sdf version="1.7"><world name="w"><model name="m"><link name="a"/>'
        '<frame name="n::__model__" attached_to="n::b"/><link name="n::b"/></model></world></sdf>'
    )
    model = load_model(text)
    with pytest.raises(RefactoringError, match="'n::b' was flattened"):
        rename(model, model.row("m::n::b"), "c")
