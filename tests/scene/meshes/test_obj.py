import numpy as np
import pytest
from PIL import Image

from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.meshes import MeshFileError, SideFiles, joined
from sdfviewer.scene.meshes.obj import read_mtl, read_obj

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


@pytest.fixture
def side_files(tmp_path):
    (tmp_path / "meshes").mkdir()
    return SideFiles(tmp_path / "meshes" / "part.obj")


def area(mesh) -> float:
    a, b, c = np.moveaxis(mesh.positions[mesh.indices].astype(float), 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_a_square_without_normals_is_flat(side_files):
    (piece,) = read_obj((SQUARE + "f 1 2 3 4\n").encode(), side_files)
    assert piece.normals is None
    assert piece.uvs is None
    assert piece.indices.tolist() in ([[0, 1, 2], [0, 2, 3]],)


@pytest.mark.parametrize("face", ["f 1 2 3 4", "f -4 -3 -2 -1", "f 1// 2// 3// 4//", "f 1 2 \\\n3 4"])
def test_ways_to_write_a_face(side_files, face):
    (piece,) = read_obj((SQUARE + face + "\n").encode(), side_files)
    assert area(joined([piece])) == pytest.approx(1)


@pytest.mark.parametrize(
    ("face", "uvs", "normals"),
    [
        ("f 1/1/1 2/2/1 3/3/1", True, True),
        ("f 1//1 2//1 3//1", False, True),
        ("f 1/1 2/2 3/3", True, False),
        ("f 1/1/1 2//1 3/3/1", False, True),
    ],
)
def test_texture_coordinates_and_normals(side_files, face, uvs, normals):
    text = SQUARE + "vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n" + face + "\n"
    (piece,) = read_obj(text.encode(), side_files)
    assert (piece.uvs is not None) == uvs
    assert (piece.normals is not None) == normals


def test_a_concave_face_is_not_filled_beyond_its_outline(side_files):
    points = [(0, 0), (2, 0), (2, 2), (1, 0.5), (0, 2)]
    text = "".join(f"v {x} {y} 0\n" for x, y in points) + "f 1 2 3 4 5\n"
    mesh = joined(read_obj(text.encode(), side_files))
    assert area(mesh) == pytest.approx(2.5)


def test_objects_and_groups_are_pieces_by_name(side_files):
    text = SQUARE + "o left\nf 1 2 3\ng right\nf 1 3 4\no left\nf 1 2 4\n"
    pieces = read_obj(text.encode(), side_files)
    assert [(piece.name, len(piece.indices)) for piece in pieces] == [("left", 2), ("right", 1)]


def test_vertex_colours_and_weights_are_left_aside(side_files):
    text = "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n"
    (piece,) = read_obj(text.encode(), side_files)
    assert piece.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    (piece,) = read_obj(b"v 0 0 0\nv 1 0 0 1\nv 0 1 0\nf 1 2 3\n", side_files)
    assert piece.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_mtl_materials_and_a_texture_in_the_models_folder(side_files, tmp_path):
    textures = tmp_path / "materials" / "textures"
    textures.mkdir(parents=True)
    Image.new("RGB", (2, 2)).save(textures / "red paint.png")
    (tmp_path / "meshes" / "part.mtl").write_text(
        "newmtl paint\nKd 1 0 0\nKa 0.5 0 0\nKs 0.2 0.2 0.2\nNs 32\nd 0.25\n"
        "map_Kd -o 0 0 -s 1 1 -clamp on C:\\Users\\me\\red paint.png\n"
    )
    text = SQUARE + "mtllib part.mtl\nusemtl paint\nf 1 2 3\n"
    (piece,) = read_obj(text.encode(), side_files)
    assert piece.material == MeshMaterial(
        diffuse=(1, 0, 0, 1),
        ambient=(0.5, 0, 0, 1),
        specular=(0.2, 0.2, 0.2, 1),
        shininess=32,
        transparency=0.75,
        albedo_map=textures / "red paint.png",
    )
    assert side_files.missing == []


def test_a_missing_library_or_texture_is_noted(side_files, tmp_path):
    (tmp_path / "meshes" / "part.mtl").write_text("newmtl paint\nKd 1 0 0\nmap_Kd gone.png\n")
    text = SQUARE + "mtllib other.mtl\nmtllib part.mtl\nusemtl paint\nf 1 2 3\n"
    (piece,) = read_obj(text.encode(), side_files)
    assert piece.material is not None
    assert piece.material.albedo_map is None
    assert side_files.missing == ["other.mtl", "gone.png"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no faces"),
        ("f 1 2 3\n", "points outside"),
        (SQUARE + "f 1 2 9\n", "points outside its 4"),
        (SQUARE + "f 1 2 -9\n", "points outside"),
        (SQUARE + "f 1 2 three\n", "not a number"),
        ("v 0 0\nv 1 0\nv 1 1\nf 1 2 3\n", "a vertex has 2 numbers"),
        ("v 0 0 zero\nf 1 1 1\n", "not a number"),
        (SQUARE + "vn 0 0 1\nf 1//1 2//2 3//1\n", "normal points outside"),
    ],
)
def test_broken_files_say_what_is_wrong(side_files, text, message):
    with pytest.raises(MeshFileError, match=message):
        read_obj(text.encode(), side_files)


def test_vertices_have_colours(side_files):
    text = b"v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n"
    (piece,) = read_obj(text, side_files)
    assert piece.colours.tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
    assert joined([piece]).parts[0].material.diffuse == (1, 1, 1, 1)


@pytest.mark.parametrize("colour", ["1 1 1", "0 0 0", "255 255 255"])
def test_one_colour_for_all_that_exporters_write_without_one_is_none(side_files, colour):
    text = "".join(f"v {point} {colour}\n" for point in ("0 0 0", "1 0 0", "0 1 0")) + "f 1 2 3\n"
    (piece,) = read_obj(text.encode(), side_files)
    assert piece.colours is None


def test_a_map_of_normals(tmp_path):
    Image.new("RGB", (2, 2)).save(tmp_path / "bumps.png")
    materials = read_mtl(b"newmtl steel\nnorm bumps.png\n", SideFiles(tmp_path / "part.obj"))
    assert materials["steel"].normal_map == tmp_path / "bumps.png"
