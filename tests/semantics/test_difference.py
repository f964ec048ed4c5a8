"""Two states of a model, compared frame by frame."""

from __future__ import annotations

import pytest

import sdfviewer
from sdfviewer.semantics import Model
from sdfviewer.semantics.difference import Change, compare_models

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="upper"><pose>0 0 1 0 0 0</pose></link>
    <frame name="tool" attached_to="upper"><pose>0 0.1 0 0 0 0</pose></frame>
    <model name="hand"><link name="palm"/></model>
  </model>
</sdf>
"""


@pytest.fixture
def arm() -> Model:
    return sdfviewer.load(ARM)


def changes(a: Model, text: str) -> dict[str, tuple[Change, ...]]:
    return {each.name: each.changes for each in compare_models(a, sdfviewer.load(text))}


def test_the_same_text_has_no_difference(arm: Model) -> None:
    assert changes(arm, ARM) == {}
    assert changes(arm, ARM.replace('"1.9"', '"1.12"')) == {}


def test_what_moves_takes_what_is_measured_from_it_along(arm: Model) -> None:
    found = compare_models(arm, sdfviewer.load(ARM.replace("0 0 1 0", "0 0 3 0")))
    assert [(each.name, each.changes, each.metres) for each in found] == [
        ("arm::upper", (Change.MOVED,), 2.0),
        ("arm::tool", (Change.MOVED,), 2.0),
    ]


def test_frames_appear_and_vanish(arm: Model) -> None:
    text = ARM.replace('<link name="base"/>', '<link name="base"/><link name="new"/>')
    assert changes(arm, text) == {"arm::new": (Change.APPEARED,)}
    text = ARM.replace('<model name="hand"><link name="palm"/></model>', "")
    assert changes(arm, text) == {"arm::hand": (Change.VANISHED,), "arm::hand::palm": (Change.VANISHED,)}


def test_another_name_or_body_is_told(arm: Model) -> None:
    assert changes(arm, ARM.replace('"hand"', '"fist"')) == {
        "arm::fist": (Change.RENAMED,),
        "arm::fist::palm": (Change.RENAMED,),
    }
    text = ARM.replace('attached_to="upper"><pose>', 'attached_to="base"><pose relative_to="upper">')
    assert changes(arm, text) == {"arm::tool": (Change.BODY,)}


def test_another_name_of_the_whole_model_is_one_difference(arm: Model) -> None:
    found = changes(arm, ARM.replace('"arm"', '"leg"'))
    assert found["leg"] == (Change.RENAMED,)
    assert all(each == (Change.RENAMED,) for each in found.values())


def test_a_pose_that_is_not_defined_any_more_is_told(arm: Model) -> None:
    text = ARM.replace("<pose>0 0 1", '<pose relative_to="tool">0 0 1')
    assert changes(arm, text)["arm::upper"] == (Change.UNDEFINED,)
