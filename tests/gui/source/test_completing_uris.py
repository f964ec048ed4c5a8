"""Completion of URIs in the source: models, meshes and textures, as in a code editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sdfviewer.document.document import Document, parse_document
from tests.gui.source.source_window import Window


@pytest.mark.parametrize(
    ("before", "behind", "wanted"),
    [
        ("<include><uri>par", "</uri></include>", ["part.sdf"]),
        ("<include><uri>meshes/", "</uri></include>", []),
        ('<link name="l"><visual name="v"><geometry><mesh><uri>meshes/', "</uri>", ["meshes/hand.dae"]),
        ('<link name="l"><visual name="v"><geometry><mesh filename="meshes/h', '"/>', ["meshes/hand.dae"]),
        ("<link name='l'><pose>1", "</pose></link>", []),
    ],
)
def test_files_beside_the_document_are_offered(
    tmp_path: Path, open_text: Callable[[str | Document], Window], before: str, behind: str, wanted: list[str]
) -> None:
    (tmp_path / "meshes").mkdir()
    for name in ("part.sdf", "meshes/hand.dae"):
        (tmp_path / name).write_text("", encoding="utf-8")
    text = f'<sdf version="1.9"><model name="m">{before}{behind}</model></sdf>'
    window = open_text(parse_document(text, tmp_path / "robot.sdf"))
    window.put_caret(before, len(before))
    editor = window.view.editor
    assert editor.completer.offer() is bool(wanted)
    assert editor.completer.choices.stringList() == wanted or not wanted
