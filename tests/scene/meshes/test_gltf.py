import base64
import io
import json
import struct

import numpy as np
import pytest
from PIL import Image

from sdfviewer.scene.meshes import MeshFileError, SideFiles, joined
from sdfviewer.scene.meshes.gltf import read_gltf

POSITIONS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
INDICES = np.array([0, 1, 2], "<u2")
BUFFER = POSITIONS.tobytes() + INDICES.tobytes() + b"\0\0"


def document(**changes):
    uri = "data:application/octet-stream;base64," + base64.b64encode(BUFFER).decode()
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "arm", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 6},
        ],
        "buffers": [{"byteLength": 44, "uri": uri}],
    }
    return content | changes


def as_bytes(content) -> bytes:
    return json.dumps(content).encode()


def glb(content, binary: bytes) -> bytes:
    text = as_bytes(content)
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


@pytest.fixture
def side_files(tmp_path):
    return SideFiles(tmp_path / "part.gltf")


def test_a_triangle_of_a_named_node(side_files):
    (piece,) = read_gltf(as_bytes(document()), side_files)
    assert piece.name == "arm"
    np.testing.assert_array_equal(piece.positions[piece.indices[0]], POSITIONS)
    assert piece.normals is None


def test_a_buffer_beside_the_file_and_one_inside_a_glb(side_files, tmp_path):
    (tmp_path / "part data.bin").write_bytes(BUFFER)
    beside = document(buffers=[{"byteLength": 44, "uri": "part%20data.bin"}])
    inside = document(buffers=[{"byteLength": 44}])
    for data in (as_bytes(beside), glb(inside, BUFFER)):
        (piece,) = read_gltf(data, side_files)
        np.testing.assert_array_equal(piece.positions[piece.indices[0]], POSITIONS)
    assert side_files.used == [tmp_path / "part data.bin"]


def test_nodes_turn_scale_and_nest(side_files):
    half = np.sqrt(0.5)
    nodes = [
        {"name": "outer", "translation": [1, 2, 3], "rotation": [0, 0, half, half], "children": [1]},
        {"name": "inner", "scale": [2, 2, -2], "mesh": 0},
    ]
    (piece,) = read_gltf(as_bytes(document(nodes=nodes)), side_files)
    assert piece.name == "inner"
    a, b, c = piece.positions[piece.indices[0]]
    np.testing.assert_allclose(sorted(np.round([a, b, c], 5).tolist()), [[-1, 2, 3], [1, 2, 3], [1, 4, 3]])
    # Mirrored in z, which leaves the triangle in its plane but turns its outside.
    assert np.cross(b - a, c - a)[2] < 0


def test_a_matrix_is_column_major_and_no_axis_is_turned(side_files):
    nodes = [{"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]}]
    (piece,) = read_gltf(as_bytes(document(nodes=nodes)), side_files)
    assert piece.positions[0].tolist() == [5, 6, 7]


def test_strips_fans_and_missing_indices(side_files):
    square = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "<f4")
    buffer = "data:;base64," + base64.b64encode(square.tobytes()).decode()
    for mode, triangles in ((4, 1), (5, 2), (6, 2), (1, 0)):
        content = document(
            meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "mode": mode}]}],
            accessors=[{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}],
            bufferViews=[{"buffer": 0, "byteLength": 48}],
            buffers=[{"byteLength": 48, "uri": buffer}],
        )
        assert len(joined(read_gltf(as_bytes(content), side_files)).indices) == triangles


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (2, 2), (255, 0, 0)).save(stream, "PNG")
    return stream.getvalue()


def textured(image, **material):
    uvs = np.array([[0, 0], [1, 0], [0, 0.25]], "<f4").tobytes()
    data = BUFFER + uvs + picture()
    content = document(
        meshes=[{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 2}, "indices": 1, "material": 0}]}],
        materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}} | material],
        textures=[{"source": 0}],
        images=[image],
        buffers=[{"byteLength": len(data)}],
    )
    content["accessors"].append({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC2"})
    content["bufferViews"] += [
        {"buffer": 0, "byteOffset": 44, "byteLength": 24},
        {"buffer": 0, "byteOffset": 68, "byteLength": len(data) - 68},
    ]
    return glb(content, data)


def test_embedded_pictures(side_files):
    (piece,) = read_gltf(textured({"bufferView": 3, "mimeType": "image/png"}, alphaMode="MASK"), side_files)
    assert piece.material.albedo_map == picture()
    assert piece.material.alpha_cutout
    assert piece.uvs.tolist() == [[0, 1], [1, 1], [0, 0.75]]


def test_pictures_beside_the_file_and_missing_ones(side_files, tmp_path):
    (tmp_path / "red.png").write_bytes(picture())
    (piece,) = read_gltf(textured({"uri": "red.png"}), side_files)
    assert piece.material.albedo_map == tmp_path / "red.png"
    (piece,) = read_gltf(textured({"uri": "blue.png"}), side_files)
    assert piece.material.albedo_map is None
    assert side_files.missing == ["blue.png"]


def test_linear_colours_become_srgb(side_files):
    material = {
        "pbrMetallicRoughness": {"baseColorFactor": [1, 0.214, 0, 0.5], "metallicFactor": 0.4, "roughnessFactor": 0.2},
        "alphaMode": "BLEND",
        "doubleSided": True,
    }
    content = document(materials=[material])
    content["meshes"][0]["primitives"][0]["material"] = 0
    (piece,) = read_gltf(as_bytes(content), side_files)
    assert piece.material.diffuse == pytest.approx((1, 0.5, 0, 0.5), abs=1e-3)
    assert (piece.material.metalness, piece.material.roughness) == (0.4, 0.2)
    assert piece.material.double_sided


def broken(change):
    content = document()
    change(content)
    return as_bytes(content)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a glTF file"),
        (b"glTF\2\0\0\0", "truncated"),
        (glb(document(), BUFFER)[:-20], "truncated"),
        (as_bytes(document())[:-40], "not a glTF file"),
        (b"[]", "not a glTF 2.0"),
        (as_bytes(document(asset={"version": "1.0"})), "not a glTF 2.0"),
        (as_bytes(document(extensionsRequired=["KHR_draco_mesh_compression"])), "KHR_draco_mesh_compression"),
        (as_bytes(document(buffers=[{"byteLength": 44, "uri": "gone.bin"}])), "gone.bin"),
        (as_bytes(document(buffers=[{"byteLength": 44, "uri": "data:;base64,####"}])), "data URI"),
        (as_bytes(document(nodes=[{"mesh": 7}])), "refers to missing data"),
        (as_bytes(document(nodes=[{"mesh": -1}])), "refers to missing data"),
        (as_bytes(document(nodes=[{"children": [0]}])), "contains itself"),
        (broken(lambda c: c["accessors"][0].update(count=4_000_000_000)), "triangles|cut off"),
        (broken(lambda c: c["accessors"][0].update(count=300)), "truncated"),
        (broken(lambda c: c["accessors"][0].update(count=2)), "points outside its 2"),
        (broken(lambda c: c["bufferViews"][0].update(byteLength=3600)), "truncated"),
        (broken(lambda c: c["bufferViews"][0].update(byteOffset=-4)), "truncated"),
        (broken(lambda c: c["bufferViews"][0].update(byteStride=4)), "truncated"),
    ],
)
def test_broken_files_say_what_is_wrong(side_files, data, message):
    with pytest.raises(MeshFileError, match=message):
        read_gltf(data, side_files)


def with_colours(values: np.ndarray, component: int, **material) -> bytes:
    content = document(materials=[material])
    data = BUFFER + values.tobytes()
    content["buffers"] = [
        {"byteLength": len(data), "uri": "data:a/b;base64," + base64.b64encode(data).decode()},
    ]
    content["bufferViews"].append({"buffer": 0, "byteOffset": len(BUFFER), "byteLength": values.nbytes})
    content["accessors"].append(
        {"bufferView": 2, "componentType": component, "count": 3, "type": "VEC4", "normalized": component != 5126}
    )
    content["meshes"][0]["primitives"][0] |= {"attributes": {"POSITION": 0, "COLOR_0": 2}, "material": 0}
    return as_bytes(content)


@pytest.mark.parametrize(("kind", "component", "one"), [("<f4", 5126, 1), ("u1", 5121, 255), ("<u2", 5123, 65535)])
def test_linear_colours_of_vertices_become_srgb(kind, component, one, tmp_path):
    values = np.array([[1, 0, 0, 1], [0.2140, 0.2140, 0.2140, 1], [0, 0, 1, 1]])
    (piece,) = read_gltf(
        with_colours((values * one + (one > 1) * 0.5).astype(kind), component), SideFiles(tmp_path / "a.gltf")
    )
    np.testing.assert_allclose(piece.colours, [[255, 0, 0], [127, 127, 127], [0, 0, 255]], atol=1)


def picture_of(colour: tuple[int, int, int]) -> dict[str, str]:
    file = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(file, "PNG")
    return {"uri": "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()}


def test_a_map_of_roughness_and_metalness_is_averaged(tmp_path):
    content = document(
        materials=[{"pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}, "roughnessFactor": 0.5}}],
        textures=[{"source": 0}],
        images=[picture_of((0, 204, 51))],
    )
    content["meshes"][0]["primitives"][0]["material"] = 0
    (piece,) = read_gltf(as_bytes(content), SideFiles(tmp_path / "a.gltf"))
    assert piece.material.roughness == pytest.approx(0.4)
    assert piece.material.metalness == pytest.approx(0.2)


def test_a_map_of_normals_lies_where_the_texture_lies(tmp_path):
    moved = {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0]}}}
    found = []
    for relief in ({"index": 0}, moved):
        content = document(
            materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "normalTexture": relief}],
            textures=[{"source": 0}],
            images=[picture_of((128, 128, 255))],
        )
        content["meshes"][0]["primitives"][0]["material"] = 0
        (piece,) = read_gltf(as_bytes(content), SideFiles(tmp_path / "a.gltf"))
        found.append(piece.material.normal_map is not None)
    assert found == [True, False]


@pytest.mark.parametrize(
    "node",
    [{"scale": [10**400, 1, 1]}, {"rotation": [0, 0, 0, 10**400]}, {"translation": ["one", 0, 0]}, {"rotation": [1]}],
)
def test_numbers_out_of_range_are_refused(node, side_files):
    content = document(nodes=[{"mesh": 0, **node}])
    with pytest.raises(MeshFileError, match="not a number in range"):
        read_gltf(as_bytes(content), side_files)


def test_a_data_uri_with_other_characters_is_refused(side_files):
    content = document(buffers=[{"byteLength": 44, "uri": "data:application/octet-stream;base64,AA\u202eAA"}])
    with pytest.raises(MeshFileError, match="broken data URI"):
        read_gltf(as_bytes(content), side_files)


def test_a_broken_primitive_or_material_costs_only_that(side_files):
    good = {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}
    content = document(
        meshes=[{"primitives": [{"attributes": {"POSITION": 9}}, good]}],
        materials=[{"pbrMetallicRoughness": {"baseColorFactor": ["red", 0, 0, 1]}}],
    )
    (piece,) = read_gltf(as_bytes(content), side_files)
    assert len(piece.indices) == 1
    assert [message.split(":")[0] for message in side_files.left_out] == ["is invalid", "the material 0"]
