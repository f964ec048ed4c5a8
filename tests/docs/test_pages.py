"""The examples of the documentation run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import sdfviewer

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["library.md", "cookbook.md"])
def test_the_examples_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    failed, tried = doctest.testfile(
        str(REPOSITORY / "docs" / page), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert tried > 20
    assert failed == 0


def test_each_recipe_runs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    start, *recipes = re.split(r"(?m)^## ", (REPOSITORY / "docs" / "cookbook.md").read_text(encoding="utf-8"))
    for recipe in recipes:
        test = doctest.DocTestParser().get_doctest(start + recipe, {}, recipe.splitlines()[0], "cookbook.md", 0)
        assert doctest.DocTestRunner().run(test).failed == 0, test.name


def test_the_recipes_of_the_cookbook_are_numbered() -> None:
    text = (REPOSITORY / "docs" / "cookbook.md").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert len(headings) > 20
    assert [heading.split(".")[0] for heading in headings] == [f"## {number}" for number in range(1, len(headings) + 1)]


def test_every_public_name_is_on_one_page_of_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REPOSITORY / "docs"))
    pages = importlib.import_module("generate").API_PAGES
    names = [name for _, _, names in pages.values() for name in names.split()]
    assert sorted([*names, "__version__"]) == sorted(sdfviewer.__all__)
    index = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
    assert all(f"api/{page}\n" in index for page in pages)
