"""``sdfviewer edit`` sets, adds, removes and mates."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main

TEXT = """<sdf version='1.11'>
  <model name='m'>
    <link name='a'/>
    <link name='b'>
      <pose>1 0 0 0 0 0</pose>
      <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
    </link>
    <joint name='j' type='revolute'>
      <parent>a</parent>
      <child>b</child>
      <axis><limit><lower>-1</lower><upper>1</upper></limit></axis>
    </joint>
    <frame name='f' attached_to='b'/>
  </model>
</sdf>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        (["--set-pose", "m::b=12mm 0 0 0 0 45deg"], ">1 0 0 0 0 0<", ">0.012 0 0 0 0 0.7853981633974483<"),
        (["--set", "m::j/axis/limit/upper=pi/2"], "<upper>1<", "<upper>1.5707963267948966<"),
        (["--set", "m::j/@type=screw"], "type='revolute'", "type='screw'"),
        (
            ["--add", "frame:tip", "--attached-to", "b", "--pose", "0 0 0.1"],
            "  </model>",
            "    <frame name='tip' attached_to='b'>\n      <pose>0 0 0.1 0 0 0</pose>\n    </frame>\n  </model>",
        ),
        (
            ["--add", "inertial", "--in", "m::b", "--density", "12"],
            "      <collision",
            "      <inertial>\n        <mass>12</mass>\n        <inertia>\n          <ixx>2</ixx>\n"
            "          <iyy>2</iyy>\n          <izz>2</izz>\n        </inertia>\n      </inertial>\n      <collision",
        ),
        (["--round-poses", "0", "--frames", "m::a,m::b"], "nothing", "changes"),
        (["--set-pose", "m::b=1.26 0 0 0 0 0", "--round-poses", "1"], ">1 0 0 0 0 0<", ">1.3 0 0 0 0 0<"),
        (["--set-parent", "m::j=world"], "<parent>a<", "<parent>world<"),
        (
            ["--set-geometry", "m::b::c=sphere", "--radius", "5cm"],
            "<box><size>1 1 1</size></box>",
            "<sphere><radius>0.05</radius></sphere>",
        ),
        (
            ["--set-inertial", "m::a", "--mass", "2kg"],
            "    <link name='a'/>",
            "    <link name='a'>\n      <inertial>\n        <mass>2</mass>\n      </inertial>\n    </link>",
        ),
        (
            ["--compute-inertials", "--links", "m::b", "--density", "12"],
            "      <collision",
            "      <inertial>\n        <mass>12</mass>\n        <inertia>\n          <ixx>2</ixx>\n"
            "          <iyy>2</iyy>\n          <izz>2</izz>\n        </inertia>\n      </inertial>\n      <collision",
        ),
        (["--remove", "m::f"], "    <frame name='f' attached_to='b'/>\n", ""),
        (["--align-frames", "m::b,m::a", "--axes", "x"], "<pose>1 0 0 0 0 0</pose>", "<pose>0 0 0 0 0 0</pose>"),
        (
            ["--mate", "m::a=m::b"],
            "<pose>1 0 0 0 0 0</pose>",
            "<pose relative_to='a'>0 0 0 0 0 0</pose>",
        ),
    ],
)
def test_each_edit_changes_what_it_says(
    file: Path, capsysbinary: pytest.CaptureFixture[bytes], words: list[str], old: str, new: str
) -> None:
    assert main(["edit", *words, str(file)]) == 0
    assert capsysbinary.readouterr().out.decode() == TEXT.replace(old, new)


def test_dependents_go_too(file: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["edit", "--remove", "m::b", str(file)]) == 1
    assert main(["edit", "--remove", "m::b", "--with-dependents", "-o", str(file), str(file)]) == 0
    assert (
        file.read_text(encoding="utf-8")
        == "<sdf version='1.11'>\n  <model name='m'>\n    <link name='a'/>\n  </model>\n</sdf>\n"
    )
    capsysbinary.readouterr()


def test_a_gripper_is_built_from_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.sdf"
    file.write_text('<sdf version="1.11">\n  <model name="g">\n    <link name="palm"/>\n  </model>\n</sdf>\n')
    words: list[str] = []
    for side, y in (("left", "5cm"), ("right", "-5cm")):
        words += ["--add", f"link:{side}", "--relative-to", "palm", "--pose", f"0 {y} 0.1"]
        words += ["--add", f"joint:{side}_joint", "--parent", "palm", "--child", side, "--type", "prismatic"]
        words += [
            "--add",
            "collision:pad",
            "--in",
            f"g::{side}",
            "--add",
            "inertial",
            "--in",
            f"g::{side}",
            "--mass",
            "80g",
        ]
    words += [
        "--add",
        "sensor:eye",
        "--in",
        "g::palm",
        "--type",
        "camera",
        "--add",
        "frame:tool",
        "--attached-to",
        "palm",
    ]
    assert main(["edit", *words, "--in-place", str(file)]) == 0
    assert main(["check", "--strict", str(file)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--attached-to", "a"], "--attached-to must follow --add"),
        (["--remove", "m::f", "--pose", "1"], "--pose must follow --add"),
    ],
)
def test_details_belong_behind_their_edit(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["edit", *words, str(file)])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_a_link_is_added_with_its_joint_and_its_shape(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--parent", "a", "--type", "prismatic", "--lower=-1mm", "--upper", "5cm", "--pose", "0 0 0.1"]
    shape = ["--shape", "cylinder", "--radius", "5mm", "--length", "4cm", "--density", "2700"]
    assert main(["edit", "--add", "link:probe", *words, *shape, str(file)]) == 0
    text = capsys.readouterr().out
    for part in (
        "<joint name='probe_joint' type='prismatic'>",
        "<pose relative_to='a'>0 0 0.1 0 0 0</pose>",
        "<lower>-0.001</lower>",
        "<upper>0.05</upper>",
        "<pose relative_to='probe_joint'/>",
        "<mass>0.0084823</mass>",
        "<radius>0.005</radius>",
        "<collision name='collision'>",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--add", "visual:v", "--in", "m::a", "--shape", "sphere", "--length", "1"], "a sphere has no length"),
        (["--add", "visual:v", "--in", "m::a", "--radius", "1"], "radius needs a shape, one of box"),
        (["--add", "link:x", "--shape", "box", "--size", "1 2"], "size needs 3 numbers"),
        (["--set-pose", "m::b=1 2"], "expected 6 numbers"),
        (["--set-pose", "m::b=1 2 3 0 0 1kg"], "This is a mass; this field expects an angle."),
        (["--set", "m::j/axis/limit/uper=1"], "did you mean"),
        (["--set", "m::j=1"], "expected FRAME/PATH=VALUE"),
        (["--add", "moon"], "there is no <moon> to add, but model, include"),
        (["--add", "sensor:s", "--in", "m"], "cannot be added to 'm', but to a link or joint of this file"),
        (["--add", "frame:f", "--attached-to", "bb"], "attached_to 'bb': 'bb' is not a frame in this scope"),
        (["--add", "link:a"], "the name 'a' is taken by a link"),
        (["--add", "link:world"], "the name 'world' is reserved"),
        (["--add", "link:x::y"], "contains '::'"),
        (["--mate", "m::a=m::b", "--as", "glue"], "--as glue: choose one of relative_to"),
        (["--remove", "m::zzz"], "zzz"),
        (["--align-frames", "m::a,m::b", "--axes", "w"], "axes are letters of xyz"),
        (["--distribute-frames", "m::a,m::b"], "at least 3"),
        (["--round-poses", "99"], "--round-poses 99: expected a whole number from 0 to 12"),
        (["--mirror", "m::b", "--names", "b"], "--names b: write OLD=NEW"),
        (["--mirror", "m::b", "--names", "b=b"], "enter what the names"),
        (["--join", "hand.urdf"], "--join hand.urdf needs --to: the link that carries it"),
    ],
)
def test_what_cannot_be_done_is_reported(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["edit", *words, str(file)]) == 2
    assert message in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == TEXT


def test_a_limb_is_mirrored(file: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    words = ["--mirror", "m::b", "--names", "b=c", "--across", "x"]
    assert main(["edit", *words, str(file)]) == 0
    text = capsysbinary.readouterr().out.decode()
    assert "<link name='c'>\n      <pose>-1 0 0 0 0 0</pose>" in text
    assert "<child>c</child>" in text


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--mirror", "m::b", "--names", "b=c"], "sdfviewer.refactoring.limb.reflection_faults"),
        (["--to-model-absolute-form"], "sdfviewer.refactoring.unmoved.unannounced"),
    ],
)
def test_what_an_edit_changes_without_a_word_is_said(
    file: Path, words: list[str], fault: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", *words, str(file)]) == 0
    monkeypatch.setattr(fault, lambda *_: ("m.sdf:1: error of sdfviewer: link 'm::b': moved in what is written",))
    assert main(["edit", *words, str(file)]) == 1
    said = capsys.readouterr().err
    assert "error of sdfviewer: link 'm::b': moved in what is written" in said
    assert "1 thing differs" in said
