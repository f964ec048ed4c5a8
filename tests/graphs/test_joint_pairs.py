"""Joints that are only attached to their child link are folded into it; what says more is drawn for itself."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.export.graph_files import format_svg
from sdfviewer.formats.load import load_model
from sdfviewer.graphs.folding import ShownPart, fold_families, fold_joints
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import BADGE_GAP, badge_places, draw_graph, graph_colours


def graph_of(content: str, kind: GraphKind = GraphKind.ATTACHED_TO) -> Graph:
    return build_graph(load_model(f'<sdf version="1.11"><model name="m">{content}</model></sdf>'), kind)


def joint(name: str, child: str, parent: str = "base") -> str:
    return (
        f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>'
        "<axis><xyz>0 0 1</xyz></axis></joint>"
    )


LINKS = '<link name="base"/><link name="arm"/><link name="hand"/>'
CONTENT = LINKS + joint("shoulder", "arm") + joint("wrist", "hand", "arm")


def test_a_joint_is_folded_into_its_child_link_and_found_there() -> None:
    graph = fold_joints(graph_of(CONTENT))
    assert graph.names == ("m", "m::base", "m::arm", "m::hand")
    assert graph.holds_joints.tolist() == [False, False, True, True]
    assert graph.names[graph.vertex("m::wrist")] == "m::hand"
    assert [(graph.names[s], graph.names[t]) for s, t in zip(graph.sources, graph.targets, strict=True)] == [
        ("m", "m::base")
    ], "no link leads to itself"


@pytest.mark.parametrize(
    "more",
    [
        '<frame name="flange" attached_to="wrist"/>',
        '<frame name="grip" attached_to="hand"/>' + joint("claw", "grip", "arm"),
        '<model name="inner"><link name="tip"/></model>' + joint("claw", "inner::tip", "arm"),
        joint("claw", "nothing", "arm"),
    ],
    ids=["a frame is attached to it", "its child is a frame", "its child is in another model", "its child is missing"],
)
def test_a_joint_that_says_more_is_drawn_for_itself(more: str) -> None:
    whole = graph_of(CONTENT + more)
    name = "m::claw" if "claw" in more else "m::wrist"
    assert name in fold_joints(whole).names
    assert "m::shoulder" not in fold_joints(whole).names


def test_poses_and_the_kinematic_graph_keep_their_joints() -> None:
    for kind in (GraphKind.RELATIVE_TO, GraphKind.KINEMATIC):
        graph = graph_of(CONTENT, kind)
        assert fold_joints(graph) is graph


def test_folded_joints_go_into_the_families_of_their_links() -> None:
    wheels = "".join(f'<link name="wheel_{n}"/>' + joint(f"axle_{n}", f"wheel_{n}") for n in range(4))
    graph = fold_families(fold_joints(graph_of(LINKS + wheels)))
    assert graph.names == ("m", "m::base", "m::arm", "m::hand", "m::wheel_#")
    assert graph.names[graph.vertex("m::axle_2")] == "m::wheel_#"
    assert not graph.holds_joints.any(), "a family says how many there are"


def test_a_selected_joint_is_drawn_apart_and_a_link_or_all_can_be_opened() -> None:
    whole, part = graph_of(CONTENT), ShownPart()
    part.update(whole, None)
    shown = part.of(whole, ["m::wrist"])
    part.apart = part.wanted_apart(shown, ["m::wrist"])
    assert "m::wrist" in part.of(whole, ["m::wrist"]).names
    assert part.wanted_apart(part.of(whole, ["m::arm"]), ["m::arm"]) == frozenset(), "a link is there already"
    part.apart = frozenset()
    part.toggle(part.of(whole, ()), "m::hand")
    assert set(whole.names) - set(part.of(whole, ()).names) == {"m::shoulder"}
    assert part.can_open(part.of(whole, ()))
    assert part.can_fold(part.of(whole, ()), ())
    part.toggle(part.of(whole, ()), "m::hand")
    assert "m::wrist" not in part.of(whole, ()).names
    part.show_joints(True)
    assert part.of(whole, ()).names == whole.names
    part.show_joints(False)
    assert len(part.of(whole, ())) == 4


def test_the_chain_of_a_selected_joint_shows_the_joint() -> None:
    whole, part = graph_of(CONTENT), ShownPart(focused=True)
    part.update(whole, None)
    assert part.of(whole, ["m::wrist"]).names == ("m::hand", "m::wrist")


def test_a_picture_shows_which_links_hold_joints_and_has_room_for_the_sign() -> None:
    folded, open_graph = fold_joints(graph_of(CONTENT)), graph_of(CONTENT)
    widths = dict(zip(folded.names, draw_graph(folded).layout.sizes[:, 0].tolist(), strict=True))
    before = dict(zip(open_graph.names, draw_graph(open_graph).layout.sizes[:, 0].tolist(), strict=True))
    assert widths["m::hand"] >= before["m::hand"] + 12
    assert widths["m::base"] == before["m::base"]
    colour = graph_colours(dark=False).kind("joint")
    assert format_svg(draw_graph(folded)).count(f'fill="{colour}"') == 2, "one glyph a link"


@pytest.mark.parametrize("orientation", list(Orientation))
@pytest.mark.parametrize("count", [2, 3, 9])
def test_the_badge_of_a_cycle_is_clear_of_boxes(count: int, orientation: Orientation) -> None:
    frames = "".join(
        f'<frame name="frame_with_a_name_{n}"><pose relative_to="frame_with_a_name_{(n + 1) % count}"/></frame>'
        for n in range(count)
    )
    picture = draw_graph(graph_of(f'<link name="L"/>{frames}', GraphKind.RELATIVE_TO), orientation)
    layout = picture.layout
    badges = badge_places(picture, 7.5)
    assert badges
    if orientation is not Orientation.COMPACT:  # which has short edges
        assert set(badges) == set(np.flatnonzero(picture.graph.cycle_of >= 0).tolist())
    for place in badges.values():
        away = np.abs(np.array(place) - layout.centres) - layout.sizes / 2
        assert np.linalg.norm(np.maximum(away, 0.0), axis=1).min() >= 7.5 + BADGE_GAP
