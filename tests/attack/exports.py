"""Names that no format likes, through every export: what is written is XML, and every name in it is used once."""

from __future__ import annotations

import random
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import quoteattr

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import visible
from sdfviewer.document.document import parse_document
from sdfviewer.export.bundle import make_bundle
from sdfviewer.export.graph_files import format_dot, format_graph_json, format_svg
from sdfviewer.export.page import PageModel, write_page
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.picture import draw_graph

_NAMES = (
    *(
        "a",
        "a_",
        "a__",
        "a_2",
        "A",
        "world",
        "ground",
        "__model__",
        "",
        " ",
        "a b",
        "a/b",
        "a::b",
        "a__b",
        "..",
        "../../x",
    ),
    *("CON", "-x", "=cmd()", "<x>", "&amp;", "]]>", "-->", '"', "'", "\\", "\\N", "%s", "{0}", "$(eval 1)", "${x}"),
    *(
        "\n",
        "\t",
        "\x85",
        "\u2028",
        "\u202e",
        "\\u202e",
        "\ufeff",
        "\u200b",
        "😀",
        "é",
        "e\u0301",
        "a" * 300,
        "1",
        "nan",
    ),
    *("<!--", "\x1b[31m", "\\x1b[31m", "\x00"),
)
_SHAPES = (
    "<box/>",
    "<cone><radius>1</radius><length>1</length></cone>",
    "<polyline><height>1</height><point>0 0</point><point>1 0</point><point>0 1</point></polyline>",
    "<mesh><uri>../../{0}.stl</uri></mesh>",
)


def _file(rng: random.Random) -> str:
    def name() -> str:
        return quoteattr(rng.choice(_NAMES))

    links = [name() for _ in range(rng.randrange(1, 6))]
    parts = []
    for link in links:
        shape = rng.choice(_SHAPES).format(rng.choice(("a", "%2e%2e/b", "c\\d")))
        inner = f" name={name()}><geometry>{shape}</geometry></"
        more = f"<visual{inner}visual>" + f"<collision{inner}collision>" * rng.randrange(2)
        sensor = f"<sensor name={name()} type={name()}/>" if rng.random() < 0.3 else ""
        parts.append(f"<link name={link}>{more}{sensor}</link>")
    for link in links[1:]:
        ends = f"<parent>{_text(rng.choice(links))}</parent><child>{_text(link)}</child>"
        kind = rng.choice(("fixed", "revolute", "ball", "universal"))
        axes = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
        parts.append(f'<joint name={name()} type="{kind}">{ends}{axes}</joint>')
    parts += [f"<frame name={name()} attached_to={rng.choice(links)}/>" for _ in range(rng.randrange(3))]
    return f'<sdf version="1.11"><model name={name()}>{"".join(parts)}</model></sdf>'


def _text(quoted: str) -> str:
    return quoted[1:-1].replace("<", "&lt;")


def attack(seed: int) -> None:
    """Write a model of such names in every format."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        document = parse_document(_file(rng), folder / "a.sdf")
        loader = Loader(Finder(environ={}, cwd=folder))
        model, _ = loader.load_with_diagnostics(document)
        if model is None:
            return
        for kind in GraphKind:
            graph = build_graph(model, kind)
            ET.fromstring(format_svg(draw_graph(graph)).encode())
            for text in (format_dot(graph), format_graph_json(graph)):
                assert visible(text.replace("\n", " ").replace("\t", " ")) == text.replace("\n", " ").replace("\t", " ")
        page = write_page(PageModel(model, ()), loader.finder).text
        assert page.count("<script") == page.count("</script>") == 3
        assert page.isprintable() or not any(each in page for each in "\x1b\x00\ud800\u202e")
        for target in ("urdf", "mjcf"):
            try:
                bundle = make_bundle(model, loader, target, folder / "out", "relative", "keep")
                bundle.write(folder / f"out{target}")
            except SdfViewerError:
                continue  # refused, with a reason
            _check(bundle.text, target)
            inside = {path.resolve() for path in folder.rglob("*")}
            assert all(path.is_relative_to(folder.resolve()) for path in inside)


def _check(text: str, target: str) -> None:
    root = ET.fromstring(text.encode())
    assert not any(each in text for each in "\x1b\x00\ud800")
    groups = {"urdf": ("link", "joint"), "mjcf": (".//body", ".//joint", ".//geom", ".//site")}.get(target, ())
    for path in groups:
        twice = [name for name, count in Counter(each.get("name") for each in root.findall(path)).items() if count > 1]
        assert all(name is None for name in twice), f"{path}: {twice}"
