"""Compare what files expand to with what the package xacro itself makes of them.

The package runs the code in a file, so name only folders that you trust: ``packaging/xacro.sh FOLDER...`` prints each
file that expands to something else, and how long both take.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch
from xml.dom import minidom

from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro import engine

#: Where ``$(find package)`` leads to in folders without that package.
_NOWHERE = "/nowhere"


def expand_as_xacro(path: Path, arguments: Mapping[str, str], find_package: Callable[[str], str | None]) -> str:
    """Return what the package xacro makes of a file, or its message behind ``error: ``."""
    import xacro
    from xacro import substitution_args

    def find(package: str) -> str:
        found = find_package(package)
        if found is None:
            raise xacro.XacroException(f"package '{package}' is not found")
        return found

    substitution_args._eval_dict["find"] = find
    with (
        patch.object(substitution_args, "_eval_find", find),
        redirect_stderr(io.StringIO()),
        redirect_stdout(io.StringIO()),
    ):
        try:
            document = xacro.process_file(str(path), mappings=dict(arguments))
        except Exception as error:
            return f"error: {error}"
        finally:
            xacro.filestack = xacro.macrostack = None
    root = document.documentElement
    _remove_blanks(root)
    return '<?xml version="1.0"?>\n' + root.toprettyxml(indent="  ")


def _remove_blanks(element: minidom.Element) -> None:
    for child in list(element.childNodes):
        if child.nodeType == child.TEXT_NODE and not child.data.strip():
            element.removeChild(child)
        elif child.nodeType == child.ELEMENT_NODE:
            _remove_blanks(child)


def expand(path: Path, arguments: Mapping[str, str], find_package: Callable[[str], str | None]) -> str:
    """Return what sdfviewer makes of a file, or its message behind ``error: ``."""

    def read(included: str) -> str:
        try:
            return Path(included).read_text(encoding="utf-8")
        except OSError as error:
            raise engine.UnreadableSourceError(str(error)) from error

    try:
        return engine.evaluate(open_document(path).text, str(path), arguments, read, find_package).text
    except engine.EvaluationError as error:
        return f"error: {error}"


@dataclass
class _Clock:
    seconds: float = 0.0

    def measure(self, run: Callable[[], str]) -> str:
        start = time.process_time()
        result = run()
        self.seconds += time.process_time() - start
        return result


def packages_below(folders: Sequence[Path]) -> dict[str, str]:
    """Return the folders of the packages below some folders by name."""
    found: dict[str, str] = {}
    for folder in folders:
        for manifest in sorted(folder.rglob("package.xml")):
            name = re.search(r"<name>\s*([^<\s]+)", manifest.read_text(encoding="utf-8", errors="replace"))
            if name is not None:
                found.setdefault(name[1], str(manifest.parent))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all xacro files below some folders; return 1 where one expands to something else."""
    parser = argparse.ArgumentParser(prog="packaging/xacro.sh", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument of every file")
    parser.add_argument("--refused", action="store_true", help="list what xacro refuses, too")
    options = parser.parse_args(arguments)
    given = dict(each.split("=", 1) for each in options.arg)
    packages = packages_below(options.folders)
    files = sorted({path.resolve() for folder in options.folders for path in folder.rglob("*.xacro")})
    xacro_clock, clock = _Clock(), _Clock()
    equal = refused = different = 0
    for path in files:
        finder = Finder(environ={}, cwd=path.parent)

        def find(name: str, path: Path = path, finder: Finder = finder) -> str:
            found = packages.get(name) or finder.find_package(name, path)
            return _NOWHERE if found is None else str(found)

        expected = xacro_clock.measure(partial(expand_as_xacro, path, given, find))
        result = clock.measure(partial(expand, path, given, find))
        if result == expected:
            equal += 1
        elif result.startswith("error: ") and expected.startswith("error: "):
            refused += 1
            if options.refused:
                print(f"{path}: refused by both\n  xacro: {expected[:300]!r}\n  sdfviewer: {result[:300]!r}")
        else:
            different += 1
            print(f"{path}: different\n  xacro: {expected[:300]!r}\n  sdfviewer: {result[:300]!r}")
    print(f"{len(files)} files: {equal} equal, {refused} refused by both, {different} different")
    print(f"processor time: xacro {xacro_clock.seconds:.2f} s, sdfviewer {clock.seconds:.2f} s")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
