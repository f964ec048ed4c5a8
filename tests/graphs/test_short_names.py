"""Names that are shortened to their room."""

from __future__ import annotations

import pytest

from sdfviewer.display_text import LEAST_LETTERS, short_name


@pytest.mark.parametrize(
    ("name", "kind", "room", "expected"),
    [
        ("l_gripper_r_finger_link", "link", 23, "l_gripper_r_finger_link"),
        ("l_gripper_r_finger_link", "link", 19, "l_gripper_r_finger…"),
        ("l_gripper_r_finger_link", "link", 15, "l_grip…r_fing…"),
        ("l_gripper_r_finger_link", "joint", 19, "l_grip…r_fing…link"),
        ("l_gripper_r_finger_link", "link", 12, "l_gri…r_fin…"),
        ("base-footprint", "link", 10, "base-foot…"),
        ("gripper_finger12", "link", 12, "gri…finger12"),
        ("head_Pan_Joint", "joint", 10, "head_Pan…"),
    ],
)
def test_the_ends_of_long_words_go(name: str, kind: str, room: int, expected: str) -> None:
    assert short_name(name, kind, room, len) == expected


@pytest.mark.parametrize("room", range(12, 23))
def test_names_that_differ_in_one_word_still_do(room: int) -> None:
    names = ("l_gripper_l_finger_link", "l_gripper_r_finger_link", "l_gripper_l_finger_tip_link")
    short = [text for text in (short_name(name, "link", room, len) for name in names) if text is not None]
    assert len(short) >= 2
    assert len(set(short)) == len(short)


def test_a_name_of_which_too_little_would_be_left_is_not_shown() -> None:
    assert short_name("gripper_finger", "joint", 2 * LEAST_LETTERS, len) is None
    assert short_name("link", "link", 3, len) is None
    assert short_name("", "link", -1, len) is None
