"""Graphs as DOT, SVG and JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.export.graph_files import format_dot, format_graph_json, format_svg, to_networkx
from sdfviewer.graphs.folding import fold
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.scene.glyphs import row_tokens
from sdfviewer.session.session import Session

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def gripper(examples: Path) -> Graph:
    model = Session.open(examples / "nested_gripper.sdf").model
    assert model is not None
    return build_graph(model, GraphKind.RELATIVE_TO)


@pytest.fixture
def cycle(examples: Path) -> Graph:
    model = Session.open(examples / "relative_to_cycle.sdf").model
    assert model is not None
    return build_graph(model, GraphKind.RELATIVE_TO)


@pytest.mark.parametrize("orientation", Orientation)
def test_svg_holds_every_vertex_and_edge(gripper: Graph, orientation: Orientation) -> None:
    root = ElementTree.fromstring(format_svg(draw_graph(gripper, orientation)))
    paths = [path for path in root.findall(f"{SVG}path") if path.get("class") != "bundle"]
    assert len(paths) == len(gripper.sources)
    groups = {group.get("id") for group in root.findall(f"{SVG}g")}
    assert groups == set(gripper.names)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "tool_tip" in texts
    assert "gripper" in texts, "the box is titled"
    order = [child.text or child.get("class") or child.tag.removeprefix(SVG) for child in root]
    last_edge = max(number for number, each in enumerate(order) if each == "path")
    assert order.index("gripper") > last_edge, "no edge crosses the title"


def test_svg_stays_within_its_view_box(cycle: Graph) -> None:
    root = ElementTree.fromstring(format_svg(draw_graph(cycle)))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for rect in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
        assert left - 1e-6 <= x <= x + w <= left + width + 1e-6
        assert top - 1e-6 <= y <= y + h <= top + height + 1e-6


def test_svg_marks_a_cycle_by_number_and_thickness(cycle: Graph) -> None:
    root = ElementTree.fromstring(format_svg(draw_graph(cycle), dark=True))
    assert [text.text for text in root.findall(f"{SVG}text")].count("1") == 3
    assert [path.get("stroke-width") for path in root.findall(f"{SVG}path")].count("3") == 3


def test_dot_nests_scopes_and_dashes_defaults(gripper: Graph) -> None:
    text = format_dot(gripper)
    assert 'subgraph "cluster_nested_gripper::gripper" {' in text
    assert text.count("{") == text.count("}")
    assert '"nested_gripper::column" -> "nested_gripper" [style="dashed"];' in text
    assert '"nested_gripper::gripper" -> "nested_gripper::flange";' in text


def test_dot_numbers_the_cycles(cycle: Graph) -> None:
    assert format_dot(cycle).count('label="cycle 1"') == 3


def test_dot_quotes_what_names_may_hold() -> None:
    document = parse_document('<sdf version="1.11"><model name="a &quot;b&quot; \\"><link name="L"/></model></sdf>')
    model = Session(document).model
    assert model is not None
    assert '"a \\"b\\" \\\\"' in format_dot(build_graph(model, GraphKind.RELATIVE_TO))


def test_a_folded_scope_is_one_vertex_everywhere(gripper: Graph) -> None:
    folded = fold(gripper, {"nested_gripper::gripper"})
    assert "cluster" not in format_dot(folded)
    assert "left_jaw" not in format_svg(draw_graph(folded))
    assert "nested_gripper::gripper::body" not in to_networkx(folded)


def test_json_is_node_link_data(cycle: Graph) -> None:
    content = json.loads(format_graph_json(cycle))
    assert {node["id"] for node in content["nodes"]} == set(cycle.names)
    assert len(content["edges"]) == len(cycle.sources)
    slide, mount, carriage = (f"relative_to_cycle::{name}" for name in ("slide", "carriage_mount", "carriage"))
    assert content["graph"]["cycles"] == [[slide, mount, carriage]]
    assert sum(edge["cycle"] == 0 for edge in content["edges"]) == 3


def test_a_link_has_one_colour_also_in_a_static_model() -> None:
    models = "".join(
        f'<model name="{name}"><static>{static}</static><link name="part"/></model>'
        for name, static in (("a", "true"), ("b", "false"))
    )
    model = Session(parse_document(f'<sdf version="1.11"><world name="w">{models}</world></sdf>')).model
    assert model is not None
    rows = [model.row(f"{name}::part") for name in "ab"]
    assert model.static[rows].tolist() == [True, False]
    assert len(set(row_tokens(model)[rows].tolist())) == 1, "in the 3D view"
    dot = format_dot(build_graph(model, GraphKind.RELATIVE_TO))
    colours = re.findall(r'"[ab]::part" \[.*(color="[^"]*", fillcolor="[^"]*")', dot)
    assert len(colours) == 2
    assert colours[0] == colours[1]
