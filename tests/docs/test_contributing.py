"""The pages for contributors name files and tests that are there."""

from __future__ import annotations

import re

import pytest

from tests.named_tests import REPOSITORY, is_run

PAGES = {
    name: re.sub(r"```.*?```", "", (REPOSITORY / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    for name in ("CONTRIBUTING.md", "docs/architecture.md")
}
#: Files that a reader is told to write.
EXAMPLES = {
    *("resources/spec/1.13.json", "tests/rules/my-rule/bad.sdf", "sdfviewer/model/shapes/wedge.py"),
    *("model/shapes/wedge.py", "gui/<feature>/panel.py", "gui/counts/panel.py"),
}
#: Where a path of these pages may begin.
ROOTS = ("", "sdfviewer/", "sdfviewer/gui/", "docs/")
TESTS = sorted({name for page in PAGES.values() for name in re.findall(r"`(tests/[\w/.]+::\w+)`", page)})


def paths(page: str) -> set[str]:
    """Return what looks like a path of the repository."""
    words = {word for code in re.findall(r"`([^`]+)`", PAGES[page]) for word in code.split()}
    return {
        word for word in words if re.fullmatch(r"\.?[\w<>][\w<>*./-]*/[\w<>*.-]*\.(py|md|sh|json|sdf|toml|txt)", word)
    }


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    named = paths(page) - EXAMPLES
    assert len(named) > 20
    missing = [name for name in named if not any(any(REPOSITORY.glob(root + name)) for root in ROOTS)]
    assert missing == []


@pytest.mark.parametrize("name", TESTS)
def test_what_keeps_an_invariant_is_a_test(name: str) -> None:
    assert is_run(name)
