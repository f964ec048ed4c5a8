"""The command line, the library and the language server edit by operations, never past them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import sdfviewer

FACES = ("cli", "language", "library", "lsp")
#: What edits and is called all the same, by the file and the function.
KNOWN = {
    # an editor renames in all files that it has open, and gets the places in each
    ("language/renaming.py", "rename"),
    ("language/renaming.py", "rename_material"),
}


def _imported(file: Path) -> Iterator[tuple[str, object]]:
    """Yield what a file imports from `sdfviewer.refactoring`, with its name."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sdfviewer.refactoring"):
            module = import_module(str(node.module))
            for alias in node.names:
                yield alias.name, getattr(module, alias.name, None)


def _makes_edit(thing: object) -> bool:
    """Return whether something is a function that takes or returns an edit."""
    return inspect.isfunction(thing) and any(
        str(annotation).removeprefix("tuple[").startswith("Edit") for annotation in thing.__annotations__.values()
    )


def test_no_face_edits_past_the_operations() -> None:
    root = Path(inspect.getfile(sdfviewer)).parent
    files = [file for face in FACES for file in (root / face).rglob("*.py")]
    found = {
        (file.relative_to(root).as_posix(), name)
        for file in files
        for name, thing in _imported(file)
        if _makes_edit(thing)
    }
    assert found == KNOWN
