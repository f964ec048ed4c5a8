"""Each feature of xacro's documentation gives what the package xacro makes of it, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.xacro.reference import expand, expand_as_xacro

pytest.importorskip("xacro")

FEATURES = sorted(Path(__file__).with_name("features").glob("*.xacro"))


@pytest.mark.parametrize("file", FEATURES, ids=lambda file: file.stem)
def test_a_feature_gives_what_xacro_makes_of_it(file: Path) -> None:
    arguments = {"given": "yes"}
    expected = expand_as_xacro(file, arguments, lambda name: None)
    assert not expected.startswith("error: "), expected
    assert expand(file, arguments, lambda name: None) == expected
