"""All stories, in the order in which they are told."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from tests.walk.story import STORIES, Story

_TOPICS = (
    "first_sight", "finding", "selecting", "camera", "visibility", "graphs", "measuring", "joints", "motion",
    "properties", "undo", "authoring", "building", "robots", "source", "problems", "compare", "workspaces", "help",
    "files", "three_clicks",
)  # fmt: skip
#: The stories of the keys that docs/window.md lists, in the order of its table.
KEYS = (
    "palette", "find_frame", "open_dialog", "save", "reload", "pose_number", "history", "rename", "rename_preview",
    "edit_pose", "paste_pose", "new_file", "add_link", "add_joint", "add_frame", "add_visual", "add_collision",
    "change_relative_to", "change_attached_to", "focus", "presets", "show_in_source", "next_problem",
    "differences_of_versions", "slider", "keyframes", "manual", "what_is_this", "preferences", "shortcuts", "complete",
    "quick_fix", "faulty_reference", "definition", "comment", "move_lines", "go_to_line", "replace", "next_panel",
)  # fmt: skip

#: The ten walks that somebody new takes, each with its stories and topics.
WALKS: dict[str, tuple[str, ...]] = {
    "first": ("first_sight", "finding"),
    "select": ("selecting", "why_in_one_click"),
    "relative_to": ("change_relative_to", "change_attached_to", "edit_pose", "pose_number", "drag_edge"),
    "cycles": ("problems", "problem_in_three"),
    "joints": ("joints", "motion", "compare", "joint_in_two"),
    "graphs": ("graphs",),
    "tools": ("camera", "visibility", "measuring", "gizmo"),
    "screens": ("workspaces",),
    "files": ("files", "undo"),
    "help": ("help", "picture_in_three"),
}


def chosen_stories(only: Sequence[str]) -> list[Story]:
    """Return the stories of some names or topics, all where none is given; the first sight always comes first.

    ``keys`` stands for those of the table of keys, a name of `WALKS` for its stories.
    """
    for topic in _TOPICS:
        importlib.import_module(f"{__name__}.{topic}")
    first, wanted = _TOPICS[0], set(only)
    if "keys" in wanted:
        wanted.update(KEYS)
    for walk in wanted & set(WALKS):
        wanted.update(WALKS[walk])
    return [each for each in STORIES if not wanted or each.topic == first or {each.name, each.topic} & wanted]
