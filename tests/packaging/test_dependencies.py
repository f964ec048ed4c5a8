"""pyproject.toml installs what the code imports: a developer's machine has more packages than a fresh one."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from sdfviewer.extras import EXTRAS
from tests.packaging.test_import_circles import imports_of

PACKAGE = Path(__file__).parents[2] / "sdfviewer"


def normalized(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def imported_modules(file: Path) -> set[str]:
    """Return the top-level names of all modules that a file imports absolutely, wherever it does so."""
    names: set[str] = set()
    for node in imports_of(file):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif node.module is not None and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def declared_dependencies() -> dict[str, set[str]]:
    """Return the distributions of the core ("") and of each extra; tomllib is not in Python 3.10."""
    pyproject = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    blocks = re.findall(r"^(\w+) = \[\n(.*?)^\]", pyproject, re.MULTILINE | re.DOTALL)
    blocks += re.findall(r'^(\w+) = \[(".*")\]$', pyproject, re.MULTILINE)
    return {
        "" if name == "dependencies" else name: {
            normalized(word) for word in re.findall(r'^\s*"([A-Za-z0-9._-]+)', block, re.MULTILINE)
        }
        for name, block in blocks
    }


def third_party(folder: Path) -> set[str]:
    modules = set[str]().union(*map(imported_modules, folder.rglob("*.py")))
    # Type checkers bring typing_extensions; the code imports it only for them.
    return modules - {"sdfviewer", "typing_extensions", *sys.stdlib_module_names}


def test_every_import_is_installed_by_the_core_or_by_its_extra() -> None:
    installed = packages_distributions()
    declared = declared_dependencies()
    for module in third_party(PACKAGE):
        distributions = {normalized(name) for name in installed.get(module, [module])}
        wanted = declared[EXTRAS.get(module, "")]
        assert not wanted.isdisjoint(distributions), f"{module} is not in {EXTRAS.get(module, 'dependencies')}"


def test_the_extra_all_brings_every_extra() -> None:
    pyproject = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    brought = set(re.search(r'^all = \["sdfviewer\[(.*)\]"\]', pyproject, re.MULTILINE)[1].split(","))  # type: ignore[index]
    brought |= {"render"} if "gui" in brought else set()
    assert brought >= set(EXTRAS.values()) & set(declared_dependencies())
