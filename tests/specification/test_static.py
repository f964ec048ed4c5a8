"""``<static>`` of models and of includes: what true reaches, and what false undoes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
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
