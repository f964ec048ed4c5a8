"""Nothing that a terminal would obey is left in what is shown."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest

from sdfviewer.display_text import (
    as_done,
    as_sentence,
    distinct_names,
    in_short,
    json_text,
    markdown_code,
    markdown_text,
    visible,
    visible_columns,
)


@pytest.mark.parametrize("indent", [None, 1])
def test_json_has_no_word_for_what_is_no_number(indent: int | None) -> None:
    value = {"a": [float("nan"), 1.5, (float("inf"),)], "b": {"c": -float("inf"), "d": "nan"}}
    assert json.loads(json_text(value, indent)) == {"a": [None, 1.5, [None]], "b": {"c": None, "d": "nan"}}
    assert "NaN" not in json_text(value, indent)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("arm", "arm"),
        ("рука 腕 é", "рука 腕 é"),
        ("👩\u200d🔧", "👩\u200d🔧"),
        ("a\x1b[31mb\x07", "a\\x1b[31mb\\x07"),
        ("a\x9b31mb\x85", "a\\x9b31mb\\x85"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("a\u202eb\u2066c\u2028", "a\\u202eb\\u2066c\\u2028"),
        ("a\ud83d", "a\\ud83d"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert len(visible_columns(text)) == len(text)


def test_equal_names_keep_as_much_of_their_scopes_as_distinguishes_them() -> None:
    names = ["w::a::arm::elbow", "w::b::arm::elbow", "w::b::arm::wrist", "elbow", "w::b::arm::wrist"]
    assert distinct_names(names) == ["a::arm::elbow", "b::arm::elbow", "wrist", "elbow", "wrist"]
    assert distinct_names(["arm", "w::arm"]) == ["arm", "w::arm"]
    assert distinct_names([]) == []


def test_no_control_of_unicode_is_left() -> None:
    every = "".join(map(chr, range(0x110000)))
    controls = {each for each in every if unicodedata.category(each) in ("Cc", "Zl", "Zp", "Cs")}
    controls |= {each for each in every if unicodedata.bidirectional(each) in _DIRECTIONS}
    assert len(controls) > 2000
    for shown in (visible(every), visible_columns(every)):
        assert controls.isdisjoint(shown)


_DIRECTIONS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def test_json_means_the_same() -> None:
    value = {"name": "é\x1b\x85\u202e\u2028\ud83d", "more": [1, "x\ny"]}
    for indent in (None, 1):
        text = json_text(value, indent)
        assert json.loads(text) == value
        assert visible(text.replace("\n", "")) == text.replace("\n", "")
        assert "é" in text


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("the root of a file cannot be removed", "The root of a file cannot be removed."),
        ("density: not a number", "Density: not a number."),
        ("'arm' is taken", "'arm' is taken."),
        ("relative_to cannot change", "relative_to cannot change."),
        ("arm.sdf cannot be read", "arm.sdf cannot be read."),
        ("xacro: package 'arm' is not found", "xacro: package 'arm' is not found."),
        ("<frame> has no mass", "<frame> has no mass."),
        ("Fix the XML errors first.", "Fix the XML errors first."),
        ("", ""),
    ],
)
def test_a_reason_becomes_a_sentence_and_a_name_stays_as_it_is_written(reason: str, sentence: str) -> None:
    assert as_sentence(reason) == sentence


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("Add link", "Done: add link"),
        ("Rename a to b", "Done: rename a to b"),
        ("rename the <a> 'b' to 'c'", "Done: rename the <a> 'b' to 'c'"),
        ("X_AB", "Done: X_AB"),
    ],
)
def test_what_was_done_does_not_read_as_an_order(label: str, message: str) -> None:
    assert as_done(label) == message


def test_a_text_in_short_keeps_its_first_words_and_both_ends_of_long_ones() -> None:
    assert in_short("Rename 'a' to 'b'", 40) == "Rename 'a' to 'b'"
    text = "Replace 'root_link_ems_gyro_eb5x' with 'root_link_ems_gyro_eb5'; this moves it"
    short = in_short(text, 40)
    assert short == "Replace 'root_link…gyro_eb5x' with …"
    assert in_short("Add 'root_link_ems_gyro_eb5_fixed_joint_of_the_left_leg'", 40) == "Add 'root_link…_left_leg'"


@pytest.mark.parametrize(
    "name",
    ["arm::base", "a` ![x](https://e/x.png) `b", "`", "``a```b", "", " a ", "<img src='//e/x'>", "a\n\n# b", "\u202ea"],
)
def test_nothing_in_a_name_gets_out_of_code_in_markdown(name: str) -> None:
    """An editor would fetch a picture that a hover shows. Code ends at as many backticks as it begins with."""
    shown = markdown_code(name)
    fence = re.match("`+", shown)
    assert fence is not None
    inside = shown[fence.end() : -fence.end()]
    assert shown.endswith(fence[0])
    assert fence.end() not in {len(run) for run in re.findall("`+", inside)}
    assert not inside.startswith("`")  # which would lengthen it
    assert not inside.endswith("`")
    assert inside.strip() == visible(name).strip()
    assert "\n" not in shown


def test_a_sentence_in_markdown_has_no_markup() -> None:
    said = markdown_text("<static> of '![x](https://e/x.png)' *has* `no` effect\n# a")
    assert said == "\\<static\\> of '\\!\\[x\\](https://e/x.png)' \\*has\\* \\`no\\` effect\\\\n\\# a"
