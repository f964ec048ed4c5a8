"""The ways to mend a problem: each takes it away, makes no other, and is one edit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.cli import main
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import remove_element
from sdfviewer.document.element import Element
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import FixProvider, Loader, Rebuild
from sdfviewer.model import findings
from sdfviewer.model.findings import ElementPart, Finding, Findings
from sdfviewer.model.model import Model
from sdfviewer.refactoring import fix_check
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.refactoring.quick_fixes import NAMES, pointers_of
from sdfviewer.validation.element_rules import removed

RULES = Path(__file__).parents[2] / "rules"
FAULTS = Path(__file__).parents[2] / "gui" / "data" / "faults"


#: Rules about references, which say which reference is at fault.
REFERENCES = [
    "attached-to-invalid", "attached-to-cycle", "relative-to-invalid", "relative-to-cycle", "joint-parent-invalid",
    "joint-child-invalid", "joint-parent-is-child", "expressed-in-invalid", "canonical-link-invalid",
    "placement-frame-invalid",
]  # fmt: skip
MENDED = sorted([*REFERENCES, *NAMES, "mimic-invalid", "mimic-cycle", "limits-reversed"])


def problems_of(document: Document) -> tuple[Diagnostic, ...]:
    return Loader(offer_fixes=offer_fixes).load_with_diagnostics(document)[1]


def count(document: Document) -> dict[str, int]:
    found: dict[str, int] = {}
    for problem in problems_of(document):
        found[problem.rule.name] = found.get(problem.rule.name, 0) + 1
    return found


@pytest.mark.parametrize("rule", MENDED)
def test_each_fix_of_each_rule_takes_its_problem_away(rule: str) -> None:
    document = open_document(RULES / rule / "bad.sdf")
    before = count(document)
    offered = [problem for problem in problems_of(document) if problem.rule.name == rule]
    assert offered
    for problem in offered:
        assert problem.fixes
        for fix in problem.fixes:
            after = count(document.edited(fix.replacements))
            assert after.get(rule, 0) < before[rule], fix.label
            assert not [other for other in after if after[other] > before.get(other, 0)], fix.label


@pytest.mark.parametrize("rule", MENDED)
def test_the_command_line_fixes_each_rule(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["edit", "--fix", rule, str(RULES / rule / "bad.sdf")])
    mended, said = capsys.readouterr()
    assert rule not in count(parse_document(mended))
    assert "fixed:" in said


@pytest.mark.parametrize("path", sorted(FAULTS.glob("*.sdf")), ids=lambda path: path.stem)
def test_the_first_fixes_repair_each_kind_of_fault(path: Path) -> None:
    document = open_document(path)
    while problems := problems_of(document):
        document = document.edited(problems[0].fixes[0].replacements)
    model = Loader(offer_fixes=offer_fixes).load(document)
    assert model is not None
    assert np.isfinite(model.X_RootF).all()


def problem_in(text: str) -> Diagnostic:
    document = parse_document(f'<sdf version="1.11">{text}</sdf>')
    (problem,) = problems_of(document)
    return problem


def test_a_cycle_in_one_scope_is_reported_by_local_names() -> None:
    problem = problem_in(
        '<model name="m"><link name="L"/><model name="n"><link name="a"><pose relative_to="b"/></link>'
        '<link name="b"><pose relative_to="a"/></link></model></model>'
    )
    assert problem.message == "relative_to cycle: a → b → a"
    assert problem.frames == ("m::n::a", "m::n::b")
    assert [related.message for related in problem.related] == ["'a' is relative to 'b'", "'b' is relative to 'a'"]


def test_a_cycle_through_two_scopes_is_reported_by_scoped_names() -> None:
    problem = problem_in(
        '<model name="m"><link name="L"/><frame name="f"><pose relative_to="n::a"/></frame>'
        '<model name="n"><pose relative_to="f"/><link name="a"/></model></model>'
    )
    assert "m::f → m::n::a → m::n → m::f" in problem.message


def test_a_joint_on_a_cycle_is_offered_its_parent_and_nothing_that_closes_another() -> None:
    document = open_document(FAULTS / "joint_and_link_cycle.sdf")
    (problem,) = problems_of(document)
    assert [fix.label for fix in problem.fixes] == [
        "Make 'C3' relative to __model__", "Make 'J3' relative to 'P3'", "Make 'J3' relative to __model__"
    ]  # fmt: skip
    assert '<pose relative_to="P3">0 0 0 0 0 0</pose>' in document.edited(problem.fixes[1].replacements).text


def test_near_names_that_lead_back_are_not_offered() -> None:
    problem = problem_in(
        '<model name="m"><link name="base"/><frame name="elbow_1"><pose relative_to="elbow"/></frame>'
        '<frame name="elbow_2" attached_to="elbow_1"/></model>'
    )
    assert [fix.label for fix in problem.fixes] == [
        "Make 'elbow_1' relative to __model__", "Remove relative_to of 'elbow_1'"
    ]  # fmt: skip


def test_a_name_that_begins_too_far_up_is_shortened() -> None:
    problem = problem_in('<model name="m"><link name="base"/><frame name="f" attached_to="m::base"/></model>')
    assert problem.fixes[0].label == "Attach 'f' to 'base'"


def test_before_1_7_the_model_frame_has_no_name() -> None:
    document = parse_document(
        '<sdf version="1.6"><model name="m"><link name="a"><pose frame="x">0 0 0 0 0 0</pose></link></model></sdf>'
    )
    problems = [problem for problem in problems_of(document) if problem.rule.name == "relative-to-invalid"]
    for problem in problems:
        texts = [document.edited(fix.replacements).text for fix in problem.fixes]
        assert texts
        assert not any("relative_to" in text or "__model__" in text for text in texts)


def test_the_holder_of_a_taken_name_is_renamed_with_its_references() -> None:
    document = open_document(FAULTS / "clash.sdf")
    (problem,) = problems_of(document)
    assert problem.frames == ("model::attachment",)
    text = document.edited(problem.fixes[1].replacements).text
    assert '<link name="attachment_link">' in text
    assert "<child>attachment_link</child>" in text


def test_a_joint_named_like_its_child_is_renamed_and_references_mean_the_link() -> None:
    fixes = fixes_in(
        '<link name="base"/><joint name="wheel" type="continuous"><parent>base</parent><child>wheel</child>'
        '<axis><xyz>0 1 0</xyz></axis></joint><link name="wheel"/><frame name="valve" attached_to="wheel"/>'
    )
    (text,) = fixes.values()
    assert '<joint name="wheel_joint"' in text
    assert "<child>wheel</child>" in text
    assert 'attached_to="wheel"' in text


@pytest.mark.parametrize("path", sorted(FAULTS.glob("*.sdf")), ids=lambda path: path.stem)
def test_each_edge_that_is_at_fault_can_be_retargeted(path: Path) -> None:
    document = open_document(path)
    model = Loader(offer_fixes=offer_fixes).load(document)
    assert model is not None
    for problem in model.diagnostics:
        pointers = pointers_of(model, problem.edges)
        assert bool(problem.edges) == (problem.rule.name in {*REFERENCES, "mimic-cycle"})
        if problem.is_cycle:
            assert [model.names[pointer.row] for pointer in pointers] == list(problem.frames)
        else:
            assert [pointer.word for pointer in pointers] == [edge.attribute for edge in problem.edges]
        for pointer in pointers:
            targets = pointer.targets(model)
            assert targets.reason(targets.scope) is None
            # An axis may be expressed in the frame of its own joint, which is the default.
            assert (targets.refusal(pointer.row) is None) == (pointer.word == "expressed_in")


def fixes_in(text: str) -> dict[str, str]:
    """Return what each fix of the one problem of a text is called, and the text after it."""
    document = parse_document(f'<sdf version="1.11"><model name="m">{text}</model></sdf>')
    (problem,) = problems_of(document)
    after = {fix.label: document.edited(fix.replacements) for fix in problem.fixes}
    assert not [label for label, mended in after.items() if problems_of(mended)]
    return {label: mended.text for label, mended in after.items()}


def joint(name: str, child: str, axis: str, kind: str = "revolute") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent>a</parent><child>{child}</child>'
        f"<axis><xyz>0 0 1</xyz>{axis}</axis></joint>"
    )


LINKS = "".join(f'<link name="{name}"/>' for name in "abcde")


def test_a_leader_that_is_not_there_is_replaced_by_one_that_can_lead() -> None:
    fixes = fixes_in(
        LINKS
        + joint("slide", "b", "", "prismatic")
        + joint("left", "c", "")
        + joint("right", "d", '<mimic joint="lefd"/>')
        + joint("tip", "e", '<mimic joint="right"/>')
    )
    assert list(fixes) == ["Make 'right' mimic 'left'", "Remove the <mimic> of 'right'"]
    assert '<mimic joint="left"/>' in fixes["Make 'right' mimic 'left'"]


def test_a_leader_without_the_axis_leads_by_its_first() -> None:
    fixes = fixes_in(LINKS + joint("left", "c", "") + joint("right", "d", '<mimic joint="left" axis="axis2"/>'))
    assert list(fixes) == ["Make 'right' mimic the first axis of 'left'", "Remove the <mimic> of 'right'"]


def test_a_joint_between_frames_of_one_link_gets_another_child_or_another_parent() -> None:
    fixes = fixes_in(
        '<link name="a"/><link name="b"/><frame name="f" attached_to="a"/><joint name="j" type="fixed">'
        "<parent>f</parent><child>a</child></joint>"
    )
    assert list(fixes) == ["Make 'b' the child of 'j'", "Make 'b' the parent of 'j'"]


def test_limits_the_wrong_way_round_are_swapped() -> None:
    limit = "<limit><lower> 1.50 </lower><upper>-1</upper></limit>"
    (after,) = fixes_in('<link name="a"/><link name="b"/>' + joint("j", "b", limit)).values()
    assert "<limit><lower> -1 </lower><upper>1.50</upper></limit>" in after


def _many_unknown_names(count: int) -> Document:
    frames = "".join(f'<frame name="frame_{number}" attached_to="missing_{number}"/>' for number in range(count))
    return parse_document(f'<sdf version="1.11"><model name="m"><link name="l"/>{frames}</model></sdf>')


@pytest.fixture
def tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let less be tried out, so that fewer problems are too many."""
    monkeypatch.setattr(fix_check, "MAX_WORK", fix_check.MAX_WORK // 10)
    monkeypatch.setattr(fix_check, "MOST_ROWS", fix_check.MOST_ROWS // 10)
    monkeypatch.setattr(findings, "MOST_WITH_HINTS", findings.MOST_WITH_HINTS // 10)


@pytest.mark.usefixtures("tenth")
def test_fixes_of_many_problems_are_not_all_tried_out() -> None:
    trials = 0

    def offer(model: Model | None, findings: Findings, rebuild: Rebuild) -> FixProvider:
        def counted(file: Document, after: Document) -> tuple[Model | None, Findings]:
            nonlocal trials
            trials += 1
            return rebuild(file, after)

        return offer_fixes(model, findings, counted)

    _, problems = Loader(offer_fixes=offer).load_with_diagnostics(_many_unknown_names(400))
    fixed = [problem for problem in problems if problem.fixes]
    assert len(problems) == 400
    assert fixed[0] is problems[0]
    assert 3 <= trials < 20


@pytest.mark.usefixtures("tenth")
def test_all_fixes_of_many_problems_end_and_say_how_many_were_applied() -> None:
    fixed = fix_all(Loader(offer_fixes=offer_fixes), _many_unknown_names(400), unsafe=True)
    assert 3 <= len(fixed.applied) < 50


def test_ends_are_not_swapped_where_the_link_has_no_place() -> None:
    text = (
        '<sdf version="1.9"><model name="m"><link name="a"><pose relative_to="{}"/></link>'
        '<joint name="j" type="fixed"><pose>0 0 1 0 0 0</pose><parent>a</parent><child>world</child></joint>'
        "</model></sdf>"
    )

    def labels(text: str) -> list[str]:
        problems = problems_of(parse_document(text))
        return [fix.label for each in problems if each.rule.name == "joint-child-invalid" for fix in each.fixes]

    assert labels(text.format("__model__")) == ["Make the world the parent and 'a' the child of 'j'"]
    assert labels(text.format("nowhere")) == []


@pytest.mark.parametrize(
    ("path", "lost"),
    [
        ("inertial", "the mass of 'm::l'"),
        ("visual/geometry", "the geometry of 'm::l::v'"),
        ("visual/material", "the material of 'm::l::v'"),
        ("visual/transparency", None),
    ],
)
def test_a_fix_says_which_mass_shape_and_appearance_it_loses(path: str, lost: str | None) -> None:
    text = (
        '<sdf version="1.9"><model name="m"><link name="l"><inertial><pose>1 0 0 0 0 0</pose><mass>2</mass></inertial>'
        '<visual name="v"><geometry><sphere/></geometry><material><diffuse>1 0 0</diffuse></material>'
        "<transparency>0</transparency></visual></link></model></sdf>"
    )

    def check(model: Model) -> Iterator[Finding]:
        element: Element | None = model.elements[model.row("m::l")]
        for tag in path.split("/"):
            element = None if element is None else element.find(tag)
        if element is not None:
            fix = "remove it", partial(remove_element, element=element)
            yield Finding(removed, ElementPart(None, element), "it is too much", fixes=(fix,))

    loader = Loader(offer_fixes=offer_fixes, extra_checks=[check])
    document = parse_document(text)
    (fix,) = next(each.fixes for each in loader.load_with_diagnostics(document)[1] if each.message == "it is too much")
    assert fix.label == "Remove it" + ("" if lost is None else f"; this loses {lost}")
    assert bool(fix.loses) is (lost is not None)
    assert len(fix_all(loader, document).applied) == (lost is None)
