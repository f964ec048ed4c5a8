"""The settings of a project: rules to check, model folders, and contracts.

``sdfviewer.toml``, or the table ``[tool.sdfviewer]`` of ``pyproject.toml``, in the folder of a file or above it::

    extend = "../sdfviewer.toml"            # settings that hold where this file has none
    paths = ["models"]                      # model paths, relative to this file
    ignore = ["unknown-element"]            # rules that are not reported
    select = ["relative-to-*"]              # only these; all by default
    exclude = ["build", "tests/broken/*"]   # left out where a folder is checked
    strict = true                           # warnings make check exit with 1
    resources = true                        # check opens meshes, textures and scripts

    [per-file-ignores]
    "tests/*" = ["*"]

    [[contract]]                            # see sdfviewer.contracts

``resources/schemas/sdfviewer-toml-1.json`` is the schema.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import accumulate
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdfviewer.diagnostics import RULES, Diagnostic, SdfViewerError, Span
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.opening import current_folder, read_bytes
from sdfviewer.files.paths import Stamp, home_folder, real_path, stamp_of
from sdfviewer.resources import resource

if TYPE_CHECKING:
    from sdfviewer.files.toml_places import KeyPath


NAMES = ("sdfviewer.toml", "pyproject.toml")
#: The file beside ``arm.sdf`` that holds its contracts is ``arm.contracts.toml``.
BESIDE = ".contracts.toml"
#: Bytes of a file, and levels of what is in it: readers of TOML call themselves for each bracket, and compare each
#: part of a dotted key with all before it.
MOST_BYTES, _MOST_LEVELS = 1 << 20, 100
#: Files of which each extends the next.
_MOST_EXTENDED = 10


class ConfigurationError(SdfViewerError):
    """A configuration file cannot be used."""


@dataclass(frozen=True, slots=True)
class FilePattern:
    """A pattern of a settings file for files, relative to its folder: ``*`` within a folder, ``**`` across folders."""

    folder: Path
    pattern: str

    def fits(self, path: Path) -> bool:
        """Return whether the pattern is the path of a file, which may be outside of the folder."""
        try:
            relative = os.path.relpath(real_path(path), real_path(self.folder))
        except ValueError:  # on another drive
            return False
        return self._is_path(Path(relative).parts)

    def covers(self, path: Path) -> bool:
        """Return whether the pattern is the path, or the name, of a file in the folder or of a folder that holds it."""
        try:
            relative = real_path(path).relative_to(real_path(self.folder))
        except ValueError:
            return False
        name = self.pattern.rstrip("/")
        return any(
            self._is_path(each.parts) or fnmatchcase(each.name, name) for each in (relative, *relative.parents[:-1])
        )

    def _is_path(self, names: Sequence[str]) -> bool:
        pattern = re.sub(r"(?<=[^/*])\*\*", "*/**", re.sub(r"\*\*(?=[^/*])", "**/*", self.pattern))
        is_fitting = [True, *(False for _ in names)]  # of the first names, by how many
        for each in Path(os.path.normpath(pattern)).parts:
            if each == "**":
                is_fitting = list(accumulate(is_fitting, or_))
            else:
                pairs = zip(is_fitting[:-1], names, strict=True)
                is_fitting = [False, *(so_far and fnmatchcase(name, each) for so_far, name in pairs)]
        return is_fitting[-1]


@dataclass(frozen=True, slots=True)
class WrittenContract:
    """A ``[[contract]]`` as it is written.

    Attributes
    ----------
    file
        The settings file that holds it.
    content
        Its keys and values, which fit the schema.
    places
        Where they are written, by the keys that lead to them; that of the contract itself at ``()``.
    """

    file: Path
    content: Mapping[str, Any]
    places: Mapping[KeyPath, Span] = field(repr=False)

    def place(self, *keys: str | int) -> Span | None:
        """Return where a value is written, else what holds it."""
        return next((found for end in range(len(keys), -1, -1) if (found := self.places.get(keys[:end]))), None)


@dataclass(frozen=True)
class Configuration:
    """The settings of a project.

    Attributes
    ----------
    file
        The file it was read from, None for the defaults.
    paths
        Model paths.
    select, ignore
        Names or codes of rules, with ``*`` as a wildcard.
    per_file_ignores
        Rules that are ignored in files that match a pattern.
    exclude
        Files and folders that are left out where a folder is checked.
    strict, resources
        Whether warnings count as errors, and whether meshes and textures are opened.
    contracts
        What must stay true of the models.
    files
        All files that it was read from, those that it extends last.
    """

    file: Path | None = None
    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[FilePattern, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[FilePattern, ...] = ()
    strict: bool = False
    resources: bool = False
    contracts: tuple[WrittenContract, ...] = ()
    files: tuple[Path, ...] = ()

    def reports(self, rule: str, code: str, path: Path | None) -> bool:
        """Return whether problems of a rule are reported in a file."""
        if self.select and not matches(self.select, rule, code):
            return False
        return not matches(self.ignore, rule, code) and not matches(self._ignored_in(path), rule, code)

    def excludes(self, path: Path | None) -> bool:
        """Return whether a file is left out where its folder is checked."""
        return path is not None and any(each.covers(path) for each in self.exclude)

    def _ignored_in(self, path: Path | None) -> tuple[str, ...]:
        if path is None:
            return ()
        return tuple(rule for pattern, rules in self.per_file_ignores.items() if pattern.covers(path) for rule in rules)


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
    above, below = os.path.realpath(current_folder() if path is None else path.absolute().parent), ""
    while above != below:  # as text: each edit asks, and path objects cost several times that
        for name in NAMES:
            file = os.path.join(above, name)
            # A folder or a device is reported as one. What may not be looked into holds no settings.
            if os.path.exists(file) if name == NAMES[0] else os.path.isfile(file):
                found = read_configuration(Path(file))
                if found is not None:
                    return found
        above, below = os.path.dirname(above), above
    return Configuration()


@lru_cache(maxsize=64)
def _read(file: Path, _stamp: Stamp | None) -> tuple[dict[str, Any], str]:
    if sys.version_info >= (3, 11):  # imported here: most files belong to no project with a configuration
        import tomllib  # noqa: PLC0415
    else:
        import tomli as tomllib  # noqa: PLC0415
    try:
        written = read_bytes(file, most=MOST_BYTES).decode("utf-8")
        text = written.replace("\r\n", "\n").replace("\r", "\n")
        _check_levels(file, text)
        return tomllib.loads(text), written
    except UnreadableFileError as error:
        raise ConfigurationError(str(error)) from error
    except ValueError as error:  # TOML, its encoding, or a number of too many digits
        raise ConfigurationError(f"{file}: {error}") from error


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(resource("schemas", "sdfviewer-toml-1.json").read_text(encoding="utf-8"))
    return schema


def _check_levels(file: Path, text: str) -> None:
    """Refuse brackets within brackets and keys within keys beyond what any file needs."""
    if text.count("[") + text.count("{") <= _MOST_LEVELS and all(
        line.count(".") <= _MOST_LEVELS for line in text.split("\n")
    ):
        return  # as nearly every file
    from sdfviewer.files.toml_places import levels  # noqa: PLC0415

    if any(level > _MOST_LEVELS for level in levels(text)):
        raise ConfigurationError(f"{file}: more than {_MOST_LEVELS} levels, one within the other; use fewer")


def is_excluded(path: Path) -> bool:
    """Return whether the settings leave out a file where its folder is checked; what is wrong in them excludes none."""
    try:
        return find_configuration(path).excludes(path)
    except ConfigurationError:
        return False  # checking the file reports it


def find_contracts(path: Path) -> tuple[WrittenContract, ...]:
    """Return the contracts of the settings above a model, and of the file beside it.

    Raises
    ------
    ConfigurationError
        As of :func:`find_configuration`.
    """
    return tuple(contract for each in _settings_of(path) for contract in each.contracts)


def settings_files(path: Path | None) -> tuple[Path, ...]:
    """Return the files that the settings of a model are read from; none where they cannot be read."""
    if path is None:
        return ()
    try:
        return tuple(file for each in _settings_of(path) for file in each.files)
    except ConfigurationError:
        return ()


def settings_state(path: Path | None) -> tuple[object, ...]:
    """Return the settings files of a model, and when each was written: equal while the settings stay as they are."""
    return tuple((file, stamp_of(file)) for file in settings_files(path))


def _settings_of(path: Path) -> Iterator[Configuration]:
    """Yield the settings above a model, and those of the file beside it."""
    yield find_configuration(path)
    beside = path.with_name(path.name.partition(".")[0] + BESIDE)
    if beside.is_file() and (found := read_configuration(beside)) is not None:
        yield found


def read_toml(file: Path) -> dict[str, Any]:
    """Return what is in a TOML file.

    Raises
    ------
    ConfigurationError
        If it is too large, or not valid TOML.
    """
    return _read_toml(file)[0]


def _read_toml(file: Path) -> tuple[dict[str, Any], str]:
    return _read(file, stamp_of(file))


def read_configuration(file: Path) -> Configuration | None:
    """Return the configuration in a file, None for a ``pyproject.toml`` without one.

    Raises
    ------
    ConfigurationError
        If it is not valid TOML, or a value has the wrong type; the message begins with ``file:line:column:``.
    """
    return _read_configuration(file, ())


def _read_configuration(file: Path, extending: tuple[Path, ...]) -> Configuration | None:
    content, text = _read_toml(file)
    above: KeyPath = ()
    if file.name == "pyproject.toml":
        tools = content.get("tool", {})
        if not isinstance(tools, dict) or "sdfviewer" not in tools:
            return None
        content, above = tools["sdfviewer"], ("tool", "sdfviewer")
    if not isinstance(content, dict):
        raise ConfigurationError(f"{file}: [tool.sdfviewer] must be a table")
    from sdfviewer.files.toml_places import first_violation  # noqa: PLC0415  # most files have no settings

    if violation := first_violation(content, _schema()):
        raise ConfigurationError(f"{_where(file, text, (*above, *violation.path))}: {violation.message}")
    base = _extended(file, text, content, (*extending, real_path(file)), above)
    here = file.parent
    ignores = {FilePattern(here, each): tuple(rules) for each, rules in content.get("per-file-ignores", {}).items()}
    paths = tuple(here / named_path(file, "paths", path) for path in content.get("paths", ()))
    exclude = tuple(FilePattern(here, each) for each in content.get("exclude", ()))
    return Configuration(
        file,
        paths if "paths" in content else base.paths,
        tuple(content.get("select", base.select)),
        tuple(content.get("ignore", base.ignore)),
        {**base.per_file_ignores, **ignores},
        exclude if "exclude" in content else base.exclude,
        content.get("strict", base.strict),
        content.get("resources", base.resources),
        (*base.contracts, *_contracts(file, text, content, above)),
        (file, *base.files),
    )


def _extended(
    file: Path, text: str, content: Mapping[str, Any], extending: tuple[Path, ...], above: KeyPath
) -> Configuration:
    """Return the configuration that another one extends, the defaults if there is none."""
    if "extend" not in content:
        return Configuration()
    where = _where(file, text, (*above, "extend"))
    other = file.parent / named_path(file, "extend", content["extend"])
    if real_path(other) in extending or len(extending) > _MOST_EXTENDED:
        raise ConfigurationError(f"{where}: '{content['extend']}' leads back to this file; extend another one")
    if not other.is_file():
        raise ConfigurationError(f"{where}: there is no file '{content['extend']}'; it is relative to this one")
    found = _read_configuration(other, extending)
    if found is None:
        raise ConfigurationError(f"{where}: '{content['extend']}' has no table [tool.sdfviewer]")
    return found


def _contracts(file: Path, text: str, content: Mapping[str, Any], above: KeyPath) -> Iterator[WrittenContract]:
    written = content.get("contract", ())
    if not written:
        return
    prefix = (*above, "contract")
    from sdfviewer.files.toml_places import value_places  # noqa: PLC0415  # few files have contracts

    places: dict[int, dict[KeyPath, Span]] = {}
    for path, span in value_places(str(file), text).items():
        if path[: len(prefix)] == prefix and len(path) > len(prefix):
            places.setdefault(int(path[len(prefix)]), {})[path[len(prefix) + 1 :]] = span
    is_beside = file.name.endswith(BESIDE)
    for number, each in enumerate(written):
        if "file" not in each and not is_beside:
            where = _where(file, text, (*prefix, number))
            raise ConfigurationError(f"{where}: the contract needs 'file', the model that it is about")
        yield WrittenContract(file, each, places.get(number, {}))


def _where(file: Path, text: str, path: KeyPath) -> str:
    """Return ``file:line:column`` of a value, or of what holds it."""
    from sdfviewer.files.toml_places import value_places  # noqa: PLC0415

    places = value_places(str(file), text)
    found = next((places[path[:end]] for end in range(len(path), 0, -1) if path[:end] in places), None)
    return f"{file}:{found.line}:{found.column}" if found else str(file)


def named_path(file: Path, name: str, path: str) -> str:
    """Return a path that a settings file names, relative to that, where it may.

    The file may be a stranger's, and xacro files may read what is in model folders.

    Raises
    ------
    ConfigurationError
        If it is hidden, or holds the home folder.
    """
    if "\0" in path:
        raise ConfigurationError(f"{file}: {name}: a path has a zero byte in it")
    target, here = real_path(file.parent / path), real_path(file.parent)
    if target.anchor == here.anchor:
        way = Path(os.path.relpath(target, here)).parts
        if any(part.startswith(".") and part not in (os.pardir, os.curdir) for part in way):
            instead = ", or use --path" if name == "paths" else ""
            raise ConfigurationError(f"{file}: {name}: '{path}' is hidden; name what is not hidden{instead}")
    home = real_path(home_folder())
    if home.is_relative_to(target):
        raise ConfigurationError(f"{file}: {name}: '{path}' holds your home folder; name the folder of the models")
    return path


_COMMENT = re.compile(r"<!--\s*sdfviewer:\s*ignore(-file)?\b([^>]*?)-->")


def reported(
    document: Document, diagnostics: Sequence[Diagnostic], configuration: Configuration | None = None
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that neither a comment of the document nor the configuration suppresses."""
    lines = _ignored(document)
    return tuple(
        each
        for each in diagnostics
        if not _is_ignored(document, each, lines)
        and (configuration is None or configuration.reports(each.rule.name, each.rule.code, document.path))
    )


#: The key of the rules that are ignored in the whole file, among those of lines.
_EVERYWHERE = 0
#: At most so many different names and patterns are compared with the rules.
_MOST_PATTERNS = 1000


def _ignored(document: Document) -> dict[int, set[str]]:
    """Return the names of the ignored rules by line."""
    ignored: dict[int, set[str]] = {}
    if "sdfviewer:" not in document.text:
        return ignored
    starts: dict[int, bool] = {}
    ends: dict[int, bool] = {}
    rules: dict[str, list[str]] = {}
    for match in _COMMENT.finditer(document.text):
        line = _EVERYWHERE
        if not match[1]:
            first, last = document.position(match.start())[0], document.position(match.end())[0]
            # A comment on its own line is about the next line. One line may hold thousands of comments.
            if first not in starts:
                starts[first] = document.line(first).lstrip().startswith("<!--")
            if last not in ends:
                ends[last] = document.line(last).rstrip().endswith("-->")
            line = last + 1 if starts[first] and ends[last] else last
        for pattern in re.split(r"[\s,]+", match[2].strip() or "*"):
            if pattern not in rules and len(rules) < _MOST_PATTERNS:
                rules[pattern] = [rule.name for rule in RULES.values() if matches((pattern,), rule.name, rule.code)]
            ignored.setdefault(line, set()).update(rules.get(pattern, ()))
    return ignored


def _is_ignored(document: Document, diagnostic: Diagnostic, lines: dict[int, set[str]]) -> bool:
    rule, span = diagnostic.rule.name, diagnostic.span
    if rule in lines.get(_EVERYWHERE, ()):
        return True
    return span is not None and span.path == document.name and rule in lines.get(span.line, ())


def fingerprint(diagnostic: Diagnostic, file: str) -> str:
    """Return the identity of a problem when lines above it change: its file, rule and message."""
    content = "\0".join((file, diagnostic.rule.name, diagnostic.message))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def without_known(diagnostics: Iterable[Diagnostic], file: str, known: Counter[str]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that a baseline does not hold, and take those that it does from ``known``."""
    new = []
    for each in diagnostics:
        mark = fingerprint(each, file)
        if known[mark] > 0:
            known[mark] -= 1
        else:
            new.append(each)
    return tuple(new)
