from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.model.shapes import read_geometry
from sdfviewer.model.shapes.heightmap import Heightmap, HeightmapTexture
from sdfviewer.model.shapes.image import Image
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.shapes.polyline import Polyline
from sdfviewer.scene.geometry import Shape, primitive_mesh, shape_of


def shape(inside: str) -> Shape:
    part = parse_document(f"<visual><geometry>{inside}</geometry></visual>").root
    found = shape_of(read_geometry(part, Path("model.sdf")))
    assert found is not None
    return found


def extent(found: Shape) -> list[float]:
    low, high = primitive_mesh(found).bounds * found.scale
    return (high - low).round(3).tolist()


@pytest.mark.parametrize(
    ("inside", "size"),
    [
        ("<box><size>1 2 3</size></box>", [1, 2, 3]),
        ("<box><size>-1 2 3</size></box>", [1, 2, 3]),
        ("<box/>", [1, 1, 1]),
        ("<sphere><radius>2</radius></sphere>", [4, 4, 4]),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", [2, 4, 6]),
        ("<cylinder><radius>2</radius><length>5</length></cylinder>", [4, 4, 5]),
        ("<cone><radius>2</radius><length>5</length></cone>", [4, 4, 5]),
        ("<capsule><radius>2</radius><length>5</length></capsule>", [4, 4, 9]),
        ("<capsule/>", [1, 1, 2]),
        ("<plane><normal>0 0 1</normal><size>3 4</size></plane>", [3, 4, 0]),
        ("<plane><normal>1 0 0</normal><size>3 4</size></plane>", [0, 4, 3]),
        ("<sphere><radius>wide</radius></sphere>", [2, 2, 2]),
        ("<box><size>1 2 inf</size></box>", [1, 1, 1]),
        ("<box><size>1 2</size></box>", [1, 1, 1]),
    ],
)
def test_size_of_what_needs_no_file(inside, size):
    assert extent(shape(inside)) == pytest.approx(size, abs=2e-3)


def test_equal_kinds_share_one_mesh():
    small, large = shape("<box><size>1 1 1</size></box>"), shape("<box><size>9 9 9</size></box>")
    assert primitive_mesh(small) is primitive_mesh(large)
    upright = "<capsule><radius>1</radius><length>2</length></capsule>"
    assert primitive_mesh(shape(upright)) is primitive_mesh(shape(upright))


def test_mesh_with_submesh_and_a_mirroring_scale():
    found = shape(
        "<mesh><uri> model://a/b.dae </uri><scale>2 -3 4</scale>"
        "<submesh><name>hand</name><center>true</center></submesh></mesh>"
    )
    assert (found.uri, found.file, found.scale) == ("model://a/b.dae", Path("model.sdf"), (2, 3, 4))
    assert found.geometry == Mesh(found.uri, found.file, scale=(1, -1, 1), submesh="hand", center=True)
    assert found.source is not None
    assert found.source.tag == "uri"
    assert found.is_loaded


def test_several_polylines_are_one_outline():
    outline = "<polyline><point>0 0</point><point>1 0</point><point>1 1</point><height>2</height></polyline>"
    found = shape(outline + outline.replace("<height>2", "<height>7"))
    assert found.geometry == Polyline((((0, 0), (1, 0), (1, 1)),) * 2, 2)


def test_heightmap_and_image():
    found = shape(
        "<heightmap><uri>a.png</uri><size>10 20 3</size><pos>1 2 3</pos>"
        "<texture><size>5</size><diffuse>dirt.png</diffuse><normal>n.png</normal></texture></heightmap>"
    )
    texture = HeightmapTexture("dirt.png", "n.png", 5)
    assert found.geometry == Heightmap("a.png", found.file, size=(10, 20, 3), position=(1, 2, 3), textures=(texture,))
    found = shape("<image><uri>a.png</uri><scale>0.5</scale><height>2</height></image>")
    assert found.geometry == Image("a.png", found.file, scale=0.5, threshold=200, height=2)


@pytest.mark.parametrize("inside", ["", "<empty/>", "<torus/>"])
def test_nothing_to_draw(inside):
    part = parse_document(f"<visual><geometry>{inside}</geometry></visual>").root
    assert shape_of(read_geometry(part)) is None


def test_shapes_are_keys():
    a, b = shape("<mesh><uri>a.stl</uri></mesh>"), shape("<mesh><uri>a.stl</uri></mesh>")
    assert a == b
    assert len({a, b}) == 1
    assert np.isclose(a.scale, 1).all()
