import numpy as np
import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.palette import TOKENS
from sdfviewer.scene.geometry import Shape
from sdfviewer.scene.glyphs import MOST_BOXES, Edges, build_labels_at, choose_rows, crowding, shown_lines
from sdfviewer.scene.loader import LoadedMesh, MeshLoader, diagnose
from sdfviewer.scene.marks import inertia_of
from sdfviewer.scene.nodes import Layer, Stroke
from sdfviewer.scene.scene import update_poses
from sdfviewer.scene.scene_build import SceneBuilder, SceneOptions
from sdfviewer.session.session import Session
from tests.scenes import build_scene

MODEL = """<sdf version="1.12"><model name="m">
  <link name="a">
    <inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>
    <visual name="v"><pose>0 0 1 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>
      <material><diffuse>1 0 0 1</diffuse></material></visual>
    <collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision>
    <sensor name="eye" type="camera"><camera><image><width>640</width><height>480</height></image></camera></sensor>
  </link>
  <link name="b"><pose relative_to="a">1 0 0 0 0 0</pose></link>
  <frame name="lost"><pose relative_to="lost"/></frame>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


@pytest.fixture(scope="module")
def model():
    return load_model(MODEL)


def test_surfaces_are_where_their_rows_are(model) -> None:
    scene = build_scene(model)
    (visual,) = scene.surfaces
    assert scene.names[visual.row] == "m::a::v"
    assert visual.scale == (1, 2, 3)
    assert visual.material is not None
    assert visual.material.diffuse == (1, 0, 0, 1)
    np.testing.assert_allclose(scene.bounds([visual.row]), [[-0.5, -1, -0.5], [0.5, 1, 2.5]])


def test_layers_come_by_option(model) -> None:
    options = SceneOptions(visuals=False, collisions=True, inertia=True, centres_of_mass=True)
    scene = build_scene(model, options)
    assert [surface.layer for surface in scene.surfaces] == [Layer.COLLISION, Layer.INERTIA]
    assert [scene.names[row] for row in scene.centres.rows] == ["m::a"]


def test_frames_without_a_pose_have_no_triad(model) -> None:
    scene = build_scene(model)
    names = [scene.names[row] for row in scene.triads.rows]
    assert "m::lost" not in names
    assert {"m", "m::a", "m::b", "m::j"} <= set(names)


def test_what_is_too_far_away_or_too_large_is_left_out() -> None:
    text = MODEL.replace("1 0 0 0 0 0", "1e308 0 0 0 0 0").replace("<size>1 2 3</size>", "<size>1e308 2 3</size>")
    model = load_model(text)
    builder = SceneBuilder(Finder(), lambda _: None)
    scene = builder.build(model)
    assert scene.surfaces == ()
    (problem,) = builder.problems
    assert "larger than" in problem.message
    assert np.isnan(scene.X_RootF[model.row("m::b")]).any()
    assert np.abs(scene.outline()).max() < 100
    assert np.isnan(update_poses(scene, model.X_RootF).X_RootF[model.row("m::b")]).any()
    assert np.isfinite(model.X_RootF[model.row("m::b")]).all(), "the frame is where the file says"


@pytest.mark.parametrize("angle", ["inf", "-inf", "nan", "1e308", "-1e308"])
def test_angles_that_are_no_angles_can_be_drawn(angle: str) -> None:
    sensors = (
        f'<sensor name="c" type="camera"><camera><horizontal_fov>{angle}</horizontal_fov></camera></sensor>'
        f'<sensor name="r" type="ray"><ray><scan><horizontal><min_angle>{angle}</min_angle><max_angle>{angle}'
        f"</max_angle></horizontal><vertical><min_angle>{angle}</min_angle></vertical></scan></ray></sensor>"
        f'<light name="s" type="spot"><spot><outer_angle>{angle}</outer_angle></spot></light>'
    )
    lines = build_scene(load_model(MODEL.replace('<link name="b">', f'<link name="b">{sensors}'))).lines
    assert np.isfinite(lines.points).all()


def test_frames_are_chosen_by_kind_name_and_model(model) -> None:
    links = choose_rows(model, frozenset({"link"}))
    assert [model.names[row] for row in np.nonzero(links)[0]] == ["m::a", "m::b"]
    assert choose_rows(model, frozenset({"link"}), "::A").sum() == 1
    assert choose_rows(model, frozenset({"link"}), within=frozenset({"elsewhere"})).sum() == 0


def test_edges_are_dashed_where_they_are_not_written(model) -> None:
    scene = build_scene(model, SceneOptions(sensors=False, edges=Edges.RELATIVE_TO))
    strokes = {scene.names[a]: Stroke(s) for (a, _), s in zip(scene.lines.rows, scene.lines.strokes, strict=True)}
    assert strokes["m::b"] is Stroke.ARROW
    assert strokes["m::a"] is Stroke.DASHED_ARROW


def test_the_inertia_box_is_that_of_a_solid_box(model) -> None:
    inertia = inertia_of(model, model.row("m::a"))
    assert inertia is not None
    assert inertia.possible
    # Ixx = m (b² + c²) / 12 and so on, for 1 x 2 x 3 m and 12 kg.
    np.testing.assert_allclose(np.sort(inertia.box), [1, 2, 3])


AROUND = """<sdf version="1.12"><world name="w">
  <model name="ground"><static>true</static><link name="l"><collision name="plane"><geometry>
    <plane><size>100 100</size></plane></geometry></collision></link></model>
  <model name="hall"><static>true</static><link name="l"><collision name="wall"><geometry>
    <box><size>20 8 6</size></box></geometry></collision></link></model>
  <model name="ship"><link name="l"><collision name="hull"><geometry>
    <box><size>20 8 6</size></box></geometry></collision></link></model>
</world></sdf>"""


def opacities(scene) -> dict[str, float]:
    return {scene.names[each.row]: each.material.diffuse[3] for each in scene.surfaces}


def test_collisions_of_what_is_around_a_robot_are_faint() -> None:
    """Those of a ground plane or of a building covered the whole view."""
    around = opacities(build_scene(load_model(AROUND), SceneOptions(collisions=True)))
    assert around["ground::l::plane"] == around["hall::l::wall"] < 0.2
    assert around["ship::l::hull"] > 0.4  # it moves: it is what one looks at


def test_a_large_collision_becomes_faint_once_its_model_is_static() -> None:
    builder, options = SceneBuilder(Finder(), lambda _shape: None), SceneOptions(collisions=True)
    session = Session(load_model(AROUND).document)
    assert opacities(builder.build(session.model, options))["ship::l::hull"] > 0.4
    start = session.document.text.index('<model name="ship">') + len('<model name="ship">')
    session.apply(Edit("Static", session.document, (Replacement(start, start, "<static>true</static>"),)))
    assert opacities(builder.build(session.model, options))["ship::l::hull"] < 0.2


def test_an_inertia_far_larger_than_the_model_is_drawn_as_edges() -> None:
    """A box of a hundred metres covered the whole view; its edges say how large it is."""
    huge = MODEL.replace("<ixx>13</ixx><iyy>10</iyy><izz>5</izz>", "<ixx>1e5</ixx><iyy>1e5</iyy><izz>1e5</izz>")
    scene = build_scene(load_model(huge), SceneOptions(inertia=True, sensors=False))
    assert [surface.layer for surface in scene.surfaces] == [Layer.VISUAL]
    edges = shown_lines(scene.lines, np.zeros(len(scene.names), bool), declutter=True)
    assert len(edges.rows) == 12
    inertia = inertia_of(load_model(huge), scene.names.index("m::a"))
    assert inertia is not None
    lengths = np.linalg.norm(np.diff(edges.points, axis=1)[:, 0], axis=1)
    np.testing.assert_allclose(lengths, inertia.box[0])


def test_an_inertia_that_hides_the_robot_from_a_small_link_is_drawn_as_edges() -> None:
    """As those of grippers, which are as large as the whole robot."""
    small = """<link name="finger"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>
    </inertial><visual name="v"><geometry><box><size>0.1 0.1 0.1</size></box></geometry></visual></link>"""
    model = load_model(MODEL.replace('<link name="b">', f'{small}<link name="b">'))
    scene = build_scene(model, SceneOptions(inertia=True, sensors=False))
    boxes = [scene.names[surface.row] for surface in scene.surfaces if surface.layer is Layer.INERTIA]
    assert boxes == ["m::a"]
    assert {scene.names[row] for row in scene.lines.owners} == {"m::finger"}


def test_many_inertias_that_hide_the_robot_are_icons_until_they_matter() -> None:
    """The edges of those of a whole humanoid were a tangle."""
    large = "<inertial><mass>1</mass><inertia><ixx>1e4</ixx><iyy>1e4</iyy><izz>1e4</izz></inertia></inertial>"
    links = "".join(f'<link name="extra_{number}">{large}</link>' for number in range(MOST_BOXES + 1))
    model = load_model(MODEL.replace('<link name="b">', f'{links}<link name="b">'))
    lines = build_scene(model, SceneOptions(inertia=True, sensors=False)).lines
    attended = np.zeros(len(model), bool)
    assert shown_lines(lines, attended, declutter=True).on_screen.all()
    attended[model.row("m::extra_0")] = True
    shown = shown_lines(lines, attended, declutter=True)
    assert set(shown.owners[~shown.on_screen].tolist()) == {model.row("m::extra_0")}
    assert not shown_lines(lines, attended, declutter=False).on_screen.any()


def test_impossible_moments_are_distinguished() -> None:
    text = MODEL.replace("<izz>5</izz>", "<izz>100</izz>")
    broken = load_model(text)
    inertia = inertia_of(broken, broken.row("m::a"))
    assert inertia is not None
    assert not inertia.possible


def test_jp_rides_with_the_parent(model) -> None:
    lines = build_scene(model, SceneOptions(sensors=False, parent_sides=True)).lines
    assert lines.rows[:3].tolist() == [[model.row("m::a")] * 2] * 3
    ends = lines.endpoints(model.X_RootF)
    np.testing.assert_allclose(ends[3, 0], ends[3, 1], atol=1e-12)  # Jp and Jc are the same at the start
    moved = model.X_RootF.copy()
    moved[model.row("m::j"), :3, 3] += 1.0
    assert np.linalg.norm(np.diff(lines.endpoints(moved)[3], axis=0)) == pytest.approx(np.sqrt(3))


def test_labels_at_other_poses_are_where_these_say(model) -> None:
    triads = build_scene(model).triads
    X_RootF = model.X_RootF + np.eye(4, k=3)  # one metre along x
    labels = build_labels_at(model, triads, X_RootF)
    assert labels.texts == build_scene(model).labels.texts
    assert labels.owners.tolist() == triads.rows.tolist()
    np.testing.assert_allclose(labels.offsets, model.X_RootF[triads.rows, :3, 3] + (1, 0, 0))


def test_jp_and_jc_have_labels_while_jp_is_shown(model) -> None:
    assert {"j (Jc)", "j (Jp)"} <= set(build_scene(model, SceneOptions(parent_sides=True)).labels.texts)
    assert "j" in build_scene(model).labels.texts


def test_frames_of_one_name_are_told_apart_by_their_models() -> None:
    """All thousand cylinders of a world were "cylinder_link"."""
    inner = '<model name="{}"><link name="body"/><link name="{}"/><model name="n"><link name="tip"/></model></model>'
    models = "".join(inner.format(*names) for names in (("a", "left"), ("b", "right"), ("c", "right")))
    texts = build_scene(load_model(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')).labels.texts
    assert {"a", "b", "c", "left", "a::body", "b::body", "b::right", "c::right", "a::n::tip", "c::n::tip"} <= set(texts)
    assert len(set(texts)) == len(texts)


def test_names_are_not_computed_again_after_a_move() -> None:
    session = Session(parse_document(MODEL))
    assert session.model is not None
    before = session.model.distinct_names
    at = MODEL.index("1 0 0 0 0 0")
    session.apply(Edit("Move", session.document, (Replacement(at, at + 1, "2"),)))
    assert session.model.distinct_names is before


def test_sensors_are_icons_of_a_size_on_screen(model) -> None:
    lines = build_scene(model).lines
    assert lines.on_screen.all()
    assert set(lines.tokens.tolist()) == {TOKENS.index("sensor")}


def test_crowds_shrink_and_single_frames_do_not() -> None:
    generator = np.random.default_rng(0)
    assert crowding(np.array([[100.0, 100.0]]), 800, 600) == 1.0
    assert crowding(np.full((50, 2), 100.0), 800, 600) == 1.0  # one place counts once
    some, many = (crowding(generator.uniform(0, 600, (k, 2)), 800, 600) for k in (300, 3000))
    assert 1.0 > some > many
    assert crowding(np.array([[-50.0, 0.0]]), 800, 600) == 1.0


def test_what_is_wrong_with_a_file_is_at_the_element_of_the_model_that_is_shown() -> None:
    """After each evaluation of a xacro file all elements are others; what was read of its meshes is not."""
    mesh = "<geometry><mesh><uri>none.obj</uri></mesh></geometry>"
    visuals = "".join(f'<visual name="v{number}">{mesh}</visual>' for number in range(2))
    text = f'<sdf version="1.9"><model name="m"><link name="l">\n{visuals}</link></model></sdf>'
    finder, loaded = Finder(), dict[Shape, LoadedMesh]()
    load = MeshLoader(finder).load
    builder = SceneBuilder(finder, lambda shape: loaded.setdefault(shape, load(shape)))
    found = []
    for _ in range(2):
        model = load_model(text)
        builder.build(model)
        found.append([(each.message, each.span and each.span.line) for each in diagnose(model, builder.problems)])
    assert found[0] == found[1]
    assert [line for _, line in found[0]] == [2]
