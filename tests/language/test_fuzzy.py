"""Which names a few letters find, and which letters of them are marked."""

from __future__ import annotations

import pytest

from sdfviewer.language.fuzzy import FuzzyQuery, best_matches, match_score


def marked(query: str, text: str) -> str | None:
    """Return a text with the matched letters in capitals, all others small."""
    found = FuzzyQuery(query).match(text)
    if found is None:
        return None
    return "".join(letter.upper() if at in found.positions else letter.lower() for at, letter in enumerate(text))


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("elbow", "l_elbow_flex_link", "l_ELBOW_flex_link"),
        ("lef", "l_elbow_flex_link", "L_Elbow_Flex_link"),
        ("lefl", "leftElbowFlexLink", "LEFtelbowflexLink"),
        ("eF", "leftElbowFlexLink", "lEFtelbowflexlink"),
        ("pr2 elb", "pr2::l_elbow_link", "PR2::l_ELBow_link"),
        ("arm::gr", "left_arm::grasp", "left_ARM::GRasp"),
        ("grasp arm", "left_arm::grasp", "left_ARM::GRASP"),
        ("link", "link_a::b_link", "link_a::b_LINK"),
        ("b2", "box_1_12_2", "Box_1_12_2"),
        ("xyz", "box", None),
        ("", "box", "box"),
    ],
)
def test_letters_are_found_and_marked(query: str, text: str, expected: str | None) -> None:
    assert marked(query, text) == expected


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("link", ["link", "link_2", "my_link", "blinker"]),
        ("grip", ["grip", "grip_left", "left_grip", "grip::base", "g_r_i_p"]),
        ("arm", ["robot::arm", "arm::wrist_camera_optical"]),
    ],
)
def test_the_best_match_comes_first(query: str, names: list[str]) -> None:
    scores = [match_score(query, name) for name in names]
    assert None not in scores
    assert scores == sorted(scores, key=lambda score: -(score or 0.0))


def test_names_that_differ_in_a_number_or_in_where_they_are_match_equally() -> None:
    for query, *names in (
        ("conv", "Convert to 1.12", "Convert to 1.9"),
        ("wrist cam", "front::wrist cam", "a::wrist cam"),
    ):
        assert len({match_score(query, name) for name in names}) == 1
    assert (match_score("cam", "a::cam") or 0) > (match_score("cam", "a::b::cam") or 0)


def test_words_beside_the_name_count_less_than_the_name() -> None:
    query = FuzzyQuery("frame gra")
    beside, within, neither = query.match("grasp", "frame"), query.match("frame_gra", "link"), query.match("grasp")
    assert beside is not None
    assert within is not None
    assert beside.score < within.score
    assert neither is None


def test_a_whole_word_beside_a_name_counts_more_than_initials_of_another() -> None:
    """``gif`` found *All Glyphs in Full* before the command that saves GIFs."""
    query = FuzzyQuery("gif")
    beside, initials = (
        query.match("Save Images of the Motion", "joints gif mp4"),
        query.match("All Glyphs in Full", "view"),
    )
    assert beside is not None
    assert initials is not None
    assert beside.score > initials.score
    assert (query.match("Save", "gifs") or beside).score < initials.score


def test_a_longer_query_only_narrows() -> None:
    assert FuzzyQuery("grip").narrows(FuzzyQuery("gr"))
    assert not FuzzyQuery("rip").narrows(FuzzyQuery("gr"))


def test_a_list_that_keeps_its_order_shows_scattered_letters_only_where_nothing_matches_better() -> None:
    names = [("left_arm", ""), ("lower_front_table", "")]
    assert list(best_matches("lft", names)) == [1]
    assert list(best_matches("lft", names[:1])) == [0]
    assert list(best_matches("", names)) == [0, 1]
    assert list(best_matches("legs", [*names, ("knee", "legs")])) == [2], "what is beside the name"
