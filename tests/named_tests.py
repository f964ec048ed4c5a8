"""Names of tests in tables and pages: ``tests/folder/test_module.py::test_function``."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.attack.attacks import ATTACKS
from tests.attack.faults import FAULTS

REPOSITORY = Path(__file__).parents[1]


def is_run(name: str) -> bool:
    """Return whether a name is that of a test, of the file of a former fault, or of an attack of the table."""
    file, _, function = name.partition("::")
    path = REPOSITORY / file
    if not path.is_file():
        return False
    if function not in _functions(path):
        return False
    module = file.removesuffix(".py").replace("/", ".")
    is_fault = module == "tests.attack.faults" and function in {fault.name for fault in FAULTS}
    is_attack = (module, function) in {(each.run.__module__, each.run.__name__) for each in ATTACKS.values()}
    return is_fault or is_attack or (function.startswith("test_") and path.name.startswith("test_"))


@cache
def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
