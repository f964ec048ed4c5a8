import collections

import numpy as np
import pytest

from sdfviewer.scene.meshes import SUFFIXES, MeshFileError, SideFiles, joined, read_mesh_file
from sdfviewer.scene.meshes import piece as piece_module
from sdfviewer.scene.meshes.piece import Piece, weld
from tests.corpus import at_least, corpus_files

TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)


def read(path):
    return read_mesh_file(path, SideFiles(path))


def test_other_formats_are_named(tmp_path):
    (tmp_path / "part.fbx").write_bytes(b"Kaydara FBX Binary")
    with pytest.raises(MeshFileError, match=r"'\.fbx'; convert it to \.dae"):
        read(tmp_path / "part.fbx")


def test_missing_large_and_empty_files(tmp_path, monkeypatch):
    with pytest.raises(MeshFileError, match="cannot be read"):
        read(tmp_path / "gone.stl")
    (tmp_path / "part.STL").write_bytes(b"solid nothing\nendsolid")
    with pytest.raises(MeshFileError, match="no triangles"):
        read(tmp_path / "part.STL")
    monkeypatch.setattr("sdfviewer.scene.meshes.piece.MAX_FILE_BYTES", 10)
    with pytest.raises(MeshFileError, match="at most"):
        read(tmp_path / "part.STL")


def test_too_many_triangles_are_refused_before_they_are_made(tmp_path, monkeypatch):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "f 1 2 3\n" * 20)
    monkeypatch.setattr(piece_module, "MAX_TRIANGLES", 10)
    with pytest.raises(MeshFileError, match="20 triangles"):
        read(tmp_path / "part.obj")


def test_infinite_coordinates_are_refused(tmp_path):
    (tmp_path / "part.obj").write_text("v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(MeshFileError, match="finite"):
        read(tmp_path / "part.obj")


def test_side_files_stay_where_the_model_can_mean(tmp_path):
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"")
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    side_files = SideFiles(tmp_path / "robot" / "meshes" / "arm.dae", lambda uri: tmp_path / "found.png")
    for name in (
        str(secret),
        f"file://{secret}",
        "//host/share/secret.png",
        "C:\\secret.png",
        "https://x.org/secret.png",
    ):
        assert side_files.texture(name) is None
    assert side_files.texture("model://robot/found.png") == tmp_path / "found.png"
    beside = tmp_path / "robot" / "meshes" / "secret.png"
    beside.write_bytes(b"")
    assert side_files.texture("C:\\work\\secret.png") == beside


def test_joined_pieces_keep_their_parts_and_flat_ones_get_normals():
    up = np.tile(np.array([0, 0, 1], np.float32), (3, 1))
    smooth = Piece("a", TRIANGLE, np.array([[0, 1, 2]], np.uint32), up)
    flat = Piece("b", TRIANGLE, np.array([[0, 2, 1]], np.uint32))
    mesh = joined([smooth, flat])
    assert [(part.name, part.start, part.count) for part in mesh.parts] == [("a", 0, 1), ("b", 1, 1)]
    assert mesh.normals[mesh.indices][:, 0].tolist() == [[0, 0, 1], [0, 0, -1]]
    assert mesh.uvs is None


def test_welding_keeps_every_row_apart_even_where_the_key_overflows():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2**32 - 1, 200).repeat(3) for _ in range(3)]
    first, inverse = weld(*columns)
    assert len(first) == 200
    for column in columns:
        np.testing.assert_array_equal(column[first][inverse], column)


@pytest.mark.corpus
def test_every_mesh_of_the_corpus_loads():
    failed = {}
    loaded: collections.Counter[str] = collections.Counter()
    for path in corpus_files(*SUFFIXES):
        try:
            assert len(joined(read(path)).indices)
            loaded[path.suffix.lower()] += 1
        except MeshFileError as error:
            failed[path.name] = str(error)
    assert failed == {}
    # The folder may grow; none of the formats may be left out.
    least = {".dae": 30, ".stl": 25, ".obj": 5, ".gltf": 4, ".glb": 2}
    assert all(loaded[suffix] >= at_least(count) for suffix, count in least.items())
