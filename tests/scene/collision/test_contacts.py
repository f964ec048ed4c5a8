"""Which links collide while joints move: against closed forms and against Drake."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.motion import find_dof, make_sweep
from sdfviewer.model.model import Model
from sdfviewer.refactoring.renaming import rename
from sdfviewer.scene.collisions import Cancelled, CollisionChecker
from sdfviewer.scene.contacts import ContactTracker, LinkContact, contacts_along
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array


def checker_of(model: Model, **options: Any) -> CollisionChecker:
    return CollisionChecker(Kinematics(model), MeshLoader(Finder()), **options)


def contacts_at(checker: CollisionChecker, q: Array) -> tuple[LinkContact, ...]:
    return contacts_along(checker, np.zeros(1), q[None])


def collision(shape: str, pose: str = "0 0 0 0 0 0") -> str:
    return f"<collision name='c'><pose>{pose}</pose><geometry>{shape}</geometry></collision>"


POST = "<cylinder><radius>0.25</radius><length>1</length></cylinder>"
BALL = "<sphere><radius>0.3</radius></sphere>"
ARM = f"""<sdf version="1.11"><model name="m">
  <link name="base"/>
  <link name="post"><pose>0 2 0 0 0 0</pose>{collision(POST)}</link>
  <link name="upper">{collision("<box><size>1 0.2 0.2</size></box>", "0.6 0 0 0 0 0")}</link>
  <link name="ball"><pose>2 0 0 0 0 0</pose>{collision(BALL)}</link>
  <joint name="fixed" type="fixed"><parent>base</parent><child>post</child></joint>
  <joint name="turn" type="revolute"><parent>base</parent><child>upper</child>
    <axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>3</upper></limit></axis></joint>
  <joint name="hold" type="fixed"><parent>upper</parent><child>ball</child></joint>
</model></sdf>"""


def test_the_position_at_which_a_collision_begins_and_ends() -> None:
    """A ball on a circle of 2 m through a post of 0.25 m: they touch where the chord is 0.55 m."""
    checker = checker_of(load_model(ARM))
    kinematics = checker.kinematics
    sweep = make_sweep(kinematics, kinematics.q0, find_dof(kinematics, "turn"), samples=61)
    (contact,) = contacts_along(checker, sweep.values, sweep.configurations)
    half = 2 * math.asin(0.55 / 2 / 2)
    assert (contact.first, contact.second) == ("m::post", "m::ball")
    assert contact.intervals[0] == pytest.approx((math.pi / 2 - half, math.pi / 2 + half), abs=5e-6)
    assert not contact.from_start
    backwards = make_sweep(kinematics, kinematics.q0, sweep.column, 3.0, 0.0, samples=61)
    (contact,) = contacts_along(checker, backwards.values, backwards.configurations)
    assert contact.begins == pytest.approx(math.pi / 2 + half, abs=5e-6)


@pytest.mark.parametrize(("masks", "expected"), [(("1", "2"), False), (("1", "3"), True), (("0x04", "0x0c"), True)])
def test_shapes_without_a_common_bit_do_not_collide(masks: tuple[str, str], expected: bool) -> None:
    text = ARM
    for shape, mask in zip((POST, BALL), masks, strict=True):
        surface = f"<surface><contact><collide_bitmask>{mask}</collide_bitmask></contact></surface>"
        text = text.replace(f"<geometry>{shape}</geometry>", f"<geometry>{shape}</geometry>{surface}")
    checker = checker_of(load_model(text))
    q = checker.kinematics.positions({"m::turn": (math.pi / 2,)})
    assert bool(checker.colliding(q[None])[0]) == expected


def test_a_motion_that_starts_inside() -> None:
    checker = checker_of(load_model(ARM))
    q = checker.kinematics.positions({"m::turn": (math.pi / 2,)})
    (contact,) = contacts_at(checker, q)
    assert contact.from_start
    assert contacts_at(checker, checker.kinematics.q0) == ()


def test_the_joint_position_at_which_a_pair_begins_to_collide_is_kept_while_the_joints_move() -> None:
    checker, tracker = checker_of(load_model(ARM)), ContactTracker()
    begins = math.pi / 2 - 2 * math.asin(0.55 / 2 / 2)

    def at(turn: float) -> list[float | None]:
        tracked = tracker.follow(checker, checker.kinematics.positions({"m::turn": (turn,)}))
        assert not any(each.contact.always for each in tracked)
        return [None if each.onset is None else each.onset.value for each in tracked]

    assert at(1.5) == [pytest.approx(begins, abs=1e-5)]
    assert at(1.6) == [pytest.approx(begins, abs=1e-5)]
    assert at(3.0) == []
    assert at(1.6) == [pytest.approx(math.pi - begins, abs=1e-5)], "from the other side"
    tracker.lose()
    assert at(1.5) == [None], "no motion led here"


def test_what_was_tracked_before_an_edit_can_be_compared_with_what_is_tracked_after_it() -> None:
    """A test of the positions before an edit may end after it; the edit leaves the other joints as they were."""
    session = Session(parse_document(ARM))
    checker, tracker = CollisionChecker(session.kinematics, MeshLoader(Finder())), ContactTracker()
    before = tracker.follow(checker, checker.kinematics.positions({"m::turn": (math.pi / 2,)}))
    session.apply(rename(session.model, session.model.row("m::hold"), "grip"))
    checker = CollisionChecker(session.kinematics, MeshLoader(Finder()))
    after = tracker.follow(checker, checker.kinematics.positions({"m::turn": (math.pi / 2,)}))
    assert before[0].onset is not None
    assert before != after


def test_pairs_that_collide_with_all_joints_at_zero_come_last() -> None:
    inside = ARM.replace('<link name="base"/>', f'<link name="base">{collision(BALL, "2 0.1 0 0 0 0")}</link>')
    checker, tracker = checker_of(load_model(inside)), ContactTracker()
    tracked = tracker.follow(checker, checker.kinematics.positions({"m::turn": (math.pi / 2,)}))
    assert [each.contact.always for each in tracked] == [False]
    tracked = tracker.follow(checker, checker.kinematics.q0)
    assert [(each.contact.always, each.onset) for each in tracked] == [(True, None)]


def test_what_collides_all_along_a_motion_is_marked() -> None:
    ring = collision("<cylinder><radius>3</radius><length>1</length></cylinder>")
    checker = checker_of(load_model(ARM.replace('<link name="base"/>', f'<link name="base">{ring}</link>')))
    sweep = make_sweep(checker.kinematics, checker.kinematics.q0, find_dof(checker.kinematics, "turn"), samples=61)
    contacts = contacts_along(checker, sweep.values, sweep.configurations)
    assert {each.second: each.always for each in contacts if each.first == "m::base"} == {"m::ball": True}


CHAIN = f"""<sdf version="1.11"><model name="m">
  <link name="a">{collision(BALL)}</link>
  <link name="between"/>
  <link name="b">{collision(BALL)}</link>
  <link name="c">{collision(BALL)}</link>
  <link name="loose">{collision(BALL)}</link>
  <joint name="j1" type="revolute"><parent>a</parent><child>between</child><axis><xyz>1 0 0</xyz></axis></joint>
  <joint name="j2" type="revolute"><parent>between</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="j3" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


def pairs(checker: CollisionChecker) -> set[tuple[str, str]]:
    found = contacts_at(checker, checker.kinematics.q0)
    return {(each.first.removeprefix("m::"), each.second.removeprefix("m::")) for each in found}


def test_neighbours_are_left_out_also_across_a_link_without_a_shape() -> None:
    model = load_model(CHAIN)
    # All balls are in one place. a and b are neighbours through "between"; a and "loose" never move apart.
    assert pairs(checker_of(model)) == {("a", "c"), ("b", "loose"), ("c", "loose")}
    everything = {("a", "b"), ("a", "c"), ("b", "c"), ("b", "loose"), ("c", "loose")}
    assert pairs(checker_of(model, neighbours=True)) == everything


def test_what_is_fixed_to_the_world_is_one_body() -> None:
    model = load_model(
        f"""<sdf version="1.11"><world name="w">
        <model name="wall"><static>true</static>
          <link name="l">{collision("<box><size>1 1 1</size></box>")}</link></model>
        <model name="floor"><static>true</static>
          <link name="l">{collision("<plane><normal>0 0 1</normal></plane>", "0 0 -0.5 0 0 0")}</link></model>
        <model name="m"><link name="foot"><pose>2 0 0 0 0 0</pose></link>
          <link name="ball"><pose>2 0 0 0 0 0</pose>{collision(BALL)}</link>
          <joint name="slide" type="prismatic"><parent>foot</parent><child>ball</child>
            <axis><xyz>1 0 0</xyz></axis></joint>
          <joint name="drop" type="prismatic"><parent>foot</parent><child>stone</child>
            <axis><xyz>0 0 1</xyz></axis></joint>
          <link name="stone"><pose>50 60 0 0 0 0</pose>{collision(BALL)}</link></model>
        </world></sdf>"""
    )
    checker = checker_of(model)
    kinematics = checker.kinematics
    sweep = make_sweep(kinematics, kinematics.q0, find_dof(kinematics, "slide"), 0.0, -2.0)
    (contact,) = contacts_along(checker, sweep.values, sweep.configurations)
    assert (contact.first, contact.second) == ("world", "m::ball")
    assert contact.begins == pytest.approx(-1.2, abs=5e-6)
    sweep = make_sweep(kinematics, kinematics.q0, find_dof(kinematics, "drop"), 0.0, -5.0)
    (contact,) = contacts_along(checker, sweep.values, sweep.configurations)
    # A plane collides everywhere, however small it is drawn, and with all below it.
    assert contact.intervals == ((pytest.approx(-0.2, abs=1e-5), -5.0),)


def test_a_check_that_nobody_waits_for_ends() -> None:
    kinematics = Kinematics(load_model(ARM))
    checker = CollisionChecker(kinematics, MeshLoader(Finder()), stopped=lambda: True)
    with pytest.raises(Cancelled):
        contacts_at(checker, kinematics.q0)


def test_collisions_of_a_random_tree_are_those_of_drake() -> None:
    drake = pytest.importorskip("pydrake.all", reason="pydrake is not installed")
    generator = np.random.default_rng(3)
    shapes = [
        "<box><size>0.5 0.3 0.2</size></box>",
        "<sphere><radius>0.2</radius></sphere>",
        "<cylinder><radius>0.15</radius><length>0.5</length></cylinder>",
        "<capsule><radius>0.12</radius><length>0.4</length></capsule>",
        "<ellipsoid><radii>0.3 0.2 0.1</radii></ellipsoid>",
    ]
    links, joints = [], []
    for number in range(8):
        pose = " ".join(f"{value:.6f}" for value in generator.uniform(-0.6, 0.6, 6))
        links.append(f"<link name='l{number}'><pose>{pose}</pose>{collision(shapes[number % 5])}</link>")
        if number:
            axis = " ".join(f"{value:.6f}" for value in generator.normal(size=3))
            joints.append(
                f"<joint name='j{number}' type='revolute'><parent>l{number - 1}</parent><child>l{number}</child>"
                f"<axis><xyz>{axis}</xyz></axis></joint>"
            )
    text = f"<sdf version='1.11'><model name='m'>{''.join(links)}{''.join(joints)}</model></sdf>"
    builder = drake.DiagramBuilder()
    plant, graph = drake.AddMultibodyPlantSceneGraph(builder, 0.0)
    drake.Parser(plant).AddModelsFromString(text, "sdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("l0"))
    plant.Finalize()
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    plant_context = plant.GetMyMutableContextFromRoot(context)
    inspector = graph.model_inspector()
    checker = checker_of(load_model(text))
    names = checker.kinematics.model.names
    counted = 0
    for _ in range(60):
        q = generator.uniform(-3.0, 3.0, 7)
        plant.SetPositions(plant_context, q)
        found = graph.get_query_output_port().Eval(graph.GetMyContextFromRoot(context)).ComputePointPairPenetration()
        theirs = set()
        for each in found:
            ends = [plant.GetBodyFromFrameId(inspector.GetFrameId(id)).name() for id in (each.id_A, each.id_B)]
            if each.depth > 1e-5:
                theirs.add(tuple(sorted(f"m::{name}" for name in ends)))
        (pairs,) = checker.colliding(q[None])
        ours = {(names[a], names[b]) for a, b in pairs}
        shallow = {tuple(sorted((names[a], names[b]))) for a, b in pairs} - theirs
        assert theirs <= ours
        # What Drake does not list penetrates by less than what was left out above.
        assert len(shallow) <= 1
        counted += len(theirs)
    assert counted > 50
