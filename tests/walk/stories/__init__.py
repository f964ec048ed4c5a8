"""All stories, in the order in which they are told."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from tests.walk.story import STORIES, Story

_TOPICS = (
    "first_sight", "finding", "selecting", "camera", "visibility", "graphs", "measuring", "joints", "motion",
    "properties", "undo", "authoring", "source", "problems", "compare", "workspaces", "help", "files",
)  # fmt: skip


def chosen_stories(only: Sequence[str]) -> list[Story]:
    """Return the stories of some names or topics, all where none is given; the first sight always comes first."""
    for topic in _TOPICS:
        importlib.import_module(f"{__name__}.{topic}")
    first, wanted = _TOPICS[0], set(only)
    return [each for each in STORIES if not wanted or each.topic == first or {each.name, each.topic} & wanted]
