"""Rewriting the form of a file moves nothing, and makes it read alike, or lean on defaults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.forms import to_element_relative_form, to_model_absolute_form

EXAMPLES = ["arm", "double_pendulum", "parity_relative_to", "parity_frames", "parity_legacy_numbers", "nested_gripper"]


def edited(model: Model, edit: Edit) -> Model:
    after = Loader().load(model.document.edited(edit.replacements))
    assert after is not None
    return after


@pytest.mark.parametrize("form", [to_element_relative_form, to_model_absolute_form])
@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_moves_at_any_position(name: str, form, examples: Path) -> None:
    model = load_model(examples / f"{name}.sdf")
    after = edited(model, form(model))
    assert after.names == model.names
    before, then = Kinematics(model), Kinematics(after)
    q = np.random.default_rng(3).uniform(-1, 1, (10, len(before.dofs)))
    np.testing.assert_allclose(then.poses(q), before.poses(q), atol=1e-9)


@pytest.mark.parametrize("name", [*EXAMPLES[:-1], "two_links_orthogonal_1", "two_links_orthogonal_2"])
def test_in_element_relative_form_both_conventions_agree(name: str, examples: Path) -> None:
    model = load_model(examples / f"{name}.sdf")
    assert Comparison(edited(model, to_element_relative_form(model))).equal


def test_the_parity_model_is_in_element_relative_form_already(examples: Path) -> None:
    assert to_element_relative_form(load_model(examples / "parity_relative_to.sdf")).replacements == ()


@pytest.mark.parametrize("name", ["arm", "parity_relative_to"])
def test_in_model_absolute_form_no_link_or_joint_names_a_frame(name: str, examples: Path) -> None:
    model = load_model(examples / f"{name}.sdf")
    after = edited(model, to_model_absolute_form(model))
    written = [
        after.names[row]
        for row, kind in enumerate(after.kinds)
        if kind in (Kind.LINK, Kind.JOINT) and after.relative_to_written[row] is not None
    ]
    assert written == []


def test_a_form_keeps_what_would_close_a_circle() -> None:
    model = load_model(
        """<sdf version="1.11"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
        <frame name="f" attached_to="a"><pose relative_to="b">0 0 1 0 0 0</pose></frame>
        <joint name="j" type="revolute"><parent>f</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
        </model></sdf>"""
    )
    after = edited(model, to_element_relative_form(model))
    assert not any(diagnostic.is_error for diagnostic in after.diagnostics)
    np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-12)


def test_old_files_and_undefined_poses_are_refused() -> None:
    old = '<sdf version="1.4"><model name="m"><link name="a"/></model></sdf>'
    with pytest.raises(RefactoringError, match=r"1\.5"):
        to_element_relative_form(load_model(old))
    broken = '<sdf version="1.8"><model name="m"><link name="a"><pose relative_to="a"/></link></model></sdf>'
    with pytest.raises(RefactoringError, match="undefined"):
        to_model_absolute_form(load_model(broken))


numbers = st.floats(-2, 2).map(lambda value: round(value, 3))
poses = st.tuples(*[numbers] * 6).map(lambda values: " ".join(map(str, values)))


@st.composite
def trees(draw: st.DrawFn) -> str:
    """Return a model of some links in a tree of joints, each pose relative to anything that is no circle."""
    count = draw(st.integers(1, 6))
    parts = [f'<link name="l0"><pose>{draw(poses)}</pose></link>']
    frames = ["__model__", "l0"]
    for number in range(1, count):
        parent = draw(st.integers(0, number - 1))
        link = draw(st.sampled_from(["", *frames]))
        relative = f' relative_to="{link}"' if link else ""
        joint = draw(st.sampled_from(["", *frames]))
        of_joint = f' relative_to="{joint}"' if joint else ""
        kind = draw(st.sampled_from(["revolute", "prismatic", "continuous"]))
        parts.append(
            f'<link name="l{number}"><pose{relative}>{draw(poses)}</pose></link>'
            f'<joint name="j{number}" type="{kind}"><pose{of_joint}>{draw(poses)}</pose>'
            f"<parent>l{parent}</parent><child>l{number}</child><axis><xyz>0.6 0 0.8</xyz></axis></joint>"
        )
        frames += [f"l{number}", f"j{number}"]
    return f'<sdf version="1.9"><model name="m">{"".join(parts)}</model></sdf>'


@given(trees(), st.sampled_from([to_element_relative_form, to_model_absolute_form]))
def test_forms_of_any_tree_move_nothing(text: str, form) -> None:
    model = load_model(text)
    after = edited(model, form(model))
    kinematics = Kinematics(model)
    q = np.linspace(-2, 2, len(kinematics.dofs))
    np.testing.assert_allclose(Kinematics(after).poses(q), kinematics.poses(q), atol=1e-9)
    np.testing.assert_allclose(Kinematics(after).poses(kinematics.q0), model.X_RootF, atol=1e-9)
    if form is to_element_relative_form:
        assert Comparison(after).equal
