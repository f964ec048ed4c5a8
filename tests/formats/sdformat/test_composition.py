"""Includes: merge, static, changes by params, lights, files of other kinds, faults inside."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.formats import interface
from sdfviewer.formats.interface import (
    InterfaceFrame,
    InterfaceLink,
    InterfaceModel,
    NestedInclude,
    RegisteredParsers,
    load_parsers,
)
from sdfviewer.formats.load import load_model
from sdfviewer.formats.sdformat import include
from sdfviewer.model.findings import MAX_RELATED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array
from tests.frames import frame_in

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file: the inside of its ``<sdf>``."""

    def write_file(name: str, inside: str, version: str = "1.9") -> Path:
        path = tmp_path / name
        namespace = ' xmlns:experimental="http://sdformat.org/schemas/experimental"'
        path.write_text(f'<sdf version="{version}"{namespace}>\n{inside}\n</sdf>\n', encoding="utf-8")
        return path

    return write_file


def errors(model: Model) -> list[str]:
    return [diagnostic.rule.name for diagnostic in model.diagnostics if diagnostic.is_error]


ARM = (
    '<model name="arm"><pose>0 0 1 0 0 0</pose><link name="base"/><link name="tip"><pose>1 0 0 0 0 0</pose></link>'
    '<joint name="elbow" type="revolute"><parent>base</parent><child>tip</child>'
    '<axis><xyz expressed_in="__model__">0 0 1</xyz></axis></joint>'
    '<frame name="grasp"><pose>2 0 0 0 0 0</pose></frame>'
    '<frame name="tool" attached_to="tip"><pose relative_to="__model__">3 0 0 0 0 0</pose></frame></model>'
)


def test_a_merged_model_becomes_members_of_the_model_around(write: Write) -> None:
    write("arm.sdf", ARM)
    path = write(
        "robot.sdf",
        '<model name="robot"><link name="cart"/>'
        '<include merge="true"><uri>arm.sdf</uri><pose>0 1 0 0 0 0</pose></include>'
        '<joint name="mount" type="fixed"><parent>cart</parent><child>base</child></joint></model>',
    )
    model = load_model(path)
    assert errors(model) == []
    frame = frame_in(model, "_merged__arm__model__")
    assert (frame.kind, frame.attached_to.name) == (Kind.FRAME, "robot::base")  # type: ignore[union-attr]
    assert model.canonical_links[0] == model.row("cart")
    expected = {"base": [0, 1, 0], "tip": [1, 1, 0], "grasp": [2, 1, 0], "tool": [3, 1, 0], "mount": [0, 1, 0]}
    assert {name: frame_in(model, name).pose[:3, 3].tolist() for name in expected} == expected
    assert frame_in(model, "grasp").body.name == "robot::base"  # type: ignore[union-attr]
    assert frame_in(model, "tool").body.name == "robot::tip"  # type: ignore[union-attr]


def test_a_merged_name_may_clash(write: Write) -> None:
    write("arm.sdf", ARM)
    path = write(
        "robot.sdf",
        '<model name="robot"><link name="tip"/><include merge="true"><uri>arm.sdf</uri></include></model>',
    )
    assert errors(load_model(path)) == ["duplicate-name"]


def test_a_model_of_models_is_merged_into_a_world(write: Write) -> None:
    write("pair.sdf", f'<model name="pair">{ARM}<frame name="between" attached_to="arm::tip"/></model>')
    path = write(
        "world.sdf",
        '<world name="w"><include merge="true"><uri>pair.sdf</uri><pose>0 0 5 0 0 0</pose></include></world>',
        "1.10",
    )
    model = load_model(path)
    assert errors(model) == []
    assert frame_in(model, "arm::tip").pose[:3, 3].tolist() == [1, 0, 6]
    assert frame_in(model, "between").body.name == "arm::tip"  # type: ignore[union-attr]
    assert frame_in(model, "_merged__pair__model__").pose[:3, 3].tolist() == [0, 0, 5]


@pytest.mark.parametrize(
    ("own", "override", "expected"), [("", "true", True), ("true", "", True), ("true", "false", False), ("", "", False)]
)
def test_static_is_true_false_or_left_to_the_model(write: Write, own: str, override: str, expected: bool) -> None:
    static = f"<static>{own}</static>" if own else ""
    write("box.sdf", f'<model name="box">{static}<link name="link"/></model>')
    over = f"<static>{override}</static>" if override else ""
    path = write("world.sdf", f'<world name="w"><include><uri>box.sdf</uri>{over}</include></world>')
    model = load_model(path)
    assert bool(model.static[model.row("box::link")]) is expected
    assert frame_in(model, "box").body.name == ("world" if expected else "box::link")  # type: ignore[union-attr]


def test_a_model_of_frames_only_may_be_included_as_static(write: Write) -> None:
    write("map.sdf", '<model name="map"><frame name="origin"/></model>')
    include_it = "<include><uri>map.sdf</uri>{}</include>"
    path = write("world.sdf", f'<world name="w">{include_it.format("<static>true</static>")}</world>')
    assert errors(load_model(path)) == []
    path = write("world.sdf", f'<world name="w">{include_it.format("")}</world>')
    assert errors(load_model(path)) == ["model-without-link"]


def test_params_change_the_included_model_for_this_include_only(write: Write) -> None:
    write("arm.sdf", ARM)
    params = (
        '<experimental:params><link element_id="tip" action="modify"><pose>0 4 0 0 0 0</pose></link>'
        '<frame element_id="grasp" action="remove"/>'
        '<frame element_id="" name="added" attached_to="tip" action="add"/>'
        '<joint element_id="elbow"><axis action="modify"><xyz>0 1 0</xyz></axis></joint></experimental:params>'
    )
    path = write(
        "world.sdf",
        f'<world name="w"><include><uri>arm.sdf</uri>{params}</include>'
        "<include><name>other</name><uri>arm.sdf</uri></include></world>",
    )
    model = load_model(path)
    assert errors(model) == []
    assert frame_in(model, "arm::tip").pose[:3, 3].tolist() == [0, 4, 1]
    assert frame_in(model, "arm::added").body.name == "arm::tip"  # type: ignore[union-attr]
    assert "arm::grasp" not in model.rows_by_name
    assert frame_in(model, "other::tip").pose[:3, 3].tolist() == [1, 0, 1]
    assert "other::grasp" in model.rows_by_name
    axes = {joint.name: joint.axes[0].xyz.tolist() for joint in model.joints}
    assert axes == {"arm::elbow": [0, 1, 0], "other::elbow": [0, 0, 1]}


def test_params_change_the_model_that_is_included_where_a_light_is_written_before_it(write: Write) -> None:
    write("arm.sdf", f'<light name="lamp" type="point"/>{ARM}')
    params = '<experimental:params><frame element_id="grasp" action="remove"/></experimental:params>'
    model = load_model(write("world.sdf", f'<world name="w"><include><uri>arm.sdf</uri>{params}</include></world>'))
    assert errors(model) == ["include-several-roots"]
    assert "arm::tip" in model.rows_by_name
    assert "arm::grasp" not in model.rows_by_name


def test_params_reach_into_what_the_included_model_includes(write: Write) -> None:
    write("arm.sdf", ARM)
    write(
        "robot.sdf",
        '<model name="robot"><link name="cart"/><include><uri>arm.sdf</uri><name>left</name></include></model>',
    )
    params = '<experimental:params><frame element_id="left::tool" action="remove"/></experimental:params>'
    path = write("world.sdf", f'<world name="w"><include><uri>robot.sdf</uri>{params}</include></world>')
    model = load_model(path)
    assert errors(model) == []
    assert "robot::left::grasp" in model.rows_by_name
    assert "robot::left::tool" not in model.rows_by_name


def test_a_light_is_included_in_a_world(write: Write) -> None:
    write("lamp.sdf", '<light name="lamp" type="point"><pose>1 2 3 0 0 0</pose></light>')
    path = write(
        "world.sdf",
        '<world name="w"><include><uri>lamp.sdf</uri></include>'
        "<include><uri>lamp.sdf</uri><name>sun</name><pose>0 0 10 0 0 0</pose></include></world>",
    )
    model = load_model(path)
    assert errors(model) == []
    lights = [row for row, kind in enumerate(model.kinds) if kind is Kind.LIGHT]
    assert {model.names[row]: model.X_RootF[row, :3, 3].tolist() for row in lights} == {
        "lamp": [1, 2, 3],
        "sun": [0, 0, 10],
    }


def test_the_root_of_a_file_may_be_an_include(write: Write) -> None:
    write("arm.sdf", ARM)
    model = load_model(write("root.sdf", "<include><uri>arm.sdf</uri><name>mine</name></include>"))
    assert errors(model) == []
    assert model.names[0] == "mine"
    assert "mine::tip" in model.rows_by_name


def test_a_fault_in_an_included_file_is_shown_there_and_at_the_include(write: Write) -> None:
    bad = write("bad.sdf", '<model name="bad"><link name="a"/><frame name="f" attached_to="b"/></model>')
    path = write("world.sdf", '<world name="w">\n<include><uri>bad.sdf</uri></include>\n</world>')
    (diagnostic,) = sdfviewer.check(path)
    assert diagnostic.span is not None
    assert (diagnostic.span.path, diagnostic.span.line) == (str(bad), 2)
    assert [(related.span.path, related.span.line) for related in diagnostic.related] == [(str(path), 3)]


def test_a_fault_of_a_file_that_is_included_often_is_reported_once(write: Write) -> None:
    write("bad.sdf", '<model name="bad"><link name="a"/><frame name="f" attached_to="b"/></model>')
    includes = "\n".join(f"<include><uri>bad.sdf</uri><name>m{i}</name></include>" for i in range(3))
    (diagnostic,) = sdfviewer.check(write("world.sdf", f'<world name="w">\n{includes}\n</world>'))
    assert [related.span.line for related in diagnostic.related] == [3, 4, 5]


def test_a_problem_lists_no_more_than_some_includes(write: Write) -> None:
    write("bad.sdf", '<model name="bad"><link name="a"/><frame name="f" attached_to="b"/></model>')
    models = range(MAX_RELATED)
    for i in models:  # each include of the faulty file is reached by two more
        write(f"inner{i}.sdf", f'<model name="inner{i}"><include><uri>bad.sdf</uri></include></model>')
        write(f"outer{i}.sdf", f'<model name="outer{i}"><include><uri>inner{i}.sdf</uri></include></model>')
    includes = "".join(f"<include><uri>outer{i}.sdf</uri></include>" for i in models)
    (diagnostic,) = sdfviewer.check(write("world.sdf", f'<world name="w">{includes}</world>'))
    assert len(diagnostic.related) == MAX_RELATED


def test_what_leans_on_a_model_that_is_missing_is_not_reported_again(write: Write) -> None:
    path = write(
        "world.sdf",
        '<world name="w"><include><uri>model://gone</uri><name>gone</name></include>'
        '<frame name="f" attached_to="gone::link"/>'
        '<model name="m"><pose relative_to="gone"/><link name="l"/></model></world>',
    )
    model = load_model(path)
    assert errors(model) == ["uri-not-found"]
    assert not np.isfinite(frame_in(model, "m").pose).all()


def test_includes_that_never_end_are_reported_as_a_path(write: Write) -> None:
    write("a.sdf", '<model name="a"><link name="l"/><include><uri>b.sdf</uri></include></model>')
    write("b.sdf", '<model name="b"><link name="l"/><include><uri>a.sdf</uri></include></model>')
    diagnostics = sdfviewer.check(write("w.sdf", '<world name="w"><include><uri>a.sdf</uri></include></world>'))
    (diagnostic,) = [each for each in diagnostics if each.rule.name == "include-recursion"]
    names = [Path(part).name for part in diagnostic.message.partition(": ")[2].split(" → ")]
    assert names == ["a.sdf", "b.sdf", "a.sdf"]


def test_an_included_file_is_read_again_only_when_it_changes(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from sdfviewer.files.opening import open_document
    from sdfviewer.formats.load import Loader

    opened: list[Path] = []
    monkeypatch.setattr(include, "open_document", lambda path: opened.append(path) or open_document(path))
    write("arm.sdf", ARM)
    document = open_document(write("world.sdf", '<world name="w"><include><uri>arm.sdf</uri></include></world>'))
    loader = Loader()
    loader.load(document)
    loader.load(document)
    assert len(opened) == 1
    write("arm.sdf", ARM.replace("elbow", "elbow_joint"))
    model = loader.load(document)
    assert model is not None
    assert len(opened) == 2
    assert "arm::elbow_joint" in model.rows_by_name


# --- models that are not SDFormat ------------------------------------------------------------------------------


class TableParser:
    """Reads ``name x y z`` lines: the links of a model, the first of them canonical, each with a frame on top."""

    def __init__(self) -> None:
        self.asked: list[NestedInclude] = []
        self.told: dict[str, Array] = {}

    def __call__(self, request: NestedInclude) -> InterfaceModel | None:
        self.asked.append(request)
        if request.path.suffix != ".txt":
            return None
        links, frames = [], []
        for line in request.path.read_text(encoding="utf-8").splitlines():
            name, *numbers = line.split()
            X_ML = np.eye(4)
            X_ML[:3, 3] = [float(number) for number in numbers]
            X_LF = np.eye(4)
            X_LF[2, 3] = 1
            links.append(InterfaceLink(name, X_ML))
            frames.append(InterfaceFrame(f"{name}_top", name, X_LF))
        return InterfaceModel(
            "table", links[0].name, tuple(links), tuple(frames), reposture=lambda pose: self.told.update(b=pose("b"))
        )


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> TableParser:
    """A parser, registered as an installed package would register it."""
    made = TableParser()
    monkeypatch.setattr(interface, "load_parsers", lambda: RegisteredParsers((made,)))
    return made


def test_a_registered_parser_answers_an_include(write: Write, parser: TableParser) -> None:
    path = write(
        "world.sdf",
        '<world name="w"><include><uri>parts.txt</uri><name>parts</name><pose>0 0 1 0 0 0</pose></include>'
        '<frame name="f" attached_to="parts::b_top"/></world>',
    )
    path.with_name("parts.txt").write_text("a 0 0 0\nb 1 2 0\n", encoding="utf-8")
    model = load_model(path)
    assert errors(model) == []
    assert [request.name for request in parser.asked] == ["parts"]
    assert frame_in(model, "f").pose[:3, 3].tolist() == [1, 2, 2]
    assert frame_in(model, "f").body.name == "parts::b"  # type: ignore[union-attr]
    assert frame_in(model, "parts").body.name == "parts::a"  # type: ignore[union-attr]
    assert parser.told["b"][:3, 3].tolist() == [1, 2, 1]


def test_a_registered_parser_is_not_asked_about_sdformat(write: Write, parser: TableParser) -> None:
    write("arm.sdf", ARM)
    load_model(write("world.sdf", '<world name="w"><include><uri>arm.sdf</uri></include></world>'))
    assert parser.asked == []


def test_an_interface_model_is_merged_too(write: Write, parser: TableParser) -> None:
    path = write(
        "robot.sdf",
        '<model name="robot"><include merge="true"><uri>parts.txt</uri></include>'
        '<joint name="j" type="fixed"><parent>a</parent><child>b_top</child></joint></model>',
    )
    path.with_name("parts.txt").write_text("a 0 0 0\nb 1 2 0\n", encoding="utf-8")
    model = load_model(path)
    assert errors(model) == []
    assert frame_in(model, "j").body.name == "robot::b"  # type: ignore[union-attr]


class Mute(Exception):
    """An exception that cannot be shown."""

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "said"),
    [(ValueError("line 1 is odd"), "line 1 is odd"), (SystemExit(3), "SystemExit: 3"), (Mute(), "fails: Mute")],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
def test_a_parser_that_fails_is_a_diagnostic(
    write: Write, monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str
) -> None:
    def fail(_: NestedInclude) -> None:
        raise error

    monkeypatch.setattr(interface, "load_parsers", lambda: RegisteredParsers((fail,)))
    path = write("world.sdf", '<world name="w"><include><uri>parts.txt</uri></include></world>')
    path.with_name("parts.txt").write_text("?", encoding="utf-8")
    (diagnostic,) = sdfviewer.check(path)
    assert diagnostic.rule.name == "plugin-failed"
    assert said in diagnostic.message


def test_a_plugin_that_cannot_be_loaded_is_one_diagnostic(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_on_import() -> None:
        raise SyntaxError("half a plugin")

    points = [SimpleNamespace(name="broken", value="x:y", load=raise_on_import)]
    points += [SimpleNamespace(name="odd", value="x:z", load=lambda: 3)]
    points += [SimpleNamespace(name="quits", value="x:q", load=sys.exit)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    load_parsers.cache_clear()
    path = write("world.sdf", '<world name="w"><include><uri>arm.urdf</uri></include></world>')
    path.with_name("arm.urdf").write_text('<robot name="arm"><link name="l"/></robot>', encoding="utf-8")
    try:
        found = [diagnostic for diagnostic in sdfviewer.check(path) if diagnostic.rule.name == "plugin-failed"]
    finally:
        load_parsers.cache_clear()
    assert [each.message.split()[1] for each in found] == ["quits", "odd", "broken"]
    assert not any(each.is_error for each in found)


@pytest.mark.parametrize(
    "answer",
    [
        "a string",
        InterfaceModel("m", "l", (InterfaceLink("l", np.eye(3)),)),
        InterfaceModel("m", "l", (InterfaceLink("l", np.eye(4)),), joints=(3,)),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_answer_of_a_parser_is_one_diagnostic(
    write: Write, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    parser: Any = lambda _: answer  # noqa: E731
    monkeypatch.setattr(interface, "load_parsers", lambda: RegisteredParsers((parser,)))
    path = write("world.sdf", '<world name="w"><include><uri>parts.txt</uri></include></world>')
    path.with_name("parts.txt").write_text("?", encoding="utf-8")
    (diagnostic,) = sdfviewer.check(path)
    assert diagnostic.rule.name == "plugin-failed"


def test_a_plugin_that_fails_when_it_gets_the_poses_is_one_diagnostic(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask_for_what_is_not_there(pose: Any) -> None:
        pose("none")

    model = InterfaceModel("m", "l", (InterfaceLink("l", np.eye(4)),), reposture=ask_for_what_is_not_there)
    monkeypatch.setattr(interface, "load_parsers", lambda: RegisteredParsers((lambda _: model,)))
    path = write("world.sdf", '<world name="w"><include><uri>parts.txt</uri></include></world>')
    path.with_name("parts.txt").write_text("?", encoding="utf-8")
    (diagnostic,) = sdfviewer.check(path)
    assert diagnostic.rule.name == "plugin-failed"


def test_what_leans_on_a_model_that_cannot_be_included_is_not_reported_again(write: Write) -> None:
    path = write(
        "top.sdf",
        '<model name="top"><link name="l"/><include><uri>model://iris_with_standoffs</uri></include>'
        '<joint name="j" type="fixed"><parent>iris::base_link</parent><child>l</child></joint>'
        '<frame name="f" attached_to="typo"/></model>',
    )
    found = [problem.rule.name for problem in sdfviewer.check(path) if problem.severity.value == "error"]
    assert found == ["uri-not-found", "attached-to-invalid"]  # its name is not known, so iris may be it
