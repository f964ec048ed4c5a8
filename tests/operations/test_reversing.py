"""A reversed joint joins the same links, in the same place, at the same joint positions."""

from __future__ import annotations

import numpy as np
import pytest

import sdfviewer
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert

OWN_FRAMES = """<sdf version="1.11"><model name="m">
  <link name="base"><pose>0.1 0 0.3 0.2 0 0</pose></link>
  <link name="arm"><pose relative_to="base">0 0.2 0.5 0 0.4 0.1</pose></link>
  <link name="tool"><pose relative_to="tip">0 0 0.1 0 0 0</pose></link>
  <joint name="j" type="{type}">
    <pose>0 -0.1 0 0.3 0 0</pose>
    <parent>base</parent>
    <child>arm</child>
    {axis}
  </joint>
  <frame name="tip" attached_to="j"><pose>0 0 1 0 0 0</pose></frame>
  <joint name="hold" type="fixed"><parent>j</parent><child>tool</child></joint>
</model></sdf>
"""
OLD = """<sdf version="1.6"><model name="m">
  <link name="base"><pose>0.1 0 0.3 0.2 0 0</pose></link>
  <link name="arm"><pose>0 0.2 0.5 0 0.4 0.1</pose></link>
  <joint name="j" type="revolute">
    <pose>0 -0.1 0 0.3 0 0</pose>
    <parent>base</parent>
    <child>arm</child>
    <axis><xyz>0 0.6 0.8</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>
  </joint>
</model></sdf>
"""
LIMIT = "<limit><lower>-1</lower><upper>2</upper></limit>"
MODELS = {
    "revolute": OWN_FRAMES.format(type="revolute", axis=f"<axis><xyz>0 0.6 0.8</xyz>{LIMIT}</axis>"),
    "no xyz": OWN_FRAMES.format(type="revolute", axis=f"<axis>{LIMIT}</axis>"),
    "expressed in": OWN_FRAMES.format(
        type="prismatic", axis=f'<axis><xyz expressed_in="base">1 0 0</xyz>{LIMIT}</axis>'
    ),
    "screw": OWN_FRAMES.format(
        type="screw", axis="<axis><xyz>1 0 0</xyz></axis><screw_thread_pitch>0.5</screw_thread_pitch>"
    ),
    "fixed": OWN_FRAMES.format(type="fixed", axis=""),
    "version 1.6": OLD,
}


def _model(text: str) -> Model:
    model = load_model(text)
    assert model is not None
    return model


def _between(model: Model, moved: str, base: str, q: float) -> Array:
    """Return the pose (4, 4) of a frame in another one while joint j is at a position."""
    kinematics = Kinematics(model)
    X = kinematics.poses([q] * len(kinematics.dofs))
    result: Array = invert(X[model.row(base)]) @ X[model.row(moved)]
    return result


def _reversed(text: str) -> sdfviewer.EditableDocument:
    document = sdfviewer.open_document(text)
    with document.edit() as edit:
        edit.reverse_joint("j")
    return document


@pytest.mark.parametrize("name", MODELS)
def test_the_links_move_as_before(name: str) -> None:
    before, document = _model(MODELS[name]), _reversed(MODELS[name])
    after = _model(document.text)
    joint = document.model.joint("j")
    assert (joint.parent.name, joint.child.name) == ("arm", "base")
    np.testing.assert_allclose(after.X_RootF, before.X_RootF, atol=1e-12)
    pairs = [("arm", "base")] + ([("tip", "arm"), ("tool", "arm")] if "tip" in MODELS[name] else [])
    for moved, base in pairs:
        for q in (0.0, 0.7, -0.4):
            wanted = _between(before, f"m::{moved}", f"m::{base}", q)
            np.testing.assert_allclose(_between(after, f"m::{moved}", f"m::{base}", q), wanted, atol=1e-12)
    assert [(dof.lower, dof.upper) for dof in Kinematics(after).dofs] == [
        (dof.lower, dof.upper) for dof in Kinematics(before).dofs
    ]
    assert document.history == ("Reverse j",)


def test_a_joint_that_is_reversed_twice_is_as_it_was() -> None:
    once = _reversed(MODELS["revolute"]).text
    assert _reversed(_reversed(once).text).text == once


def test_a_second_base_is_named() -> None:
    text = MODELS["revolute"].replace(
        '<frame name="tip"',
        '<link name="floor"/><joint name="k" type="fixed"><parent>floor</parent><child>base</child></joint>'
        '<frame name="tip"',
    )
    with sdfviewer.open_document(text).edit() as edit:
        edit.reverse_joint("j")
        (note,) = edit.notes
    assert note.startswith("'m::base' is the child of 'm::k', too; reverse that joint as well")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<parent>base</parent>", "<parent>world</parent>", "has no link as its parent"),
        ('type="revolute"', 'type="universal"', "a universal joint cannot be reversed"),
        ("<xyz>0 0.6 0.8</xyz>", "<xyz>up</xyz>", "cannot be read"),
    ],
)
def test_what_cannot_be_reversed_is_refused(old: str, new: str, message: str) -> None:
    text = MODELS["revolute"]
    assert old in text
    with pytest.raises(sdfviewer.SdfViewerError, match=message):
        _reversed(text.replace(old, new))
