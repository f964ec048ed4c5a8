"""The window, the command line, the library and the language server edit by operations, never past them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import sdfviewer
from tests.packaging.test_import_circles import imports_of

#: What makes edits: of the text of an element, of what it means, and by a format.
ROOMS = ("sdfviewer.refactoring", "sdfviewer.document.edits", "sdfviewer.model", "sdfviewer.formats")
FACES = ("cli", "export", "gui", "language", "library", "lsp", "mcp", "scene", "session")
#: What edits and is called all the same, by the file and the function.
KNOWN = {
    # a conversion reads back what the operation has made
    ("export/conversion.py", "edit_unmoved"),
    # what operations have made of what a xacro file writes is written back where the user chooses
    ("gui/context/written_back.py", "ways_back"),
    ("gui/context/written_back.py", "write_edit_back"),
    # and so is what they have made of what is included
    ("gui/context/previews.py", "as_seen"),
    ("gui/context/written_back.py", "ways_of"),
    # what an operation has made for each of several elements is one undo step
    ("gui/properties/reference_field.py", "as_one"),
    ("gui/properties/several.py", "as_one"),
    # an editor renames in all files that it has open, and gets the places in each
    ("language/renaming.py", "rename"),
    ("language/renaming.py", "rename_material"),
    # what collisions show of a robot is written into another file, its SRDF, where nothing of a model is edited
    ("cli/collisions.py", "disable_collisions"),
    ("gui/operations/semantics_dialog.py", "disable_collisions"),
    # a conversion writes the text of a new file
    ("export/urdf_to_sdformat.py", "point_to"),
    # fixes of problems that only reading the meshes finds
    ("scene/assets.py", "set_attribute"),
}


def _imported(file: Path) -> Iterator[tuple[str, object]]:
    """Yield what a file imports from where edits are made, with its name; of modules what it uses of them."""
    for node in imports_of(file):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ROOMS):
            module = import_module(str(node.module))
            for alias in node.names:
                thing = getattr(module, alias.name, None) or import_module(f"{node.module}.{alias.name}")
                yield alias.name, thing
                if inspect.ismodule(thing):
                    called = alias.asname or alias.name
                    yield from ((name, getattr(thing, name, None)) for name in _used(file, called))


def _used(file: Path, name: str) -> Iterator[str]:
    """Yield the attributes of something with a name that a module uses."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            yield node.attr


def _makes_edit(thing: object) -> bool:
    """Return whether something is a function that takes or returns an edit."""
    return inspect.isfunction(thing) and any(
        str(annotation).removeprefix("tuple[").startswith(("Edit", "Replacements"))
        for annotation in thing.__annotations__.values()
    )


def test_what_edits_is_found(tmp_path: Path) -> None:
    file = tmp_path / "form.py"
    file.write_text(
        "from sdfviewer.refactoring import pose_writing\n"
        "from sdfviewer.refactoring.removal import references_to, remove\n"
        "from sdfviewer.document.edits import set_text, text_offsets\n"
        "pose_writing.set_notation, pose_writing.notation_refusal\n",
        encoding="utf-8",
    )
    assert {name for name, thing in _imported(file) if _makes_edit(thing)} == {"remove", "set_notation", "set_text"}


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
