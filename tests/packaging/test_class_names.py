"""No two public classes have one name, but for the handles of the library and the two cameras."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import sdfviewer

SHARED = {"Model", "Joint", "Camera"}


def test_the_name_of_a_class_names_one_class() -> None:
    modules = Path(sdfviewer.__file__).parent.rglob("*.py")
    trees = [ast.parse(module.read_text(encoding="utf-8")) for module in modules]
    classes = [node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    counts = Counter(name for name in classes if not name.startswith("_"))
    assert {name for name, count in counts.items() if count > 1} == SHARED
