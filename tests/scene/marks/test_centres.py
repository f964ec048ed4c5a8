"""Centres of mass of links and of whole models, against the sums of their masses."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.scene.marks import label_totals
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.scene_build import SceneOptions
from sdfviewer.scene.sight import visible_part
from sdfviewer.transforms import pose_to_matrix
from tests.scenes import build_scene

LINKS = """<link name="a"><inertial><mass>1</mass><pose>0 0 1 0 0 0</pose></inertial></link>
<link name="b"><pose>4 0 0 0 0 1.5707963267948966</pose>
<inertial><mass>3</mass><pose>0 2 0 0 0 0</pose></inertial></link>
<link name="none"><inertial><mass>0</mass></inertial></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>"""


def scene_of(text: str) -> Scene:
    model, _ = Loader(Finder()).load_with_diagnostics(parse_document(f'<sdf version="1.11">{text}</sdf>'))
    assert model is not None
    return build_scene(model, SceneOptions(centres_of_mass=True))


def test_the_centre_of_a_model_follows_its_links() -> None:
    scene = scene_of(f'<model name="m">{LINKS}</model>')
    centres = scene.centres
    assert [scene.names[row] for row in centres.rows] == ["m::a", "m::b"]
    np.testing.assert_allclose(centres.points(scene.X_RootF), [(0, 0, 1), (2, 0, 0)], atol=1e-12)
    (total,) = centres.totals(scene.X_RootF).points(scene.X_RootF)
    np.testing.assert_allclose(total, (1.5, 0, 0.25), atol=1e-12)
    X = scene.X_RootF.copy()
    X[0] = pose_to_matrix((0, 0, 0, 0, 0, 1))  # the model turns where it is; the links stay
    X[scene.names.index("m::b")] = pose_to_matrix((4, 0, 0, 0, 0, 0))
    moved = update_poses(scene, X)
    (total,) = centres.totals(moved.X_RootF).points(moved.X_RootF)
    np.testing.assert_allclose(total, (3, 1.5, 0.25), atol=1e-12)


def test_each_model_of_a_world_has_a_total_with_its_mass() -> None:
    inner = f'<model name="inner"><pose>9 9 9 0 0 0</pose>{LINKS}</model>'
    alone = '<model name="alone"><link name="l"><inertial><mass>7</mass></inertial></link></model>'
    scene = scene_of(f'<world name="w">{alone}<model name="m">{inner}{LINKS}</model></world>')
    totals = scene.centres.totals(scene.X_RootF)
    assert [scene.names[row] for row in totals.rows] == ["m"], "one link needs no total"
    assert totals.masses.tolist() == [8.0], "with all that is nested in it"
    assert label_totals(totals, scene.names).texts == ("m  8 kg",)


def test_a_total_is_not_that_of_a_part() -> None:
    scene = scene_of(f'<model name="m">{LINKS}</model>')
    hidden = np.array([name == "m::a" for name in scene.names])
    part = visible_part(scene, hidden, np.ones(len(hidden)))
    assert [scene.names[row] for row in part.centres.rows] == ["m::b"]
    assert not len(part.centres.totals(part.X_RootF).rows)


def test_a_link_without_a_pose_leaves_its_model_without_a_total() -> None:
    scene = scene_of(f'<model name="m">{LINKS}</model>')
    X = scene.X_RootF.copy()
    X[scene.names.index("m::b")] = np.nan
    assert not len(scene.centres.totals(X).rows)


@pytest.mark.parametrize("text", ["<world name='w'/>", "<model name='m'><static>true</static><link name='l'/></model>"])
def test_what_cannot_move_has_no_centre_of_mass(text: str) -> None:
    scene = scene_of(text)
    assert not len(scene.centres.rows)
    assert not len(scene.centres.totals(scene.X_RootF).rows)
