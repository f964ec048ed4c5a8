"""No module imports itself by way of others, not even for its types."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import networkx
import pytest

PACKAGE = Path(__file__).parents[2] / "sdfviewer"


#: A statement that imports, wherever it is: parsing nothing else takes a tenth of the time.
_IMPORT = re.compile(r"^[ \t]*(from [\w.]+ import (?:\([^)]*\)|[^(\n]*)|import [^\n]*)", re.MULTILINE)


def imports_of(file: Path) -> list[ast.Import | ast.ImportFrom]:
    """Return the statements of a file that import."""
    found = "\n".join(_IMPORT.findall(file.read_text(encoding="utf-8")))
    return [node for node in ast.parse(found).body if isinstance(node, ast.Import | ast.ImportFrom)]


def import_graph(package: Path) -> networkx.DiGraph:
    """Return which module of a package names which other one in an import, wherever that stands."""
    modules = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in package.rglob("*.py")
    }
    graph = networkx.DiGraph()
    for module, path in modules.items():
        for node in imports_of(path):
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif node.level == 0 and node.module is not None:
                named = [f"{node.module}.{alias.name}" for alias in node.names]
                targets = [name if name in modules else node.module for name in named]
            else:
                continue
            graph.add_edges_from((module, target) for target in targets if target in modules and target != module)
    return graph


def circles(graph: networkx.DiGraph) -> list[list[str]]:
    return [sorted(each) for each in networkx.strongly_connected_components(graph) if len(each) > 1]


def test_no_circle_of_imports() -> None:
    assert circles(import_graph(PACKAGE)) == []


@pytest.mark.parametrize(
    "first",
    ["import p.b", "from p import b", "from p.b import (\n    x,\n)", "def f():\n    from p import b  # here"],
)
def test_every_form_of_import_counts(tmp_path: Path, first: str) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "a.py").write_text(first, encoding="utf-8")
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.a import y\nx = 1\n"
    (package / "b.py").write_text(types, encoding="utf-8")
    assert circles(import_graph(package)) == [["p.a", "p.b"]]
