from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.sdformat.contents import read_visual
from sdfviewer.scene.materials import OgreMaterial, gazebo_materials, parse_ogre_script, surface_of
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh

SCRIPT = """
// a comment
material Robot/Base { technique { pass { ambient 0.1 0.2 0.3 1
  diffuse 0.4 0.5 0.6 1
  /* cull_hardware none */ } } }
material Robot/Paint : Robot/Base
{
  technique
  {
    pass
    {
      specular 0.1 0.1 0.1 12
      cull_hardware none
      alpha_rejection greater 128
      texture_unit { texture "paint.png" }
      texture_unit { texture second.png }
    }
  }
}
"""


@pytest.fixture
def model(tmp_path):
    textures = tmp_path / "robot" / "materials" / "textures"
    scripts = tmp_path / "robot" / "materials" / "scripts"
    textures.mkdir(parents=True)
    scripts.mkdir()
    Image.new("RGB", (2, 2)).save(textures / "paint.png")
    (scripts / "robot.material").write_text(SCRIPT)
    return tmp_path / "robot" / "model.sdf"


def surface(inside: str, file: Path):
    document = parse_document(f"<visual name='v'>{inside}</visual>")
    finder = Finder([file.parents[1]], environ={"HOME": str(file.parent)})
    return surface_of(read_visual(document.root, document), file, finder)


def test_no_material_keeps_that_of_the_mesh(model):
    assert surface("", model).material is None
    assert surface("<material/>", model).material is None


def test_colours_are_read_and_bounded(model):
    found = surface(
        "<material><diffuse>1 0.5 0</diffuse><ambient>0.1 0.1 0.1 1</ambient><specular>2 -1 0 1</specular>"
        "<emissive>0 0 1 1</emissive><shininess>7</shininess><double_sided>true</double_sided></material>",
        model,
    )
    assert found.material == MeshMaterial(
        diffuse=(1, 0.5, 0, 1),
        ambient=(0.1, 0.1, 0.1, 1),
        specular=(1, 0, 0, 1),
        emissive=(0, 0, 1, 1),
        shininess=7,
        double_sided=True,
    )


def test_a_missing_diffuse_colour_is_not_black(model):
    assert surface("<material><ambient>1 0 0 1</ambient></material>", model).material.diffuse == (1, 0, 0, 1)
    assert surface("<material><specular>1 0 0 1</specular></material>", model).material.diffuse == MeshMaterial.diffuse
    assert surface("<material><diffuse>red</diffuse></material>", model).material is None


@pytest.mark.parametrize("workflow", ["metal", "specular"])
def test_albedo_maps_of_both_workflows(model, workflow):
    found = surface(
        f"<material><pbr><{workflow}><albedo_map>model://robot/materials/textures/paint.png</albedo_map>"
        f"<metalness>0.25</metalness><roughness>0.3</roughness><glossiness>0.7</glossiness></{workflow}></pbr></material>",
        model,
    )
    assert found.problems == ()
    assert found.material.albedo_map == model.parent / "materials" / "textures" / "paint.png"
    assert found.material.diffuse == (1, 1, 1, 1)
    assert found.material.roughness == pytest.approx(0.3)
    assert found.material.alpha_cutout


def test_a_missing_albedo_map_is_a_problem_of_its_element(model):
    found = surface("<material><pbr><metal><albedo_map>gone.png</albedo_map></metal></pbr></material>", model)
    (problem,) = found.problems
    assert problem.element.tag == "albedo_map"
    assert problem.missing
    assert "gone.png" in problem.message


def test_gazebos_names(model):
    script = "<script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/{}</name></script>"
    found = surface(f"<material>{script.format('Red')}</material>", model)
    assert found.material.diffuse == (1, 0, 0, 1)
    assert found.problems == ()
    found = surface(f"<material>{script.format('Red')}<ambient>0 0 1 1</ambient></material>", model)
    assert (found.material.diffuse, found.material.ambient) == ((1, 0, 0, 1), (0, 0, 1, 1))
    found = surface(f"<material>{script.format('Rde')}</material>", model)
    assert found.material is None
    assert "'Gazebo/Rde'" in found.problems[0].message


def test_the_table_of_names_is_whole():
    table = gazebo_materials()
    assert len(table) > 60
    assert {"Gazebo/Grey", "Gazebo/White", "Gazebo/Wood", "Gazebo/FlatBlack", "Gazebo/ZincYellow"} <= set(table)
    assert table["Gazebo/GreyTransparent"].opacity == 0.5


@pytest.mark.parametrize("folder", ["scripts", "scripts/robot.material"])
def test_a_script_of_the_model_with_its_texture(model, folder):
    script = f"<script><uri>model://robot/materials/{folder}</uri><name>Robot/Paint</name></script>"
    found = surface(f"<material>{script}</material>", model)
    assert found.problems == ()
    assert found.material == MeshMaterial(
        diffuse=(0.4, 0.5, 0.6, 1),
        ambient=(0.1, 0.2, 0.3, 1),
        specular=(0.1, 0.1, 0.1, 1),
        albedo_map=model.parent / "materials" / "textures" / "paint.png",
        double_sided=True,
        alpha_cutout=True,
    )


def test_a_script_without_its_texture(model):
    (model.parent / "materials" / "textures" / "paint.png").unlink()
    script = "<script><uri>model://robot/materials/scripts</uri><name>Robot/Paint</name></script>"
    found = surface(f"<material>{script}</material>", model)
    assert found.material.albedo_map is None
    assert "paint.png" in found.problems[0].message


def test_a_script_in_a_folder_that_is_written_again_is_read_again(model):
    script = "<script><uri>model://robot/materials/scripts</uri><name>Robot/Paint</name></script>"
    surface(f"<material>{script}</material>", model)
    written = "material Robot/Paint { technique { pass { diffuse 0 1 0 } } }"
    (model.parent / "materials" / "scripts" / "robot.material").write_text(written)
    assert surface(f"<material>{script}</material>", model).material.diffuse == (0, 1, 0, 1)


def test_ogre_scripts_that_end_early_or_say_nonsense():
    assert parse_ogre_script("") == {}
    assert parse_ogre_script("material A {") == {"A": OgreMaterial()}
    parsed = parse_ogre_script('material "A b" { technique { pass { ambient vertexcolour\ndiffuse 1\n } } }')
    assert parsed == {"A b": OgreMaterial()}


def test_transparency_lies_over_any_material(model):
    mesh = TriangleMesh(
        np.zeros((3, 3), np.float32),
        None,
        None,
        np.array([[0, 1, 2]], np.uint32),
        (MeshPart(0, 1, MeshMaterial(diffuse=(1, 0, 0, 0.5))),),
    )
    plain = surface("", model)
    assert plain.applied(mesh) == (mesh, None)
    faded = surface("<transparency>0.5</transparency>", model)
    shown, material = faded.applied(mesh)
    assert material is None
    assert shown.parts[0].material.opacity == 0.25
    assert shown.positions is mesh.positions
    assert faded.applied(mesh)[0] is shown
    _, material = faded.applied(replace(mesh, parts=()))
    assert material is not None
    assert material.opacity == 0.5
    both = surface("<transparency>0.5</transparency><material><diffuse>0 1 0 1</diffuse></material>", model)
    shown, material = both.applied(mesh)
    assert shown is mesh
    assert material is not None
    assert (material.diffuse, material.opacity) == ((0, 1, 0, 1), 0.5)


def test_scale_and_scroll_place_the_first_picture_of_a_script(model):
    script = """material Robot/Base { technique { pass { texture_unit { texture base.png
  scale 9 9 } } } }
material Robot/Paint : Robot/Base { technique { pass {
  texture_unit { texture paint.png
    scale 0.5 0.25
    scroll 0.1 0.2 }
  texture_unit { texture other.png
    scale 7 7 } } } }"""
    (model.parent / "materials" / "scripts" / "robot.material").write_text(script)
    named = "<script><uri>model://robot/materials/scripts</uri><name>Robot/Paint</name></script>"
    found = surface(f"<material>{named}</material>", model)
    assert found.material.albedo_map.name == "paint.png"
    assert found.material.texture_scale == (2, 4)
    np.testing.assert_allclose(found.material.texture_offset, (-0.5 + 0.1, -1.5 - 0.2))


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("<pbr><metal><normal_map>PAINT</normal_map></metal></pbr>", True),
        ("<pbr><metal><normal_map type='object'>PAINT</normal_map></metal></pbr>", False),
        ("<pbr><specular><normal_map type='tangent'>PAINT</normal_map></specular></pbr>", True),
        (
            "<shader type='normal_map_tangent_space'><normal_map>PAINT</normal_map></shader>",
            True,
        ),
        (
            "<shader type='normal_map_object_space'><normal_map>PAINT</normal_map></shader>",
            False,
        ),
        ("<shader type='normal_map_tangent_space'><normal_map>__default__</normal_map></shader>", False),
    ],
)
def test_maps_of_normals(model, written, found):
    written = written.replace("PAINT", "materials/textures/paint.png")
    read = surface(f"<material><diffuse>1 0 0 1</diffuse>{written}</material>", model)
    assert (read.material.normal_map is not None) == found
    assert not read.problems


def test_a_missing_map_of_normals_is_a_problem(model):
    read = surface("<material><pbr><metal><normal_map>none.png</normal_map></metal></pbr></material>", model)
    assert "none.png" in read.problems[0].message
