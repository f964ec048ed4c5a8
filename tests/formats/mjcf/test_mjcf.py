"""MJCF files open like others: every element leads to its line, and what MuJoCo refuses is a problem there."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import parse_document
from sdfviewer.formats.contents import read_collision, read_light, read_sensor, read_visual
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.registry import describe_format
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.refactoring.editable import why_read_only
from tests.formats.mjcf.peer import FILES


@pytest.fixture(scope="module")
def arm() -> Model:
    return load_model(FILES / "arm.xml")


def problems_of(body: str) -> list[Diagnostic]:
    """Return the problems of a file with some sections."""
    return [each for each in sdfviewer.check(f"<mujoco>\n{body}\n</mujoco>") if each.severity.value != "info"]


def test_a_file_is_described_and_edited_as_text(arm: Model) -> None:
    assert describe_format(arm) == "MJCF"
    reason = why_read_only(arm, arm.row("shoulder"))
    assert reason is not None
    assert str(reason) == "'arm::shoulder' comes from MJCF; edit arm.xml, line 22"
    assert reason.converts


def test_every_row_leads_to_its_line(arm: Model) -> None:
    text = (FILES / "arm.xml").read_text(encoding="utf-8").splitlines()
    for row in range(1, len(arm)):
        span = arm.document_of(row).span(arm.elements[row])
        name = arm.local_names[row]
        if f'"{name}"' in "\n".join(text):
            assert f'"{name}"' in text[span.line - 1], name


def test_an_included_element_leads_to_its_file() -> None:
    model = load_model(FILES / "frames.xml")
    row = model.row("left_shin")
    document, element = model.document_of(row), model.elements[row]
    assert Path(document.span(element).path).name == "leg.xml"
    assert [Path(span.path).name for _, span in document.callers(element)] == ["frames.xml"]  # type: ignore[attr-defined]


def test_joints_have_types_axes_and_limits(arm: Model) -> None:
    joints = {arm.local_names[joint.row]: joint for joint in arm.joints}
    pan, lift, finger = joints["pan"], joints["lift"], joints["left finger"]
    assert (pan.type, lift.type, finger.type, joints["eye"].type) == ("revolute", "continuous", "prismatic", "ball")
    # MuJoCo's zero is 15 degrees before where the file has the body.
    assert np.allclose(np.degrees([pan.axes[0].lower, pan.axes[0].upper]), [-185.0, 75.0])
    assert (finger.axes[0].lower, finger.axes[0].upper) == (0.0, 0.04)
    assert joints["roll"].axes[0].effort == 30.0


def test_axes_that_are_not_at_right_angles_are_made_so() -> None:
    model = load_model(
        '<mujoco><worldbody><body name="a" xyaxes="0 2 0 -1 1 0"><geom size="1"/></body></worldbody></mujoco>'
    )
    X = model.X_RootF[next(row for row, name in enumerate(model.local_names) if name == "a")]
    np.testing.assert_allclose(X[:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)


def test_what_does_not_collide_is_seen_only_and_what_is_hidden_collides_only() -> None:
    geoms = '<geom name="a" size="1"/><geom name="b" size="1" contype="0" conaffinity="0"/>'
    geoms += '<geom name="c" size="1" group="3"/>'
    model = load_model(f"<mujoco><worldbody><body name='l'>{geoms}</body></worldbody></mujoco>")
    found = [(model.local_names[row], str(model.kinds[row])) for row in range(len(model)) if model.owners[row] > 0]
    assert [each for each in found if each[1] in ("visual", "collision")] == [
        ("a", "visual"), ("a_collision", "collision"), ("b", "visual"), ("c", "collision"),
    ]  # fmt: skip


def test_appearance_and_things_are_read(arm: Model) -> None:
    by_name = {arm.local_names[row]: row for row in range(len(arm))}
    material = read_visual(arm, by_name["upper arm"]).material
    assert material is not None
    assert material.diffuse == (0.2, 0.3, 0.4, 1.0)
    camera = read_sensor(arm, by_name["eye camera"]).camera
    assert camera is not None
    assert (camera.width, camera.height) == (320, 240)
    # It looks along its -z: SDFormat's camera looks along x.
    X_LS = np.linalg.inv(arm.X_RootF[arm.row("ball")]) @ arm.X_RootF[by_name["eye camera"]]
    assert np.allclose(X_LS[:3, 0], [0, 0, -1])
    assert read_light(arm, by_name["light"]).type == "spot"
    mesh = read_collision(
        load_model(FILES / "frames.xml"), load_model(FILES / "frames.xml").row("trunk::wedge_collision")
    )
    assert isinstance(mesh.geometry, Mesh)
    assert (mesh.geometry.uri, mesh.geometry.scale) == ("parts/wedge.obj", (0.1, 0.2, -0.1))


def test_a_file_can_be_included_in_sdformat(tmp_path: Path) -> None:
    (tmp_path / "arm.mjcf").write_text((FILES / "loops.xml").read_text(encoding="utf-8"), encoding="utf-8")
    world = "<sdf version='1.11'><world name='w'><include><name>a</name><uri>arm.mjcf</uri></include></world></sdf>"
    (tmp_path / "w.sdf").write_text(world, encoding="utf-8")
    model = load_model(tmp_path / "w.sdf")
    assert [each for each in model.names if each.count("::") == 1][:2] == ["a::crank", "a::crank_"]


def test_no_include_leads_to_what_is_no_regular_file(tmp_path: Path) -> None:
    for file in ("missing.xml", "/dev/zero", "\\\\server\\share\\a.xml", ".", "a.xml"):
        path = tmp_path / "a.xml"
        path.write_text(f'<mujoco><include file="{file}"/></mujoco>', encoding="utf-8")
        assert [each.rule.name for each in sdfviewer.check(path) if each.is_error] == ["mjcf-include"], file


REFUSED = {
    '<worldbody><joint/></worldbody>': "joints",
    '<worldbody><body><joint axis="0 0 0"/><geom size="1"/></body></worldbody>': "axis",
    '<worldbody><geom type="box" size="1 1"/></worldbody>': "3 numbers",
    '<worldbody><geom type="sphere" size="0"/></worldbody>': "above zero",
    '<worldbody><geom type="sphere" fromto="0 0 0 1 1 1" size="1"/></worldbody>': "fromto",
    '<worldbody><body><joint range="1 -1"/><geom size="1"/></body></worldbody>': "range",
    '<worldbody><body><joint/></body></worldbody>': "mass",
    '<worldbody><body><body><freejoint/><geom size="1"/></body></body></worldbody>': "free joint",
    '<compiler coordinate="global"/>': "global",
    '<compiler eulerseq="abc"/>': "eulerseq",
    '<worldbody><body><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body></worldbody>': "larger than",
    '<worldbody><body><geom size="1e-4" mass="1e308"/></body></worldbody>': "too large",
    '<worldbody><geom type="mesh"/></worldbody>': "mesh",
    '<worldbody><body zaxis="0 0 0"/></worldbody>': "zaxis",
    '<keyframe><key qpos="1 2"/></keyframe>': "qpos",
    '<default class="other"/>': "main",
}  # fmt: skip


@pytest.mark.parametrize(("body", "said"), REFUSED.items())
def test_what_mujocos_compiler_refuses_is_a_problem_at_its_line(body: str, said: str) -> None:
    (problem,) = problems_of(body)
    assert problem.rule.name == "mjcf-refused"
    assert said in problem.message
    assert problem.span is not None
    assert problem.span.line == 2


def test_what_is_left_out_is_said() -> None:
    soft = '<worldbody><body><geom size="1"/><composite type="cable"/><flexcomp name="f"/></body></worldbody>'
    assert [each.rule.name for each in problems_of(soft)] == ["mjcf-not-read", "mjcf-not-read"]


@pytest.mark.parametrize(
    ("compiler", "align", "inside", "is_moved"),
    [
        ("false", ' align="true"', "", True),
        ("true", "", "", True),
        ("true", ' align="auto"', "", True),
        ("true", ' align="false"', "", False),
        ("false", ' align="auto"', "", False),
        ("true", "", '<body pos="1 0 0"><geom size="1"/></body>', False),  # MuJoCo leaves what carries bodies alone
    ],
)
def test_a_body_that_mujoco_moves_to_its_centre_of_mass_is_named(
    compiler: str, align: str, inside: str, is_moved: bool
) -> None:
    body = f'<body><freejoint{align}/><geom type="box" size="1 1 1" pos="1 0 0"/>{inside}</body>'
    text = f'<mujoco><compiler alignfree="{compiler}"/><worldbody>{body}</worldbody></mujoco>'
    found = [each.rule.name for each in sdfviewer.check(text)]
    assert found == (["mjcf-not-converted"] if is_moved else [])


def test_several_joints_of_a_body_carry_links_of_their_own() -> None:
    model = load_model(
        "<mujoco><worldbody><body name='b'><joint name='x' type='slide'/><joint name='y'/><geom size='1'/>"
        "</body></worldbody></mujoco>"
    )
    assert [model.local_names[row] for row in range(len(model)) if model.kinds[row] is Kind.LINK] == ["x_link", "b"]


def test_no_text_raises_an_exception() -> None:
    """Elements, attributes and numbers of the files are dropped, doubled and replaced; the attack `mjcf` goes on."""
    generator = random.Random(5)
    for path in sorted(FILES.glob("*.xml")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for _ in range(20):
            changed = list(lines)
            for _ in range(generator.randint(1, 3)):
                at = generator.randrange(1, len(changed) - 1)
                words = changed[at].split('"')
                if len(words) > 2 and generator.random() < 0.7:
                    values = ["", "0", "-1", "1e308", "nan", "a b", "1 2", "true", "main", "0 0 0", "leg", "99999999"]
                    words[2 * generator.randrange(len(words) // 2) + 1] = generator.choice(values)
                    changed[at] = '"'.join(words)
                elif generator.random() < 0.5:
                    changed.insert(at, changed[at])
                else:
                    del changed[at]
            document = parse_document("\n".join(changed), path)
            _, diagnostics = Loader().load_with_diagnostics(document)
            assert not [each for each in diagnostics if each.rule.name == "internal-error"], "\n".join(changed)


GEOM = '<geom size="1"/>'


@pytest.mark.parametrize(
    "body",
    [
        f'<replicate count="99999999"><body>{GEOM}</body></replicate>',
        pytest.param('<replicate count="100">' * 12 + GEOM + "</replicate>" * 12, marks=pytest.mark.nightly),
        '<replicate count="100">' * 12 + "</replicate>" * 12,
        pytest.param(
            '<body name="a"><attach body="a" prefix="p"/><attach body="a" prefix="q"/></body>',
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_a_few_elements_cannot_make_a_file_without_bounds(body: str) -> None:
    found = sdfviewer.check(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    assert any("50,000 bodies, joints, geoms and sites" in each.message for each in found)


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    for number in range(30):
        include = f'<include file="{number + 1}.xml"/>' * 2
        (tmp_path / f"{number}.xml").write_text(f"<mujoco>{include}</mujoco>", encoding="utf-8")
    (tmp_path / "30.xml").write_text('<mujoco><include file="0.xml"/></mujoco>', encoding="utf-8")
    found = [each for each in sdfviewer.check(tmp_path / "0.xml") if each.is_error]
    assert {each.rule.name for each in found} == {"mjcf-include"}


def test_windows_is_not_made_to_call_a_server_for_a_mesh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Path] = []
    monkeypatch.setattr("sdfviewer.files.paths.ON_WINDOWS", True)
    monkeypatch.setattr("sdfviewer.formats.mjcf.geoms.read_triangles", asked.append)
    for at, (folder, name) in enumerate((("", "//host/x/a.stl"), ("\\\\host\\x", "a.stl"))):
        text = f'<mujoco><compiler meshdir="{folder}"/><asset><mesh name="m" file="{name}"/></asset>'
        path = tmp_path / f"{at}.mjcf"
        path.write_text(f'{text}<worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>')
        assert any("on another computer" in each.message for each in sdfviewer.check(path))
    assert not asked


def test_a_message_repeats_no_more_of_a_value_than_somebody_reads() -> None:
    (problem,) = problems_of(f'<worldbody><geom size="{"1 " * 100_000}"/></worldbody>')
    assert len(problem.message) < 200
