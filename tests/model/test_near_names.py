"""Suggestions for a wrong name."""

from __future__ import annotations

import os
import subprocess
import sys

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


def test_each_process_suggests_the_same() -> None:
    ask = (
        "from sdfviewer.model.near_names import nearest\n"
        "names = [f'N{model}::L{link}' for model in range(6) for link in range(6)]\n"
        "print([nearest(f'L{model}::L{link}', names) for model in range(6) for link in range(4)])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", ask], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in "012"
    }
    assert len(answers) == 1
