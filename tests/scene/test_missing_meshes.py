"""What is drawn in place of missing meshes is what is known of their links, at its real size, and says what it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.scene.geometry import EDGE
from sdfviewer.scene.loader import MeshProblem
from sdfviewer.scene.nodes import Layer, MeshInstance
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.scene_build import SceneOptions, load_scene
from sdfviewer.scene.scene_contents import HATCHED

MISSING = (
    '<visual name="missing"><pose>0.1 0 0 0 0 0</pose><geometry><mesh><uri>nowhere.dae</uri></mesh></geometry></visual>'
)
COLLISION = (
    '<collision name="c"><pose>0 0 1 0 0 0</pose><geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision>'
)
SIZES = np.array([0.1, 0.2, 0.4])
"""Edges in metres of the box of :data:`INERTIAL`."""


def inertial(mass: float, edges: np.ndarray) -> str:
    a, b, c = (edges**2).tolist()
    moments = "".join(
        f"<{tag}>{mass / 12 * value!r}</{tag}>" for tag, value in (("ixx", b + c), ("iyy", a + c), ("izz", a + b))
    )
    return f"<inertial><pose>0 1 0 0 0 0</pose><mass>{mass}</mass><inertia>{moments}</inertia></inertial>"


def scene_of(links: str, *, collisions: bool = False) -> tuple[Scene, tuple[MeshProblem, ...]]:
    model = load_model(f'<sdf version="1.9"><model name="m">{links}</model></sdf>')
    return load_scene(model, SceneOptions(collisions=collisions), Finder(environ={}))


def stand_ins(scene: Scene) -> list[MeshInstance]:
    return [each for each in scene.surfaces if each.layer is Layer.PLACEHOLDER]


def extents(scene: Scene, surface: MeshInstance) -> np.ndarray:
    """Return middle and edges (2, 3) of a surface in the root, whose frame is parallel to that of the surface."""
    low, high = np.asarray(surface.mesh.bounds) * surface.scale
    X = scene.X_RootF[surface.row] @ (np.eye(4) if surface.X_RowG is None else surface.X_RowG)
    return np.array([X[:3, 3] + X[:3, :3] @ ((low + high) / 2), np.abs(X[:3, :3]) @ (high - low)])


def box(name: str, size: float, x: float) -> str:
    shape = f"<geometry><box><size>{size} {size} {size}</size></box></geometry>"
    return f'<link name="{name}"><pose>{x} 0 0 0 0 0</pose><visual name="v">{shape}</visual></link>'


def test_a_link_shows_its_collisions_hatched_where_they_are() -> None:
    scene, problems = scene_of(f'<link name="l">{inertial(2, SIZES)}{MISSING}{COLLISION}</link>')
    (drawn,) = stand_ins(scene)
    assert drawn.material is HATCHED
    assert scene.names[drawn.row] == "m::l::missing", (
        "a click on it selects the link, and who hides the visual hides it"
    )
    np.testing.assert_allclose(extents(scene, drawn), [(0, 0, 1), (0.1, 0.2, 0.3)], atol=1e-6)
    assert scene.stand_ins[drawn.row] == "mesh not found, drawn as its collision"
    assert [each.drawn for each in problems] == ["mesh not found, drawn as its collision"]


def test_without_collisions_it_shows_the_box_of_its_inertia_at_its_real_size() -> None:
    scene, _ = scene_of(f'<link name="l">{inertial(2, SIZES)}{MISSING}</link>{box("far", 1.0, 5.0)}')
    (drawn,) = stand_ins(scene)
    assert drawn.material is HATCHED
    np.testing.assert_allclose(extents(scene, drawn), np.array([(0, 1, 0), SIZES.tolist()]), atol=1e-6)
    assert scene.stand_ins[drawn.row].startswith("mesh not found, drawn as the box of its inertia, ")
    assert sorted(scene.stand_ins[drawn.row].partition("inertia, ")[2].removesuffix(" m").split(" × ")) == [
        "0.1",
        "0.2",
        "0.4",
    ]


def test_what_a_link_lacks_is_drawn_once() -> None:
    other = MISSING.replace("missing", "other")
    scene, _ = scene_of(f'<link name="l">{MISSING}{other}{COLLISION}</link>')
    assert len(stand_ins(scene)) == 1
    assert {scene.names[row] for row in scene.stand_ins} == {"m::l", "m::l::missing", "m::l::other"}


def test_collisions_that_are_shown_anyway_are_not_drawn_twice() -> None:
    scene, _ = scene_of(f'<link name="l">{MISSING}{COLLISION}</link>', collisions=True)
    assert [each.layer for each in scene.surfaces] == [Layer.COLLISION]
    assert set(scene.stand_ins.values()) == {"mesh not found, see its collisions"}


def test_a_collision_that_a_visual_shows_already_is_not_drawn_over_it() -> None:
    leg = '<{0} name="{0}"><pose>{1} 0 0 0 0 0</pose><geometry><sphere><radius>0.2</radius></sphere></geometry></{0}>'
    visible, foot = leg.format("visual", 2), leg.format("collision", 2)
    scene, _ = scene_of(f'<link name="l">{MISSING}{visible}{foot}{COLLISION}</link>')
    (drawn,) = stand_ins(scene)
    np.testing.assert_allclose(extents(scene, drawn)[1], (0.1, 0.2, 0.3), atol=1e-6)


@pytest.mark.parametrize("name", ["there.stl", "elsewhere.stl"])
def test_a_collision_may_be_a_mesh_if_that_is_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "there.stl").write_text(
        "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid s\n"
    )
    collision = f'<collision name="c"><geometry><mesh><uri>{name}</uri></mesh></geometry></collision>'
    model = load_model(f'<sdf version="1.9"><model name="m"><link name="l">{MISSING}{collision}</link></model></sdf>')
    scene, problems = load_scene(model, SceneOptions(), Finder([tmp_path], environ={}))
    (drawn,) = stand_ins(scene)
    assert (len(drawn.mesh.indices) == 1) is (name == "there.stl")
    assert len(problems) == 1, "what is not shown as long as the visual is there is not missed"


def marks(links: str) -> list[float]:
    """Return the edges of the marks in a model of some links, each with a size that is a guess."""
    scene, _ = scene_of(links)
    found = [each for each in stand_ins(scene) if each.material is None]
    assert [f"{each.scale[0] * EDGE:.3g} m, a guess" in scene.stand_ins[each.row] for each in found] == [True] * len(
        found
    )
    return [each.scale[0] * EDGE for each in found]


def test_a_link_of_which_nothing_is_known_shows_a_mark_as_large_as_its_neighbours() -> None:
    neighbours = "".join(box(f"b{k}", 0.2, 0.5 * k) for k in range(4)) + box("far", 2.0, 50.0)
    (edge,) = marks(f'<link name="l">{MISSING}</link>{neighbours}')
    assert abs(edge - 0.2) < 1e-6


def test_an_inertia_larger_than_all_that_is_there_is_no_size() -> None:
    inertia = "<inertial><mass>0.001</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    (edge,) = marks(f'<link name="l">{inertia}{MISSING}</link>{box("b", 0.1, 0.2)}')
    assert edge < 0.1


def test_alone_a_mark_has_a_size_too() -> None:
    assert marks(f'<link name="l">{MISSING}</link>') == [EDGE]
