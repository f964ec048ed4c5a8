"""Where an edge may lead, why not elsewhere, and what graphs say of themselves."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.graphs.folding import focus
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.describing import describe_graph, describe_vertex
from sdfviewer.gui.graphs.graph_editing import Retargeting
from sdfviewer.gui.graphs.graph_marks import GraphSearch, VertexMatches
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.session.session import Session

TEXT = """<sdf version="1.11"><model name="m" canonical_link="L">
  <link name="K"/>
  <link name="L"/>
  <joint name="J" type="revolute"><parent>K</parent><child>L</child><axis><xyz>0 0 1</xyz></axis></joint>
  <frame name="A"/>
  <frame name="B"><pose relative_to="A"/></frame>
  <frame name="lost" attached_to="nobody"/>
</model></sdf>"""


@pytest.fixture
def model() -> Model:
    model = Session(parse_document(TEXT)).model
    assert model is not None
    return model


def test_attaching_is_refused_where_the_pose_that_follows_would_close_a_circle(model: Model) -> None:
    a, b = model.row("m::A"), model.row("m::B")
    retargeting = Retargeting(model, GraphKind.ATTACHED_TO, a)
    assert not retargeting.allows(b), "A's pose follows attached_to, and B's is relative to A"
    assert "its pose is relative to attached_to by default" in (retargeting.refusal(b) or "")
    with pytest.raises(RefactoringError):
        retargeting.edit(Session(model.document), b, "pose")


def test_what_is_allowed_is_what_can_be_edited(model: Model) -> None:
    session = Session(model.document)
    for kind in (GraphKind.ATTACHED_TO, GraphKind.RELATIVE_TO):
        for row in range(len(model)):
            if not model.kinds[row].is_vertex:
                continue
            retargeting = Retargeting(model, kind, row)
            for target in range(len(model)):
                if retargeting.allows(target):
                    assert retargeting.refusal(target) is None
                    edit, _ = retargeting.edit(session, target, "pose")
                    after = Session(model.document.edited(edit.replacements)).model
                    assert after is not None
                    graph = after.relative_to if kind is GraphKind.RELATIVE_TO else after.attached_to
                    assert graph[row] == target
                else:
                    assert retargeting.refusal(target)


def test_a_joint_is_not_retargeted_in_the_kinematic_graph(model: Model) -> None:
    assert "properties" in (Retargeting(model, GraphKind.KINEMATIC, model.row("m::J")).refusal(0) or "")


def test_tooltips_say_what_kind_of_frame_it_is(model: Model) -> None:
    graph = build_graph(model, GraphKind.ATTACHED_TO)
    tips = {name: describe_vertex(model, graph, vertex) for vertex, name in enumerate(graph.names)}
    assert "explicit frame" in tips["m::A"]
    assert "link, implicit frame" in tips["m::L"]
    assert "canonical link" in tips["m::L"]
    assert "revolute joint from m::K to m::L" in tips["m::J"]
    assert "nobody (missing)" in tips["m::lost"]
    assert "is not a frame in this scope" in tips["?m::nobody"]


def test_counts_name_every_fault(model: Model) -> None:
    assert describe_graph(build_graph(model, GraphKind.ATTACHED_TO)) == [
        *("1 missing", "1 unresolved", "7 vertices", "5 edges")
    ]
    assert describe_graph(build_graph(model, GraphKind.KINEMATIC)) == ["3 vertices", "2 edges", "1 island"]


def test_counts_of_a_part_say_how_much_of_each_is_shown(model: Model) -> None:
    graph = build_graph(model, GraphKind.KINEMATIC)
    assert describe_graph(graph, focus(graph, ["m::K"])) == ["2 of 3 vertices", "1 of 2 edges", "1 island"]
    assert describe_graph(graph, graph) == describe_graph(graph)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", set()),
        ("kind:joint", {"m::J"}),
        ("is:canonical", {"m::L"}),
        ("is:unresolved", {"m::lost", "?m::nobody"}),
        ("kind:frame is:default", {"m::A", "m::B"}),
        ("model:m kind:link", {"m::K", "m::L"}),
        ("M::l", {"m::L", "m::lost"}),
        ("lst", {"m::lost"}),
        ("kind:frame los", {"m::lost"}),
        ("is:nonsense", set()),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_searches(model: Model, query: str, names: set[str]) -> None:
    search, answers = GraphSearch(), list[VertexMatches]()
    search.found.connect(answers.append)
    search.show_graph(build_graph(model, GraphKind.ATTACHED_TO))
    search.search(query)
    assert set(answers[-1].letters) == names
