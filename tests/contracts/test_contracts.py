"""Contracts of ``sdfviewer.toml``: what holds, what is broken, and where that is said."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.files.toml_places import first_violation
from sdfviewer.resources import documentation, resource

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base">
      <inertial><mass>3</mass></inertial>
      <collision name="c"><geometry><box><size>0.4 0.4 0.1</size></box></geometry></collision>
    </link>
    <joint name="joint_1" type="revolute">
      <pose relative_to="base">0 0 0.2 0 0 0</pose>
      <parent>base</parent>
      <child>palm</child>
      <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>3.1</upper></limit></axis>
    </joint>
    <link name="palm">
      <pose relative_to="joint_1">0 0 0 0 0 0</pose>
      <inertial><pose>0 0 0.1 0 0 0</pose><mass>2</mass></inertial>
      <collision name="c">
        <pose>0 0 0.5 0 0 0</pose>
        <geometry><sphere><radius>0.05</radius></sphere></geometry>
      </collision>
    </link>
    <frame name="tool0" attached_to="palm">
      <pose relative_to="palm">0.4 0 0.7 0 0 0</pose>
    </frame>
  </model>
</sdf>
"""


def write(folder: Path, contract: str, text: str = ARM, file: str = 'file = "arm.sdf"') -> Path:
    path = folder / "arm.sdf"
    path.write_text(text, encoding="utf-8")
    (folder / "sdfviewer.toml").write_text(f"# settings\n[[contract]]\n{file}\n{contract}\n", encoding="utf-8")
    return path


def broken(folder: Path, contract: str, text: str = ARM) -> tuple[Diagnostic, ...]:
    return sdfviewer.check(write(folder, contract, text))


def one(folder: Path, contract: str, text: str = ARM) -> Diagnostic:
    (found,) = broken(folder, contract, text)
    return found


POSE = """frame = "arm::tool0"
relative_to = "arm::base"
pose = [0.4, 0, 0.9, 0, 0, 0]
tolerance = { position = 1e-4, rotation = 1e-3 }
why = "the calibration of the cell assumes it"
"""


def test_a_frame_is_at_its_pose(tmp_path: Path) -> None:
    assert broken(tmp_path, POSE) == ()
    found = one(tmp_path, POSE, ARM.replace("0.4 0 0.7", "0.403 0 0.7"))
    assert found.rule.name == "contract-broken"
    assert found.is_error
    assert found.frames == ("arm::tool0",)
    assert found.span is not None
    assert (Path(found.span.path).name, found.span.line) == ("arm.sdf", 22)
    assert "'arm::tool0' is 3 mm away from where it must be in 'arm::base'" in found.message
    assert "0.403 0 0.9" in found.message
    assert found.message.endswith(": the calibration of the cell assumes it")
    (contract,) = found.related
    assert (Path(contract.span.path).name, contract.span.line) == ("sdfviewer.toml", 6)
    turned = one(tmp_path, POSE, ARM.replace("0.4 0 0.7 0 0 0", "0.4 0 0.7 0 0 0.1"))
    assert "rotated by 5.73°" in turned.message


def test_a_pose_holds_at_positions_of_the_joints(tmp_path: Path) -> None:
    pose = 'frame = "tool0"\nrelative_to = "base"\njoints = { joint_1 = 1.5707963267948966 }\n'
    assert broken(tmp_path, pose + "pose = [0.7, 0, -0.2, 0, 1.5707963267948966, 0]") == ()
    assert "0.7 0 -0.2" in one(tmp_path, pose + "pose = [0.6, 0, -0.2, 0, 1.5708, 0]").message
    missing = one(tmp_path, 'frame = "tool0"\njoints = { joint_9 = 1 }\npose = [0, 0, 0, 0, 0, 0]')
    assert "there is no frame 'joint_9'; did you mean" in missing.message
    assert missing.related[0].span.line == 5


def test_a_mistake_in_a_file_beside_the_model_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was a warning, so a pipeline passed in which no contract was checked any more."""
    path = write(tmp_path, "mass = { max = 1 }")
    (tmp_path / "arm.contracts.toml").write_text("[[contract]]\nmasses = 1\n", encoding="utf-8")
    assert main(["check", str(path)]) == 1
    assert "arm.contracts.toml:2:1: unknown setting 'masses'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("contract", "words"),
    [
        ("mass = { min = 4.5, max = 5.5 }", None),
        ("mass = { max = 4.5 }", "the total mass is 5 kg, more than 4.5 kg"),
        ('mass = { min = 2.5, of = "arm::palm" }', "the mass of 'arm::palm' is 2 kg, less than 2.5 kg"),
        ('distance = { between = ["tool0", "joint_1"], min = 0.8, max = 0.9 }', None),
        ('distance = { between = ["tool0", "joint_1"], max = 0.8 }', "are 806.226 mm apart, more than 800 mm"),
        ('names = ["arm::palm", "tool0"]', None),
        (
            'names = ["arm::palm", "arm::tool1"]',
            "other programs rely on 'arm::tool1': there is no frame 'arm::tool1'; did you",
        ),
        ('frame = "arm::tool1"', "there is no frame 'arm::tool1'"),
        ("center_of_mass = { min = [-0.01, -0.01, 0], max = [0.01, 0.01, 0.13] }", None),
        ("center_of_mass = { max = [0.01, 0.01, 0.1] }", "the centre of mass is at 0 0 0.12 in 'arm', above"),
        ('center_of_mass = { above = ["base"], margin = 0.19 }', None),
        (
            'center_of_mass = { above = ["base"], margin = 0.21 }',
            "only 200 mm inside of the edge of what base stands on",
        ),
        ('value = "arm::joint_1/axis/limit/upper"\nmin = 3\nmax = 3.2', None),
        ('value = "arm::joint_1/axis/limit/upper"\nmax = 3', "arm::joint_1/axis/limit/upper is 3.1, more than 3"),
        ('value = "tool0/pose/z"\nequals = 0.7', None),
        ('value = "tool0/pose/z"\nequals = 0.71\ntolerance = 0.02', None),
        ('value = "tool0/pose/z"\nequals = 0.71', "tool0/pose/z is 0.7, not 0.71"),
        ('value = "tool0/pose/u"\nequals = 0.71', "'pose/u' is not a number of a pose; use pose/x"),
        ('value = "palm/mass"\nmax = 1', "palm/mass is 2, more than 1"),
        ('value = "joint_1/damping"\nmax = 1', "has no number 'damping'"),
    ],
)
def test_a_contract_holds_or_says_what_is_wrong(tmp_path: Path, contract: str, words: str | None) -> None:
    found = broken(tmp_path, contract)
    assert [words is not None and words in each.message for each in found] == ([] if words is None else [True])
    assert all(each.related[0].span.path.endswith("sdfviewer.toml") for each in found)


def test_the_centre_of_mass_leaves_the_feet(tmp_path: Path) -> None:
    contract = 'center_of_mass = { above = ["base"] }'
    assert broken(tmp_path, contract) == ()
    heavy = ARM.replace("<pose>0 0 0.1 0 0 0</pose><mass>2", "<pose>0.75 0 0.1 0 0 0</pose><mass>2")
    assert "is 100 mm outside of what base stands on" in one(tmp_path, contract, heavy).message


def test_links_keep_their_distance_in_a_sweep(tmp_path: Path) -> None:
    between = 'clearance = { between = ["arm::palm", "arm::base"], min = 0.35%s }'
    assert broken(tmp_path, between % "") == ()  # at zero the sphere is 0.6 m above
    found = one(tmp_path, between % ', sweep = "all", samples = 42')
    assert "'arm::palm' and 'arm::base'" in found.message
    assert "arm::joint_1 = " in found.message
    assert one(tmp_path, between % ', sweep = "joint_1"').rule.name == "contract-broken"
    near = one(tmp_path, 'clearance = { between = ["palm", "base"], min = 0.65 }')
    assert "are 600 mm apart, less than 650 mm" in near.message
    down = ARM.replace("0 0 0.2 0 0 0", "0 0 -0.5 0 0 0")
    assert "'arm::palm' and 'arm::base' touch" in one(tmp_path, between % "", down).message


@pytest.mark.parametrize(
    ("name", "text", "where", "line"),
    [
        ("airframe.ini", "# PX4\nCA_ROTOR0_PX   0.7\n", 'pattern = "CA_ROTOR0_PX +(\\\\S+)"', 2),
        ("a.ini", "[rotor]\n12 34 0.7\n", 'pattern = "(?:[0-9]{2} )+(\\\\S+)"', 2),
        ("a.toml", "[robot]\narms = [{ z = 0.7 }]\n", 'path = "robot.arms[0].z"', 2),
        ("a.yaml", "robot:\n  arms:\n    - z: 0.7\n", 'path = "robot.arms[0].z"', 3),
        ("a.json", '{"robot": {"z": 0.7}}', 'path = "robot.z"', None),
        ("a.ini", "[robot]\nZ = 700\n", 'path = "robot.Z", scale = 0.001', None),
        ("a.xml", "<params>\n<p/><p><z v='0.7'/></p></params>", 'path = "params/p[2]/z/@v"', 2),
        ("a.sdf", "<sdf version='1.9'><model name='m'>\n<z>0.7</z></model></sdf>", 'path = "sdf/model/z"', 2),
    ],
)
def test_a_number_is_the_same_in_another_file(
    tmp_path: Path, name: str, text: str, where: str, line: int | None
) -> None:
    if name.endswith("yaml"):
        pytest.importorskip("yaml")
    (tmp_path / "params").mkdir()
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "params" / name).write_text(text, encoding="utf-8")
    contract = f'value = "arm::tool0/pose/z"\nequals = {{ file = "../params/{name}", {where} }}'
    assert broken(folder, contract) == ()
    (tmp_path / "params" / name).write_text(text.replace("0.7", "0.75").replace("700", "750"), encoding="utf-8")
    found = one(folder, contract)
    shown = f"../params/{name}" + ("" if line is None else f":{line}")
    assert f"arm::tool0/pose/z is 0.7, and {shown} says 0.75" in found.message
    assert [Path(each.span.path).name for each in found.related] == ["sdfviewer.toml", *([name] if line else [])]


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ('file = "none.ini", pattern = "a"', "none.ini"),
        ('file = ".git/config", pattern = "a"', "is hidden"),
        ('file = "a.ini"', "give either 'path' or 'pattern'"),
        ('file = "a.ini", pattern = "(a+)+$"', "can match in too many ways"),
        ('file = "a.ini", pattern = "((a|bc))+"', "can match in too many ways"),
        ('file = "a.ini", pattern = ".*.*.*.*"', "can match in too many ways"),
        ('file = "a.ini", pattern = "("', "is not a regular expression"),
        ('file = "a.ini", pattern = "b=(.*)"', "nothing in"),
        ('file = "a.ini", pattern = "a=(.*)"', "'hello' in a.ini:2 is not a number"),
        ('file = "a.ini", path = "s.b"', "a.ini has no 's.b': there is no 'b'"),
    ],
)
def test_what_cannot_be_found_is_named(tmp_path: Path, where: str, words: str) -> None:
    (tmp_path / "a.ini").write_text("[s]\na=hello\n", encoding="utf-8")
    found = one(tmp_path, f'value = "tool0/pose/z"\nequals = {{ {where} }}')
    assert words in found.message
    assert found.related[0].span.line == 5


@pytest.mark.parametrize(
    ("file", "is_about"),
    [
        ("arm.sdf", True),
        ("*.sdf", True),
        ("**/*.sdf", True),
        ("./arm.sdf", True),
        ("robots/*.sdf", False),
        ("arm.urdf", False),
        ("ar?.sdf", True),
        ("rm.sdf", False),
    ],
)
def test_a_pattern_says_which_files_a_contract_is_about(tmp_path: Path, file: str, is_about: bool) -> None:
    path = write(tmp_path, "mass = { max = 1 }", file=f'file = "{file}"')
    assert len(sdfviewer.check(path)) == is_about


def test_a_contract_is_in_a_file_beside_the_model(tmp_path: Path) -> None:
    path = write(tmp_path, "mass = { max = 7 }")
    (tmp_path / "arm.contracts.toml").write_text("[[contract]]\nmass = { max = 1 }\n", encoding="utf-8")
    (found,) = sdfviewer.check(path)
    assert Path(found.related[0].span.path).name == "arm.contracts.toml"


@pytest.mark.parametrize(
    ("contract", "words"),
    [
        ("mass = { max = 1 }\npose = [0, 0, 0, 0, 0, 0]", "sdfviewer.toml:5:1: contract.pose needs contract.frame"),
        ("masses = 1", "sdfviewer.toml:4:1: unknown setting 'masses' in contract; use file, why"),
        ('clearance = { between = ["a"], min = 1 }', "contract.clearance.between must be a list of 2 strings"),
        ('clearance = { between = ["a", "b"] }', "contract.clearance lacks 'min'"),
        ("tolerance = -1", "contract.tolerance must be 0 or more"),
    ],
)
def test_a_wrong_contract_is_named_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], contract: str, words: str
) -> None:
    path = write(tmp_path, contract)
    assert main(["check", str(path)]) == 2
    assert words in capsys.readouterr().err
    # Whoever only looks at the file sees that its contracts are not checked.
    assert [each.rule.name for each in sdfviewer.check(path)] == ["contract-unverified"]


def test_a_contract_without_a_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "mass = { max = 1 }", file="")
    assert main(["check", str(path)]) == 2
    assert "sdfviewer.toml:2:1: the contract needs 'file'" in capsys.readouterr().err


def test_a_contract_that_asks_for_nothing_is_named(tmp_path: Path) -> None:
    assert "sdfviewer.toml:2:1: the contract asks for nothing" in one(tmp_path, 'why = "?"').message


def test_check_reports_both_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "mass = { max = 1 }")
    assert main(["check", str(path)]) == 1
    assert f"{tmp_path / 'sdfviewer.toml'}:4:10: note: the contract" in capsys.readouterr().out
    assert main(["check", "--no-config", str(path)]) == 0
    capsys.readouterr()
    main(["check", "--sarif", str(path)])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"].endswith("/sdfviewer.toml")
    assert related["physicalLocation"]["region"]["startLine"] == 4
    main(["check", "--output-format", "junit", str(path)])
    assert "sdfviewer.toml:4:10: note: the contract" in capsys.readouterr().out


def test_a_urdf_has_contracts(tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(
        """<robot name="r"><link name="a"/><link name="b"/>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint></robot>""",
        encoding="utf-8",
    )
    text = '[[contract]]\nfile = "r.urdf"\nvalue = "j/axis/limit/upper"\nmax = 1.4\n'
    text += '[[contract]]\nfile = "r.urdf"\nframe = "b"\nrelative_to = "a"\npose = [0, 0, 0.4, 0, 0, 0]\n'
    (tmp_path / "sdfviewer.toml").write_text(text, encoding="utf-8")
    messages = [each.message for each in sdfviewer.check(path) if each.rule.name == "contract-broken"]
    assert len(messages) == 2
    assert "j/axis/limit/upper is 1.5, more than 1.4" in messages


def test_the_example_of_the_documentation_is_checked(tmp_path: Path) -> None:
    page = documentation() / "pipelines.md"
    (example,) = [
        block for block in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL) if "[[" in block
    ]
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "params").mkdir()
    (tmp_path / "params" / "airframe.ini").write_text("CA_ROTOR0_PX 0.1515\n", encoding="utf-8")
    (folder / "sdfviewer.toml").write_text(example, encoding="utf-8")
    arm = ARM.replace("0.4 0 0.7 0 0 0", "0.4 0 0.7 0 1.5708 0")
    (folder / "arm.sdf").write_text(arm, encoding="utf-8")
    assert sdfviewer.check(folder / "arm.sdf") == ()
    (folder / "arm.sdf").write_text(arm.replace("<mass>3", "<mass>4").replace("0 0 0.5", "0 0 0.16"), encoding="utf-8")
    iris = '<sdf version="1.9"><model name="iris"><link name="rotor_0"><pose>{} 0 0 0 0 0</pose></link></model></sdf>'
    (folder / "iris.sdf").write_text(iris.format(0.13), encoding="utf-8")
    messages = sorted(each.message for each in sdfviewer.check(folder / "arm.sdf"))
    assert messages[0].startswith("'arm::palm' and 'arm::base' touch at arm::joint_1 = ")
    assert messages[1] == "the total mass is 6 kg, more than 5 kg"
    (found,) = sdfviewer.check(folder / "iris.sdf")
    assert found.message == "iris::rotor_0/pose/x is 0.13, and ../params/airframe.ini:1 says 0.1515"


def test_the_settings_of_the_documentation_fit_the_schema() -> None:
    schema = json.loads(resource("schemas", "sdfviewer-toml-1.json").read_text(encoding="utf-8"))
    page = (documentation() / "pipelines.md").read_text("utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 2
    keys: set[str] = set()
    for block in blocks:
        content = tomllib.loads(block)
        assert first_violation(content, schema) is None
        keys |= content.keys()
    # Each key of a contract is in the table below the example.
    table = page[page.index("| key | what holds |") : page.index("Patterns are searched")]
    documented = set(re.findall(r"`(\w+)`", table)) | {"relative_to", "tolerance", "file"}
    assert set(schema["$defs"]["contract"]["properties"]) <= documented
