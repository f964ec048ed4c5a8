"""The configuration of a project: rules to check and model folders.

``sdfviewer.toml``, or the table ``[tool.sdfviewer]`` of ``pyproject.toml``, in the folder of a file or above it::

    paths = ["models"]                      # model paths, relative to this file
    ignore = ["unknown-element"]            # rules that are not reported
    select = ["relative-to-*"]              # only these; all by default

    [per-file-ignores]
    "tests/*" = ["*"]
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import UnreadableFileError
from sdfviewer.files.opening import current_folder, read_bytes
from sdfviewer.files.paths import home_folder, real_path

NAMES = ("sdfviewer.toml", "pyproject.toml")
_LISTS = ("paths", "select", "ignore")
#: Bytes of a file, and levels of what is in it: readers of TOML call themselves for each bracket, and compare each
#: part of a dotted key with all before it.
_MOST_BYTES, _MOST_LEVELS = 1 << 20, 100
#: Patterns of a list, and the length of one.
_MOST_PATTERNS, _LONGEST_PATTERN = 1_000, 200
#: Strings and comments, each taken up to where it would have to end: so a search never begins twice at one place.
_NO_STRUCTURE = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|\'{3}.*?(?:\'{3}|\Z)|"(?:\\[^\n]|[^"\\\n])*"?|\'[^\'\n]*\'?|#[^\n]*''',
    re.DOTALL,
)
_STRUCTURE = re.compile(r"[\[\]{}.,=\n]")


class ConfigurationError(SdfViewerError):
    """A configuration file cannot be used."""


@dataclass(frozen=True)
class Configuration:
    """The configuration of a project.

    Attributes
    ----------
    file
        The file it was read from, None for the defaults.
    paths
        Model paths.
    select, ignore
        Names or codes of rules, with ``*`` as a wildcard.
    per_file_ignores
        Rules that are ignored in files that match a pattern, relative to the configuration file.
    """

    file: Path | None = None
    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def reports(self, rule: str, code: str, path: Path | None) -> bool:
        """Return whether problems of a rule are reported in a file."""
        if self.select and not matches(self.select, rule, code):
            return False
        return not matches(self.ignore, rule, code) and not matches(self._ignored_in(path), rule, code)

    def _ignored_in(self, path: Path | None) -> tuple[str, ...]:
        if path is None or self.file is None:
            return ()
        try:
            relative = real_path(path).relative_to(real_path(self.file.parent)).as_posix()
        except ValueError:
            return ()
        return tuple(
            rule
            for pattern, rules in self.per_file_ignores.items()
            if fnmatchcase(relative, pattern) or fnmatchcase(path.name, pattern)
            for rule in rules
        )


def matches(patterns: tuple[str, ...], rule: str, code: str) -> bool:
    """Return whether a rule is named by one of some patterns, by its name or its code."""
    return any(fnmatchcase(rule, pattern) or fnmatchcase(code.lower(), pattern.lower()) for pattern in patterns)


def find_configuration(path: Path | None) -> Configuration:
    """Return the configuration of the nearest folder above a file, the defaults if there is none.

    Raises
    ------
    ConfigurationError
        If the file is not valid TOML, a value has the wrong type, or a ``sdfviewer.toml`` is not a file.
    """
    folder = (current_folder() if path is None else path.absolute().parent).resolve()
    for above in (folder, *folder.parents):
        for name in NAMES:
            file = above / name
            if file.is_file() or (name == NAMES[0] and file.exists()):  # a folder or a device is reported as one
                found = read_configuration(file)
                if found is not None:
                    return found
    return Configuration()


@lru_cache(maxsize=64)
def _read(file: Path, modified: int) -> dict[str, Any]:
    if sys.version_info >= (3, 11):  # imported here: most files belong to no project with a configuration
        import tomllib  # noqa: PLC0415
    else:
        import tomli as tomllib  # noqa: PLC0415
    try:
        text = read_bytes(file, most=_MOST_BYTES).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        _check_levels(file, text)
        return tomllib.loads(text)
    except UnreadableFileError as error:
        raise ConfigurationError(str(error)) from error
    except ValueError as error:  # TOML, its encoding, or a number of too many digits
        raise ConfigurationError(f"{file}: {error}") from error


def _check_levels(file: Path, text: str) -> None:
    """Refuse brackets within brackets and keys within keys beyond what any file needs."""
    brackets = parts = 0
    for found in _STRUCTURE.finditer(_NO_STRUCTURE.sub("", text)):
        mark = found[0]
        brackets = max(0, brackets + (mark in "[{") - (mark in "]}"))
        parts = parts + 1 if mark == "." else 0
        if brackets > _MOST_LEVELS or parts > _MOST_LEVELS:
            raise ConfigurationError(f"{file}: more than {_MOST_LEVELS} levels, one within the other; use fewer")


def read_configuration(file: Path) -> Configuration | None:
    """Return the configuration in a file, None for a ``pyproject.toml`` without one.

    Raises
    ------
    ConfigurationError
        If it is not valid TOML, or a value has the wrong type.
    """
    try:
        modified = file.stat().st_mtime_ns
    except OSError as error:
        raise ConfigurationError(f"cannot read {file}: {error.strerror or error}") from error
    content = _read(file, modified)
    if file.name == "pyproject.toml":
        tools = content.get("tool", {})
        if not isinstance(tools, dict) or "sdfviewer" not in tools:
            return None
        content = tools["sdfviewer"]
    if not isinstance(content, dict):
        raise ConfigurationError(f"{file}: [tool.sdfviewer] must be a table")
    unknown = sorted(set(content) - {*_LISTS, "per-file-ignores"})
    if unknown:
        raise ConfigurationError(f"{file}: unknown setting {unknown[0]!r}; use {', '.join(_LISTS)}, per-file-ignores")
    lists = {name: _strings(file, name, content.get(name, [])) for name in _LISTS}
    written = content.get("per-file-ignores", {})
    if not isinstance(written, dict):
        raise ConfigurationError(f"{file}: per-file-ignores must be a table")
    _check_patterns(file, "per-file-ignores", written)
    ignores = {pattern: _strings(file, pattern, rules) for pattern, rules in written.items()}
    for name, patterns in {"select": lists["select"], "ignore": lists["ignore"], **ignores}.items():
        _check_patterns(file, name, patterns)
    paths = tuple(_model_folder(file, path) for path in lists["paths"])
    return Configuration(file, paths, lists["select"], lists["ignore"], ignores)


def _model_folder(file: Path, path: str) -> Path:
    """Return a model folder that a configuration names.

    The file may be a stranger's, and xacro files may read what is in model folders.

    Raises
    ------
    ConfigurationError
        If it is hidden, or holds the home folder.
    """
    if "\0" in path:
        raise ConfigurationError(f"{file}: paths: a path has a zero byte in it")
    target, here = real_path(file.parent / path), real_path(file.parent)
    if target.anchor == here.anchor:
        way = Path(os.path.relpath(target, here)).parts
        if any(part.startswith(".") and part not in (os.pardir, os.curdir) for part in way):
            raise ConfigurationError(
                f"{file}: paths: '{path}' leads to a hidden folder; name one that is not hidden, or use --path"
            )
    home = real_path(home_folder())
    if home.is_relative_to(target):
        raise ConfigurationError(f"{file}: paths: '{path}' holds your home folder; name the folder of the models")
    return file.parent / path


def _strings(file: Path, name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigurationError(f"{file}: {name} must be a list of strings")
    return tuple(value)


def _check_patterns(file: Path, name: str, patterns: Collection[str]) -> None:
    """Refuse patterns that take long: ``fnmatch`` takes the square of their length to read each."""
    if len(patterns) > _MOST_PATTERNS:
        raise ConfigurationError(f"{file}: {name} has more than {_MOST_PATTERNS:,} patterns; use fewer")
    if any(len(each) > _LONGEST_PATTERN for each in patterns):
        raise ConfigurationError(f"{file}: {name} has a pattern of more than {_LONGEST_PATTERN} characters; shorten it")
