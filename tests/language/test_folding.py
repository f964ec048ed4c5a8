"""Folding ranges."""

from __future__ import annotations

from sdfviewer.language.outline import Fold, comment_folds
from sdfviewer.language.text_map import Positions


def folds(text: str) -> list[Fold]:
    return list(comment_folds(text, Positions(text)))


def test_a_comment_of_several_lines_folds_to_its_first() -> None:
    assert folds("<sdf>\n<!-- one\ntwo\nthree -->\n<!-- short -->\n</sdf>") == [Fold(1, 3)]


def test_a_comment_that_is_being_typed_leaves_the_one_that_follows_as_it_was() -> None:
    """It folded as far as the end of the comment below, which no longer folded."""
    assert folds("<sdf>\n<!--\n<!-- one\ntwo -->\n</sdf>") == [Fold(2, 3)]
    assert folds("<sdf>\n<!-- never\nclosed\n</sdf>") == []
