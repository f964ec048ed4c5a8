"""``<static>`` of models and of includes: what true reaches, and what false undoes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.explanation import explain_static
from sdfviewer.model.model import Model

INNER = '<model name="inner">{}<link name="l"/></model>'


def load(folder: Path, include: str, outer: str = "", inner: str = "") -> Model:
    """Return a world that includes a model with a model in it, each with a ``<static>`` of its own."""
    (folder / "rig.sdf").write_text(
        f'<sdf version="1.9"><model name="rig">{outer}<link name="l"/>{INNER.format(inner)}</model></sdf>',
        encoding="utf-8",
    )
    path = folder / "world.sdf"
    text = f'<sdf version="1.9"><world name="w"><include><uri>rig.sdf</uri>{include}</include></world></sdf>'
    path.write_text(text, encoding="utf-8")
    model = Loader().load(open_document(path))
    assert model is not None
    return model


def static(model: Model) -> tuple[bool, bool]:
    return bool(model.static[model.row("rig")]), bool(model.static[model.row("rig::inner")])


TRUE, FALSE = "<static>true</static>", "<static>false</static>"


def test_an_include_overrides_static(tmp_path: Path) -> None:
    assert static(load(tmp_path, TRUE))[0]
    assert not static(load(tmp_path, FALSE, outer=TRUE))[0]


def test_true_reaches_every_nested_model(tmp_path: Path) -> None:
    assert static(load(tmp_path, TRUE)) == (True, True)
    assert static(load(tmp_path, TRUE, outer=FALSE, inner=FALSE)) == (True, True)


def test_false_undoes_the_value_of_the_included_model_only(tmp_path: Path) -> None:
    assert static(load(tmp_path, FALSE, outer=TRUE)) == (False, False)
    assert static(load(tmp_path, FALSE, outer=TRUE, inner=TRUE)) == (False, True)


@pytest.mark.parametrize("written", ["<static></static>", "<static/>", "<static>maybe</static>"])
def test_an_include_that_says_neither_leaves_the_model_as_it_is(tmp_path: Path, written: str) -> None:
    assert static(load(tmp_path, written, outer=TRUE)) == (True, True)
    assert static(load(tmp_path, written)) == (False, False)


def explained(model: Model, name: str) -> list[str]:
    """Return the explanation of a frame without the folders of the files that it names."""
    return [re.sub(r"\([^()]*?([^/\\()]+:\d+)\)", r"(\1)", line) for line in explain_static(model, model.row(name))]


def test_what_true_reaches_and_what_has_no_effect_is_explained(tmp_path: Path) -> None:
    model = load(tmp_path, TRUE, outer=FALSE, inner=FALSE)
    assert explained(model, "rig::inner::l") == [
        "static: 'rig' is static (world.sdf:1)",
        "<static>false</static> of 'rig::inner' has no effect (rig.sdf:1): 'rig' around it is static",
        "the <include> (world.sdf:1) overrides <static>false</static> (rig.sdf:1)",
    ]


def test_what_false_does_not_undo_is_explained(tmp_path: Path) -> None:
    model = load(tmp_path, FALSE, outer=TRUE, inner=TRUE)
    assert explained(model, "rig") == [
        "the <include> (world.sdf:1) overrides <static>true</static> (rig.sdf:1)",
        "'rig::inner' in it is static by itself, which an <include> does not undo",
    ]


def test_a_model_without_static_has_nothing_to_explain(tmp_path: Path) -> None:
    assert explained(load(tmp_path, ""), "rig::inner::l") == []


def test_why_shows_what_makes_a_frame_static(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(tmp_path, TRUE)
    assert main(["why", "rig::inner::l", str(tmp_path / "world.sdf")]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("static: 'rig' is static (")
    assert main(["why", "--json", "rig::l", str(tmp_path / "world.sdf")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["static"] is True
    assert len(found["static_because"]) == 1
