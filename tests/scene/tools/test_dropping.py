"""Shapes and meshes that are dropped on a robot, beside it and on the ground."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import uri_of
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.refactoring.new_parts import NewMesh, NewShape
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.tools.placing import (
    DropTarget,
    PickedPlace,
    drop_mesh,
    drop_shape,
    fitting_size,
    guess_unit,
    target_at,
)
from sdfviewer.transforms import pose_to_matrix
from tests.scenes import build_scene

WORLD = """<sdf version="1.12"><world name="w">
<model name="ground"><static>true</static><link name="link"><visual name="v"><geometry><plane><size>50 50</size></plane>
</geometry></visual></link></model>
<model name="box"><pose>1 0 0.5 0 0 0.3</pose><link name="link"><visual name="v"><geometry><box><size>1 1 1</size></box>
</geometry></visual></link></model>
</world></sdf>
"""


def load(text: str) -> Model:
    model = Loader(Finder()).load(parse_document(text))
    assert model is not None
    return model


def applied(model: Model, edit: Edit) -> Model:
    return load(model.document.edited(edit.replacements).text)


def target(row: str | None, point: tuple[float, float, float], normal: tuple[float, float, float]) -> DropTarget:
    model = load(WORLD)
    place = PickedPlace(np.array(point), np.array(normal), None, -1 if row is None else model.row(row), "")
    return target_at(build_scene(model), model, place)


@pytest.mark.parametrize("shape", PRIMITIVES)
@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (0.0, -1.0, 0.0)])
def test_a_shape_rests_on_what_it_is_dropped_on(shape: str, normal: tuple[float, float, float]) -> None:
    where = target("box::link::v", (1.0, 0.0, 1.0), normal)
    assert where.model.names[where.link] == "box::link"
    after = applied(where.model, drop_shape(where, NewShape.usual(shape, 0.2), Loader()))
    row = after.row(f"box::link::{shape}")
    assert after.kinds[row] is Kind.VISUAL
    drawn = shape_of(NewShape.usual(shape, 0.2).geometry)
    assert drawn is not None
    mesh = MeshLoader(Finder()).mesh(drawn)
    X = after.X_RootF[row]
    points = mesh.positions * np.asarray(drawn.scale) @ X[:3, :3].T + X[:3, 3]
    heights = (points - where.place.point) @ np.array(normal)
    assert heights.min() == pytest.approx(0, abs=2e-4)


def test_what_is_dropped_on_the_ground_is_a_model_of_its_own() -> None:
    where = target("ground::link::v", (3.0, 2.0, 0.0), (0.0, 0.0, 1.0))
    assert where.link == -1
    after = applied(where.model, drop_shape(where, NewShape.usual("cylinder", 0.2), Loader()))
    X = after.X_RootF[after.row("cylinder::link")]
    np.testing.assert_allclose(X, pose_to_matrix((3, 2, 0.1, 0, 0, 0)), atol=1e-12)
    assert "ground" in after.document.text.split("cylinder")[0]


def test_all_orientations_of_a_sphere_are_the_same() -> None:
    where = target("box::link::v", (1.0, -0.5, 0.5), (0.0, -1.0, 0.0))
    edit = drop_shape(where, NewShape.usual("sphere", 0.2), Loader())
    (pose,) = {line.strip() for line in edit.replacements[0].text.splitlines() if "<pose>" in line}
    assert pose.endswith(" 0 0 0</pose>")


def test_a_mesh_is_at_the_link_or_where_it_was_dropped() -> None:
    where = target("box::link::v", (1.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    mesh = NewMesh("hull", "hull.stl")
    at_link = drop_mesh(where, mesh, (Kind.VISUAL,), Loader(), at_origin=True).replacements[0].text
    dropped = drop_mesh(where, mesh, (Kind.VISUAL,), Loader(), at_origin=False).replacements[0].text
    assert "<pose>" not in at_link
    assert "<pose>0 0 0.5 0 0 0</pose>" in dropped


def test_the_unit_is_guessed_from_the_size() -> None:
    assert guess_unit(Path("arm.stl"), 0.4) == "metres"
    assert guess_unit(Path("arm.stl"), 400.0) == "millimetres"
    assert guess_unit(Path("house.glb"), 40.0) == "metres"


@pytest.mark.parametrize(("pixel", "size"), [(0.001, 0.1), (0.004, 0.2), (0.01, 1.0), (1.0, 100.0)])
def test_a_shape_is_as_large_as_can_be_seen_well(pixel: float, size: float) -> None:
    assert fitting_size(pixel, 800.0) == size


def test_a_mesh_is_named_from_the_document_or_its_package(tmp_path: Path) -> None:
    robot = tmp_path / "robots" / "arm"
    (robot / "meshes").mkdir(parents=True)
    (robot / "sdf").mkdir()
    mesh = robot / "meshes" / "link.stl"
    mesh.write_bytes(b"")
    finder = Finder([tmp_path / "robots"], environ={}, cwd=tmp_path)
    assert uri_of(mesh, robot / "arm.sdf", finder) == "meshes/link.stl"
    assert uri_of(mesh, robot / "sdf" / "arm.sdf", finder) == "model://arm/meshes/link.stl"
    elsewhere = Finder(environ={}, cwd=tmp_path)
    assert uri_of(mesh, robot / "sdf" / "arm.sdf", elsewhere) == "../meshes/link.stl"
    assert uri_of(mesh, None, elsewhere) == mesh.as_posix()
