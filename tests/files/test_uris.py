"""In which elements a document names files."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.uris import AssetKind, named_files


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        ("<include><uri>a</uri><uri>b</uri></include>", [(AssetKind.INCLUDE, "a", "uri", "text")]),
        ("<mesh><uri> a.dae </uri></mesh>", [(AssetKind.MESH, "a.dae", "uri", "text")]),
        ('<mesh filename="a.dae"><uri>b.dae</uri></mesh>', [(AssetKind.MESH, "a.dae", "mesh", "@filename")]),
        ("<mesh><uri>__default__</uri></mesh>", []),
        ("<mesh/>", []),
        ("<actor><skin><filename>a</filename></skin></actor>", [(AssetKind.MESH, "a", "filename", "text")]),
        ("<skin><filename>a</filename></skin>", []),
        (
            "<heightmap><uri>a</uri><texture><diffuse>b</diffuse></texture></heightmap>",
            [(AssetKind.HEIGHTMAP, "a", "uri", "text"), (AssetKind.TEXTURE, "b", "diffuse", "text")],
        ),
        ("<heightmap><normal_map>a</normal_map></heightmap>", []),
        ("<material><diffuse>1 0 0 1</diffuse></material>", []),
        ("<metal><normal_map>a</normal_map></metal>", [(AssetKind.TEXTURE, "a", "normal_map", "text")]),
        ('<material><texture filename="a"/></material>', [(AssetKind.TEXTURE, "a", "texture", "@filename")]),
        ("<projector><texture>a</texture></projector>", [(AssetKind.TEXTURE, "a", "texture", "text")]),
        ("<texture>a</texture>", []),
        ('<plugin filename="a.so"/>', [(AssetKind.PLUGIN, "a.so", "plugin", "@filename")]),
        (
            "<material><script><uri>a</uri><uri>b</uri></script></material>",
            [(AssetKind.SCRIPT, "a", "uri", "text"), (AssetKind.SCRIPT, "b", "uri", "text")],
        ),
        ("<material><script><uri>__default__</uri></script></material>", []),
        ("<plugin><script><uri>a.lua</uri></script></plugin>", []),
    ],
)
def test_a_file_is_named_in_some_places(xml: str, expected: list[tuple[AssetKind, str, str, str]]) -> None:
    document = parse_document(f"<sdf>{xml}</sdf>")
    assert [(each.kind, each.uri, each.element.tag, each.part) for each in named_files(document)] == expected
