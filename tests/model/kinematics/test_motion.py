"""Motions between keyframes, sweeps, and joint states as CSV."""

from __future__ import annotations

import math
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.joint_states import JointStatesError, format_joint_states, parse_joint_states
from sdfviewer.model.kinematics.loops import loop_residuals, loops_around
from sdfviewer.model.kinematics.motion import Easing, Keyframe, Timeline, Trajectory, find_dof, make_sweep
from sdfviewer.scene.collisions import adjacent_bodies


def joint(name: str, parent: str, child: str, more: str = "", limits: tuple[float, float] = (-1.0, 2.0)) -> str:
    limit = f"<limit><lower>{limits[0]}</lower><upper>{limits[1]}</upper></limit>"
    return (
        f"<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child>"
        f"<axis><xyz>0 0 1</xyz>{limit}{more}</axis></joint>"
    )


ARM = f"""<sdf version="1.11"><model name="m">
  <link name="base"/><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
  <link name="c"><pose>1.5 0 0 0 0 0</pose></link>
  <frame name="tip" attached_to="c"><pose>0.5 0 0 0 0 0</pose></frame>
  {joint("shoulder", "base", "a")}{joint("elbow", "a", "b")}
  {
    joint(
        "wrist",
        "b",
        "c",
        '<mimic joint="elbow"><multiplier>2</multiplier><offset>0</offset><reference>0</reference></mimic>',
        (-0.5, 3.0),
    )
}
</model></sdf>"""


@pytest.fixture
def arm() -> Kinematics:
    return Kinematics(load_model(ARM))


# --- keyframes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("easing", Easing)
def test_every_easing_leads_from_one_keyframe_to_the_next(easing: Easing) -> None:
    path = Trajectory(np.array([1.0, 3.0, 4.0]), np.array([[0.0], [2.0], [-1.0]]), (easing, easing))
    assert path.at([0.0, 1.0, 3.0, 4.0, 9.0])[:, 0] == pytest.approx([0.0, 0.0, 2.0, -1.0, -1.0])
    steps = np.diff(path.at(np.linspace(1.0, 3.0, 50))[:, 0])
    assert (steps >= 0).all()


def test_easings_differ_in_between() -> None:
    middle = {each: float(each.progress(0.25)) for each in Easing}
    assert middle[Easing.LINEAR] == 0.25
    assert middle[Easing.SMOOTH] == pytest.approx(0.15625)
    assert middle[Easing.EASE_IN] == pytest.approx(0.0625)
    assert middle[Easing.EASE_OUT] == pytest.approx(0.4375)
    assert middle[Easing.HOLD] == 0.0


def test_a_motion_starts_and_ends_at_rest_between_smooth_keyframes() -> None:
    path = Trajectory(np.array([0.0, 1.0]), np.array([[0.0], [1.0]]), (Easing.SMOOTH,))
    for end in (0.0, 1.0):
        assert abs(float((path.at(end + 1e-4) - path.at(end - 1e-4))[0])) < 1e-6


def test_keyframes_are_kept_in_order_and_one_at_a_time(arm: Kinematics) -> None:
    timeline = Timeline((Keyframe(0.0, {}, "home"), Keyframe(2.0, {"m::shoulder": (1.0,)}, "up")))
    timeline = timeline.with_keyframe(Keyframe(1.0, {"m::elbow": (0.5,)}, "middle"))
    assert [each.name for each in timeline.keyframes] == ["home", "middle", "up"]
    moved = timeline.moved(0, 3.0)
    assert [(each.name, each.time) for each in moved.keyframes] == [("middle", 1.0), ("up", 2.0), ("home", 3.0)]
    assert [each.name for each in timeline.moved(0, 2.0).keyframes] == ["middle", "home"]
    path = timeline.eased(0, Easing.LINEAR).trajectory(arm)
    assert path is not None
    assert path.at(0.5).tolist() == pytest.approx([0.0, 0.25, 0.5])
    assert Timeline().trajectory(arm) is None


def test_a_rename_keeps_the_timeline(arm: Kinematics) -> None:
    timeline = Timeline((Keyframe(0.0, {"old": (1.0,)}, "up"),)).renamed_joints({"old": "m::shoulder"})
    path = timeline.trajectory(arm)
    assert path is not None
    assert path.at(0.0)[0] == 1.0


# --- sweeps ------------------------------------------------------------------------------------------------------


def test_a_sweep_goes_from_limit_to_limit_and_names_those_that_it_reaches(arm: Kinematics) -> None:
    sweep = make_sweep(arm, arm.q0, find_dof(arm, "elbow"))
    assert (sweep.first, sweep.last) == (-1.0, 2.0)
    reached = [(each.dof.name, each.upper, each.value) for each in sweep.limits_reached]
    # The wrist follows with twice the angle: it is beyond its limit where the sweep starts, and passes 3 at 1.5.
    assert reached == [
        ("m::elbow", False, -1.0),
        ("m::wrist", False, -1.0),
        ("m::wrist", True, pytest.approx(1.5)),
        ("m::elbow", True, 2.0),
    ]


def test_the_way_of_a_frame_is_an_arc(arm: Kinematics) -> None:
    sweep = make_sweep(arm, arm.q0, find_dof(arm, "m::shoulder"), 0.0, 1.5, samples=31)
    path = sweep.path(arm.model.row("m::tip"))
    angles = np.linspace(0.0, 1.5, 31)
    assert path == pytest.approx(np.stack([2 * np.cos(angles), 2 * np.sin(angles), 0 * angles], axis=1))


def test_what_cannot_be_swept_is_refused_in_words(arm: Kinematics) -> None:
    with pytest.raises(SdfViewerError, match="mimics 'm::elbow'"):
        find_dof(arm, "wrist")
    with pytest.raises(SdfViewerError, match="did you mean 'm::elbow'"):
        find_dof(arm, "m::elbo")


def four_bar(d: str) -> Kinematics:
    """Return a crank of 1 m at 90°, a rocker 2 m away, and a coupler; the last pivot is at d in the coupler."""
    bars = [("a", "ground", "crank", ""), ("b", "crank", "coupler", ""), ("c", "ground", "rocker", "")]
    bars.append(("d", "rocker", "coupler", f"<pose>{d} 0 0 0 0 0</pose>"))
    joints = "".join(
        f"<joint name='{name}' type='revolute'>{pose}<parent>{parent}</parent><child>{child}</child>"
        "<axis><xyz>0 0 1</xyz></axis></joint>"
        for name, parent, child, pose in bars
    )
    return Kinematics(
        load_model(
            f"""<sdf version="1.11"><model name="bar"><link name="ground"/><link name="crank"/>
            <link name="coupler"><pose>0 1 0 0 0 0</pose></link><link name="rocker"><pose>2 0 0 0 0 0</pose></link>
            {joints}</model></sdf>"""
        )
    )


def test_loops_stay_closed_during_a_sweep() -> None:
    kinematics = four_bar("2")
    sweep = make_sweep(kinematics, kinematics.q0, find_dof(kinematics, "a"), -0.5, 0.5, samples=11)
    # A parallelogram: the rocker turns as the crank does.
    assert sweep.configurations[:, find_dof(kinematics, "c")] == pytest.approx(sweep.values, abs=1e-6)
    assert sweep.opens_at is None


def test_a_sweep_says_where_a_loop_cannot_be_closed_any_more() -> None:
    kinematics = four_bar("0.5")
    sweep = make_sweep(kinematics, kinematics.q0, find_dof(kinematics, "a"), 0.0, 0.2, samples=41)
    # The tip of the crank gets farther from the rocker's pivot than coupler and rocker reach.
    farthest = math.acos((5.0 - (0.5 + math.hypot(1.5, 1.0)) ** 2) / 4.0) - math.pi / 2
    assert sweep.opens_at == pytest.approx(farthest, abs=0.2 / 40)


# --- joint states ------------------------------------------------------------------------------------------------


def test_joint_states_survive_being_written_and_read(arm: Kinematics) -> None:
    times = np.array([0.0, 0.1, 0.30000000000000004])
    q = arm.follow(np.array([[0.1, 0.2, 0.0], [1 / 3, 0.0, 0.0], [-1.0, 0.7, 0.0]]))
    text = format_joint_states(arm, times, q)
    assert text.splitlines()[0] == "time,m::shoulder,m::elbow,m::wrist"
    again = parse_joint_states(text, arm).trajectory
    assert np.array_equal(again.times, times)
    assert np.array_equal(again.q, q)


def _revolute(*names: str, model: str = "m") -> Kinematics:
    """Return the kinematics of a chain of joints of any names."""
    links = "".join(f'<link name="link_{number}"/>' for number in range(len(names) + 1))
    joints = "".join(
        f"<joint name={quoteattr(name)} type='revolute'><parent>link_{number}</parent><child>link_{number + 1}</child>"
        "<axis><xyz>0 0 1</xyz></axis></joint>"
        for number, name in enumerate(names)
    )
    return Kinematics(load_model(f"<sdf version='1.11'><model name={quoteattr(model)}>{links}{joints}</model></sdf>"))


@pytest.mark.parametrize(
    "names",
    [("a;b", "c"), ("a\tb",), ("a,b",), ('a"b',), ("a\nb",), ("a\u2028b",), ("time",), ("t",), ("-",), ("#a",),
     ("1", "2"), ("elbow [deg]", "elbow"), ("'=a", "=a"), ("a;b", "a,b"), ("@a", "+1", "-2")],
)  # fmt: skip
def test_joint_states_of_any_names_survive(names: tuple[str, ...]) -> None:
    for model in ("m", "=m", "'=m", "a;b", "time", "#m", "m [deg]"):
        kinematics = _revolute(*names, model=model)
        q = np.arange(2.0 * len(names)).reshape(2, -1)
        text = format_joint_states(kinematics, np.array([0.0, 1.0]), q)
        again = parse_joint_states(text, kinematics)
        assert np.array_equal(again.trajectory.q, q), model
        assert again.ignored == (), model


def test_a_spreadsheet_runs_no_name_as_a_formula() -> None:
    kinematics = _revolute("j", model="=cmd()")
    heading = format_joint_states(kinematics, np.zeros(1), np.zeros((1, 1))).splitlines()[0]
    assert heading == "time,'=cmd()::j"


def test_the_cost_of_a_table_grows_in_step_with_its_size(arm: Kinematics) -> None:
    # Each of these took the square of its length, or the cube.
    deep = _revolute("::".join("a" * 200_000))
    assert parse_joint_states("time,m::" + "::".join("a" * 40_000) + "\n0,1\n", _revolute("::".join("a" * 40_000)))
    with pytest.raises(JointStatesError, match="no column"):
        parse_joint_states("time,b\n0,1\n", deep)
    states = parse_joint_states(f"elbow,{'a' + '[' * 100_000}\n1,2\n", arm)
    assert len(states.ignored) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1," * 2_000_001, "more than 2,000,000 cells"),
        ("time,elbow\n-1e308,1\n1.7e308,2\n", "too far apart"),
    ],
)
def test_tables_beyond_a_limit_are_refused(arm: Kinematics, text: str, message: str) -> None:
    with pytest.raises(JointStatesError, match=message):
        parse_joint_states(text, arm)


def test_columns_may_have_an_order_of_their_own(arm: Kinematics) -> None:
    states = parse_joint_states("0.5,9,0.2,0\n0.6,9,0.4,1\n", arm, ["elbow", "-", "m::shoulder", "time"]).trajectory
    assert states.times.tolist() == [0.0, 1.0]
    assert states.q.tolist() == [[0.2, 0.5, 1.0], [0.4, 0.6, 1.2]]
    text = format_joint_states(arm, states.times, states.q, ["elbow", "time", "shoulder [deg]"])
    assert text.splitlines()[0] == "elbow,time,shoulder [deg]"
    assert parse_joint_states(text, arm).trajectory.q == pytest.approx(states.q)


@pytest.mark.parametrize(
    "text",
    [
        "time,shoulder,elbow\n0,1,0.5\n1,0,0.25\n",
        "# recorded\n\nelbow; t; shoulder\n0,5; 0; 1\n0,25; 1; 0\n",
        "time\tm::shoulder [deg]\telbow\teffort\n0\t57.29577951308232\t0.5\tnan\n1\t0\t0.25\t\n",
    ],
)
def test_tables_of_all_habits_are_read(arm: Kinematics, text: str) -> None:
    states = parse_joint_states(text, arm).trajectory
    assert states.times.tolist() == [0.0, 1.0]
    assert states.q == pytest.approx(np.array([[1.0, 0.5, 1.0], [0.0, 0.25, 0.5]]))


def test_columns_that_no_joint_has_are_listed(arm: Kinematics) -> None:
    assert parse_joint_states("time,elbow,battery\n0,1,x\n", arm).ignored == ("battery",)


def test_numbers_without_names_are_the_joints_in_their_order(arm: Kinematics) -> None:
    assert parse_joint_states("0.1,0.2,0.4\n", arm).trajectory.q.tolist() == [[0.1, 0.2, 0.4]]
    assert parse_joint_states("7,0.1,0.2,0.4\n", arm).trajectory.times.tolist() == [7.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("time,elbow\n", "contains no numbers"),
        ("time,elbow\n0,1\n0,2\n", "line 3: the time must be later"),
        ("time,elbow\n0,x\n", "line 2, column 2: 'x' is not a number"),
        ("time,elbow\n0,inf\n", "line 2, column 2: 'inf' is not a number"),
        ("time,elbow\n0\n", "line 2 has 1 columns"),
        ("time,knee\n0,1\n", "no column is named after a movable joint"),
        ("elbow,m::elbow\n0,1\n", "name the same joint"),
        ("1,2\n", "2 columns without names"),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_line(arm: Kinematics, text: str, message: str) -> None:
    with pytest.raises(JointStatesError, match=message):
        parse_joint_states(text, arm)


# --- neighbours --------------------------------------------------------------------------------------------------


def test_neighbours_are_joined_by_a_joint_or_through_links_without_a_shape(arm: Kinematics) -> None:
    row = arm.model.row
    base, a, b, c = row("m::base"), row("m::a"), row("m::b"), row("m::c")
    assert adjacent_bodies(arm.model, {base, a, b, c}) == {(base, a), (a, b), (b, c)}
    assert adjacent_bodies(arm.model, {base, c}) == {(base, c)}


def test_positions_between_the_largest_numbers() -> None:
    trajectory = Trajectory(np.array([0.0, 1.0]), np.array([[-1.7e308], [1.7e308]]))
    assert trajectory.at([0.0, 0.5, 1.0])[:, 0].tolist() == [-1.7e308, 0.0, 1.7e308]


def test_a_sweep_closes_only_the_loops_that_its_joint_opens(collection: Path) -> None:
    kinematics = Kinematics(load_model(collection / "porter" / "models" / "porter" / "model.sdf"))
    column = find_dof(kinematics, "l_gripper_r_finger_tip_joint")
    q = kinematics.q0.copy()
    other = find_dof(kinematics, "r_gripper_r_finger_tip_joint")
    q[other] = 0.1
    sweep = make_sweep(kinematics, q, column, 0.0, 0.2, samples=21)
    names = {joint.name for joint in loops_around(kinematics, [column])}
    gaps = np.maximum(*loop_residuals(kinematics, sweep.configurations))
    around = np.array([joint.name in names for joint in kinematics.loop_joints])
    assert 0 < around.sum() < len(around)
    assert gaps[:, around].max() < 1e-6
    np.testing.assert_array_equal(sweep.configurations[:, other], 0.1)
    assert gaps[:, ~around].max() > 1e-3, "the other hand stays as it is"
    assert sweep.opens_at is None, "its loops are not those of the sweep"
