"""Two states of a model, compared frame by frame."""

from __future__ import annotations

import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.model.comparison.frames import Change, FrameComparison, compare_models
from sdfviewer.model.model import Model

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
    return load_model(ARM)


def changes(a: Model, text: str) -> dict[str, tuple[Change, ...]]:
    return {each.name: each.changes for each in compare_models(a, load_model(text))}


def test_the_same_text_has_no_difference(arm: Model) -> None:
    assert changes(arm, ARM) == {}
    assert changes(arm, ARM.replace('"1.9"', '"1.12"')) == {}


def test_what_is_measured_from_a_moved_frame_moves_with_it(arm: Model) -> None:
    found = compare_models(arm, load_model(ARM.replace("0 0 1 0", "0 0 3 0")))
    assert [(each.name, each.changes, each.metres) for each in found] == [
        ("arm::upper", (Change.MOVED,), 2.0),
        ("arm::tool", (Change.MOVED,), 2.0),
    ]


def test_frames_appear_and_vanish(arm: Model) -> None:
    text = ARM.replace('<link name="base"/>', '<link name="base"/><link name="new"/>')
    assert changes(arm, text) == {"arm::new": (Change.APPEARED,)}
    text = ARM.replace('<model name="hand"><link name="palm"/></model>', "")
    assert changes(arm, text) == {"arm::hand": (Change.VANISHED,), "arm::hand::palm": (Change.VANISHED,)}


def test_another_name_or_body_is_reported(arm: Model) -> None:
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


def test_a_pose_that_is_not_defined_any_more_is_reported(arm: Model) -> None:
    text = ARM.replace("<pose>0 0 1", '<pose relative_to="tool">0 0 1')
    assert changes(arm, text)["arm::upper"] == (Change.UNDEFINED,)


def along(a: Model, text: str) -> dict[str, str]:
    return {each.name: each.along for each in compare_models(a, load_model(text))}


def test_what_is_moved_names_what_moves_it(arm: Model) -> None:
    assert along(arm, ARM.replace("0 0 1 0", "0 0 3 0")) == {"arm::upper": "", "arm::tool": "arm::upper"}
    both = ARM.replace("0 0 1 0", "0 0 3 0").replace("0 0.1 0", "0 0.2 0")
    assert along(arm, both) == {"arm::upper": "", "arm::tool": ""}
    gone = ARM.replace('<model name="hand"><link name="palm"/></model>', "")
    assert along(arm, gone) == {"arm::hand": "", "arm::hand::palm": "arm::hand"}
    assert along(load_model(gone), ARM) == {"arm::hand": "", "arm::hand::palm": "arm::hand"}
    assert along(arm, ARM.replace('"hand"', '"fist"')) == {"arm::fist": "", "arm::fist::palm": "arm::fist"}


def test_a_frame_that_another_moves_to_another_body_names_it(arm: Model) -> None:
    text = ARM.replace(
        '<model name="hand">',
        '<frame name="tip" attached_to="tool"><pose relative_to="tool">0 0 1 0 0 0</pose></frame><model name="hand">',
    )
    before = load_model(text)
    after = text.replace('attached_to="upper"><pose>', 'attached_to="base"><pose relative_to="upper">')
    found = {each.name: each for each in compare_models(before, load_model(after))}
    assert found["arm::tip"].changes == (Change.BODY,)
    assert found["arm::tip"].along == "arm::tool"
    assert found["arm::tool"].along == ""


def test_what_is_renamed_and_moved_is_still_matched(arm: Model) -> None:
    text = ARM.replace("0 0 1 0", "0 0 3 0").replace('"tool"', '"grip"')
    found = {each.name: each for each in compare_models(arm, load_model(text))}
    assert found["arm::grip"].before == "arm::tool"
    assert found["arm::grip"].changes == (Change.RENAMED, Change.MOVED)
    assert found["arm::grip"].along == ""


def test_two_that_could_be_meant_are_not_guessed(arm: Model) -> None:
    twins = '<frame name="one" attached_to="base"/><frame name="two" attached_to="base"/><model name="hand">'
    before = load_model(ARM.replace('<model name="hand">', twins))
    text = ARM.replace('<model name="hand">', twins.replace('"one"', '"x"').replace('"two"', '"y"'))
    assert {each.name: each.changes for each in compare_models(before, load_model(text))} == {
        "arm::x": (Change.APPEARED,),
        "arm::y": (Change.APPEARED,),
        "arm::one": (Change.VANISHED,),
        "arm::two": (Change.VANISHED,),
    }


CHAIN = """<sdf version="1.9">
  <model name="chain">
    <link name="a"/>
    <link name="b"><pose>1 0 0 0 0 0</pose></link>
    <link name="c"><pose>2 0 0 0 0 0</pose></link>
    <frame name="tip" attached_to="c"><pose relative_to="__model__">3 0 0 0 0 0</pose></frame>
    <joint name="ab" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
    <joint name="bc" type="fixed"><parent>b</parent><child>c</child></joint>
  </model>
</sdf>
"""


def test_at_other_joint_positions_bodies_move_what_they_carry() -> None:
    before, after = load_model(CHAIN), load_model(CHAIN.replace("0 0 1</xyz>", "0 1 0</xyz>"))
    comparison = FrameComparison(before, after)
    assert comparison.differences() == []
    q = comparison.configurations({"chain::ab": (0.5,)})
    found = {each.name: (each.changes, each.along) for each in comparison.differences(q)}
    moved = (Change.MOVED,)
    assert found == {
        "chain::b": (moved, ""),
        "chain::ab": (moved, "chain::b"),
        "chain::c": (moved, "chain::b"),
        "chain::bc": (moved, "chain::b"),
        "chain::tip": (moved, "chain::b"),
    }


def test_positions_go_by_the_names_that_joints_have_in_either() -> None:
    before, after = (load_model(text) for text in (CHAIN, CHAIN.replace('"ab"', '"hinge"').replace("chain", "leg")))
    comparison = FrameComparison(before, after)
    q = comparison.configurations({"leg::hinge": (0.5,)})
    assert [each.tolist() for each in q] == [[0.5], [0.5]]
    assert all(each.changes == (Change.RENAMED,) for each in comparison.differences(q))


def test_a_thousand_renamed_frames_are_found_in_no_time() -> None:
    def frames(prefix: str) -> str:
        return "".join(f'<frame name="{prefix}{n}"><pose>{n} 0 0 0 0 0</pose></frame>' for n in range(1000))

    text = '<sdf version="1.9"><model name="m"><link name="l"/>{}</model></sdf>'
    a, b = (load_model(text.format(frames(prefix))) for prefix in "ab")
    found = compare_models(a, b)
    assert len(found) == 1000
    assert all(each.changes == (Change.RENAMED,) for each in found)


def test_of_two_of_one_name_each_is_itself() -> None:
    text = ARM.replace('<link name="base"/>', '<link name="base"><visual name="v"/><visual name="v"/></link>')
    twice = text.replace('<visual name="v"/>', '<visual name="v"><pose>1 0 0 0 0 0</pose></visual>', 1)
    assert changes(load_model(text), text) == {}
    assert changes(load_model(text), twice) == {"arm::base::v": (Change.MOVED,)}
