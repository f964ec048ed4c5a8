"""Blanks in names: libsdformat makes each run of them in a text one, and keeps those in attributes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model

JOINT = '<joint name="j" type="fixed"><parent>c</parent><child>{}</child></joint>'
MODEL = '<sdf version="1.11"><model name="m">{}</model></sdf>'
INCLUDE = '<include><uri>inc.sdf</uri><name>x  y</name></include><frame name="f" attached_to="{}"/>'


def load(content: str, folder: Path) -> Model:
    (folder / "inc.sdf").write_text(MODEL.format('<link name="l"/>'), encoding="utf-8")
    model = Loader(Finder()).load(parse_document(MODEL.format(content), folder / "m.sdf"))
    assert model is not None
    return model


@pytest.mark.parametrize(
    ("content", "errors"),
    [
        ('<link name="a b"/><link name="c"/>' + JOINT.format("a\n   b"), []),
        ('<link name="a  b"/><link name="c"/>' + JOINT.format("a  b"), ["joint-child-invalid"]),
        (INCLUDE.format("x y::l"), []),
        (INCLUDE.format("x  y::l"), ["attached-to-invalid"]),
    ],
)
def test_blanks_in_a_text_are_one(content: str, errors: list[str], tmp_path: Path) -> None:
    model = load(content, tmp_path)
    assert [each.rule.name for each in model.diagnostics if each.is_error] == errors


def test_a_name_with_a_line_break_in_it_is_found(tmp_path: Path) -> None:
    model = load('<link name="a b"/><link name="c"/>' + JOINT.format("a\n   b"), tmp_path)
    joint = model.joints_by_row[model.names.index("m::j")]
    assert model.names[joint.child] == "m::a b"
