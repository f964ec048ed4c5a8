"""Two models are compared in `sdfviewer.model.comparison`, and nowhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import sdfviewer

PACKAGE = Path(sdfviewer.__file__).parent
#: Columns of the frame table that say where frames are.
_COLUMNS = {"X_RootF", "relative_to", "attached_to", "raw_poses", "bodies"}
_COMPARISONS = {"array_equal", "allclose", "isclose", "pose_error"}
#: What is in the text of a module that compares columns: the others are not parsed.
_MAY_COMPARE = re.compile(rf"\.(?:{'|'.join(_COLUMNS)})\b|\b(?:{'|'.join(_COMPARISONS)})\([^\n]*getattr\(")
#: Compares one model with itself, with the joints moved.
_ONE_MODEL = {"gui/properties/panel.py"}
#: Compares what two graphs draw, not where frames are.
_GRAPHS = {"graphs/picture.py"}


def compared_models(source: str) -> list[int]:
    """Return the lines in which a column of one model is compared with that of another one."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _COMPARISONS:
            columns = [_column(each) for each in node.args]
        elif isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is):
            columns = [_column(each) for each in (node.left, *node.comparators)]
        else:
            continue
        owners = {owner for owner in columns if owner not in (None, "self")}
        if len(owners) > 1:
            lines.append(node.lineno)
    return lines


def _column(node: ast.expr) -> str | None:
    """Return whose column of the frame table an expression is, None if it is none."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute) and node.attr in _COLUMNS:
        return ast.unparse(node.value)
    is_getattr = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr"
    return ast.unparse(node.args[0]) if is_getattr and isinstance(node, ast.Call) else None


def test_the_search_finds_what_it_looks_for() -> None:
    assert compared_models("np.array_equal(before.X_RootF[rows], after.X_RootF[rows])") == [1]
    assert compared_models("all(np.array_equal(getattr(a, name), getattr(b, name)) for name in names)") == [1]
    assert compared_models("moved = before.bodies[k] != after.bodies[k]") == [1]
    assert compared_models("np.allclose(model.X_RootF[1], model.X_RootF[2])") == []


def test_no_other_module_compares_two_models() -> None:
    found = [
        f"{path.relative_to(PACKAGE).as_posix()}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent.name != "comparison" and path.relative_to(PACKAGE).as_posix() not in _ONE_MODEL | _GRAPHS
        if _MAY_COMPARE.search(text := path.read_text(encoding="utf-8"))
        for line in compared_models(text)
    ]
    assert found == [], "ask sdfviewer.model.comparison instead"
