"""URDF out: other programs read it with the same poses, and what cannot be copied or carried is said."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.export.urdf import UrdfExport, export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.export.writing import Obstacle
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.urdf.merge import Merging
from sdfviewer.formats.urdf.reading import read_robot
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.forms import to_element_relative_form
from tests.corpus import at_least, some_or_all

EXAMPLES = ["arm", "double_pendulum", "parity_relative_to", "parity_legacy_numbers", "nested_gripper"]


def load(text: str) -> Model:
    model, diagnostics = Loader().load_with_diagnostics(parse_document(text))
    assert model is not None
    faults = {each.rule.name for each in diagnostics if each.is_error and each.rule.name.startswith("urdf")}
    assert not faults - {"urdf-merged-without-mass", "urdf-fixed-to-massless"}  # faults of masses, not of the tree
    return model


def link_poses(model: Model, names: list[str], q: np.ndarray, by_name: list[str]) -> np.ndarray:
    """Return poses of links in the first of them, at positions q of the degrees of freedom called ``by_name``."""
    kinematics = Kinematics(model)
    own = np.zeros((len(q), len(kinematics.dofs)))
    for column, dof in enumerate(kinematics.dofs):
        name = dof.name.partition("::")[2]
        if name in by_name:
            own[:, column] = q[:, by_name.index(name)]
    X = kinematics.poses(kinematics.follow(own), [model.row(name) for name in names])
    return transforms.invert(X[:, :1]) @ X


def assert_same_kinematics(model: Model, export: UrdfExport) -> None:
    after = load(export.text)
    kinematics = Kinematics(model)
    q = kinematics.follow(np.random.default_rng(5).uniform(-1, 1, (20, len(kinematics.dofs))))
    # Joints that URDF does not have stand still on both sides.
    moving = {dof.name.partition("::")[2] for dof in Kinematics(after).dofs}
    for column, dof in enumerate(kinematics.dofs):
        q[:, column] *= export.names[dof.joint.name] in moving and dof.axis == 0
    q = kinematics.follow(q)
    by_name = [export.names[dof.joint.name] if dof.axis == 0 else "" for dof in kinematics.dofs]
    links = [name for name, kind in zip(model.names, model.kinds, strict=True) if kind is Kind.LINK]
    before = kinematics.poses(q, [model.row(name) for name in links])
    then = link_poses(after, [export.names[name] for name in links], q, by_name)
    np.testing.assert_allclose(then, transforms.invert(before[:, :1]) @ before, atol=1e-9)


@pytest.mark.parametrize("name", EXAMPLES)
def test_links_keep_their_poses_at_every_position(name: str, examples: Path) -> None:
    model = load_model(examples / f"{name}.sdf")
    assert_same_kinematics(model, export_urdf(model))


@some_or_all
def test_every_model_of_the_corpus_keeps_its_poses(corpus: Path, every: int) -> None:
    count = 0
    for file in sorted([*corpus.rglob("*.sdf"), *corpus.rglob("*.urdf")])[::every]:
        model = Loader().load(open_document(file))
        # Names that are not those of one frame, and poses that nobody can read, compare with nothing.
        if model is None or any(each.is_error for each in model.diagnostics):
            continue
        try:
            export = export_urdf(model)
        except SdfViewerError:
            continue
        assert_same_kinematics(model, export)
        count += 1
    assert count > at_least(80) / every


def test_a_model_in_element_relative_form_is_copied_directly(examples: Path) -> None:
    assert export_urdf(load_model(examples / "parity_relative_to.sdf")).is_direct_copy
    text = export_urdf(load_model(examples / "parity_relative_to.sdf")).text
    assert '<origin xyz="-0.16 0 0.44" rpy="0 -0.4 0"/>' in text
    legacy = export_urdf(load_model(examples / "parity_legacy_numbers.sdf"))
    assert not legacy.is_direct_copy
    assert Obstacle.RENAMED not in {note.obstacle for note in legacy.notes}


def test_what_can_be_rewritten_first_is_copied_directly_then() -> None:
    model = load(
        """<sdf version="1.11"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
        <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
        </model></sdf>"""
    )
    assert [note.row for note in export_urdf(model).notes] == [model.row("j"), model.row("b")]
    after = Loader().load(model.document.edited(to_element_relative_form(model).replacements))
    assert after is not None
    assert export_urdf(after).is_direct_copy


def two_links(joint: str, more: str = "") -> Model:
    return load(
        f"""<sdf version="1.11"><model name="m"><link name="a"/>{more}
        <link name="b"><pose>1 2 0 0.1 0 0.3</pose></link>{joint}</model></sdf>"""
    )


def joint(joint_type: str, content: str = "<axis><xyz>0 0 1</xyz></axis>", ends: tuple[str, str] = ("a", "b")) -> str:
    return (
        f'<joint name="j" type="{joint_type}"><pose>0 1 0 0 0 0</pose><parent>{ends[0]}</parent>'
        f"<child>{ends[1]}</child>{content}</joint>"
    )


@pytest.mark.parametrize("joint_type", ["revolute", "continuous", "prismatic", "fixed"])
@pytest.mark.parametrize("ends", [("a", "b"), ("b", "a"), ("world", "b")])
def test_a_link_that_is_off_its_axis_keeps_its_pose(joint_type: str, ends: tuple[str, str]) -> None:
    model = two_links(joint(joint_type, ends=ends))
    assert_same_kinematics(model, export_urdf(model))


@pytest.mark.parametrize("joint_type", ["ball", "universal", "screw"])
def test_joints_that_urdf_has_not_are_reported_and_fixed(joint_type: str) -> None:
    model = two_links(joint(joint_type))
    export = export_urdf(model)
    assert (Obstacle.LOST, model.row("j")) in [(note.obstacle, note.row) for note in export.notes]
    assert_same_kinematics(model, export)


def test_loops_and_islands_are_reported() -> None:
    model = two_links(joint("revolute"), '<link name="c"/>')
    alone = [note for note in export_urdf(model).notes if "no joint connects it" in note.message]
    assert [model.names[note.row] for note in alone] == ["m::c"]
    loop = two_links(joint("revolute") + joint("revolute").replace('"j"', '"k"'))
    lost = [loop.names[note.row] for note in export_urdf(loop).notes if note.obstacle is Obstacle.LOST]
    assert lost == ["m::k"]


def test_a_frame_without_a_pose_is_reported() -> None:
    frame = '<frame name="lost" attached_to="a"><pose relative_to="nowhere">1 0 0 0 0 0</pose></frame>'
    export = export_urdf(two_links("", frame))
    assert "its pose cannot be resolved; it is left out" in [note.message for note in export.notes]


def test_nested_names_are_reported(examples: Path) -> None:
    model = load_model(examples / "nested_gripper.sdf")
    export = export_urdf(model)
    renamed = [note for note in export.notes if note.obstacle is Obstacle.RENAMED]
    assert renamed
    assert all("::" not in export.names[model.names[note.row]] for note in renamed)


def test_geometry_that_urdf_has_not_is_reported() -> None:
    model = load(
        """<sdf version="1.11"><model name="m"><link name="a"><visual name="v"><geometry><plane/></geometry></visual>
        <visual name="w"><geometry><sphere><radius>2</radius></sphere></geometry>
        <material><diffuse>1 0 0 1</diffuse></material></visual></link></model></sdf>"""
    )
    export = export_urdf(model)
    assert [note.message for note in export.notes] == [
        "its geometry is a plane, which URDF does not have; it is left out"
    ]
    assert '<sphere radius="2"/>' in export.text
    assert '<color rgba="1 0 0 1"/>' in export.text


def test_a_size_that_is_not_written_is_the_default_of_its_shape() -> None:
    text = '<link name="l"><visual name="v"><geometry><{}/></geometry></visual></link>'
    shapes = {"capsule": 'radius="0.5" length="1"', "cylinder": 'radius="1" length="1"', "box": 'size="1 1 1"'}
    for shape, sizes in shapes.items():
        model = load(f'<sdf version="1.11"><model name="m">{text.format(shape)}</model></sdf>')
        assert f"<{shape} {sizes}/>" in export_urdf(model, version=(1, 1)).text


def test_worlds_and_models_without_links_are_refused() -> None:
    with pytest.raises(SdfViewerError, match="world"):
        export_urdf(load('<sdf version="1.11"><world name="w"/></sdf>'))
    with pytest.raises(SdfViewerError, match="no link"):
        export_urdf(load('<sdf version="1.11"><model name="m"><static>true</static></model></sdf>'))


def test_yourdfpy_reads_the_same_poses(examples: Path) -> None:
    yourdfpy = pytest.importorskip("yourdfpy", reason="yourdfpy, another reader of URDF, is not installed")
    for name in EXAMPLES:
        model = load_model(examples / f"{name}.sdf")
        export = export_urdf(model)
        robot = yourdfpy.URDF.load(io.BytesIO(export.text.encode()), load_meshes=False, load_collision_meshes=False)
        kinematics = Kinematics(model)
        links = [each for each, kind in zip(model.names, model.kinds, strict=True) if kind is Kind.LINK]
        rows = [model.row(each) for each in links]
        for q in kinematics.follow(np.random.default_rng(2).uniform(-1, 1, (10, len(kinematics.dofs)))):
            robot.update_cfg(
                {
                    export.names[dof.joint.name]: q[column]
                    for column, dof in enumerate(kinematics.dofs)
                    if dof.leader is None
                }
            )
            X = kinematics.poses(q, rows)
            theirs = np.array([robot.get_transform(export.names[each], export.names[links[0]]) for each in links])
            np.testing.assert_allclose(theirs, transforms.invert(X[:1]) @ X, atol=1e-9)


@pytest.mark.parametrize(
    "file",
    [
        "reach_description/urdf/reach.urdf",
        "reach_description/urdf/dual_reach.urdf",
        "urdf/lumped.urdf",
        "urdf/hand.urdf",
    ],
)
def test_a_round_trip_through_sdformat_keeps_the_kinematics(file: str, collection: Path) -> None:
    urdf = Loader().load(open_document(collection / file))
    assert urdf is not None
    sdf = load(export_sdformat(urdf).text)
    assert not [each.message for each in sdf.diagnostics if each.is_error]
    export = export_urdf(sdf)
    assert export.is_direct_copy
    again = load(export.text)
    kinematics = Kinematics(urdf)
    q = kinematics.follow(np.random.default_rng(4).uniform(-1, 1, (20, len(kinematics.dofs))))
    dofs = [dof.name.partition("::")[2] for dof in kinematics.dofs]
    links = [name.partition("::")[2] for name, kind in zip(urdf.names, urdf.kinds, strict=True) if kind is Kind.LINK]
    np.testing.assert_allclose(link_poses(again, links, q, dofs), link_poses(urdf, links, q, dofs), atol=1e-9)


def test_only_a_urdf_becomes_sdformat(examples: Path) -> None:
    with pytest.raises(SdfViewerError, match="only a URDF"):
        export_sdformat(load_model(examples / "arm.sdf"))


FOUR_BARS = """<sdf version="1.11"><model name="m"><link name="base"/>
<link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"><pose>1 0 1 0 0.2 0</pose></link>
<link name="c"><pose>0 0 1 0 0 0.1</pose></link>
<joint name="j1" type="revolute"><parent>base</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="j2" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="j3" type="revolute"><parent>base</parent><child>c</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="loop" type="revolute"><pose>0.1 0.2 0.3 0 0.5 0</pose><parent>b</parent><child>c</child>
<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint></model></sdf>"""


def test_a_loop_comes_back_from_the_urdf() -> None:
    model = load(FOUR_BARS)
    export = export_urdf(model)
    assert [model.names[note.row] for note in export.notes if note.obstacle is Obstacle.LOST] == ["m::loop"]
    urdf = load(export.text)
    after = load(export_sdformat(urdf).text)
    for each in (urdf, after):
        (joint,) = Kinematics(each).loop_joints
        assert each.names[joint.row] == "m::loop"
        assert (each.names[joint.parent], each.names[joint.child]) == ("m::b", "m::c")
        X = transforms.invert(each.X_RootF[each.row("base")]) @ each.X_RootF[joint.row]
        np.testing.assert_allclose(X, model.X_RootF[model.row("loop")], atol=1e-9)
        np.testing.assert_allclose(joint.axes[0].xyz, [0, 1, 0])
        assert (joint.axes[0].lower, joint.axes[0].upper) == (-1, 2)
    again = export_urdf(urdf)
    assert again.text.count('name="loop"') == 1
    assert "stays in <gazebo>" in next(note.message for note in again.notes if note.obstacle is Obstacle.LOST)


GEARS = """<sdf version="1.11"><model name="m"><link name="base"/><link name="a"/><link name="b"/>
<joint name="ja" type="revolute"><parent>base</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="jb" type="revolute"><parent>base</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="gear" type="gearbox"><parent>a</parent><child>b</child><gearbox_ratio>3</gearbox_ratio>
<gearbox_reference_body>{}</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""


def test_a_gearbox_is_a_mimic_where_that_is_exact() -> None:
    model = load(GEARS.format("base"))
    export = export_urdf(model)
    assert Obstacle.LOST not in {note.obstacle for note in export.notes}
    assert "<mimic> of 'jb'" in next(note.message for note in export.notes if note.row == model.row("gear"))
    assert '<mimic joint="ja" multiplier="-3"' in export.text
    assert_same_kinematics(model, export)


def test_a_gearbox_that_couples_nothing_is_written_for_gazebo() -> None:
    model = load(GEARS.format("a"))
    export = export_urdf(model)
    assert [note.row for note in export.notes if note.obstacle is Obstacle.LOST] == [model.row("gear")]
    after = load(export.text)
    gear = next(joint for joint in after.joints if joint.type == "gearbox")
    assert after.elements[gear.row].text_of("gearbox_ratio") == "3"
    assert after.elements[gear.row].text_of("gearbox_reference_body") == "a"


def test_a_link_on_a_fixed_joint_stays_a_link_for_libsdformat() -> None:
    model = two_links(joint("fixed"))
    text = export_urdf(model).text
    robot = parse_document(text).root
    assert robot is not None
    merging = Merging(read_robot(robot, None), None)
    assert merging.targets["b"] == "b"
    plain = parse_document(text.replace("<preserveFixedJoint>true", "<preserveFixedJoint>false")).root
    assert plain is not None
    assert Merging(read_robot(plain, None), None).targets["b"] == "a"


def test_links_and_joints_in_gazebo_are_written_once() -> None:
    """What the tree of the URDF holds leaves its ``<gazebo>``; the rest of that stays."""
    model = load("""<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<gazebo><link name="b"><pose>0 0 1 0 0 0</pose><inertial><mass>3</mass></inertial>
<sensor name="eye" type="camera"/></link><plugin name="p" filename="x"/>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></gazebo>
</robot>""")
    export = export_urdf(model)
    assert export.text.count('<link name="b"') == export.text.count('<joint name="j"') == 1
    assert '<mass value="3.0"/>' in export.text
    assert '<sensor name="eye"' in export.text
    assert '<plugin name="p"' in export.text
    assert_same_kinematics(model, export)


def test_a_material_that_is_named_keeps_its_color() -> None:
    text = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">
<visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual></link></robot>"""
    assert '<color rgba="1 0 0 1"/>' in export_urdf(load(text)).text


def test_prefixes_that_are_used_stay_declared() -> None:
    sdf = load_model(
        '<sdf version="1.9" xmlns:gz="http://gazebosim.org/schema" xmlns:other="elsewhere"><model name="m">'
        '<link name="l"><sensor name="s" type="custom" gz:type="dvl"><gz:dvl><x>1</x></gz:dvl></sensor></link>'
        "</model></sdf>"
    )
    urdf = export_urdf(sdf).text
    dvl = ElementTree.fromstring(urdf).find("gazebo/sensor")
    assert dvl is not None
    assert dvl.get("{http://gazebosim.org/schema}type") == "dvl"
    assert "elsewhere" not in urdf
    back = ElementTree.fromstring(export_sdformat(load_model(urdf)).text)
    assert back.find("model/link/sensor/{http://gazebosim.org/schema}dvl") is not None


@pytest.mark.parametrize("merge_fixed", [False, True])
def test_a_joint_whose_child_is_missing_is_left_out(merge_fixed: bool) -> None:
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    model = load_model(f'<robot name="r"><link name="a"/>{joint}</robot>')
    export = export_sdformat(model, merge_fixed=merge_fixed)
    assert "<joint" not in export.text
    assert "joint 'j': its child is not a link of the robot; it is left out" in [note.message for note in export.notes]
