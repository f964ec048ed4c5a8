"""Suggestions for a wrong name."""

from __future__ import annotations

import sdfviewer
from sdfviewer.model.near_names import nearest


def test_a_name_with_a_prefix_is_nearer_than_one_with_another_number() -> None:
    links = [f"{side}_iiwa_link_{number}" for side in ("left", "right") for number in range(8)]
    assert nearest("iiwa_link_6", links) == ["left_iiwa_link_6", "right_iiwa_link_6"]


def test_of_equally_long_names_the_more_similar_one_is_first() -> None:
    assert nearest("foreram", ["upperarm", "forearm", "hand"])[0] == "forearm"


def test_another_case_goes_before_all_else() -> None:
    assert nearest("Arm", ["Arm_2", "arm"]) == ["arm"]


def test_only_a_link_is_suggested_as_the_canonical_link() -> None:
    (problem,) = sdfviewer.check(
        '<sdf version="1.9"><model name="m" canonical_link="bass"><link name="base"/><frame name="bas"/></model></sdf>'
    )
    assert "did you mean 'base'?" in problem.message
