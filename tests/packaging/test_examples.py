"""The examples that the Help menu offers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import etree

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
INDEX = json.loads((EXAMPLES / "index.json").read_text(encoding="utf-8"))


def test_the_index_names_every_example_once() -> None:
    assert sorted(entry["file"] for entry in INDEX) == sorted(path.name for path in EXAMPLES.glob("*.sdf"))


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["file"])
def test_an_example_says_what_it_is(entry: dict[str, str]) -> None:
    root = etree.parse(EXAMPLES / entry["file"]).getroot()
    comment = root[0]
    assert comment.tag is etree.Comment
    assert entry["title"]
    assert entry["description"].endswith(".")
    assert entry["title"].startswith("Broken:") == comment.text.strip().startswith("INVALID on purpose")
