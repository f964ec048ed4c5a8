"""Many leaves of one vertex: set in columns, nothing overlaps, and every edge still leads where it leads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sdfviewer.export.graph_files import format_svg
from sdfviewer.formats.load import load_model
from sdfviewer.graphs.blocks import BLOCK_FROM
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Layout, Orientation, lay_out
from sdfviewer.graphs.picture import GraphPicture, draw_graph

SIZE = np.array([90.0, 26.0])


def star(leaves: int) -> Layout:
    """Return a hub with leaves, and one chain beside them."""
    parents = np.array([-1] + [0] * leaves + [0, leaves + 1])
    return lay_out(parents, np.tile(SIZE, (len(parents), 1)))


def overlapping(layout: Layout) -> int:
    gaps = np.abs(layout.centres[:, None] - layout.centres[None]) - (layout.sizes[:, None] + layout.sizes[None]) / 2
    return int((gaps < 0).all(axis=2).sum()) - len(layout.centres)


@pytest.fixture(params=list(Orientation), ids=lambda orientation: orientation.value)
def picture(request: pytest.FixtureRequest) -> GraphPicture:
    frames = "".join(f'<frame name="f{i}"/>' for i in range(200))
    chain = '<frame name="a"/><frame name="b" attached_to="a"/>'
    model = load_model(f'<sdf version="1.11"><model name="m"><link name="L"/>{frames}{chain}</model></sdf>')
    return draw_graph(build_graph(model, GraphKind.RELATIVE_TO), request.param)


def test_few_leaves_stay_a_row() -> None:
    assert star(BLOCK_FROM - 1).blocks == ()


def test_many_leaves_make_a_picture_that_fits_a_screen() -> None:
    layout = star(5000)
    width, height = layout.extent
    assert 1.2 < width / height < 2.6
    assert overlapping(star(400)) == 0


def test_nothing_overlaps_and_order_stays(picture: GraphPicture) -> None:
    layout = picture.layout
    assert overlapping(layout) == 0
    block = max(layout.blocks, key=lambda block: len(block.leaves))
    assert (np.diff(block.column_of) >= 0).all()
    assert picture.graph.labels[block.leaves[0]] == "L"
    low = (layout.centres - layout.sizes / 2).min(axis=0)
    assert (low >= -1e-9).all()


def test_the_way_of_each_bundled_edge_leads_from_its_leaf_to_the_hub_and_behind_nothing(picture: GraphPicture) -> None:
    graph, layout = picture.graph, picture.layout
    low, high = layout.centres - layout.sizes / 2, layout.centres + layout.sizes / 2
    assert len(picture.bundled) == (203 if layout.orientation is Orientation.COMPACT else 201)
    for edge, (block, place) in picture.bundled.items():
        assert graph.sources[edge] == block.leaves[place]
        assert graph.targets[edge] == block.hub
        way = block.path(place, picture.curves[edge, 0])
        assert (np.abs(way[0] - layout.centres[block.leaves[place]]) <= layout.sizes[block.leaves[place]] / 2).all()
        assert (np.abs(way[-1] - layout.centres[block.hub]) <= layout.sizes[block.hub] / 2).all()
        for start, end in pairwise(way):
            points = start + np.linspace(0.02, 0.98, 60)[:, None] * (end - start)
            inside = ((points[:, None] > low) & (points[:, None] < high)).all(axis=2)
            assert not inside.any()


def test_a_block_is_drawn_in_svg_with_how_many_edges_it_bundles(picture: GraphPicture) -> None:
    edges = 202 if picture.layout.orientation is Orientation.COMPACT else 201
    assert f"<title>{edges} edges</title>" in format_svg(picture)
