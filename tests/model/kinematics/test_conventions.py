"""Model-absolute and element-relative: the seeds' parity models, their legacy numbers, a convention with a cycle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer import transforms
from sdfviewer.formats.load import load_model
from sdfviewer.model import graph
from sdfviewer.model.kinematics import conventions
from sdfviewer.model.kinematics.conventions import ELEMENT_RELATIVE, Comparison, PoseConvention
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.parametrize(("number", "parent", "child"), [(1, "linkA", "linkB"), (2, "link1", "link2")])
def test_two_links_orthogonal_as_in_the_figures(number: int, parent: str, child: str, examples: Path) -> None:
    """Both models start alike, and part at 0.78 rad: the child swings about another point."""
    model = load_model(examples / f"two_links_orthogonal_{number}.sdf")
    kinematics = Kinematics(model)
    joint = next(joint for joint in model.joints if joint.type == "revolute")
    C, P, J = model.row(child), model.row(parent), joint.row
    X = kinematics.poses(kinematics.positions({joint.name: (0.78,)}))
    p_J = {1: [0.1, 0, 0], 2: [0, 0, 0.1]}[number]
    np.testing.assert_allclose(model.X_RootF[C, :3, 3], [0.1, 0, 0.1], atol=1e-12)
    np.testing.assert_allclose(model.X_RootF[J, :3, 3], p_J, atol=1e-12)
    c, s = np.cos(0.78), np.sin(0.78)
    p_C = {1: [0.1 + 0.1 * s, 0, 0.1 * c], 2: [0.1 * c, 0, 0.1 - 0.1 * s]}[number]
    np.testing.assert_allclose(X[C, :3, 3], p_C, atol=1e-12)
    np.testing.assert_allclose(X[C, :3, :3], transforms.axis_angle_to_matrix([0, 1, 0], 0.78), atol=1e-12)
    np.testing.assert_array_equal(X[P], np.eye(4))
    # Jc rides with the child, Jp stays on the parent; the joint only turns one against the other.
    np.testing.assert_allclose(X[J, :3, 3], p_J, atol=1e-12)


@pytest.mark.parametrize("name", ["parity_relative_to", "parity_frames"])
def test_the_parity_models_read_alike_at_every_position(name: str, examples: Path, random: np.random.Generator) -> None:
    comparison = Comparison(load_model(examples / f"{name}.sdf"))
    assert comparison.equal
    assert comparison.faults == []
    kinematics = comparison.absolute.kinematics
    differences = comparison.differences(random.uniform(-3, 3, (100, len(kinematics.dofs))))
    np.testing.assert_allclose((differences.metres, differences.radians), 0, atol=1e-12)
    assert (comparison.causes == -1).all()
    assert comparison.reason(0) == ""


def test_the_parity_models_are_one_robot(examples: Path, random: np.random.Generator) -> None:
    models = [load_model(examples / f"parity_{name}.sdf") for name in ("relative_to", "frames")]
    q = random.uniform(-1, 1, (20, 3))
    poses = [
        Kinematics(model).poses(q, [model.row(name) for name in ("link1", "link2", "link3", "link4", "joint3")])
        for model in models
    ]
    np.testing.assert_allclose(poses[0], poses[1], atol=1e-12)


def test_the_legacy_numbers_differ_and_each_difference_names_its_default(examples: Path) -> None:
    model = load_model(examples / "parity_legacy_numbers.sdf")
    comparison = Comparison(model)
    assert not comparison.equal
    differing = {model.local_names[row] for row in comparison.initial_differences.rows if model.kinds[row].is_vertex}
    assert differing == {"link2", "link3", "link4", "joint3"}
    name = model.names[0]
    assert comparison.reason(model.row("link2")) == (
        f"link '{name}::link2' has no <pose>: it is measured from the model '{name}'; "
        f"URDF measures it from the joint '{name}::joint1' that drives it"
    )
    assert comparison.reason(model.row("joint3")) == (
        f"joint '{name}::joint3' has a pose without relative_to: it is measured from its child '{name}::link4'; "
        f"URDF measures it from its parent '{name}::link3'"
    )
    visual = next(row for row, owner in enumerate(model.owners) if owner == model.row("link2"))
    assert comparison.causes[visual] == model.row("link2")


def test_read_the_urdf_way_the_legacy_numbers_are_the_parity_model(examples: Path, random: np.random.Generator) -> None:
    parity = load_model(examples / "parity_relative_to.sdf")
    legacy = PoseConvention(load_model(examples / "parity_legacy_numbers.sdf"), ELEMENT_RELATIVE)
    q = random.uniform(-1, 1, (20, 3))
    rows = [parity.row(name) for name in ("link1", "link2", "link3", "link4", "joint1", "joint2", "joint3")]
    other = [legacy.model.row(parity.local_names[row]) for row in rows]
    np.testing.assert_allclose(Kinematics(parity).poses(q, rows), legacy.kinematics.poses(q, other), atol=1e-12)


def leaning(joint_pose: str, link_pose: str = "") -> Model:
    return load_model(
        f"""<sdf version="1.11"><model name="m"><link name="a"/>
        <joint name="j" type="revolute">{joint_pose}<parent>a</parent><child>b</child>
        <axis><xyz>0 0 1</xyz></axis></joint>
        <link name="b">{link_pose}</link><frame name="f" attached_to="b"/></model></sdf>"""
    )


def test_a_cycle_of_the_urdf_convention_alone_is_reported_with_its_path() -> None:
    model = leaning('<pose relative_to="b">0 0 1 0 0 0</pose>', "<pose>1 0 0 0 0 0</pose>")
    assert not any(diagnostic.is_error for diagnostic in model.diagnostics)
    comparison = Comparison(model)
    assert comparison.faults == ["the element-relative poses form a cycle: m::j → m::b → m::j"]
    assert not comparison.equal
    q = comparison.absolute.kinematics.q0 + 0.3
    differences = comparison.differences(q)
    assert differences.rows == [model.row(name) for name in ("j", "b", "f")]
    assert np.isnan(differences.metres[model.row("b")])
    assert comparison.causes[model.row("f")] == model.row("b")


def test_a_row_that_starts_equal_differs_by_the_joint_below_it() -> None:
    model = leaning("<pose>0 1 0 0 0 0</pose>", '<pose relative_to="__model__">0 0 0 0 0 0</pose>')
    comparison = Comparison(model)
    assert comparison.equal  # joint at (0, 1, 0) in both: from the child at the origin, and from the parent there
    moved = leaning("<pose>0 1 0 0 0 0</pose>", '<pose relative_to="__model__">5 0 0 0 0 0</pose>')
    comparison = Comparison(moved)
    b = moved.row("b")
    assert b not in comparison.initial_differences.rows
    assert b in comparison.differences([0.5]).rows
    assert comparison.causes[b] == moved.row("j")


def test_what_neither_convention_places_does_not_differ() -> None:
    text = """<sdf version="1.11"><model name="m"><link name="a"/>
      <frame name="lost"><pose relative_to="nowhere">1 0 0 0 0 0</pose></frame>
    </model></sdf>"""
    comparison = Comparison(load_model(text))
    assert not np.isfinite(comparison.absolute.X_RootF[comparison.model.rows_by_name["m::lost"]]).any()
    assert comparison.initial_differences.rows == []
    assert comparison.differences([]).rows == []


def test_a_joint_to_the_world_is_measured_from_the_model() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"><pose>1 0 0 0 0 0</pose></link>'
        '<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint></model></sdf>'
    )
    relative = PoseConvention(model, ELEMENT_RELATIVE)
    np.testing.assert_allclose(relative.X_RootF[model.row("j")], np.eye(4))
    np.testing.assert_allclose(relative.X_RootF[model.row("a"), :3, 3], [1, 0, 0])


def test_only_two_conventions_exist() -> None:
    with pytest.raises(ValueError, match="must be one of"):
        PoseConvention(leaning(""), "upside-down")


def test_a_world_without_joints_is_compared_without_a_look_at_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(conventions, "element_relative_target", lambda _model, row, _drivers: asked.append(row))
    models = "".join(f'<model name="m{k}"><pose>{k} 0 0 0 0 0</pose><link name="l"/></model>' for k in range(50))
    model = load_model(f'<sdf version="1.11"><world name="w">{models}</world></sdf>')
    relative = PoseConvention(model, ELEMENT_RELATIVE)
    assert not asked
    np.testing.assert_array_equal(relative.relative_to, model.relative_to)


def test_the_causes_in_a_long_chain_are_found_without_a_walk_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [f'<link name="l{n}"><pose>0 0 {n} 0 0 0</pose></link>' for n in range(200)]
    parts += [
        f'<joint name="j{n}" type="fixed"><parent>l{n - 1}</parent><child>l{n}</child></joint>' for n in range(1, 200)
    ]
    comparison = Comparison(load_model(f'<sdf version="1.9"><model name="m">{"".join(parts)}</model></sdf>'))
    targets = comparison.relative.relative_to
    assert not comparison.equal

    def nearest(row: int) -> int:
        while row >= 0 and comparison.absolute.relative_to[row] == targets[row]:
            row = int(targets[row])
        return row

    walks: list[int] = []
    monkeypatch.setattr(graph, "chain", lambda _parents, row: walks.append(row))
    causes = comparison.causes
    assert not walks
    assert all(causes[row] == nearest(row) for row in comparison.initial_differences.rows)


def test_conventions_that_measure_every_pose_from_the_same_row_are_computed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a world of thousands of models without a joint."""
    models = "".join(f'<model name="m{n}"><pose>{n} 0 0 0 0 0</pose><link name="link"/></model>' for n in range(3))
    model = load_model(f'<sdf version="1.11"><world name="w">{models}</world></sdf>')
    calls: list[PoseConvention] = []
    poses = Kinematics.poses
    monkeypatch.setattr(Kinematics, "poses", lambda self, *given: calls.append(self) or poses(self, *given))
    monkeypatch.setattr(graph, "resolve", lambda *_: pytest.fail("the poses are known"))
    absolute, relative = Comparison(model).poses(np.zeros(0))
    assert len(calls) == 1
    np.testing.assert_array_equal(relative, absolute)
    relative[0] = 0.0  # each is the caller's own
    assert not np.array_equal(relative, absolute)
