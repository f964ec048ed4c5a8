"""Files brought to another version of SDFormat, newer or older: nothing moves, what is lost is told or refused."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.tables import table
from sdfviewer.export.conversion import convert
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import TARGETS, Version
from tests.corpus import at_least, corpus_files, model_folders
from tests.frames import frame_in
from tests.refactoring.rewritten import assert_same, is_certain, load, written

#: Rules that say of an element or attribute that the version of the file does not know it.
UNKNOWN = {"newer-element", "unknown-element", "unknown-attribute"}
#: The versions in which frames can be named; tests/refactoring/versions/test_unnamed_frames.py has the older ones.
NAMING = [version for version in TARGETS if version >= (1, 7)]

WORLD = """<sdf version="1.12">
  <world name="w">
    <joint name="anchor" type="fixed">
      <pose relative_to="here">0 0 0.2 0 0 0</pose>
      <parent>here</parent>
      <child>rig::foot</child>
    </joint>
    <frame name="here">
      <pose degrees="true">1 2 3 10 20 30</pose>
    </frame>
    <frame name="on_anchor" attached_to="anchor"/>
    <model name="rig" placement_frame="foot" namespace="a">
      <pose rotation_format="quat_xyzw" relative_to="here">0 0 0 0 0 0.6 0.8</pose>
      <link name="base">
        <pose degrees="true">0 0 0.5 0 100 90</pose>
        <sensor name="eye" type="camera">
          <frame_id>eye_frame</frame_id>
          <pose relative_to="hand::palm">0 0 0.1 0 0 0</pose>
        </sensor>
        <visual name="v">
          <geometry>
            <cone><radius>1</radius><length>1</length></cone>
          </geometry>
        </visual>
      </link>
      <frame name="foot">
        <pose>0 0 -0.5 0 0 0</pose>
      </frame>
      <link name="slide">
        <pose relative_to="turn"/>
      </link>
      <joint name="turn" type="revolute">
        <pose relative_to="base">0 0 1 0.1 0 0</pose>
        <parent>foot</parent>
        <child>slide</child>
        <axis>
          <xyz expressed_in="hand::palm">1 0 0</xyz>
          <limit>
            <lower>-inf</lower>
            <upper>inf</upper>
            <effort>inf</effort>
          </limit>
        </axis>
      </joint>
      <model name="hand">
        <pose relative_to="slide">0.3 0 0 0.4 0 0</pose>
        <link name="palm">
          <pose>0 0 0.1 0 0 0</pose>
        </link>
        <frame name="grip">
          <pose>0 0 0.2 0 0 0</pose>
        </frame>
      </model>
      <joint name="push" type="screw">
        <screw_thread_pitch>0.5</screw_thread_pitch>
        <parent>slide</parent>
        <child>hand::grip</child>
        <axis>
          <xyz>0 0 1</xyz>
        </axis>
      </joint>
    </model>
    <state world_name="w">
      <model_state name="rig">
        <pose degrees="true">1 0 0 0 0 90</pose>
        <joint_state name="turn">
          <axis_state>
            <position degrees="true">45</position>
            <velocity>1</velocity>
          </axis_state>
        </joint_state>
        <link_state name="base">
          <linear_velocity>1 2 3</linear_velocity>
          <angular_velocity degrees="true">0 0 180</angular_velocity>
        </link_state>
      </model_state>
    </state>
  </world>
</sdf>
"""


def bring(document: Document, target: Version, loader: Loader | None = None) -> tuple[Edit, Model, Model]:
    loader = loader or Loader()
    edit = change_version(document, loader, target)
    return edit, load(document, loader), load(written(document, edit), loader)


def lowered(text: str, target: Version) -> str:
    document = parse_document(text)
    edit, before, after = bring(document, target)
    assert_same(before, after, edit.renamed)
    assert not [each.message for each in after.diagnostics if each.rule.name in UNKNOWN]
    return after.document.text


def model(content: str, version: str = "1.12") -> str:
    return f'<sdf version="{version}"><model name="m">{content}</model></sdf>'


@pytest.mark.parametrize("target", NAMING)
def test_a_world_of_today_in_every_version_and_back(target: Version) -> None:
    document = parse_document(WORLD)
    edit, before, after = bring(document, target)
    assert after.version == target
    assert_same(before, after, edit.renamed)
    assert not [each.message for each in after.diagnostics if each.rule.name in UNKNOWN]
    back, _, again = bring(after.document, (1, 12))
    assert back.renamed == ()
    assert_same(before, again, edit.renamed)


def test_each_loss_is_reported_with_its_line() -> None:
    notes = bring(parse_document(WORLD), (1, 7))[0].losses
    lines = WORLD.splitlines()
    told = {lines[int(note.split(":")[1]) - 1].strip(): note.split(": ", 1)[1] for note in notes}
    assert told == {
        "<velocity>1</velocity>": "<velocity> of a joint's state does not exist before SDFormat 1.12; left out",
        '<model name="rig" placement_frame="foot" namespace="a">': (
            "'namespace' of <model> is new in SDFormat 1.11; left out"
        ),
        "<frame_id>eye_frame</frame_id>": "<frame_id> of <sensor> is new in SDFormat 1.12; left out",
        "<cone><radius>1</radius><length>1</length></cone>": (
            "the shape <cone> is new in SDFormat 1.11 and has no equivalent"
        ),
    }


def test_only_what_the_version_lacks_is_written_otherwise() -> None:
    document = parse_document(WORLD)
    edit = bring(document, (1, 11))[0]
    assert all(each.end - each.start < 300 for each in edit.replacements)
    text = document.edited(edit.replacements).text
    assert 'rotation_format="quat_xyzw"' in text
    assert '<angle axis="0">0.7853981633974483</angle>' in text
    assert "<velocity>1 2 3 0 0 3.141592653589793</velocity>" in text


def test_angles_are_exact_and_keep_their_turns() -> None:
    text = lowered(model('<link name="a"><pose degrees="true">1 2 3 30 100 -270</pose></link>'), (1, 8))
    found = re.search(r"<pose>(.*)</pose>", text)
    assert found is not None
    np.testing.assert_array_equal(
        [float(word) for word in found[1].split()], [1, 2, 3, *map(math.radians, (30, 100, -270))]
    )


def test_joints_name_links_before_1_8() -> None:
    text = lowered(
        model(
            '<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
            '<frame name="f" attached_to="a"/><frame name="g" attached_to="b"><pose>0 1 0 0 0 1</pose></frame>'
            '<joint name="j" type="revolute"><parent>f</parent><child>g</child><axis><xyz>1 0 0</xyz></axis></joint>'
        ),
        (1, 7),
    )
    assert "<parent>a</parent><child>b</child>" in text
    assert "<pose>0 1 0 0 0 1</pose>" in text[text.index("<joint") :]


def test_a_joint_whose_link_hangs_on_it_is_measured_from_the_model() -> None:
    text = lowered(
        model(
            '<link name="a"/><link name="b"><pose relative_to="j">1 0 0 0 0 0</pose></link>'
            '<frame name="g" attached_to="b"><pose relative_to="__model__">0 1 0 0 0 0</pose></frame>'
            '<joint name="j" type="revolute"><parent>a</parent><child>g</child><axis><xyz>1 0 0</xyz></axis></joint>'
        ),
        (1, 7),
    )
    assert '<pose relative_to="__model__">0 1 0 0 0 0</pose>' in text[text.index("<joint") :]


@pytest.mark.parametrize("pitch", [0.5, -0.02])
def test_the_pitch_of_screws(pitch: float) -> None:
    joint = (
        '<link name="a"/><link name="b"/><joint name="j" type="screw"><parent>a</parent><child>b</child>'
        "{}<axis><xyz>1 0 0</xyz></axis></joint>"
    )
    text = lowered(model(joint.format(f"<screw_thread_pitch>{pitch}</screw_thread_pitch>")), (1, 9))
    assert "screw_thread_pitch" not in text
    written = re.search(r"<thread_pitch>(.*)</thread_pitch>", text)
    assert written is not None
    assert float(written[1]) == pytest.approx(-2 * math.pi / pitch, rel=1e-14)
    assert "<thread_pitch>" in lowered(model(joint.format("")), (1, 9))  # the default is another one


def test_computed_inertia_is_written_in_numbers() -> None:
    text = lowered(
        model(
            '<link name="a"><inertial auto="true"><density>500</density></inertial>'
            '<collision name="c"><pose>1 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision>'
            '<collision name="d"><pose>-1 0 0 0 0 0</pose><density>1000</density><geometry><sphere><radius>1</radius>'
            "</sphere></geometry></collision></link>"
        ),
        (1, 10),
    )
    box, ball = 3000.0, 4000 / 3 * math.pi
    centre = (box - ball) / (box + ball)
    numbers = {tag: float(value) for tag, value in re.findall(r"<(mass|i..)>([^<]*)<", text)}
    assert numbers["mass"] == pytest.approx(box + ball)
    assert numbers["ixx"] == pytest.approx(box / 12 * 13 + 0.4 * ball)
    offsets = box * (1 - centre) ** 2 + ball * (1 + centre) ** 2
    assert numbers["iyy"] == pytest.approx(box / 12 * 10 + 0.4 * ball + offsets)
    assert f"<pose>{centre:.6f}"[:14] in text
    assert "density" not in text


SOLIDS = {
    "<capsule><radius>0.3</radius><length>0.8</length></capsule>": lambda x, y, z: (
        x * x + y * y + np.maximum(np.abs(z) - 0.4, 0) ** 2 <= 0.09
    ),
    "<cone><radius>0.3</radius><length>0.8</length></cone>": lambda x, y, z: (
        (np.hypot(x, y) <= 0.3 * (0.5 - z / 0.8)) & (np.abs(z) <= 0.4)
    ),
    "<cylinder><radius>0.3</radius><length>0.8</length></cylinder>": lambda x, y, z: (
        (np.hypot(x, y) <= 0.3) & (np.abs(z) <= 0.4)
    ),
    "<ellipsoid><radii>0.3 0.2 0.5</radii></ellipsoid>": lambda x, y, z: (
        (x / 0.3) ** 2 + (y / 0.2) ** 2 + (2 * z) ** 2 <= 1
    ),
}


@pytest.mark.parametrize("shape", SOLIDS)
def test_the_inertia_of_each_solid_is_that_of_its_points(shape: str) -> None:
    text = lowered(
        model(
            f'<link name="a"><inertial auto="true"/><collision name="c"><geometry>{shape}</geometry></collision></link>'
        ),
        (1, 10),
    )
    x, y, z = np.meshgrid(*[np.linspace(-0.7, 0.7, 141)] * 3, indexing="ij")
    inside = SOLIDS[shape](x, y, z)
    points = np.stack([x[inside], y[inside], z[inside]])
    mass = 1000 * inside.sum() * 0.01**3
    centre = points.mean(axis=1)
    a, b, c = ((points - centre[:, None]) ** 2).mean(axis=1) * mass
    numbers = {tag: float(value) for tag, value in re.findall(r"<(mass|i..)>([^<]*)<", text)}
    assert numbers["mass"] == pytest.approx(mass, rel=0.02)
    assert [numbers["ixx"], numbers["iyy"], numbers["izz"]] == pytest.approx([b + c, a + c, a + b], rel=0.05)
    pose = re.search(r"<inertial>\s*<pose>0 0 (\S+)", text)
    assert (float(pose[1]) if pose else 0.0) == pytest.approx(centre[2], abs=0.01)


@pytest.mark.parametrize("tag", [tag for tag, kind in PRIMITIVES.items() if kind.is_weighed_by_libsdformat])
def test_a_link_keeps_the_mass_of_a_shape_that_an_older_version_lacks(tag: str) -> None:
    shape = f"<collision name='c'><geometry><{tag}>{PRIMITIVES[tag].new_content()}</{tag}></geometry></collision>"
    for target in TARGETS[:-1]:
        geometry = table(target).element("model/link/collision/geometry")
        assert geometry is not None
        text = lowered(model(f'<link name="a"><inertial auto="true"/>{shape}</link>'), target)
        is_computed = target >= (1, 11) and tag in geometry.children
        assert ('auto="true"' in text) == is_computed
        assert ("<mass>" in text) != is_computed


def test_a_joint_of_the_world_moves_into_the_model_that_it_fixes() -> None:
    edit, before, after = bring(parse_document(WORLD), (1, 9))
    assert edit.renamed == (("anchor", "rig::anchor"),)
    assert_same(before, after, edit.renamed)
    frame = frame_in(after, "on_anchor")
    assert frame.attached_to is not None
    assert frame.attached_to.name == "rig::anchor"


@pytest.mark.parametrize(
    ("content", "target", "why"),
    [
        (
            '<link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>'
            '<xyz>1 0 0</xyz></axis></joint><link name="c"/><joint name="k" type="revolute"><parent>a</parent>'
            '<child>c</child><axis><xyz>1 0 0</xyz><mimic joint="j"><multiplier>2</multiplier></mimic></axis></joint>',
            (1, 10),
            r"-:1: <mimic> of <axis> is new in SDFormat 1.11",
        ),
        (
            '<link name="a"/><model name="n"><link name="l"/></model><frame name="f" attached_to="n::l"/>',
            (1, 7),
            r"frame 'm::f' is attached to 'n::l', to which SDFormat 1.7 cannot refer; flatten the file first",
        ),
    ],
)
def test_what_moves_and_cannot_be_written_is_refused(content: str, target: Version, why: str) -> None:
    with pytest.raises(RefactoringError, match=why):
        change_version(parse_document(model(content)), Loader(), target)


def test_a_joint_between_two_models_of_a_world_is_refused_with_each_reason() -> None:
    joint = '<joint name="{}" type="fixed"><parent>a</parent><child>b</child></joint>\n'
    text = (
        '<sdf version="1.11"><world name="w"><model name="a"><link name="l"/></model><model name="b"><link name="l"/>'
        f"</model>\n{joint.format('j')}{joint.format('k')}</world></sdf>"
    )
    with pytest.raises(RefactoringError) as refusal:
        change_version(parse_document(text), Loader(), (1, 9))
    assert [line.split(": ", 1)[0] for line in str(refusal.value).split("\n")] == ["-:2", "-:3"]


def test_merged_models_are_put_in_where_they_cannot_be_merged(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(
        '<sdf version="1.12"><model name="part"><link name="l"/></model></sdf>', encoding="utf-8"
    )
    file = tmp_path / "top.sdf"
    file.write_text(
        '<sdf version="1.12"><model name="top"><link name="base"/><include merge="true"><uri>part.sdf</uri></include>'
        "<include><uri>part.sdf</uri><name>other</name></include></model></sdf>",
        encoding="utf-8",
    )
    edit, before, after = bring(open_document(file), (1, 8))
    assert_same(before, after, edit.renamed)
    assert after.document.text.count("<include>") == 1
    assert "merge" not in after.document.text.replace("_merged__", "")
    assert any("uses SDFormat 1.12 and is not converted" in note for note in edit.notes)


def test_a_newer_version_is_reached_step_by_step() -> None:
    text = model(
        '<link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>'
        "<xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame><limit><effort>-1</effort></limit>"
        "</axis></joint>",
        "1.6",
    )
    nine = lowered(text, (1, 9))
    assert "<effort>-1</effort>" in nine  # until 1.9 that means none
    assert 'expressed_in="__model__"' in nine
    assert "effort" not in lowered(text, (1, 10))
    for limit in ("0", "0.5"):
        assert f"<effort>{limit}</effort>" in lowered(text.replace("<effort>-1<", f"<effort>{limit}<"), (1, 10))


def test_frames_of_poses_are_renamed_and_those_of_inertia_go() -> None:
    pose = '<pose frame="{}">0 0 1 0 0 0</pose>'
    text = model(
        f'<link name="a"><inertial>{pose.format("")}</inertial></link><link name="b">{pose.format("a")}'
        f'<visual name="v">{pose.format("")}<geometry><box><size>1 1 1</size></box></geometry></visual></link>',
        "1.6",
    )
    raised = lowered(text, (1, 7))
    assert "frame=" not in raised
    assert raised.count('relative_to="a"') == 1


def test_what_has_no_name_gets_none() -> None:
    loader, text = Loader(), '<sdf version="1.6"><model name="m"><link/></model></sdf>'
    model = loader.load(parse_document(text))
    assert model is not None
    conversion = convert(model, loader, "1.9")
    assert conversion.document.text == text.replace("1.6", "1.9")
    assert conversion.faults == ()


def test_the_version_that_a_file_has_changes_nothing() -> None:
    assert change_version(parse_document(WORLD), Loader(), (1, 12)).replacements == ()
    with pytest.raises(RefactoringError, match=r"1\.4 or later"):
        change_version(parse_document(WORLD), Loader(), (1, 3))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("target", "every"),
    [  # by day the oldest and the newest one, for every fifth file: rules have two in each folder
        (NAMING[0], 5),
        (NAMING[-1], 5),
        *(pytest.param(target, 1, marks=pytest.mark.nightly) for target in NAMING),
    ],
)
def test_every_file_of_the_corpus_keeps_its_frames(target: Version, every: int) -> None:
    count = 0
    for file in corpus_files(".sdf", ".world")[::every]:
        document = open_document(file)
        loader = Loader(Finder(model_folders(file)))
        before = loader.load(document)
        if before is None or before.version == target or not is_certain(before):
            continue
        try:
            edit = change_version(document, loader, target)
        except RefactoringError:
            continue
        after = load(written(document, edit), loader)
        assert_same(before, after, edit.renamed)
        if target < before.version:
            again = load(written(after.document, change_version(after.document, loader, before.version)), loader)
            assert_same(before, again, edit.renamed)
        count += 1
    assert count > at_least(150) / every
