"""Jp and Jc, as "Specifying model kinematics in SDFormat" defines them, and its two examples after joint motion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinematics.conventions import JointFrames, resolve_joint_frames
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert
from tests.frames import frame_in

EXAMPLES = Path(__file__).parents[3] / "resources" / "examples"
NAMES = ("arm.sdf", "two_links_orthogonal_1.sdf", "two_links_orthogonal_2.sdf", "double_pendulum.sdf")


def load(name: str) -> Model:
    model = Loader().load(open_document(EXAMPLES / name))
    assert model is not None
    return model


def moved(model: Model) -> Array:
    kinematics = Kinematics(model)
    q = np.full(len(kinematics.dofs), 0.3)
    return kinematics.poses(q)


def frames_of(model: Model, joint: Joint, X_RootF: Array) -> JointFrames:
    frames = resolve_joint_frames(model, joint, X_RootF)
    assert frames is not None
    return frames


@pytest.mark.parametrize("name", NAMES)
def test_jp_and_jc_coincide_at_zero(name: str) -> None:
    model = load(name)
    for joint in model.joints:
        np.testing.assert_allclose(frames_of(model, joint, model.X_RootF).X_JpJc, np.eye(4), atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_axis_is_the_same_in_jp_and_jc(name: str) -> None:
    model = load(name)
    X_RootF = moved(model)
    for joint in model.joints:
        for axis in joint.axes if joint.type in ("revolute", "continuous") else ():
            R_JpJc = frames_of(model, joint, X_RootF).X_JpJc[:3, :3]
            np.testing.assert_allclose(R_JpJc @ axis.xyz, axis.xyz, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_child_moves_with_the_joint(name: str) -> None:
    model = load(name)
    X_RootF = moved(model)
    for joint in model.joints:
        if joint.parent < 0:
            continue
        frames = frames_of(model, joint, X_RootF)
        X_RootC = X_RootF[joint.parent] @ frames.X_PJp @ frames.X_JpJc @ invert(frames.X_CJc)
        np.testing.assert_allclose(X_RootC, X_RootF[joint.child], atol=1e-9)


def test_the_two_examples_after_joint_motion() -> None:
    places = []
    for name, joint, child in (
        ("two_links_orthogonal_1.sdf", "two_links_orthogonal_1::jointAB", "two_links_orthogonal_1::linkB"),
        ("two_links_orthogonal_2.sdf", "two_links_orthogonal_2::joint12", "two_links_orthogonal_2::link2"),
    ):
        model = load(name)
        kinematics = Kinematics(model)
        X = kinematics.poses(kinematics.positions({joint: (0.78,)}))
        np.testing.assert_allclose(frame_in(model, child).pose[:3, 3], [0.1, 0, 0.1], atol=1e-12)
        places.append(X[model.row(child), :3, 3])
    s, c = 0.1 * math.sin(0.78), 0.1 * math.cos(0.78)
    np.testing.assert_allclose(places[0], [0.1 + s, 0, c], atol=1e-12)  # about 0.1 0 0, 0.1 above it
    np.testing.assert_allclose(places[1], [c, 0, 0.1 - s], atol=1e-12)  # about 0 0 0.1, 0.1 beside it


def test_a_joint_without_a_child_has_no_frames(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(
        '<sdf version="1.9"><model name="m"><link name="a"/><joint name="j" type="fixed"><parent>a</parent>'
        "<child>x</child></joint></model></sdf>",
        encoding="utf-8",
    )
    model = Loader().load(open_document(path))
    assert model is not None
    assert resolve_joint_frames(model, model.joints[0], model.X_RootF) is None
