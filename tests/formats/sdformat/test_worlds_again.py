"""A world after an edit: composed of what it was composed of before, and the same as if it were read from nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.formats.sdformat import composition
from sdfviewer.formats.sdformat.build import Builder
from sdfviewer.model import findings
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_mentions, find_references
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.scene_build import SceneBuilder
from sdfviewer.scene.scene_contents import ReadElement, SceneContents
from tests.large import world_of_models

#: What a world may hold, under a name: every kind of row, and everything that somebody may have to say about it.
CHILDREN = (
    '<model name="{0}"><pose>1 2 3 0 0 0.5</pose><link name="link"/></model>',
    '<model name="{0}"><static>true</static><link name="link"><visual name="v"/></link></model>',
    '<model name="{0}"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent>'
    "<child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model>",
    '<model name="{0}"><link name="a"/><frame name="f" attached_to="nowhere"/></model>',
    '<model name="{0}"/>',
    '<model name="{0}"><link name="a"><pose rotation_format="quat_xyzw">1 0 0 0 0 0 1</pose></link></model>',
    '<model name="{0}" placement_frame="b"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link></model>',
    '<model name="{0}"><model name="inner"><static>1</static><link name="a"/></model><link name="l"/></model>',
    '<model name="{0}"><pose relative_to="x">1 0 0 0 0 0</pose><link name="a"/></model>',
    '<model name="{0}"><pose relative_to="y::a">0 1 0 0 0 0</pose><link name="a"/></model>',
    '<frame name="{0}" attached_to="x::a"/>',
    '<joint name="{0}" type="fixed"><parent>x</parent><child>y::a</child></joint>',
    '<light name="{0}" type="point"/>',
    "<include><uri>model://nothing</uri><name>{0}</name></include>",
)
#: What a model computes from the lists of its scope.
ARRAYS = ("owners", "scopes", "relative_to", "attached_to", "static", "kind_numbers", "is_vertex", "bodies")
NAMES = ("x", "y", "z", "m1", "m2", "m3", "m4", "world", "a::b", "")


def world_of(children: Sequence[str], version: str) -> str:
    return "\n".join([f'<sdf version="{version}"><world name="w">', *children, "</world></sdf>\n"])


def meaning(model: Model | None) -> dict[str, object]:
    """Return everything that a model says about its file."""
    assert model is not None
    scope = model.scope
    lists = (
        "kinds",
        "names",
        "local_names",
        "owners",
        "scopes",
        "relative_to",
        "attached_to",
        "relative_to_written",
        "raw_poses",
    )
    return {
        **{name: getattr(scope, name) for name in lists},
        "elements": [(each.tag, each.attributes, each.text) for each in scope.elements],
        "attached_to_written": scope.attached_to_written,
        "static": scope.static,
        "joints": [(joint.row, joint.parent, joint.child, joint.type) for joint in scope.joints],
        "members": scope.members,
        "nested": {name: (row, inner.names) for name, (inner, row) in scope.nested.items()},
        "missing": scope.missing,
        "exact_poses": {row: X.tolist() for row, X in scope.exact_poses.items()},
        "placement_frames": scope.placement_frames,
        "composed": scope.composed,
        "canonical_links": model.canonical_links,
        "rows_by_name": model.rows_by_name,
        **{name: getattr(model, name).tolist() for name in ARRAYS},
        "poses": str(np.round(model.X_RootF, 12).tolist()),  # in which what is not a number equals itself
        "diagnostics": [(each.rule.name, str(each.span), each.message, each.severity) for each in model.diagnostics],
    }


def drawn(scene: Scene) -> dict[str, object]:
    """Return what a scene shows of the elements of its file."""
    return {
        "surfaces": [(each.row, each.mesh, each.scale, each.material, each.layer) for each in scene.surfaces],
        "triads": (scene.triads.rows.tolist(), scene.triads.tokens.tolist()),
        "labels": (scene.labels.rows.tolist(), scene.labels.texts, scene.labels.priorities.tolist()),
    }


def changed(document: Document, text: str) -> Document:
    """Return the document with another text, read as after an edit by hand."""
    old = document.text
    start = next((n for n, (a, b) in enumerate(zip(old, text, strict=False)) if a != b), min(len(old), len(text)))
    rest = min(len(old), len(text)) - start
    end = next((n for n in range(rest) if old[-1 - n] != text[-1 - n]), rest)
    return document.edited([Replacement(start, len(old) - end, text[start : len(text) - end])])


children = st.lists(st.builds(str.format, st.sampled_from(CHILDREN), st.sampled_from(NAMES)), max_size=7)
versions = st.sampled_from(["1.4", "1.6", "1.9"])


@given(st.lists(st.tuples(children, versions), min_size=2, max_size=4))
def test_a_world_after_edits_means_what_it_means_when_read_from_nothing(
    states: Sequence[tuple[Sequence[str], str]],
) -> None:
    loader = Loader(Finder())
    document = parse_document(world_of(*states[0]))
    loader.load(document)
    scenes = SceneBuilder(Finder(), lambda _shape: None)
    for state in states[1:]:
        document = changed(document, world_of(*state))
        again, fresh = loader.load(document), Loader(Finder()).load(parse_document(document.text))
        known = meaning(again)
        for what, value in meaning(fresh).items():
            assert known[what] == value, what
        assert again is not None
        assert drawn(scenes.build(again)) == drawn(SceneBuilder(Finder(), lambda _shape: None).build(again))


@pytest.mark.parametrize("what", ["change", "insert", "remove", "move"])
def test_an_edit_of_one_model_builds_one_model(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    built: list[str] = []
    build_model = Builder.build_model

    def counted(self: Builder, element: Element, origin: Origin, static: bool | None = None) -> Scope:
        built.append(repr(element))
        return build_model(self, element, origin, static)

    lines = world_of_models(300).split("\n")
    loader = Loader(Finder())
    document = parse_document("\n".join(lines))
    loader.load(document)
    monkeypatch.setattr(Builder, "build_model", counted)
    if what == "change":
        lines[200] = lines[200].replace("0.5 0 0 ", "0.75 0 0 ", 1)
    elif what == "insert":
        lines.insert(200, '<model name="new"><link name="a"/></model>')
    else:
        line = lines.pop(200)
        if what == "move":
            lines.insert(2, line)
    model = loader.load(changed(document, "\n".join(lines)))
    assert model is not None
    # With neighbours that are read again.
    assert len(built) <= {"change": 1, "insert": 2, "remove": 1, "move": 200}[what]
    assert meaning(model) == meaning(Loader(Finder()).load(parse_document("\n".join(lines))))


@pytest.mark.parametrize("what", ["pose", "name"])
def test_an_edit_of_one_model_resolves_the_targets_of_one_model(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    resolved: list[int] = []
    resolve = Builder._resolve

    def counted(self: Builder, scope: Scope, origin: Origin, rows: Sequence[int]) -> None:
        resolved.extend(rows)
        resolve(self, scope, origin, rows)

    loader = Loader(Finder())
    document = parse_document(world_of_models(300))
    before = loader.load(document)
    meaning(before)  # with all that is computed when somebody asks for it
    monkeypatch.setattr(Builder, "_resolve", counted)
    old, new = ("0.5 0 0 0.200", "0.5 0 0 0.7") if what == "pose" else ('"model_200"', '"renamed"')
    after = loader.load(changed(document, document.text.replace(old, new)))
    assert before is not None
    assert after is not None
    assert len(resolved) <= 5, "the model, and what is in it"
    # What the edit does not concern is not even copied, with all that is computed from it.
    for column in ("kinds", "owners", "scopes", "relative_to", "attached_to", "static", "kind_numbers", "bodies"):
        assert getattr(after, column) is getattr(before, column), column
    assert (after.names is before.names) == (what == "pose")
    assert (after.rows_by_name is before.rows_by_name) == (what == "pose")


def test_a_search_for_references_looks_at_the_rows_that_may_hold_some(monkeypatch: pytest.MonkeyPatch) -> None:
    text = world_of_models(300).replace("<pose>20 4 0.5", '<pose relative_to="model_3">20 4 0.5')
    text = text.replace("</world>", '<frame name="f" attached_to="model_5::link"/></world>')
    model = Loader(Finder()).load(parse_document(text))
    assert model is not None
    asked: list[Element] = []
    find = Element.find
    monkeypatch.setattr(Element, "find", lambda self, tag: (asked.append(self), find(self, tag))[1])
    assert [each.name for each in find_references(model)] == ["model_3", "model_5::link"]
    assert not list(find_mentions(model))
    assert len(asked) <= 10


def test_a_scene_after_an_edit_of_one_model_looks_at_one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    surface = SceneContents.surface

    def counted(self: SceneContents, model: Model, row: int) -> ReadElement:
        read.append(row)
        return surface(self, model, row)

    loader, scenes = Loader(Finder()), SceneBuilder(Finder(), lambda _shape: None)
    document = parse_document(world_of_models(300))
    model = loader.load(document)
    assert model is not None
    before = scenes.build(model)
    monkeypatch.setattr(SceneContents, "surface", counted)
    model = loader.load(changed(document, document.text.replace("0.5 0 0 0.200", "0.5 0 0 0.7")))
    assert model is not None
    after = scenes.build(model)
    beside = SceneBuilder(Finder(), lambda _shape: None, scenes.contents)
    assert len(beside.build(model).surfaces) == len(after.surfaces)
    assert after.triads is before.triads
    assert after.labels is before.labels
    assert len(read) <= 1


def test_more_problems_than_are_listed_are_counted_as_in_a_fresh_load(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (findings, composition):
        monkeypatch.setattr(module, "MOST_OF_A_RULE", 100)
    monkeypatch.setattr(findings, "MOST_WITH_HINTS", 10)
    models = [f'<model name="m{number}"><link name="l"/><zap{number}/></model>' for number in range(120)]
    document = parse_document(world_of(models, "1.11"))
    loader = Loader(Finder(environ={}))
    loader.load(document)
    for _ in range(2):  # once more, for what the first edit has noted
        at = document.text.index("<model")
        document = document.edited((Replacement(at, document.text.index("\n", at), ""),))
        diagnostics = loader.load_with_diagnostics(document)[1]
        fresh = Loader(Finder(environ={})).load_with_diagnostics(parse_document(document.text))[1]
        assert [each.message for each in diagnostics] == [each.message for each in fresh]
    assert "17 more problems of this rule are not listed" in diagnostics[-1].message
