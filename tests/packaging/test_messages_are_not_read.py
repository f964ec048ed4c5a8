"""Nothing takes a text apart that was written for people: what it would read back is a field of what carries it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import sdfviewer

#: What is written for people, by the attribute that holds it.
_FOR_PEOPLE = frozenset(
    {
        *("message", "what", "advice", "reason", "sentence", "sentences", "words", "announced", "losses", "notes"),
        *("remarks", "refusal", "label", "title", "toolTip", "accessibleName", "windowTitle"),
    }
)
_TAKES_APART = frozenset(
    {
        *("startswith", "endswith", "split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix"),
        *("find", "rfind", "index", "splitlines"),
    }
)
_PATTERNS = frozenset({"match", "search", "fullmatch", "findall", "finditer", "sub", "split"})
#: What a file has in it that takes such a text apart: the others are not parsed.
_HOLDERS = rf"(?:\.(?:{'|'.join(sorted(_FOR_PEOPLE))})\b|str\((?:error|fault)\))"
_CALLS = re.compile(
    rf"{_HOLDERS}(?:\(\))?\.(?:{'|'.join(sorted(_TAKES_APART))})\("
    rf"|\.(?:{'|'.join(sorted(_PATTERNS))})\([^\n]*{_HOLDERS}|\bin [\w.]+{_HOLDERS}"
)
#: What is read all the same, by file and expression.
KNOWN = {
    # the messages of other programs and libraries
    ("contracts/geometry.py", "str(error).splitlines()"),
    ("export/peer_programs.py", "str(error).split()"),
    ("gui/shell/files/missing_models.py", "_ERROR_NUMBER.sub('', message_of(answer).reason)"),
    ("formats/xacro/interpreter.py", "_WRONG_ARGUMENTS.match(str(error))"),
    # a full stop, where the message goes on
    ("gui/operations/add.py", "str(error).removesuffix('.')"),
    ("gui/operations/joint_fields.py", "str(error).removesuffix('.')"),
    ("refactoring/new_parts.py", "str(error).removesuffix('.')"),
}


def _is_for_people(node: ast.AST) -> bool:
    """Return whether an expression is such a text: an attribute, what a method returns, or that of an exception."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "str":
            return bool(node.args) and isinstance(node.args[0], ast.Name) and node.args[0].id in ("error", "fault")
        return isinstance(node.func, ast.Attribute) and _is_for_people(node.func)
    return isinstance(node, ast.Attribute) and node.attr in _FOR_PEOPLE


def _readings(tree: ast.AST) -> Iterator[str]:
    """Yield the expressions that look for something in such a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            takes_apart = node.func.attr in _TAKES_APART and _is_for_people(node.func.value)
            if takes_apart or (node.func.attr in _PATTERNS and any(map(_is_for_people, node.args))):
                yield ast.unparse(node)
        elif isinstance(node, ast.Compare) and isinstance(node.left, (ast.Constant, ast.JoinedStr, ast.Name)):
            looked_in = zip(node.ops, node.comparators, strict=True)
            if any(isinstance(operator, (ast.In, ast.NotIn)) and _is_text(text) for operator, text in looked_in):
                yield ast.unparse(node)


def _is_text(node: ast.AST) -> bool:
    return _is_for_people(node) and not (isinstance(node, ast.Attribute) and node.attr in _LISTS)


#: Of these some hold several: to ask whether one is among them reads none.
_LISTS = frozenset({"losses", "notes", "words", "sentences", "remarks"})


def test_what_reads_a_message_is_found() -> None:
    source = """
if "frame" in diagnostic.message or problem.message.startswith("xacro: "):
    file, _, line = note.sentence.partition(":")
    _PLACE.match(str(error))
    name = field.accessibleName().removeprefix("quaternion ")
    text = item.label if each in edit.losses else names.label
"""
    assert [*_readings(ast.parse(source))] == [
        "'frame' in diagnostic.message",
        "problem.message.startswith('xacro: ')",
        "note.sentence.partition(':')",
        "_PLACE.match(str(error))",
        "field.accessibleName().removeprefix('quaternion ')",
    ]


def test_no_message_is_read() -> None:
    root = Path(inspect.getfile(sdfviewer)).parent
    found = {
        (file.relative_to(root).as_posix(), reading)
        for file in root.rglob("*.py")
        if _CALLS.search(text := file.read_text(encoding="utf-8"))
        for reading in _readings(ast.parse(text))
    }
    assert found == KNOWN
