"""What the code imports is what pyproject.toml installs: a machine of a developer has more than a fresh one."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "sdfviewer"


def normalized(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def imported_modules(file: Path) -> set[str]:
    """Return the top-level names of all modules that a file imports absolutely, wherever it does so."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def declared_dependencies() -> set[str]:
    """Return what pyproject.toml installs with the program; tomllib is not in Python 3.10."""
    pyproject = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    block = pyproject.split("\ndependencies = [")[1].split("\n]")[0]
    return {normalized(name) for name in re.findall(r'^\s*"([A-Za-z0-9._-]+)', block, re.MULTILINE)}


def test_every_import_is_a_declared_dependency() -> None:
    modules = set[str]().union(*map(imported_modules, PACKAGE.rglob("*.py")))
    modules -= {"sdfviewer", *sys.stdlib_module_names}
    installed = packages_distributions()
    declared = declared_dependencies()
    undeclared = {
        module
        for module in modules
        if declared.isdisjoint(normalized(name) for name in installed.get(module, [module]))
    }
    assert not undeclared
