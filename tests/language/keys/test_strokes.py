"""What is typed becomes words."""

from __future__ import annotations

import pytest

from sdfviewer.language.typing import Strokes, describe


def type_keys(strokes: Strokes, text: str, keys: str) -> str:
    """Type at the end; '<' deletes."""
    for key in keys:
        text = text[:-1] if key == "<" else text + key
        strokes.note(text, "")
    return text


def test_words_are_steps_with_names() -> None:
    strokes = Strokes("")
    type_keys(strokes, "", "one two  three")
    assert strokes.take() == [("Type ‘one’", "one "), ("Type ‘two’", "one two  "), ("Type ‘three’", "one two  three")]
    assert strokes.take() == []


def test_deleting_is_a_step_of_its_own() -> None:
    strokes = Strokes("")
    text = type_keys(strokes, "", "abc<<d")
    assert text == "ad"
    assert [name for name, _ in strokes.take()] == ["Type ‘abc’", "Delete ‘bc’", "Type ‘d’"]


def test_a_new_line_and_another_place_begin_a_step() -> None:
    strokes = Strokes("")
    text = type_keys(strokes, "", "a\nb")
    strokes.note("x" + text, "")
    assert [text for _, text in strokes.take()] == ["a", "a\n", "a\nb", "xa\nb"]


def test_commands_have_their_name() -> None:
    strokes = Strokes("")
    text = type_keys(strokes, "", "a")
    strokes.note(text + "bc", "Paste")
    type_keys(strokes, text + "bc", "d")
    assert [name for name, _ in strokes.take()] == ["Type ‘a’", "Paste", "Type ‘d’"]


def test_a_word_goes_on_over_a_pause_but_not_over_a_long_one() -> None:
    strokes = Strokes("")
    text = type_keys(strokes, "", "wo")
    strokes.take()
    text = type_keys(strokes, text, "rd")
    assert strokes.continues
    assert strokes.take() == [("Type ‘word’", "word")]
    strokes.pause()
    type_keys(strokes, text, "s")
    assert not strokes.continues
    assert strokes.take() == [("Type ‘s’", "words")]


def test_a_letter_before_its_like_belongs_to_the_word() -> None:
    strokes = Strokes("a b")
    strokes.note("ab b", "", 1)
    strokes.note("ab  b", "", 2)
    strokes.note("ab   b", "", 3)
    assert [text for _, text in strokes.take()] == ["ab   b"]
    strokes.note("ab  b", "", 3)
    strokes.note("ab b", "", 2)
    assert [text for _, text in strokes.take()] == ["ab b"]


def test_another_word_does_not_go_on() -> None:
    strokes = Strokes("")
    text = type_keys(strokes, "", "one ")
    strokes.take()
    type_keys(strokes, text, "two")
    assert not strokes.continues
    strokes.reset("elsewhere")
    assert strokes.take() == []


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("a", "a", "Edit the text"),
        ("ab", "a  b", "Change whitespace"),
        ("ab", "a\n  b", "Insert a new line"),
        ("ab", "axb", "Type ‘x’"),
        ("a1b", "a2b", "Replace ‘1’ with ‘2’"),
        ("ab", "a1\n2\n3b", "Type 3 lines"),
        ("", "x" * 40, f"Type ‘{'x' * 23}…’"),
    ],
)
def test_a_step_is_named_after_what_it_does(before: str, after: str, name: str) -> None:
    assert describe(before, after) == name
