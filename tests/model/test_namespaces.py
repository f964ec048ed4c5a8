"""The namespace of a model as libsdformat 17 resolves it: ``{name}`` is the model's name, an include overrides it."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.formats.load import load_model
from sdfviewer.language.annotations import describe_row
from sdfviewer.model.explanation import explain_namespace, namespace_of


def test_names_are_put_in_and_includes_override(tmp_path: Path) -> None:
    part = tmp_path / "part.sdf"
    part.write_text(
        '<sdf version="1.12"><model name="part" namespace="a/{name}"><link name="l"/></model></sdf>', "utf-8"
    )
    world = tmp_path / "world.sdf"
    world.write_text(
        '<sdf version="1.12"><world name="w">\n'
        "<include><uri>part.sdf</uri></include>\n"
        "<include><uri>part.sdf</uri><name>left</name></include>\n"
        "<include><uri>part.sdf</uri><name>right</name><namespace>{name}1/{name}2/x</namespace></include>\n"
        '<model name="own" namespace="plain"><link name="l"/></model><model name="none"><link name="l"/></model>\n'
        "</world></sdf>",
        "utf-8",
    )
    model = load_model(world)
    found = {name: namespace_of(model, model.row(name)) for name in ("part", "left", "right", "own", "none", "left::l")}
    assert found == {
        "part": "a/part",
        "left": "a/left",
        "right": "right1/right2/x",
        "own": "plain",
        "none": None,
        "left::l": None,
    }
    (line,) = explain_namespace(model, model.row("right"))
    assert line == (
        f"namespace: right1/right2/x ({world}:4: in '{{name}}1/{{name}}2/x', {{name}} is the name of the model), "
        f"overrides 'a/{{name}}' ({part}:1)"
    )
    assert line in describe_row(model, model.row("right"), model.X_RootF).splitlines()
    assert explain_namespace(model, model.row("none")) == []
