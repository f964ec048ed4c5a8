"""Refactorings that are offered at a place."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.language.actions import refactorings

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="upper"><pose relative_to="base">0 0 1 0 0 0</pose></link>
    <frame name="shelf"><pose relative_to="base">1 0 0 0 0 0</pose></frame>
    <frame name="flange" attached_to="upper"><pose>0 0 1 0 0 0</pose></frame>
    <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>
      <axis><xyz>0 1 0</xyz></axis></joint>
  </model>
</sdf>
"""


def offered(before_caret: str, *, everywhere: bool = False) -> list[str]:
    loader, document = Loader(), parse_document(ARM)
    model = loader.load(document)
    assert model is not None
    at = ARM.index(before_caret) + len(before_caret)
    return [each.title for each in refactorings(model, loader, at, everywhere=everywhere)]


@pytest.mark.parametrize(
    ("place", "targets"),
    [
        ('<joint name="sh', ["__model__", "base"]),
        ('<frame name="fl', ["__model__", "base"]),
        ("<pose>0 0", ["__model__", "base"]),
        ('<link name="up', ["__model__"]),
    ],
)
def test_a_pose_is_measured_from_frames_that_have_to_do_with_it(place: str, targets: list[str]) -> None:
    measured = [title.split(" from ")[1].split(" ")[0] for title in offered(place) if title.startswith("Measure")]
    assert measured == targets
    everywhere = [title for title in offered(place, everywhere=True) if title.startswith("Measure")]
    assert everywhere[: len(targets)] == [title for title in offered(place) if title.startswith("Measure")]
    assert any(" from shelf " in title for title in everywhere)


def test_a_pose_is_no_place_for_what_changes_the_link() -> None:
    assert "Mirror limb of upper" in offered('<link name="up')
    assert "Mirror limb of upper" in offered('<pose relative_to="base">0 0', everywhere=True)
    assert not [title for title in offered('<pose relative_to="base">0 0') if not title.startswith("Measure")]
