"""``sdfviewer convert``, and ``frames`` with joints and conventions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.export.conversion import OPTIONS
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.versions.raising import raise_version
from tests.corpus import at_least
from tests.frames import frame_in


def test_to_urdf_says_what_is_rewritten_and_where(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    out = tmp_path / "lamp.urdf"
    words = ["convert", "--to", "urdf", "-o", str(out), str(examples / "parity_legacy_numbers.sdf")]
    assert main([*words, "--allow-loss"]) == 0
    assert main(["check", str(out)]) == 0
    errors = capsys.readouterr().err
    assert "parity_legacy_numbers.sdf:33: rewritten: joint" in errors


def test_to_element_relative_and_back(examples: Path, tmp_path: Path) -> None:
    there, back = tmp_path / "there.sdf", tmp_path / "back.sdf"
    source = examples / "parity_legacy_numbers.sdf"
    assert main(["convert", "--to", "element-relative", "-o", str(there), str(source)]) == 0
    assert main(["convert", "--to", "model-absolute", "-o", str(back), str(there)]) == 0
    models = [Loader().load(open_document(file)) for file in (source, there, back)]
    assert Comparison(models[1]).equal
    for model in models[1:]:
        np.testing.assert_allclose(model.X_RootF, models[0].X_RootF, atol=1e-9)


def test_a_urdf_becomes_sdformat(collection: Path, tmp_path: Path) -> None:
    out = tmp_path / "reach.sdf"
    urdf = collection / "reach_description" / "urdf" / "reach.urdf"
    assert main(["convert", "--to", "1.12", "-o", str(out), str(urdf)]) == 0
    assert main(["diff", str(urdf), str(out)]) == 1  # massless links have become frames
    assert main(["check", str(out)]) == 0


OLD = """<sdf version="1.4"><model name="m"><link name="a"><pose>0 0 1 0 0 0</pose></link>
  <link name="b"><pose>1 0 1 0 0 0.5</pose></link>
  <joint name="a" type="revolute"><parent>a</parent><child>b</child><pose>0 0 0 0 0.3 0</pose>
    <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper><effort>-1</effort></limit></axis></joint>
</model></sdf>"""
FIVE = """<sdf version="1.5"><world name="w"><physics type="ode"><gravity>0 0 -1</gravity></physics>
  <model name="m"><link name="a"/><link name="b"><pose frame="">1 0 0 0 0 0</pose></link>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child>
    <axis><xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame></axis></joint></model>
  <state world_name="w"><model name="m"><link name="a"/></model></state></world></sdf>"""


@pytest.mark.parametrize("text", [OLD, FIVE])
def test_raising_the_version_moves_nothing(text: str, tmp_path: Path) -> None:
    file, out = tmp_path / "old.sdf", tmp_path / "new.sdf"
    file.write_text(text, encoding="utf-8")
    main(["convert", "--to", "1.12", "-o", str(out), str(file)])
    before, after = (Loader().load(open_document(each)) for each in (file, out))
    assert after.version == (1, 12)
    assert after.names == before.names
    q = [0.4]
    np.testing.assert_allclose(Kinematics(after).poses(q), Kinematics(before).poses(q), atol=1e-12)
    written = out.read_text(encoding="utf-8")
    for gone in (
        "use_parent_model_frame",
        "effort",
        '<physics type="ode"><gravity>',
        'frame=""',
        '<model name="m"><link name="a"/></model></state>',
    ):
        assert gone not in written


@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6", "1.7", "1.8", "1.10"])
def test_raised_files_of_the_corpus_keep_their_poses(version: str, corpus: Path) -> None:
    count, refused = 0, []
    for file in sorted(corpus.rglob("*.sdf")):
        if f'version="{version}"'.encode() not in file.read_bytes()[:300].replace(b"'", b'"'):
            continue
        document = open_document(file)
        before = Loader().load(document)
        if before is None or before.version != tuple(map(int, version.split("."))):
            continue
        try:
            edit = raise_version(before)
        except RefactoringError as error:
            refused.append(str(error))
            continue
        after = Loader().load(parse_document(document.edited(edit.replacements).text, file))
        assert after.names == before.names
        kinematics = Kinematics(before)
        q = np.random.default_rng(1).uniform(-1, 1, len(kinematics.dofs))
        np.testing.assert_allclose(Kinematics(after).poses(q), kinematics.poses(q), atol=1e-9)
        count += 1
        if count == 15:
            break
    assert count >= at_least(1)
    assert all("contains '::', which names must not since SDFormat 1.8" in why for why in refused)


def test_worlds_do_not_become_urdf(examples: Path) -> None:
    assert main(["convert", "--to", "urdf", str(examples / "world_frames.sdf")]) == 2


def frames(capsys: pytest.CaptureFixture, *arguments: str) -> dict[str, dict]:
    assert main(["frames", "--json", *arguments]) == 0
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)["frames"]}


def test_frames_at_a_configuration_in_either_convention(examples: Path, capsys: pytest.CaptureFixture) -> None:
    legacy, parity = (str(examples / f"parity_{name}.sdf") for name in ("legacy_numbers", "relative_to"))
    read_so = frames(capsys, "--reading", "element-relative", "--joint", "joint3=0.5", legacy)
    meant = frames(capsys, "--joint", "joint3=0.5", parity)
    mine, theirs = (
        found[f"parity_{name}::link4"] for found, name in ((read_so, "legacy_numbers"), (meant, "relative_to"))
    )
    np.testing.assert_allclose(mine["pose"], theirs["pose"], atol=1e-12)
    assert mine["relative_to"] == "parity_legacy_numbers::joint3"


@pytest.mark.parametrize(
    ("joint", "message"),
    [("link1=1", "is a link, not a joint"), ("joint1=1,2", "takes 1 number"), ("nothing=1", "there is no joint")],
)
def test_joints_that_cannot_move_are_refused(
    joint: str, message: str, examples: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["frames", "--joint", joint, str(examples / "parity_relative_to.sdf")]) == 2
    assert message in capsys.readouterr().err


def test_a_cycle_of_the_convention_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "leaning.sdf"
    file.write_text(
        '<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
        '<pose relative_to="b"/><parent>a</parent><child>b</child></joint></model></sdf>',
        encoding="utf-8",
    )
    assert main(["frames", "--convention", "element-relative", str(file)]) == 0
    assert "form a cycle: m::b → m::j → m::b" in capsys.readouterr().err


def test_why_at_a_configuration(examples: Path, capsys: pytest.CaptureFixture) -> None:
    file = str(examples / "parity_relative_to.sdf")
    assert main(["why", "--joint", "joint3=0.5", "link4", file]) == 0
    out = capsys.readouterr().out
    assert "parity_relative_to::joint3 = 0.5" in out
    assert "parity_relative_to::joint2 = 0" in out


def test_includes_are_put_in(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    part, whole, out = (tmp_path / name for name in ("part/model.sdf", "whole.sdf", "out.sdf"))
    part.parent.mkdir()
    (part.parent / "shape.obj").write_text("o shape\n", encoding="utf-8")
    part.write_text(
        '<sdf version="1.5"><model name="part"><pose>9 9 9 0 0 0</pose><link name="a"><visual name="v"><geometry>'
        "<mesh><uri>shape.obj</uri></mesh></geometry></visual></link>"
        '<link name="b"><pose frame="a">1 0 0 0 0 0</pose></link></model></sdf>',
        encoding="utf-8",
    )
    whole.write_text(
        '<sdf version="1.9">\n  <model name="m">\n    <link name="base"/>\n    <include>\n'
        "      <uri>part/model.sdf</uri>\n"
        '      <name>p</name>\n      <pose relative_to="base">0 0 1 0 0 0</pose>\n    </include>\n'
        "    <include><uri>nowhere</uri></include>\n  </model>\n</sdf>\n",
        encoding="utf-8",
    )
    assert main(["convert", "--to", "standalone", "-o", str(out), str(whole)]) == 1
    assert "whole.sdf:9: 'nowhere' is not found" in capsys.readouterr().err
    before, after = (Loader().load(open_document(each)) for each in (whole, out))
    assert after.names == before.names == ["m", "m::base", "m::p", "m::p::a", "m::p::a::v", "m::p::b", "m::nowhere"]
    np.testing.assert_allclose(after.X_RootF, before.X_RootF, atol=1e-12)
    text = out.read_text(encoding="utf-8")
    assert "<uri>part/shape.obj</uri>" in text
    assert text.count("<include>") == 1


def test_a_flat_file_has_no_models_in_models(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "flat.sdf"
    source = examples / "nested_gripper.sdf"
    assert main(["convert", "--to", "flat", "-o", str(out), str(source)]) == 0
    model = Loader().load(open_document(out))
    assert [name for name, kind in zip(model.names, model.kinds, strict=True) if kind is Kind.MODEL] == [model.names[0]]
    assert main(["check", str(out)]) == 0
    before = frame_in(Loader().load(open_document(source)), "nested_gripper::gripper").pose
    np.testing.assert_allclose(frame_in(model, "nested_gripper::gripper").pose, before, atol=1e-12)


def test_a_file_is_lowered_with_notes_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file, out = tmp_path / "new.sdf", tmp_path / "old.sdf"
    link = '<link name="a"><pose degrees="true">0 0 0 0 0 90</pose></link>\n'
    file.write_text(f'<sdf version="1.12">\n<model name="m" namespace="n">\n{link}</model></sdf>', encoding="utf-8")
    assert main(["convert", "--to", "1.8", "-o", str(out), str(file)]) == 1
    assert main(["convert", "--to", "1.8", "--allow-loss", "-o", str(out), str(file)]) == 0
    assert "new.sdf:2: 'namespace' of <model> is new in SDFormat 1.11; left out" in capsys.readouterr().err
    assert main(["check", str(out)]) == 0
    assert '<sdf version="1.8">' in out.read_text(encoding="utf-8")
    frame = '<model name="n"><link name="b"/></model><frame name="f" attached_to="n::b"/>'
    file.write_text(f'<sdf version="1.12"><model name="m">{link}{frame}</model></sdf>', encoding="utf-8")
    assert main(["convert", "--to", "1.7", str(file)]) == 2
    assert "new.sdf:2: frame 'm::f' is attached to 'n::b'" in capsys.readouterr().err
    assert main(["convert", "--to", "flat", "-o", str(out), str(file)]) == 0
    assert main(["convert", "--to", "1.7", str(out)]) == 0


def test_a_urdf_becomes_sdformat_of_a_version_that_can_say_it(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    out = tmp_path / "reach.sdf"
    urdf = collection / "reach_description" / "urdf" / "reach.urdf"
    assert main(["convert", "--to", "1.11", "-o", str(out), str(urdf)]) == 0
    assert '<sdf version="1.11">' in out.read_text(encoding="utf-8")
    assert main(["convert", "--to", "1.10", str(urdf)]) == 2  # one finger mimics the other
    assert "<mimic> of <axis> is new in SDFormat 1.11" in capsys.readouterr().err


def test_merged_links_leave_frames_and_their_mass(tmp_path: Path) -> None:
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    urdf, out = tmp_path / "robot.urdf", tmp_path / "robot.sdf"
    urdf.write_text(
        f'<robot name="r"><link name="a"><inertial><mass value="1"/>{inertia}</inertial></link>'
        '<joint name="j" type="fixed"><origin xyz="0 0 2"/><parent link="a"/><child link="b"/></joint>'
        f'<link name="b"><inertial><mass value="3"/>{inertia}</inertial>'
        '<visual><geometry><sphere radius="1"/></geometry></visual></link>'
        '<gazebo reference="b"><sensor name="eye" type="camera"><pose>1 0 0 0 0 0</pose></sensor></gazebo></robot>',
        encoding="utf-8",
    )
    assert main(["convert", "--to", "1.12", "--merge-fixed", "-o", str(out), str(urdf)]) == 0
    model = Loader().load(open_document(out))
    assert model.names == ["r", "r::a", "r::a::a_fixed_joint_lump__b_visual", "r::a::eye", "r::j", "r::b"]
    assert [str(kind) for kind in model.kinds[4:]] == ["frame", "frame"]
    assert frame_in(model, "r::b").body.name == "r::a"
    np.testing.assert_allclose(frame_in(model, "r::a::eye").pose[:3, 3], [1, 0, 2])
    inertial = frame_in(model, "r::a").element.find("inertial")
    assert inertial.text_of("mass") == "4.0"
    assert inertial.text_of("pose") == "0 0 1.5 0 0 0"
    assert inertial.find("inertia").text_of("ixx") == "5.0"  # 1 + 1 + 1 · 1.5² + 3 · 0.5²
    assert inertial.find("inertia").text_of("izz") == "2.0"


def test_every_lost_joint_is_listed_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file, out = tmp_path / "m.sdf", tmp_path / "m.urdf"
    joints = "".join(
        f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>\n'
        for name, parent, child in (("j", "a", "world"), ("k", "a", "nothing"), ("l", "a", "f"), ("ok", "a", "b"))
    )
    file.write_text(
        '<sdf version="1.4"><model name="m"><link name="a"/><link name="b"/><frame name="f" attached_to="a"/>\n'
        f"{joints}</model></sdf>",
        encoding="utf-8",
    )
    assert main(["convert", "--to", "urdf", "-o", str(out), str(file)]) == 1
    said = capsys.readouterr().err
    for line, joint in (("2", "j"), ("3", "k"), ("4", "l")):
        assert f"m.sdf:{line}: lost: joint 'm::{joint}'" in said
    assert "sdfviewer: 3 things could not be converted; use --allow-loss to accept this" in said


def test_names_shared_before_1_7_are_listed_when_the_version_is_raised(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file, out = tmp_path / "old.sdf", tmp_path / "new.sdf"
    file.write_text(
        '<sdf version="1.6"><model name="m"><link name="base"/><link name="arm"/>\n'
        '<joint name="arm" type="fixed"><parent>base</parent><child>arm</child></joint></model></sdf>',
        encoding="utf-8",
    )
    main(["convert", "--to", "1.7", "-o", str(out), str(file)])
    message = "old.sdf:2: <joint> 'arm' shares its name with a sibling; it is renamed to 'arm_joint'"
    assert message in capsys.readouterr().err
    assert main(["check", str(out)]) == 0


def test_the_suffix_of_the_output_names_the_target(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arm = str(examples / "arm.sdf")
    urdf, sdf, other = tmp_path / "arm.urdf", tmp_path / "back.sdf", tmp_path / "other.xml"
    assert main(["convert", "--allow-loss", "-o", str(urdf), arm]) == 0
    assert "<robot" in urdf.read_text(encoding="utf-8")
    assert main(["convert", "-o", str(sdf), str(urdf)]) == 0
    assert '<sdf version="1.12"' in sdf.read_text(encoding="utf-8")
    capsys.readouterr()
    for ambiguous in (["-o", str(tmp_path / "copy.sdf"), arm], ["-o", str(other), arm], [arm]):
        assert main(["convert", *ambiguous]) == 2
        assert "name what to convert to, for example --to urdf" in capsys.readouterr().err
    assert main(["convert", "--to", "1.12", "-o", str(tmp_path / "explicit.urdf"), arm]) == 0
    assert '<sdf version="1.12"' in (tmp_path / "explicit.urdf").read_text(encoding="utf-8")


_INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def _mimic_chain() -> str:
    links = "".join(f'<link name="{name}">{_INERTIAL}</link>' for name in ("palm", "p1", "p2", "p3"))
    joint = (
        '<joint name="k{0}" type="revolute"><parent link="{1}"/><child link="p{0}"/><origin xyz="0.1 0 0"/>'
        '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>{2}</joint>\n'
    )
    joints = joint.format(1, "palm", "") + joint.format(2, "p1", '\n<mimic joint="k1" multiplier="0.5" offset="0.1"/>')
    joints += joint.format(3, "p2", '<mimic joint="k2" multiplier="-2"/>')
    return f'<robot name="hand">\n{links}\n{joints}</robot>'


def test_a_version_without_mimic_is_refused_at_lines_of_the_urdf(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "hand.urdf"
    file.write_text(_mimic_chain(), encoding="utf-8")
    assert main(["convert", "--to", "1.9", str(file)]) == 2
    refusals = capsys.readouterr().err.splitlines()
    assert [line.partition(" <mimic>")[0] for line in refusals] == [f"sdfviewer: {file}:5:", f"{file}:6:"]


def test_a_version_without_mimic_leaves_it_out_where_that_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file, out = tmp_path / "hand.urdf", tmp_path / "hand.sdf"
    file.write_text(_mimic_chain(), encoding="utf-8")
    assert main(["convert", "--to", "1.9", "--allow-loss", "-o", str(out), str(file)]) == 0
    losses = capsys.readouterr().err.splitlines()
    assert [line.partition(" <mimic>")[0] for line in losses] == [f"{file}:5:", f"{file}:6:"]
    assert all("the joint moves on its own" in line for line in losses)
    assert main(["check", str(out)]) == 0
    bundle = tmp_path / "bundle"
    assert main(["convert", "--to", "1.9", "--allow-loss", "--bundle", str(bundle), str(file)]) == 0
    assert "<mimic" not in (bundle / "hand.sdf").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_offered_as_it_is_declared(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In the library and the window: tests/library/test_model.py, tests/gui/shell/test_export.py."""
    option = OPTIONS[name]
    assert option.parameter.name == name
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert f"--{option.parameter.option_name}" in shown
    assert f"with --to {option.target}: {option.parameter.help}" in shown


def test_an_srdf_is_not_converted_to_sdformat(capsys: pytest.CaptureFixture[str]) -> None:
    """It holds no robot: the message names the file that does."""
    assert main(["convert", "--to", "1.12", str(Path(__file__).parents[1] / "rules" / "srdf-state" / "good.sdf")]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert "convert" in captured.err
    assert "arm.urdf" in captured.err
