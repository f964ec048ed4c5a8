"""URDF 1.1 and 1.2: rotations written as quaternions stand where they should, in every direction of conversion."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer import transforms
from sdfviewer.document.document import parse_document
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.formats.contents import read_inertial
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.urdf.values import parse_urdf_version
from sdfviewer.model.comparison.frames import compare_models
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from tests.corpus import at_least
from tests.frames import frame_in

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
QUARTER = 'quat_xyzw="0 0 0.70710678118654752 0.70710678118654752"'


def robot(origin: str, version: str = ' version="1.1"', part: str = "", limit: str = "") -> str:
    return (
        f'<robot name="r"{version}><link name="a">{INERTIAL}</link><link name="b">{INERTIAL}{part}</link>'
        f'<joint name="j" type="{"revolute" if limit else "fixed"}"><parent link="a"/><child link="b"/>'
        f'<origin xyz="1 2 3" {origin}/>{limit}</joint></robot>'
    )


def yaw_of(model: Model, name: str) -> float:
    return float(transforms.matrix_to_pose(frame_in(model, name).pose)[5])


def rules_of(text: str) -> list[str]:
    return [each.rule.name for each in sdfviewer.check(text)]


def test_a_joint_is_where_its_quaternion_turns_it() -> None:
    model = load_model(robot(QUARTER))
    np.testing.assert_allclose(
        frame_in(model, "r::b").pose, transforms.pose_to_matrix([1, 2, 3, 0, 0, math.pi / 2]), atol=1e-15
    )
    assert rules_of(robot(QUARTER)) == []


def test_a_quaternion_need_not_be_normalised() -> None:
    assert yaw_of(load_model(robot('quat_xyzw="0 0 5 5"')), "r::b") == pytest.approx(math.pi / 2)


def test_the_parts_of_a_link_turn_too() -> None:
    part = f'<visual name="v"><origin {QUARTER}/><geometry><box size="1 2 3"/></geometry></visual>'
    model = load_model(robot("", part=part))
    assert yaw_of(model, next(name for name in model.names if name.endswith("visual"))) == pytest.approx(math.pi / 2)
    turned = load_model(
        f'<robot name="r" version="1.1"><link name="a"><inertial><origin {QUARTER}/><mass value="1"/>'
        '<inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    inertial = read_inertial(turned, turned.row("a"))
    np.testing.assert_allclose(inertial.inertia_in_link, np.diag([2, 1, 3]), atol=1e-12)


@pytest.mark.parametrize("version", ["", ' version="1.0"'])
def test_before_1_1_a_quaternion_is_ignored_with_a_warning_and_a_fix(version: str) -> None:
    document = parse_document(robot(QUARTER, version))
    model, found = Loader(offer_fixes=offer_fixes).load_with_diagnostics(document)
    assert model is not None
    assert yaw_of(model, "r::b") == 0.0
    assert [each.rule.name for each in found] == ["urdf-newer-feature"]
    fixed = document.edited(found[0].fixes[0].replacements)
    model, found = Loader(offer_fixes=offer_fixes).load_with_diagnostics(fixed)
    assert model is not None
    assert found == ()
    assert yaw_of(model, "r::b") == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("origin", ['quat_xyzw="0 0 1"', 'quat_xyzw="0 0 0 0"', 'quat_xyzw="a b c d"'])
def test_what_is_no_rotation_is_an_error(origin: str) -> None:
    assert rules_of(robot(origin)) == ["urdf-bad-value"]


@pytest.mark.parametrize("text", ["1", "1.0.0", "1.", ".1", "-1.0", "abc", "1.0~pre6", "2.0", "1.3", ""])
def test_versions_that_urdfdom_refuses(text: str) -> None:
    assert parse_urdf_version(text) is None
    assert "urdf-version-unknown" in rules_of(robot("", f' version="{text}"'))


@pytest.mark.parametrize("xyzw", [(0.1, -0.2, 0.3, 0.4), (0, math.sqrt(0.5), 0, math.sqrt(0.5)), (1, 0, 0, 0)])
def test_every_export_keeps_the_pose(xyzw: tuple[float, ...]) -> None:
    part = '<visual><origin quat_xyzw="0 0.6 0 0.8"/><geometry><capsule radius="1" length="2"/></geometry></visual>'
    model = load_model(robot(f'quat_xyzw="{" ".join(map(repr, xyzw))}"', part=part))
    sdformat = load_model(export_sdformat(model).text)
    assert 'rotation_format="quat_xyzw"' in sdformat.document.text
    names = [name for name in model.names if name.count("::") == 1]
    for other in (sdformat, *(load_model(export_urdf(model, version).text) for version in ((1, 0), (1, 1)))):
        for name in names:
            np.testing.assert_allclose(frame_in(other, name).pose, frame_in(model, name).pose, atol=1e-9)
    assert not compare_models(model, load_model(export_urdf(model, (1, 1)).text), ())


def test_the_export_writes_quaternions_and_capsules_where_asked() -> None:
    part = f'<visual><origin {QUARTER}/><geometry><capsule radius="1" length="2"/></geometry></visual>'
    model = load_model(robot(QUARTER, part=part))
    old, new = export_urdf(model).text, export_urdf(model, (1, 1)).text
    assert [word in old for word in ('<robot name="r">', "quat", "<capsule")] == [True, False, False]
    assert 'version="1.1"' in new
    assert new.count("quat_xyzw") == 2
    assert "<capsule" in new
    assert rules_of(new) == []


def test_a_comparison_sees_that_a_quaternion_and_its_angles_are_one_pose() -> None:
    angles, quaternion = load_model(robot('rpy="0 0 1.5707963267948966"')), load_model(robot(QUARTER))
    assert not compare_models(angles, quaternion, ())
    moved = compare_models(load_model(robot("")), quaternion, ())
    assert {"r::b"} <= {each.name for each in moved}


def test_limits_of_1_2() -> None:
    limit = '<limit upper="2" acceleration="5" deceleration="6" jerk="7"/>'
    model = load_model(robot("", ' version="1.2"', limit=limit))
    axis = model.joints[0].axes[0]
    assert (axis.lower, axis.upper, axis.effort, axis.velocity) == (-math.inf, 2, math.inf, math.inf)
    assert rules_of(robot("", ' version="1.2"', limit=limit)) == []
    assert rules_of(robot("", ' version="1.2"', limit='<limit effort="-1"/>')) == ["urdf-bad-value"]
    assert 'jerk="7"' in export_urdf(model, (1, 2)).text
    assert any("jerk" in note.message for note in export_urdf(model).notes)
    assert any("jerk" in note.message for note in export_sdformat(model).notes)


def test_solids_of_1_2_have_a_size() -> None:
    part = '<visual><geometry><sphere radius="0"/></geometry></visual>'
    assert rules_of(robot("", ' version="1.2"', part)) == ["urdf-bad-value"]
    assert rules_of(robot("", ' version="1.1"', part)) == []
    capsule = '<visual><geometry><capsule radius="-1" length="1"/></geometry></visual>'
    assert rules_of(robot("", ' version="1.1"', capsule)) == ["urdf-bad-value"]


def with_quaternions(text: str) -> tuple[str, int]:
    """Return a URDF with quaternions for angles, in a version that has them, and how many there are."""
    count = 0

    def rewrite(origin: re.Match[str]) -> str:
        nonlocal count
        angles = re.search(r'rpy\s*=\s*"([^"]*)"', origin[0])
        if angles is None:
            return origin[0]
        count += 1
        R = transforms.rpy_to_matrix(np.array([float(word) for word in angles[1].split()]))
        w, x, y, z = transforms.matrix_to_quaternion(R).tolist()
        return origin[0].replace(angles[0], f'quat_xyzw="{x!r} {y!r} {z!r} {w!r}"')

    written = re.sub(r"<origin\b[^>]*>", rewrite, text)
    return re.sub(r"<robot\b(?![^>]*\bversion=)", '<robot version="1.1"', written, count=1), count


def test_real_robots_with_quaternions_have_the_same_frames(corpus: Path, tmp_path: Path) -> None:
    robots = origins = 0
    for file in sorted(corpus.rglob("*.urdf")):
        text = file.read_text(encoding="utf-8", errors="replace")
        if not re.search(r"<robot(?![^>]*xacro)", text):
            continue
        written, count = with_quaternions(text)
        other = tmp_path / file.name
        other.write_text(written, encoding="utf-8")
        before, after = load_model(file), load_model(other)
        assert after.names == before.names
        np.testing.assert_allclose(after.X_RootF, before.X_RootF, atol=1e-12, rtol=0)
        robots, origins = robots + 1, origins + count
    assert robots > at_least(15)
    assert origins > at_least(600)
