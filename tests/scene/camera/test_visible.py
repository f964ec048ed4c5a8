"""Scenes without what is hidden, and with some of it see-through."""

from __future__ import annotations

import numpy as np

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import fit_with_glyphs
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.sight import visible_part
from tests.scenes import build_scene

TEXT = """<sdf version="1.11"><model name="m">
<link name="a"><visual name="v"><geometry><box/></geometry></visual>
<sensor name="s" type="imu"/></link>
<link name="b"><visual name="v"><geometry><box/></geometry></visual></link>
<link name="c"/>
<joint name="one" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="two" type="universal"><parent>b</parent><child>c</child>
<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
</model></sdf>
"""


def whole() -> Scene:
    model, _ = Loader(Finder()).load_with_diagnostics(parse_document(TEXT))
    assert model is not None
    return build_scene(model)


def rows(scene: Scene, *names: str) -> np.ndarray:
    mask = np.zeros(len(scene.X_RootF), bool)
    mask[[scene.names.index(f"m::{name}") for name in names]] = True
    return mask


def test_nothing_of_a_hidden_row_is_left() -> None:
    scene = whole()
    part = visible_part(scene, rows(scene, "a", "a::v", "a::s", "one"), np.ones(len(scene.X_RootF)))
    assert {scene.names[each.row] for each in part.surfaces} == {"m::b::v"}
    assert "a" not in part.labels.texts
    assert len(part.labels.texts) == len(part.labels.rows) == len(part.triads.rows)
    assert len(part.lines.rows) == 0
    assert set(part.joints.dofs) == {dof for dof in scene.joints.dofs if "two" in dof}
    # The second axis of the universal joint still carries the first.
    moved = [each - 1 if each >= 0 else each for each in scene.joints.carriers[1:].tolist()]
    assert part.joints.carriers.tolist() == moved
    assert part.X_RootF is scene.X_RootF


def test_a_row_without_a_frame_keeps_its_surfaces() -> None:
    scene = whole()
    part = visible_part(scene, rows(scene, "c"), np.ones(len(scene.X_RootF)), rows(scene, "b"))
    assert "m::b::v" in {scene.names[each.row] for each in part.surfaces}
    assert "b" not in part.labels.texts
    assert scene.names.index("m::b") not in part.triads.rows
    assert "a" in part.labels.texts


def test_a_surface_may_be_see_through() -> None:
    scene = whole()
    opacities = np.where(rows(scene, "b::v"), 0.25, 1.0)
    part = visible_part(scene, rows(scene), opacities)
    shown = {scene.names[each.row]: each.material for each in part.surfaces}
    material = shown["m::b::v"]
    assert material is not None
    assert material.opacity == 0.25
    assert shown["m::a::v"] is None  # as it was


def test_a_scene_of_which_nothing_is_hidden_is_the_same() -> None:
    scene = whole()
    assert visible_part(scene, rows(scene), np.ones(len(scene.X_RootF))) is scene


def test_what_is_shown_in_part_leaves_the_camera_to_that_part() -> None:
    """The origin of a world counted, too: a box sixty metres away that was shown alone was a speck."""
    text = TEXT.replace('<link name="b">', '<link name="b"><pose>60 0 0 0 0 0</pose>')
    model, _ = Loader(Finder()).load_with_diagnostics(parse_document(text))
    assert model is not None
    scene = build_scene(model)
    others = rows(scene, "a", "a::v", "a::s", "c", "one", "two")
    points = visible_part(scene, others, np.ones(len(scene.X_RootF))).outline()
    np.testing.assert_allclose([points.min(axis=0), points.max(axis=0)], [(59.5, -0.5, -0.5), (60.5, 0.5, 0.5)])
    part = visible_part(scene, others, np.ones(len(scene.X_RootF)))
    camera = fit_with_glyphs(Camera(), [part], part.outline(), (800, 600), 36.0, 36.0)
    assert camera.distance < 10, "nor do the axes of the model count"
    everything = rows(scene, "a", "a::v", "a::s", "b", "b::v", "c", "one", "two")
    part = visible_part(scene, everything, np.ones(len(scene.X_RootF)))
    assert np.abs(part.outline()).max() < 0.1, "only the frame of the model is left"
