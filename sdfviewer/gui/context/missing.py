"""What a file does not find or does not evaluate, and what helps: for notices, problems, the tree and Resources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.display_text import cut, visible
from sdfviewer.files.finder import shown_from
from sdfviewer.files.uris import AssetKind
from sdfviewer.formats.xacro.expansion import is_xacro
from sdfviewer.gui.context.topics import Requests
from sdfviewer.number_text import counted
from sdfviewer.session import read_only
from sdfviewer.session.session import Session
from sdfviewer.validation.file_rules import uri_not_found
from sdfviewer.validation.format_rules import xacro_failed, xacro_not_evaluated
from sdfviewer.validation.urdf_rules import urdf_is_xacro

if TYPE_CHECKING:
    from sdfviewer.scene.assets import Asset

_MOST_LETTERS = 48
"""Letters of a name that is said in a sentence."""

Answers: TypeAlias = dict[str, Callable[[], object]]
"""What helps with a problem: what each button or menu entry says, and what it does."""


@dataclass(frozen=True)
class Missing:
    """The URIs that lead nowhere, each once.

    Attributes
    ----------
    models, packages, others
        Includes, ROS packages of a xacro file, and meshes and other files, that are not found.
    downloads
        What is on a server and was not downloaded.
    folders
        Where some of it lies, to be added to the folders of models.
    errors, places
        How many problems that are errors say so, and of these how many are about models and about downloads.
    """

    models: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    downloads: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    errors: int = 0
    places: tuple[int, int] = (0, 0)

    @staticmethod
    def of_problems(problems: Iterable[Diagnostic]) -> Missing:
        """Return what some problems call missing."""
        found = [each for each in problems if each.missing_uri]
        missing = _sorted_out(
            (each.missing_uri, _KINDS.get(each.rule, "others"), each.is_remote, each.found_in) for each in found
        )
        errors = [each.missing_uri for each in found if each.is_error]
        includes, downloads = (sum(map(uris.__contains__, errors)) for uris in (missing.models, missing.downloads))
        return replace(missing, errors=len(errors), places=(includes, downloads))

    @staticmethod
    def of_assets(assets: Iterable[Asset]) -> Missing:
        """Return what of some files that a model names is missing."""
        found = [each for each in assets if each.is_missing]
        kinds = {AssetKind.INCLUDE: "models"}
        return _sorted_out((each.uri, kinds.get(each.kind, "others"), each.is_remote, each.found_in) for each in found)

    @property
    def uris(self) -> frozenset[str]:
        """All of them."""
        return self.models | self.packages | self.others | self.downloads

    def __len__(self) -> int:
        return len(self.uris)

    @property
    def words(self) -> str:
        """What is not found, such as ``2 models and 1 other file``; what is on a server does not count."""
        named = ((self.models, "model", self.places[0]), (self.packages, "package", 0))
        lacking = [_in_places(len(uris), noun, places) for uris, noun, places in named if uris]
        if self.others:
            lacking.append(counted(len(self.others), "other file" if lacking else "file"))
        return " and ".join(lacking)

    @property
    def named(self) -> str:
        """What is sought, by name, such as ``hand.stl and 3 more``; what is on a server comes last."""
        sought = [*sorted(self.uris - self.downloads), *sorted(self.downloads)]
        more = f" and {len(sought) - 1} more" if len(sought) > 1 else ""
        return f"{_name_in(sought[0])}{more}" if sought else "the Models or Packages"

    def sentences(self, path: Path | None) -> list[str]:
        """Return what is missing and where it lies, as seen from a file, as sentences."""
        names, lacking = shown_folders(self.folders, path), self.words
        sentences = []
        sought = [*(self.uris - self.downloads)]
        if len(sought) == 1:
            kind = "model" if self.models else "package" if self.packages else "file"
            sentences.append(f"The {kind} {_name_in(sought[0])} is not found.")
        elif lacking:
            sentences.append(f"{lacking} are not found.")
        if names:
            sentences.append(f"Found in {' and '.join(names[:2])}{' and elsewhere' if len(names) > 2 else ''}.")
        if self.downloads:
            what = "model" if lacking or not self.others else "file"
            verb = "is" if len(self.downloads) == 1 else "are"
            number = _in_places(len(self.downloads), what, self.places[1])
            # What is an error comes before files that a robot can be shown without.
            at = len(sentences) if self.models or self.packages else 0
            sentences.insert(at, f"{number} {verb} not downloaded.")
        return sentences

    def answers(self, requests: Requests, path: Path | None) -> Answers:
        """Return what finds some of it: what a button or a menu entry says, and what it does."""
        answers: Answers = {}
        if self.folders:
            names = shown_folders(self.folders, path)
            label = f"Use {names[0]}" if len(names) == 1 else f"Use {len(names)} Folders"
            answers[label] = partial(requests.model_folders.emit, self.folders)
        if self:  # a folder with what is on a server helps without a network
            answers["Locate…"] = requests.locate.emit
        if self.downloads:
            answers["Download…"] = requests.download.emit
        return answers


def what_helps(problems: Sequence[Diagnostic], session: Session, requests: Requests) -> Answers:
    """Return what helps with some problems of a file: what buttons or menu entries say, and what they do."""
    answers = Missing.of_problems(problems).answers(requests, session.path)
    rules = {each.rule for each in problems}
    if session.refused and (urdf_is_xacro in rules or xacro_not_evaluated in rules):
        answers["Evaluate as xacro" if urdf_is_xacro in rules else "Evaluate"] = requests.evaluate.emit
    if why_not_evaluated(problems, session):
        answers["Set Arguments…"] = requests.arguments.emit
    return answers


def why_not_evaluated(problems: Iterable[Diagnostic], session: Session) -> str:
    """Return why a xacro file cannot be evaluated as it is, empty for others, and where a package is not found."""
    if session.model is not None or not is_xacro(session.document):
        return ""
    return read_only.why_not_evaluated(each for each in problems if not each.missing_uri)


def shown_folders(folders: Sequence[str], path: Path | None) -> list[str]:
    """Return folders as they are written in the folder of a file."""
    start = Path.cwd() if path is None else path.parent
    return [shown_from(Path(folder), start) for folder in folders]


def _name_in(uri: str) -> str:
    """Return the last part of a URI, short enough for a sentence."""
    return cut(visible(uri.rstrip("/").rpartition("/")[2]), _MOST_LETTERS)


def _in_places(number: int, what: str, places: int) -> str:
    """Return how many there are, and how many errors that makes where it is more: ``3 models (4 includes)``."""
    return f"{counted(number, what)} ({counted(places, 'include')})" if places > number else counted(number, what)


_KINDS = {uri_not_found: "models", xacro_failed: "packages"}


def _sorted_out(found: Iterable[tuple[str, str, bool, str]]) -> Missing:
    """Return what is missing: of each its URI, its kind, whether it is on a server, and the folder to add."""
    uris: dict[str, set[str]] = {"models": set(), "packages": set(), "others": set(), "downloads": set()}
    folders: dict[str, None] = {}
    for uri, kind, is_on_server, folder in found:
        uris["downloads" if is_on_server else kind].add(uri)
        if folder:
            folders[folder] = None
    models, packages, others, downloads = map(frozenset, uris.values())
    return Missing(models, packages, others, downloads, tuple(folders))
