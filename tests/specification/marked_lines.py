"""The lines that the documents call VALID, INVALID or an ERROR, in their order, as :func:`plain` writes them."""

from __future__ import annotations

import re

from tests.specification.statements import COMPOSITION, FRAMES, FRAMES_LEGACY, KINEMATICS

_MARKED = re.compile(r"^\s*(<.*?>)\s*<!--\s*((?:IN)?VALID|ERROR)\b", re.IGNORECASE)


def plain(xml: str) -> str:
    """Return the XML of a line in one notation; an empty model has a link in its example."""
    text = re.sub(r"\s+", " ", xml.replace("'", '"')).strip()
    return text.replace("/>", ">") if text.startswith("<model") else text


def marked_lines(text: str) -> tuple[tuple[str, bool], ...]:
    """Return the XML of each marked line of a document, and whether it is called valid."""
    found = (_MARKED.match(line) for line in text.splitlines())
    return tuple((plain(match[1]), match[2].upper() == "VALID") for match in found if match is not None)


#: By document; the legacy behavior of composition has none.
MARKED: dict[str, tuple[tuple[str, bool], ...]] = {
    KINEMATICS: (('<link name="link"/>', False),),
    FRAMES_LEGACY: (
        ('<link name="link"/>', False),
        ('<joint name="joint" type="fixed">', False),
        ('<collision name="collision">', False),
        ('<collision name="collision">', True),
        ('<joint name="attachment" type="fixed">', True),
        ('<link name="world"/>', True),
        ('<link name="world_link"/>', True),
        ('<link name="world"/>', True),
        ("<parent>fake_link</parent>", False),
        ("<parent>link1</parent>", False),
        ('<link name="link"/>', True),
    ),
    FRAMES: (
        ('<joint name="attachment" type="fixed">', True),
        ('<joint name="attachment" type="fixed">', False),
        ("<frame/>", False),
        ('<frame name=""/>', False),
        ('<frame name="A"/>', True),
        ('<frame name="B"/>', True),
        ('<frame name="F"/>', False),
        ('<frame name="L"/>', False),
        ('<frame name="F00"/>', True),
        ('<frame name="F0" attached_to=""/>', True),
        ('<frame name="F1" attached_to="L"/>', True),
        ('<frame name="F2" attached_to="F1"/>', True),
        ('<frame name="F3" attached_to="A"/>', False),
        ('<frame name="F1" attached_to="P"/>', True),
        ('<frame name="F2" attached_to="C"/>', True),
        ('<frame name="F3" attached_to="J"/>', True),
        ('<frame name="F4" attached_to="F3"/>', True),
        ('<frame name="F2" attached_to="F1"/>', False),
        ('<frame name="F0"/>', True),
        ('<frame name="F1" attached_to=""/>', True),
        ('<frame name="F2" attached_to="F1"/>', True),
        ('<frame name="F3" attached_to="A"/>', False),
        ('<frame name="F4" attached_to="M0"/>', True),
        ('<frame name="F2" attached_to="F1"/>', False),
        ('<pose relative_to="cycle1">{X_C2C1}</pose>', False),
        ('<pose relative_to="C3">{X_C3J3}</pose>', False),
        ('<pose relative_to="cycle1">{X_C2C1}</pose>', False),
        ('<pose relative_to="cycle1">{X_C2C1}</pose>', False),
        ('<model name="world">', False),
        ('<model name="world_model">', True),
        ('<link name="world"/>', False),
        ('<link name="world_link"/>', True),
        ('<model name="__model__">', False),
        ('<link name="__link__"/>', False),
    ),
    COMPOSITION: (
        ('<pose relative_to="top_frame"/>', True),
        ('<pose relative_to="some_unknown_frame"/>', False),
        ('<pose relative_to="top_model::top_frame"/>', False),
        ('<pose relative_to="top_link"/>', True),
        ("<pose/>", True),
        ('<pose relative_to="top_link"/>', False),
        ('<pose relative_to="mid_link"/>', True),
        ("<pose/>", True),
        ('<pose relative_to="mid_link"/>', False),
        ('<pose relative_to="mid_model::mid_link"/>', False),
        ('<pose relative_to="top_frame"/>', False),
        ('<frame name="bottom_frame" attached_to="bottom_link"/>', True),
        ('<frame name="bottom_frame" attached_to="bottom_model::bottom_link"/>', False),
        ('<pose relative_to="mid_model::mid_link"/>', True),
        ('<frame name="mid_to_top" attached_to="top_frame"/>', False),
        ('<frame name="mid_to_bottom" attached_to="bottom_model::bottom_link"/>', True),
        ('<frame name="mid_to_bottom" attached_to="bottom_link"/>', False),
        ('<frame name="mid_to_bottom" attached_to="mid_model::bottom_model::bottom_link"/>', False),
        ('<frame name="world_scope_frame" attached_to="world_frame"/>', True),
        ('<frame name="world_scope_frame" attached_to="simple_world::world_frame"/>', False),
        ('<pose relative_to="world_frame"/>', True),
        ('<frame name="top_frame"/>', True),
        ('<frame name="top_frame" attached_to="world_frame"/>', False),
        ('<pose relative_to="top_frame"/>', True),
        ('<pose relative_to="top_model::top_frame"/>', False),
        ("<parent>world</parent>", True),
        ("<parent>world_frame</parent>", True),
        ("<child>top_model::top_link</child>", True),
        ("<child>top_link</child>", False),
        ('<frame name="top_to_mid" attached_to="my_custom_name::mid_link"/>', True),
        ('<frame name="top_to_mid" attached_to="mid_model::mid_link"/>', False),
        ('<pose relative_to="super_frame">', True),
        ('<pose relative_to="mug::super_frame">', False),
        ("<parent>arm::body</parent>", False),
    ),
}
