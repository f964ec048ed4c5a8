"""Problems before and after an edit."""

from __future__ import annotations

from sdfviewer.diagnostics import Diagnostic, Rule, new_problems
from sdfviewer.validation.frame_rules import attached_to_cycle, relative_to_cycle


def _problems(rule: Rule, *messages: str) -> list[Diagnostic]:
    return [Diagnostic(rule, rule.severity, message) for message in messages]


def test_a_second_problem_with_the_same_words_is_new() -> None:
    after = _problems(relative_to_cycle, "a", "a", "b")
    assert new_problems(after, _problems(relative_to_cycle, "a", "b")) == after[1:2]


def test_what_either_of_two_texts_has_is_not_new() -> None:
    mine, theirs = _problems(relative_to_cycle, "a", "b"), _problems(relative_to_cycle, "b", "c")
    after = _problems(relative_to_cycle, "a", "b", "c", "d")
    assert new_problems(after, mine, theirs) == after[3:]


def test_the_same_problem_with_another_name_is_not_new_where_names_change() -> None:
    before, after = _problems(relative_to_cycle, "a"), _problems(relative_to_cycle, "b")
    other = _problems(attached_to_cycle, "b")
    assert new_problems(after, before) == after
    assert new_problems([*after, *other], before, renames=True) == other
