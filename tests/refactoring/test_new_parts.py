"""Links with shapes, inertia and joints in one edit, and shapes as text."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_inertial
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.operations import adding
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.adding import insert_member
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.inertia import mean_density
from sdfviewer.refactoring.new_parts import NewJoint, NewMesh, NewShape, NewSolid, insert_link, top_of
from sdfviewer.scene.tools.placing import PoseBase
from sdfviewer.transforms import pose_to_matrix
from sdfviewer.versions import NEWEST, format_version

ARM = f"""<?xml version='1.0'?>
<sdf version='{format_version(NEWEST)}'>
\t<!-- kept -->
\t<model name='m'>
\t\t<link name='base'/>
\t</model>
</sdf>
"""


def load(text: str) -> Model:
    model = Loader(Finder()).load(parse_document(text))
    assert model is not None
    return model


def applied(model: Model, edit: Edit) -> Model:
    return load(model.document.edited(edit.replacements).text)


def upper(shape: NewShape, density: float = 2700.0) -> Edit:
    joint = NewJoint("lift", "revolute", "base", {"axis": "0 1 0", "lower": "-1", "upper": "1", "effort": "5"})
    height = shape.height_above_bottom
    return insert_link(
        load(ARM), 0, "upper", pose="0 0 0.1 0 0 0", solid=NewSolid(shape, f"0 0 {height} 0 0 0", density), joint=joint
    )


def test_a_link_comes_with_its_joint_in_the_style_of_the_file() -> None:
    edit = upper(NewShape.usual("box"))
    after = applied(load(ARM), edit)
    text = after.document.text
    assert (
        "\t\t<joint name='lift' type='revolute'>\n\t\t\t<pose relative_to='base'>0 0 0.1 0 0 0</pose>\n"
        "\t\t\t<parent>base</parent>\n\t\t\t<child>upper</child>\n\t\t\t<axis>\n\t\t\t\t<xyz>0 1 0</xyz>\n"
        "\t\t\t\t<limit>\n\t\t\t\t\t<lower>-1</lower>\n\t\t\t\t\t<upper>1</upper>\n\t\t\t\t\t<effort>5</effort>\n"
    ) in text
    assert "\t\t<link name='upper'>\n\t\t\t<pose relative_to='lift'/>\n\t\t\t<inertial>\n" in text
    assert text.startswith(ARM[: ARM.index("\t</model>")])
    assert edit.added == ("m::upper",)
    np.testing.assert_allclose(after.X_RootF[after.row("m::upper")], pose_to_matrix((0, 0, 0.1, 0, 0, 0)))


@pytest.mark.parametrize("shape", [each for each, kind in PRIMITIVES.items() if kind.is_weighed_by_libsdformat])
def test_the_inertial_has_the_density(shape: str) -> None:
    after = applied(load(ARM), upper(NewShape.usual(shape)))
    link = after.row("m::upper")
    assert mean_density(after, link) == pytest.approx(2700, rel=1e-3)
    assert read_inertial(after, link).mass > 0


def test_the_next_link_may_begin_at_the_top() -> None:
    after = applied(load(ARM), upper(NewShape.usual("cylinder").with_typed({"length": "300mm"})))
    assert top_of(after, after.row("m::upper")) == 0.3
    assert top_of(after, after.row("m::base")) == 0.0


@pytest.mark.parametrize(
    ("name", "joint", "why"),
    [("base", "j", "'base' is taken"), ("x", "base", "'base' is taken"), ("x", "x", "different names")],
)
def test_names_that_are_taken_are_refused(name: str, joint: str, why: str) -> None:
    with pytest.raises(RefactoringError, match=why):
        insert_link(load(ARM), 0, name, joint=NewJoint(joint, "fixed", "base", {}))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"radius": "1 2"}, "radius needs 1 number"),
        ({"length": "-1"}, "length must be positive"),
        ({"length": "long"}, "length: "),
    ],
)
def test_a_size_that_cannot_be_is_refused(typed: dict[str, str], why: str) -> None:
    with pytest.raises(RefactoringError, match=why):
        NewShape.usual("cylinder").with_typed(typed)


def test_sizes_are_written_short() -> None:
    assert NewShape.usual("box", 0.02).sizes == {"size": "0.02 0.02 0.02"}
    assert NewShape.usual("plane", 0.2).sizes == {"normal": "0 0 1", "size": "2 2"}
    assert NewShape.usual("capsule").with_typed({"radius": "3in/2"}).sizes["radius"] == "0.0381"


def test_a_shape_becomes_visual_and_collision_of_a_link() -> None:
    model = load(ARM)
    arguments = {"link": "m::base", "geometry": NewShape.usual("sphere"), "with_collision": True}
    placed = {**arguments, "name": "sphere", "pose": (0, 0, 1, 0, 0, 0)}
    once = applied(model, adding.add_visual.perform(EditContext(model, Loader()), placed).edit)
    twice = applied(
        once, adding.add_visual.perform(EditContext(once, Loader()), {**arguments, "name": "sphere_1"}).edit
    )
    names = [twice.local_names[row] for row, kind in enumerate(twice.kinds) if kind in (Kind.VISUAL, Kind.COLLISION)]
    assert names == ["sphere", "sphere_collision", "sphere_1", "sphere_1_collision"]


def test_a_mesh_can_be_one_of_them_alone() -> None:
    model = load(ARM)
    arguments = {"link": "m::base", "name": "hull", "geometry": NewMesh("hull", "meshes/hull.stl", 0.001)}
    edit = adding.add_collision.perform(EditContext(model, Loader()), arguments).edit
    text = applied(model, edit).document.text
    assert "<collision name='hull'>" in text
    assert "<visual" not in text
    assert "<uri>meshes/hull.stl</uri>" in text
    assert "<scale>0.001 0.001 0.001</scale>" in text


def test_a_model_is_added_with_a_shape() -> None:
    world = load("<sdf version='1.10'><world name='w'></world></sdf>")
    arguments = {"name": "box", "geometry": NewShape.usual("box"), "pose": (1, 2, 0.05, 0, 0, 0)}
    after = applied(world, adding.add_model.perform(EditContext(world, Loader()), arguments).edit)
    assert after.kinds[after.row("box")] is Kind.MODEL
    np.testing.assert_allclose(after.X_RootF[after.row("box::link")][:3, 3], (1, 2, 0.05))


def test_a_pose_is_written_so_that_it_is_shown_at_the_place() -> None:
    """Also while joints are moved: the new element goes with its carrier."""
    model = applied(load(ARM), upper(NewShape.usual("box")))
    link = model.row("m::upper")
    X_q = model.X_RootF.copy()
    X_q[link] = X_q[link] @ pose_to_matrix((0, 0, 0, 0, 0.7, 0))
    base = PoseBase(model, X_q, link, link)
    X_RootP = pose_to_matrix((0.3, 0.2, 0.1, 0.1, 0.2, 0.3))
    np.testing.assert_allclose(X_q[link] @ base.written(X_RootP), X_RootP, atol=1e-12)
    np.testing.assert_allclose(base.shown(base.written(X_RootP)), X_RootP, atol=1e-12)


@pytest.mark.parametrize("version", ["1.4", "1.6", "1.9"])
@pytest.mark.parametrize("parent", ["arm", "world"])
def test_a_link_with_its_joint_is_written_in_the_words_of_the_version(version: str, parent: str) -> None:
    model, problems = _loaded(f"""<sdf version="{version}">
  <model name="m">
    <pose>5 0 0 0 0 0</pose>
    <link name="arm"><pose>0 0 1 0 0 1.5</pose></link>
  </model>
</sdf>""")
    joint = NewJoint("hinge", "revolute", parent, {})
    edit = insert_link(model, 0, "tip", pose="1 0 0 0 0 0", joint=joint)
    text = model.document.edited(edit.replacements).text
    after, now = _loaded(text)
    assert now == problems
    assert ("relative_to" in text) is (version == "1.9")
    base = model.X_RootF[model.row("m::arm" if parent == "arm" else "m")]
    expected = base @ pose_to_matrix((1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for name in ("m::tip", "m::hinge"):
        np.testing.assert_allclose(after.X_RootF[after.row(name)], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("tag", "fields", "base"),
    [
        ("link", {"relative_to": "arm"}, "m::arm"),
        ("joint", {"relative_to": "arm", "parent": "arm", "child": "hand"}, "m::arm"),
        ("link", {"relative_to": "__model__"}, "m"),
    ],
)
def test_before_relative_to_a_pose_is_written_in_the_frame_that_counts(
    tag: str, fields: dict[str, str], base: str
) -> None:
    model, problems = _loaded("""<sdf version="1.5">
  <model name="m">
    <link name="arm"><pose>0 0 1 0 0 1.5</pose></link>
    <link name="hand"><pose>0 2 1 0 0.5 0</pose></link>
  </model>
</sdf>""")
    edit = insert_member(model, 0, tag, "new", pose="1 0 0 0 0 0", **fields)
    after, now = _loaded(model.document.edited(edit.replacements).text)
    assert now == problems
    expected = model.X_RootF[model.row(base)] @ pose_to_matrix((1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    np.testing.assert_allclose(after.X_RootF[after.row("m::new")], expected, atol=1e-12)


def _loaded(text: str) -> tuple[Model, list[str]]:
    """Return the model of a text and the messages about it."""
    model, diagnostics = Loader(Finder()).load_with_diagnostics(parse_document(text))
    assert model is not None
    return model, [each.message for each in diagnostics]
