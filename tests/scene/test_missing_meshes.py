"""The marks of missing meshes are as large as what they stand for, and never larger than what is there."""

from __future__ import annotations

from sdfviewer.formats.load import load_model
from sdfviewer.scene.meshes.placeholder import EDGE
from sdfviewer.scene.nodes import Layer
from sdfviewer.scene.scene_build import build_scene

MISSING = '<visual name="missing"><geometry><mesh><uri>nowhere.dae</uri></mesh></geometry></visual>'


def edges(links: str) -> list[float]:
    """Return the edges of the marks in a model of some links."""
    scene = build_scene(load_model(f'<sdf version="1.9"><model name="m">{links}</model></sdf>'))
    return [each.scale[0] * EDGE for each in scene.surfaces if each.layer is Layer.PLACEHOLDER]


def box(name: str, size: float, x: float) -> str:
    shape = f"<geometry><box><size>{size} {size} {size}</size></box></geometry>"
    return f'<link name="{name}"><pose>{x} 0 0 0 0 0</pose><visual name="v">{shape}</visual></link>'


def test_a_mark_is_as_large_as_the_inertia_of_its_link() -> None:
    moment = 2 * 0.3**2 / 6  # a cube of 0.3 m and 2 kg
    inertia = f"<inertia><ixx>{moment}</ixx><iyy>{moment}</iyy><izz>{moment}</izz></inertia>"
    link = f'<link name="l"><inertial><mass>2</mass>{inertia}</inertial>{MISSING}</link>'
    (edge,) = edges(link + box("far", 1.0, 5.0))
    assert abs(edge - 0.3) < 1e-6


def test_without_inertia_it_is_as_large_as_its_neighbours() -> None:
    neighbours = "".join(box(f"b{k}", 0.2, 0.5 * k) for k in range(4)) + box("far", 2.0, 50.0)
    (edge,) = edges(f'<link name="l">{MISSING}</link>{neighbours}')
    assert abs(edge - 0.2) < 1e-6


def test_it_is_never_larger_than_what_is_there() -> None:
    inertia = "<inertial><mass>0.001</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    (edge,) = edges(f'<link name="l">{inertia}{MISSING}</link>{box("b", 0.1, 0.2)}')
    assert edge < 0.1


def test_alone_it_has_a_size_too() -> None:
    assert edges(f'<link name="l">{MISSING}</link>') == [EDGE]
