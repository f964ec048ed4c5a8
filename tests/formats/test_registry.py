"""The registry: which format a file is of, formats of other packages, and that nobody else asks for a tag."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.document.document import Document, parse_document
from sdfviewer.formats import registry
from sdfviewer.formats.format import Format
from sdfviewer.formats.load import Loader
from sdfviewer.formats.sdformat.contents import SdformatContents
from sdfviewer.formats.sdformat.members import add_link
from sdfviewer.model.findings import Finding
from sdfviewer.model.kinds import Kind
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.model.values import IDENTITY
from sdfviewer.versions import NEWEST, Version

PACKAGE = Path(sdfviewer.__file__).parent


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<sdf version='1.9'/>", "sdformat"),
        ("<gazebo version='1.0'/>", "sdformat"),
        ("<robot name='r'/>", "urdf"),
        ("<launch/>", None),
        ("<sdf", None),
    ],
)
def test_a_document_is_recognised_by_what_it_holds(text: str, name: str | None) -> None:
    known = registry.format_of(parse_document(text))
    assert (known and known.name) == name


def test_only_the_formats_ask_for_a_tag_called_robot() -> None:
    asks = re.compile(r"""tag\s*(?:==|!=|in)\s*\(?\s*["']robot["']""")
    found = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in PACKAGE.rglob("*.py")
        if "formats" not in path.relative_to(PACKAGE).parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if asks.search(line)
    ]
    assert found == []


def test_a_format_of_another_package_is_opened_and_included(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def build(builder: object, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
        root = document.root
        assert root is not None
        scope, origin = Scope(), Origin(None, NEWEST)
        scope.add_row(Kind.MODEL, root.word("name"), root, None, -1, IDENTITY, None)
        for child in root.children:
            row = add_link(scope, origin, child, child.word("name"))
            scope.members[scope.names[row]] = row
            scope.relative_to[row] = 0
        scope.canonical_link = scope.attached_to[0] = 1
        return scope, NEWEST

    toy = Format(
        "toy",
        "Toy",
        (".toy",),
        lambda document: document.root is not None and document.root.tag == "toy",
        build,
        lambda builder, document, static: build(builder, document, [])[0],
        lambda model: "Toy",
        SdformatContents,
    )
    monkeypatch.setattr(registry, "registered_formats", lambda: (toy,))
    document = parse_document("<toy name='t'><part name='body'/></toy>")
    model = Loader().load(document)
    assert model is not None
    assert model.names == ["t", "t::body"]
    assert not registry.can_edit_structure(document)
    (tmp_path / "t.toy").write_text(document.text, encoding="utf-8")
    world = parse_document(
        "<sdf version='1.9'><world name='w'><include><uri>t.toy</uri></include></world></sdf>", tmp_path / "w.sdf"
    )
    included = Loader().load(world)
    assert included is not None
    assert included.names == ["world", "t", "t::body"]
