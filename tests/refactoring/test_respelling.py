"""Every problem that says what a misspelt word may have meant offers the fix that writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.fix_offers import offer_fixes


def problems_of(text: str) -> tuple[Diagnostic, ...]:
    return tuple(Loader(offer_fixes=offer_fixes).load_with_diagnostics(parse_document(text))[1])


def problem_of(text: str, rule: str) -> Diagnostic:
    return next(each for each in problems_of(text) if each.rule.name == rule)


def sdf(content: str) -> str:
    return f'<sdf version="1.9"><model name="m"><link name="a">{content}</link><link name="b"/></model></sdf>'


JOINT = '</link><joint name="j" type="{}"><parent>a</parent><child>b</child></joint><link name="c">'
SENSOR = '<sensor name="s" type="camera"><camera><image><format>{}</format></image></camera></sensor>'


def urdf(*, link: str, joint_type: str, leader: str, material: str) -> str:
    return (
        '<robot name="r"><material name="blue"><color rgba="0 0 1 1"/></material><link name="base"><visual>'
        f'<geometry><box size="1 1 1"/></geometry><material name="{material}"/></visual></link>'
        '<link name="arm"/><link name="hand"/>'
        f'<joint name="elbow" type="{joint_type}"><parent link="{link}"/><child link="arm"/></joint>'
        '<joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/>'
        f'<mimic joint="{leader}"/></joint></robot>'
    )


RIGHT = {"link": "base", "joint_type": "continuous", "leader": "elbow", "material": "blue"}


@pytest.mark.parametrize(
    ("rule", "bad", "good"),
    [
        ("unknown-element", sdf('<visaul name="v"/>'), sdf('<visual name="v"/>')),
        ("unknown-element", sdf("<visaul/>"), sdf("<visual/>")),  # which needs a name: that is a problem of its own
        ("unknown-element", sdf("<inertail><mass>1</mass></inertail>"), sdf("<inertial><mass>1</mass></inertial>")),
        ("unknown-attribute", sdf('<pose relativ_to="b"/>'), sdf('<pose relative_to="b"/>')),
        ("joint-type-invalid", sdf(JOINT.format("revolut")), sdf(JOINT.format("revolute"))),
        ("unknown-type", sdf('<sensor name="s" type="camra"/>'), sdf('<sensor name="s" type="camera"/>')),
        ("unknown-word", sdf(SENSOR.format("R8G8B")), sdf(SENSOR.format("R8G8B8"))),
        ("not-sdformat", '<sfd version="1.9"><model name="m"/></sfd>', '<sdf version="1.9"><model name="m"/></sdf>'),
        ("urdf-link-unknown", urdf(**RIGHT | {"link": "bse"}), urdf(**RIGHT)),
        ("urdf-joint-type", urdf(**RIGHT | {"joint_type": "continous"}), urdf(**RIGHT)),
        ("urdf-material-unknown", urdf(**RIGHT | {"material": "bleu"}), urdf(**RIGHT)),
        ("mimic-invalid", urdf(**RIGHT | {"leader": "elbo"}), urdf(**RIGHT)),
    ],
)
def test_the_first_fix_writes_what_may_have_been_meant(
    rule: str, bad: str, good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = problem_of(bad, rule)
    assert "did you mean" in problem.message
    assert parse_document(bad).edited(problem.fixes[0].replacements).text == good
    path = tmp_path / "robot.sdf"
    path.write_text(bad, encoding="utf-8")
    main(["edit", "--fix", rule, str(path)])
    assert good in capsys.readouterr().out


def test_each_word_that_is_named_is_offered() -> None:
    problem = problem_of(sdf(JOINT.format("revolut")), "joint-type-invalid")
    assert problem.message.endswith("did you mean 'revolute' or 'revolute2'?")
    assert [fix.label for fix in problem.fixes] == [
        "Replace 'revolut' with 'revolute'",
        "Replace 'revolut' with 'revolute2'",
    ]


def robot(*joints: tuple[str, str]) -> str:
    links = "".join(f'<link name="{name}"/>' for name in ("base", "arm_left", "arm_lift"))
    return f"""<robot name="r">{links}{
        "".join(
            f'<joint name="j{number}" type="fixed"><parent link="{parent}"/><child link="{child}"/></joint>'
            for number, (parent, child) in enumerate(joints)
        )
    }</robot>"""


@pytest.mark.parametrize(
    ("joints", "words"),
    [
        ([("base", "arm_lft")], ("arm_lift", "arm_left")),  # whichever is meant, the other is a root without a joint
        ([("base", "arm_lift"), ("base", "arm_lft")], ("arm_left",)),  # the other one has its joint
        ([("base", "arm_lift"), ("arm_lft", "arm_left")], ("arm_lift",)),  # the other one is its own child
        ([("bse", "arm_lift"), ("arm_lift", "arm_left")], ("base",)),
        ([("arm_lft", "base"), ("base", "arm_left")], ("arm_lift",)),  # the other one is below it
        ([("arm_lift", "base"), ("base", "arm_lft")], ("arm_left",)),  # the other one is above it
    ],
)
def test_each_link_that_is_suggested_is_offered(joints: list[tuple[str, str]], words: tuple[str, ...]) -> None:
    problem = problem_of(robot(*joints), "urdf-link-unknown")
    assert problem.message.endswith(f"; did you mean {' or '.join(map(repr, words))}?")
    assert [fix.label.split(" with ")[1].split(";")[0] for fix in problem.fixes] == list(map(repr, words))


def test_a_mimic_joint_is_not_suggested_as_its_own_leader() -> None:
    problem = problem_of(urdf(**RIGHT | {"leader": "wrst"}), "mimic-invalid")
    assert "did you mean" not in problem.message
    offered = {each.text for fix in problem.fixes for each in fix.replacements}
    assert offered == {"elbow", ""}, "another joint, or no <mimic>"


@pytest.mark.parametrize("content", ['<pose relative_to="b" relativ_to="b"/>', '<pose/><psoe relative_to="b"/>'])
def test_what_is_there_already_is_not_suggested(content: str) -> None:
    (problem,) = problems_of(sdf(content))
    assert "relative_to'?" not in problem.message
    assert "'pose'" not in problem.message
    assert not [fix for fix in problem.fixes if "pose" in fix.label or "relative_to'" in fix.label]


def test_a_fix_that_causes_a_problem_elsewhere_is_not_offered() -> None:
    text = sdf('</link><lnik name="b"/><link name="c">')
    assert "did you mean 'link'" in problem_of(text, "unknown-element").message
    assert list(problem_of(text, "unknown-element").fixes) == []


def test_a_fix_names_the_frames_that_it_moves() -> None:
    (fix,) = problem_of(sdf("<psoe>1 0 0 0 0 0</psoe>"), "unknown-element").fixes
    assert fix.label == "Replace <psoe> with <pose>; this moves 'm::a'"
    assert fix.moves == ("m::a",)
