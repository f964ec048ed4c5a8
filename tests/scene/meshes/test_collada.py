import numpy as np
import pytest
from PIL import Image

from sdfviewer.scene.meshes import MeshFileError, SideFiles, collada, joined
from sdfviewer.scene.meshes.collada import read_collada

TRIANGLE = (
    '<triangles count="1" material="paint"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>'
)
MATERIALS = """
<library_images><image id="picture"><init_from>{texture}</init_from></image></library_images>
<library_materials><material id="red"><instance_effect url="#effect"/></material></library_materials>
<library_effects><effect id="effect"><profile_COMMON>
  <newparam sid="surface"><surface type="2D"><init_from>picture</init_from></surface></newparam>
  <newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>
  <technique sid="common"><phong>
    <emission><color>0.1 0 0 1</color></emission>
    <diffuse>{diffuse}</diffuse>
    {transparent}
  </phong></technique></profile_COMMON></effect></library_effects>
"""


def dae(
    primitives: str = TRIANGLE,
    nodes: str = '<node name="arm"><instance_geometry url="#g"/></node>',
    unit: str = "1",
    points: str = "0 0 0 1 0 0 1 1 0 0 1 0",
    extra: str = "",
    sources: str = "",
) -> bytes:
    count = len(points.split()) // 3
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="some" meter="{unit}"/><up_axis>Y_UP</up_axis></asset>{extra}
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="{3 * count}">{points}</float_array><technique_common>
<accessor source="#pa" count="{count}" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor>
</technique_common></source>{sources}
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{primitives}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


@pytest.fixture
def side_files(tmp_path):
    return SideFiles(tmp_path / "part.dae")


def corners(pieces):
    mesh = joined(pieces)
    return mesh.positions[mesh.indices].tolist()


def test_a_triangle_of_a_named_node(side_files):
    (piece,) = read_collada(dae(), side_files)
    assert piece.name == "arm"
    assert piece.normals is None
    assert corners([piece]) == [[[0, 0, 0], [1, 0, 0], [1, 1, 0]]]


def test_the_unit_is_applied_and_the_up_axis_is_not(side_files):
    assert corners(read_collada(dae(unit="0.01", points="0 0 0 100 0 0 100 0 50"), side_files)) == [
        [[0, 0, 0], [1, 0, 0], [1, 0, 0.5]]
    ]


def test_lines_beside_triangles_are_left_out(side_files):
    lines = '<lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>'
    assert len(corners(read_collada(dae(lines + TRIANGLE + lines), side_files))) == 1
    assert read_collada(dae(lines), side_files) == []


@pytest.mark.parametrize(
    ("primitive", "triangles"),
    [
        ("<polylist><vcount>4</vcount><p>0 1 2 3</p></polylist>", 2),
        ("<polygons><p>0 1 2 3</p><p>0 1 2</p></polygons>", 3),
        ("<tristrips><p>0 1 3 2</p></tristrips>", 2),
        ("<trifans><p>0 1 2 3</p></trifans>", 2),
    ],
)
def test_kinds_of_polygons_keep_their_outside(side_files, primitive, triangles):
    given = '<input semantic="VERTEX" source="#v" offset="0"/>'
    at = primitive.index(">") + 1
    (piece,) = read_collada(dae(primitive[:at] + given + primitive[at:]), side_files)
    a, b, c = np.moveaxis(piece.positions[piece.indices], 1, 0)
    assert len(piece.indices) == triangles
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()


def test_transformations_multiply_in_document_order_and_mirrors_keep_the_outside(side_files):
    nodes = """<node name="outer"><translate>1 0 0</translate><rotate>0 0 1 90</rotate>
      <node><scale>-1 1 1</scale><instance_geometry url="#g"/></node></node>"""
    (piece,) = read_collada(dae(nodes=nodes), side_files)
    assert piece.name == "outer"
    a, b, c = piece.positions[piece.indices[0]]
    assert sorted(np.round([a, b, c], 6).tolist()) == [[0, -1, 0], [1, -1, 0], [1, 0, 0]]
    assert np.cross(b - a, c - a)[2] > 0


def test_one_geometry_twice_and_a_library_node(side_files):
    extra = '<library_nodes><node id="shared"><instance_geometry url="#g"/></node></library_nodes>'
    nodes = '<node name="a"><instance_node url="#shared"/></node><node name="b"><instance_geometry url="#g"/></node>'
    pieces = read_collada(dae(nodes=nodes, extra=extra), side_files)
    assert [piece.name for piece in pieces] == ["shared", "b"]


def test_normals_and_texture_coordinates_by_their_own_indices(side_files):
    sources = """<source id="n"><float_array id="na">0 0 2</float_array><technique_common>
      <accessor source="#na" count="1" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor>
      </technique_common></source>
      <source id="t"><float_array id="ta">0 0 1 0 1.#QNAN 1</float_array><technique_common>
      <accessor source="#ta" count="3" stride="2"><param name="S"/><param name="T"/></accessor>
      </technique_common></source>"""
    primitive = """<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
      <input semantic="NORMAL" source="#n" offset="1"/><input semantic="TEXCOORD" source="#t" offset="2" set="0"/>
      <p>0 0 0 1 0 1 2 0 2</p></triangles>"""
    (piece,) = read_collada(dae(primitive, sources=sources), side_files)
    assert piece.normals.tolist() == [[0, 0, 1]] * 3
    assert piece.uvs[:2].tolist() == [[0, 0], [1, 0]]


def test_materials_are_bound_to_the_instance_and_textures_are_found_by_base_name(side_files, tmp_path):
    Image.new("RGB", (2, 2)).save(tmp_path / "wood.png")
    extra = MATERIALS.format(
        texture="file:///C:/Users/me/wood.png", diffuse='<texture texture="sampler" texcoord="UV"/>', transparent=""
    )
    nodes = """<node name="arm"><instance_geometry url="#g"><bind_material><technique_common>
      <instance_material symbol="paint" target="#red"/></technique_common></bind_material></instance_geometry></node>"""
    (piece,) = read_collada(dae(nodes=nodes, extra=extra), side_files)
    assert piece.material.albedo_map == tmp_path / "wood.png"
    assert piece.material.emissive == (0.1, 0, 0, 1)
    assert side_files.used == [tmp_path / "wood.png"]


@pytest.mark.parametrize(
    ("transparent", "opacity"),
    [
        ("", 1.0),
        ("<transparent><color>1 1 1 0.25</color></transparent>", 0.25),
        ("<transparent><color>1 1 1 1</color></transparent><transparency><float>0.5</float></transparency>", 0.5),
        ('<transparent opaque="RGB_ZERO"><color>0.5 0.5 0.5 1</color></transparent>', 0.5),
        ('<transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent>', 1.0),
        ("<transparent><color>0 0 0 1</color></transparent><transparency><float>0</float></transparency>", 1.0),
    ],
)
def test_transparency_never_hides_all(side_files, transparent, opacity):
    extra = MATERIALS.format(texture="", diffuse="<color>1 0 0 1</color>", transparent=transparent)
    primitive = TRIANGLE.replace("paint", "red")
    (piece,) = read_collada(dae(primitive, extra=extra), side_files)
    assert piece.material.diffuse == (1, 0, 0, 1)
    assert piece.material.opacity == pytest.approx(opacity, abs=1e-4)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not well-formed XML"),
        (dae()[:-100], "not well-formed XML"),
        (b"<mesh/>", "not a COLLADA"),
        (b'<!DOCTYPE a [<!ENTITY a "b">]><COLLADA/>', "entities"),
        (dae(unit="cm"), "not a number"),
        (dae(unit="0"), "not above zero"),
        (dae(TRIANGLE.replace("0 1 2", "0 1 9")), "points outside its 4"),
        (dae(TRIANGLE.replace("0 1 2", "0 1 -2")), "points outside"),
        (dae(TRIANGLE.replace("0 1 2", "0 1")), "corners"),
        (dae(TRIANGLE.replace("0 1 2", "0 1 x")), "not a number"),
        (dae().replace(b'count="4"', b'count="4000000000"'), "more values than it holds"),
        (dae(nodes='<node><matrix>1 0 0</matrix><instance_geometry url="#g"/></node>'), "not 16 numbers"),
        (dae(nodes='<node id="n"><instance_node url="#n"/></node>'), "contains itself"),
        (dae(points="0 0 0 1 0 0 inf 1 0 x x x"), "not a number"),
    ],
)
def test_broken_files_say_what_is_wrong(side_files, data, message):
    with pytest.raises(MeshFileError, match=message):
        read_collada(data, side_files)


def test_nodes_that_multiply_are_stopped(side_files, monkeypatch):
    monkeypatch.setattr(collada, "_MOST_NODES", 1000)
    levels = "".join(f'<node id="n{k}">' + f'<instance_node url="#n{k + 1}"/>' * 10 + "</node>" for k in range(9))
    extra = f'<library_nodes>{levels}<node id="n9"><instance_geometry url="#g"/></node></library_nodes>'
    with pytest.raises(MeshFileError, match="has more than 1,000 nodes"):
        read_collada(dae(nodes='<node><instance_node url="#n0"/></node>', extra=extra), side_files)


def test_vertices_have_colours_with_their_own_indices(side_files):
    colours = """<source id="c"><float_array id="ca" count="8">1 0 0 1 0 0.5 0 1</float_array><technique_common>
<accessor source="#ca" count="2" stride="4"><param name="R"/><param name="G"/><param name="B"/><param name="A"/>
</accessor></technique_common></source>"""
    primitives = """<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="COLOR" source="#c" offset="1"/><p>0 0 1 1 2 1</p></triangles>"""
    (piece,) = read_collada(dae(primitives, sources=colours), side_files)
    assert piece.colours[piece.indices[0]].tolist() == [[255, 0, 0], [0, 128, 0], [0, 128, 0]]


@pytest.mark.parametrize("other", ["s", "g", "p", "v", "paint"])
def test_a_reference_means_only_elements_of_its_kind(side_files, other):
    nodes = f'<node id="{other}"><instance_geometry url="#g"/></node>'
    assert len(corners(read_collada(dae(nodes=nodes), side_files))) == 1
    assert side_files.left_out == []


def test_sources_of_one_id_belong_to_their_own_geometries(side_files):
    second = f"""<library_geometries><geometry id="h"><mesh><source id="p"><float_array id="pa">5 0 0 6 0 0 6 1 0
      </float_array><technique_common><accessor source="#pa" count="3" stride="3"><param name="X"/><param name="Y"/>
      <param name="Z"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
      </vertices>{TRIANGLE}</mesh></geometry></library_geometries>"""
    nodes = '<node><instance_geometry url="#g"/></node><node><instance_geometry url="#h"/></node>'
    assert corners(read_collada(dae(nodes=nodes, extra=second), side_files)) == [
        [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
        [[5, 0, 0], [6, 0, 0], [6, 1, 0]],
    ]


def test_ids_with_an_unescaped_bracket_are_read(side_files):
    nodes = '<node id="<STL_BINARY>"><instance_geometry url="#g"/></node>'
    (piece,) = read_collada(dae(nodes=nodes), side_files)
    assert piece.name == "<STL_BINARY>"


def test_a_broken_matrix_costs_only_what_is_drawn_there(side_files):
    broken = "<matrix>NaN 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
    camera = f'<node id="view">{broken}</node>'
    good = '<node name="arm"><instance_geometry url="#g"/></node>'
    assert [piece.name for piece in read_collada(dae(nodes=camera + good), side_files)] == ["arm"]
    assert side_files.left_out == []
    hand = f'<node id="hand">{broken}<node><instance_geometry url="#g"/></node></node>'
    assert [piece.name for piece in read_collada(dae(nodes=hand + good), side_files)] == ["arm"]
    assert side_files.left_out == ["the node 'hand': has a <matrix> that is not 16 numbers"]


def test_a_broken_group_of_polygons_costs_only_that_group(side_files):
    broken = TRIANGLE.replace("0 1 2", "0 1 9")
    assert len(corners(read_collada(dae(broken + TRIANGLE), side_files))) == 1
    assert side_files.left_out == ["the geometry 'g': a position index points outside its 4 entries"]


def test_a_colour_that_is_no_number_costs_only_that_colour(side_files):
    extra = MATERIALS.format(
        texture="", diffuse="<color>1 0 0 1</color>", transparent="<specular><color>0.0 0.0 0.01.0</color></specular>"
    )
    (piece,) = read_collada(dae(TRIANGLE.replace("paint", "red"), extra=extra), side_files)
    assert piece.material.diffuse == (1, 0, 0, 1)
    assert side_files.left_out == ["the colour specular holds something that is not a number"]
