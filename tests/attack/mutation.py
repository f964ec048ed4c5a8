"""Inputs that nobody would write: real ones with bytes changed, cut, doubled and mixed."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image

REPOSITORY = Path(__file__).parents[2]

#: Words that have broken readers before.
_WORDS = (
    b"", b"\0", b"\xff", b"\xe2\x80\xae", b"\xed\xa0\x80", b"&#x1b;", b"&#0;", b"&#" + b"0" * 500 + b"65;",
    b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?xml", b"<!DOCTYPE a [", b"<model name='x'>", b"</model>",
    b"<include><uri>http://[</uri>", b"::", b"__model__", b"world", b"nan", b"inf", b"-inf", b"1e308",
    b"-1e308", b"1e-320", b"0x10", b"9" * 400, b"\\", b"..", b" relative_to='a'", b" attached_to='b'", b"\"",
    b"'", b"<", b">", b"/", b"&", b"\r\n", b"\t", b"-1", b"4294967296",
)  # fmt: skip


def mutate(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Return bytes with one to eight changes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(changed) + 1)
        end = min(len(changed), at + rng.choice((1, 2, 8, 64, 512)))
        kind = rng.randrange(7)
        if kind == 0 and changed:
            changed[min(at, len(changed) - 1)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del changed[at:end]
        elif kind == 2:
            changed[at:at] = changed[at:end] * rng.choice((1, 2, 16))
        elif kind == 3:
            changed[at:end] = rng.choice(_WORDS)
        elif kind == 4:
            changed[at:at] = rng.choice(_WORDS)
        elif kind == 5:
            other = rng.choice(others)
            start = rng.randrange(len(other) + 1)
            changed[at:end] = other[start : start + rng.choice((16, 128, 1024))]
        else:
            changed[at:end] = rng.randbytes(min(end - at, 4))
    return bytes(changed[:200_000])


def text_seeds() -> list[bytes]:
    """Return files of this repository: examples, and those that break each rule."""
    files = [*(REPOSITORY / "resources" / "examples").glob("*.sdf"), *(REPOSITORY / "tests" / "rules").glob("*/*.*")]
    found = [file.read_bytes() for file in sorted(files) if file.suffix in (".sdf", ".urdf", ".xacro", ".world")]
    return [data for data in found if len(data) < 50_000]


#: What makes an MJCF file that is still one.
_MJCF = (
    b"<replicate count='3' offset='1 0 0'>", b"</replicate>", b"<attach model='a' body='b' prefix='p'/>",
    b"<frame euler='1 2 3'>", b"</frame>", b"<include file='attack.mjcf'/>", b" childclass='x'", b"<default class='x'>",
    b"</default>", b"<body>", b"</body>", b"<freejoint/>", b"<joint type='ball'/>", b" size='0'", b" quat='0 0 0 0'",
    b" fromto='0 0 0 0 0 0'", b" mass='1e308'", b" density='-1'", b" range='1 -1'", b" fullinertia='1 1 1 9 9 9'",
    b"<inertial pos='0 0 0' mass='0' diaginertia='0 0 0'/>", b" euler='1e308 1 1'", b" xyaxes='1 0 0 1 0 0'",
)  # fmt: skip


def mjcf_seeds() -> list[bytes]:
    """Return MJCF files of this repository."""
    return [file.read_bytes() for file in sorted((REPOSITORY / "tests" / "formats" / "mjcf" / "files").glob("*.xml"))]


def mutate_mjcf(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Return bytes with changes, and with up to four parts of such files at places where these can be."""
    data = mutate(data, others, rng)
    for _ in range(rng.choice((0, 1, 2, 4))):
        at = max(data.find(rng.choice((b"<", b" ", b"/>")), rng.randrange(len(data) + 1)), 0)
        data = data[:at] + rng.choice(_MJCF) + data[at:]
    return data


def mesh_seeds() -> dict[str, list[bytes]]:
    """Return small mesh files by suffix."""
    triangle = struct.pack("<80sI12fH", b"", 1, *([0.0] * 3), 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    ascii_stl = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    ascii_stl += b"endloop\nendfacet\nendsolid"
    obj = b"mtllib a.mtl\no a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
    obj += b"usemtl m\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf -1 -2 -3\n"
    return {
        ".stl": [triangle, ascii_stl],
        ".obj": [obj],
        ".gltf": [_gltf()],
        ".glb": [_glb()],
        ".dae": [_collada()],
    }


def _gltf() -> bytes:
    accessors = [
        {"componentType": 5126, "type": "VEC3", "count": 3, "bufferView": 0},
        {"componentType": 5125, "type": "SCALAR", "count": 3, "bufferView": 1, "byteOffset": 0},
    ]
    buffer = "data:application/octet-stream;base64," + "AAAA" * 16
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "rotation": [0, 0, 0, 1], "children": [1]}, {"mesh": 0, "matrix": [1.0] * 16}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}, "alphaMode": "MASK"}],
        "accessors": accessors,
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
        "buffers": [{"uri": buffer, "byteLength": 48}],
    }
    return json.dumps(document).encode()


def _glb() -> bytes:
    text = _gltf().replace(b'"uri": "data:application/octet-stream;base64,' + b"AAAA" * 16 + b'", ', b"")
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", 48, b"BIN\0") + bytes(48)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _collada() -> bytes:
    source = '<source id="{0}"><float_array id="{0}a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>'
    source += '<accessor source="#{0}a" count="3" stride="3"/></technique_common></source>'
    mesh = source.format("p") + '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
    mesh += (
        '<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>0 1 2</p></polylist>'
    )
    geometry = f'<library_geometries><geometry id="g"><mesh>{mesh}</mesh></geometry></library_geometries>'
    node = '<node id="n"><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>'
    scene = f'<library_visual_scenes><visual_scene id="s">{node}</visual_scene></library_visual_scenes>'
    scene += '<scene><instance_visual_scene url="#s"/></scene>'
    begin = '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
    return f"{begin}{geometry}{scene}</COLLADA>".encode()


def picture_seeds() -> list[bytes]:
    """Return a small picture in each format that is read."""
    seeds = []
    for form in ("PNG", "JPEG", "TGA", "BMP", "TIFF", "GIF", "WEBP", "DDS", "PPM"):
        file = BytesIO()
        Image.linear_gradient("L").resize((16, 16)).convert("RGB").save(file, form)
        seeds.append(file.getvalue())
    return seeds
