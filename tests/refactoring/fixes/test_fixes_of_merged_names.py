"""Names that clash with those of a merged model."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.fix_offers import offer_fixes

INCLUDED = '<sdf version="1.9"><model name="sonar"><link name="s"/><frame name="top"/></model></sdf>'
INCLUDE = '<include merge="true"><uri>sonar.sdf</uri></include>'


def labels(content: str, folder: Path) -> list[str]:
    (folder / "sonar.sdf").write_text(INCLUDED, encoding="utf-8")
    text = f'<sdf version="1.9"><model name="q">{content}</model></sdf>'
    _, diagnostics = Loader(Finder(), offer_fixes=offer_fixes).load_with_diagnostics(
        parse_document(text, folder / "q.sdf")
    )
    (found,) = [each for each in diagnostics if each.rule.name == "duplicate-name"]
    return [fix.label for fix in found.fixes]


def test_what_has_the_name_of_something_in_a_merged_model_is_renamed_after_itself(tmp_path: Path) -> None:
    joint = '<joint name="top" type="fixed"><parent>a</parent><child>b</child></joint>'
    offered = labels(f'<link name="a"/><link name="b"/>{joint}{INCLUDE}', tmp_path)
    assert offered
    assert "Rename the <joint> 'top' to 'top_joint'" in offered[0]
    assert not any("_merged__" in label for label in offered)
