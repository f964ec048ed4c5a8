"""The configuration of a project: rules to check and model folders.

``sdfviewer.toml``, or the table ``[tool.sdfviewer]`` of ``pyproject.toml``, in the folder of a file or above it::

    paths = ["models"]                      # model paths, relative to this file
    ignore = ["unknown-element"]            # rules that are not reported
    select = ["relative-to-*"]              # only these; all by default

    [per-file-ignores]
    "tests/*" = ["*"]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.opening import current_folder

NAMES = ("sdfviewer.toml", "pyproject.toml")
_LISTS = ("paths", "select", "ignore")


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
            relative = path.resolve().relative_to(self.file.parent.resolve()).as_posix()
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
        If the file is not valid TOML, or a value has the wrong type.
    """
    folder = (current_folder() if path is None else path.absolute().parent).resolve()
    for above in (folder, *folder.parents):
        for name in NAMES:
            file = above / name
            if file.is_file():
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
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{file}: {error}") from error


def read_configuration(file: Path) -> Configuration | None:
    """Return the configuration in a file, None for a ``pyproject.toml`` without one.

    Raises
    ------
    ConfigurationError
        If it is not valid TOML, or a value has the wrong type.
    """
    content = _read(file, file.stat().st_mtime_ns)
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
    ignores = {pattern: _strings(file, pattern, rules) for pattern, rules in written.items()}
    paths = tuple(file.parent / path for path in lists["paths"])
    return Configuration(file, paths, lists["select"], lists["ignore"], ignores)


def _strings(file: Path, name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigurationError(f"{file}: {name} must be a list of strings")
    return tuple(value)
