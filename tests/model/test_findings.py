"""Tests of lists of findings: what is listed, what is only counted, and what is merged."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity
from sdfviewer.document.document import parse_document
from sdfviewer.document.element import Element
from sdfviewer.model.findings import MAX_RELATED, MOST_OF_A_RULE, MOST_WITH_HINTS, ElementPart, Finding, Findings
from sdfviewer.validation.element_rules import missing_attribute, unknown_element

ELEMENT = Element("a", None, "", (), (), 4, 0, 4)


def finding(number: int = 0, severity: Severity | None = None) -> Finding:
    return Finding(unknown_element, ElementPart(None, ELEMENT), f"number {number}", (number,), severity=severity)


def test_beyond_the_limit_problems_of_a_rule_are_counted() -> None:
    findings = Findings(finding(number) for number in range(MOST_OF_A_RULE + 5))
    assert len(findings) == MOST_OF_A_RULE
    assert findings.count_by_rule() == {"unknown-element": MOST_OF_A_RULE + 5}
    last = findings.listed()[-1]
    assert last.message == f"number {MOST_OF_A_RULE}; 4 more problems of this rule are not listed"


def test_another_rule_and_severity_are_listed_all_the_same() -> None:
    findings = Findings(finding() for _ in range(MOST_OF_A_RULE + 1))
    findings.append(finding(7, Severity.ERROR))
    findings.append(Finding(missing_attribute, ElementPart(None, ELEMENT), "missing"))
    assert [each.message for each in findings[-2:]] == ["number 7", "missing"]


def test_what_another_list_leaves_out_is_counted() -> None:
    inner = Findings(finding(number) for number in range(MOST_OF_A_RULE + 5))
    outer = Findings([finding(-1)])
    outer += inner.mapped(lambda each: each.shifted(10))
    assert len(outer) == MOST_OF_A_RULE
    assert outer[1].rows == (10,)
    assert outer.count_by_rule().total() == MOST_OF_A_RULE + 6
    assert "5 more problems" in outer.listed()[-1].message


def test_problems_are_counted_without_a_message_once_one_is_left_out() -> None:
    findings = Findings(finding() for _ in range(MOST_OF_A_RULE))
    assert not findings.leave_out(unknown_element)
    findings.append(finding())
    assert findings.leave_out(unknown_element)
    assert not findings.leave_out(missing_attribute)
    assert findings.count_by_rule().total() == MOST_OF_A_RULE + 2


def test_names_are_suggested_for_the_first_problems_of_a_rule() -> None:
    findings = Findings(finding() for _ in range(MOST_WITH_HINTS))
    assert not findings.may_hint(unknown_element)
    assert findings.may_hint(missing_attribute)


def test_a_problem_of_an_included_file_is_listed_once_with_its_includes() -> None:
    source = parse_document("<sdf/>")
    includes = [ElementPart(None, Element("include", None, "", (), (), 9, 0, 9)) for _ in range(MAX_RELATED + 5)]
    findings = Findings(
        Finding(unknown_element, ElementPart(source, ELEMENT), "unknown", related=(("included from here", include),))
        for include in includes
    )
    assert len(findings) == 1
    assert [place for _, place in findings[0].related] == includes[:MAX_RELATED]
