"""Groups in the replacement of a regular expression."""

from __future__ import annotations

import re

import pytest

from sdfviewer.gui.source.find_bar import expanded


@pytest.mark.parametrize(
    ("replacement", "result"),
    [
        ("$2_$1", "link_left"),
        (r"\2_\1", "link_left"),
        (r"\g<side>", "left"),
        ("<$&>", "<left_link>"),
        ("$$1", "$1"),
        (r"\\", "\\"),
        (r"a\tb", "a\tb"),
        ("$3$9", ""),
        ("5 $", "5 $"),
    ],
)
def test_groups_are_written_as_in_other_editors(replacement: str, result: str) -> None:
    match = re.search(r"(?P<side>left)_(link)(x)?", "the left_link")
    assert match is not None
    assert expanded(match, replacement) == result
