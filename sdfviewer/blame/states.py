"""The models of a file in all commits of a history; those that were asked for last are kept."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import TracebackType
from weakref import WeakKeyDictionary

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.files.finder import Finder
from sdfviewer.files.git import Commit, GitHistory
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.model.comparison.difference import match_frames
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.session.included_files import included_files

#: The hash of the file on disk, where it differs from that of the last commit.
_ON_DISK = "on disk"
#: Files of a commit that are written at most.
_MOST_FILES = 20_000
#: Rows of all models that are kept: some ten versions of a world of 3,000 models.
MOST_ROWS = 200_000
#: Bytes of files that are kept.
_MOST_BYTES = 1 << 27
#: Makes a loader: its arguments are a file, and folders of models.
MakeLoader = Callable[[Path, Iterable[Path]], Loader]


@dataclass(eq=False)
class _Read:
    """A model, and the files that it was read from, by their hashes: while these stay, it stays."""

    path: str
    files: Mapping[str, str | None]
    model: Model | None
    #: Why there is no model.
    fault: str
    #: The row of this model for each row of one that was read from a later commit.
    rows: WeakKeyDictionary[_Read, Mapping[int, int]]


class ModelHistory:
    """The models of a file in all commits.

    The files of a commit are written into a folder of their own, which goes with this object: a context manager.

    Parameters
    ----------
    path
        The file; what is on disk counts as a last commit where it differs from the last one.
    make_loader
        Makes a loader that may evaluate that file.
    paths
        Folders of models; those in the repository count with what they held in each commit.
    stopped
        Polled before each model is read; once it is true, :class:`SdfViewerError` is raised.
    most_rows
        Rows of all models that are kept; beyond that, those go that were not asked for longest, and are read again
        where they are.

    Attributes
    ----------
    git
        The history.

    Raises
    ------
    NotInGitError
        See :class:`.GitHistory`.
    """

    def __init__(
        self,
        path: Path,
        make_loader: MakeLoader,
        paths: Iterable[Path] = (),
        stopped: Callable[[], bool] = lambda: False,
        most_rows: int = MOST_ROWS,
    ) -> None:
        self._most_rows = most_rows
        self._file, self._make_loader, self._stopped = path, make_loader, stopped
        self.git = GitHistory(path)
        self._folder = tempfile.TemporaryDirectory(prefix="sdfviewer-", ignore_cleanup_errors=True)
        # The folder of a ROS package may be found by its name.
        self._root = Path(self._folder.name).resolve() / (self.git.root.name or "repository")
        self._root.mkdir()
        self._paths = [self.written_at(each) for each in paths]
        self._present: dict[str, str] = {}
        self._blobs: dict[str, bytes] = {}
        self._read: list[_Read] = []
        self._add_uncommitted()

    def __enter__(self) -> ModelHistory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def written_at(self, path: Path) -> Path:
        """Return where a file of the repository is while the model of a commit is read; others as they are."""
        try:
            return self._root / real_path(path).relative_to(real_path(self.git.root))
        except ValueError:
            return path

    def _add_uncommitted(self) -> None:
        last = self.git.commits[self.git.head].files.get(self.git.path)
        data = self._file.read_bytes()
        committed = self.git.read([last]).get(last, b"") if last is not None else None
        if committed is None or committed.replace(b"\r\n", b"\n") != data.replace(b"\r\n", b"\n"):
            self._blobs[_ON_DISK] = data
            self.git.add_uncommitted(_ON_DISK)

    def commit(self, id: str) -> Commit:
        """Return a commit by its hash."""
        return self.git.commits[id]

    def on_disk(self, span: Span) -> Span:
        """Return a place of a model as one of the work tree."""
        path = Path(span.path)
        if not path.is_relative_to(self._root):
            return span
        return replace(span, path=str(self.git.root / path.relative_to(self._root)))

    # --- models ------------------------------------------------------------------------------------------------

    def last_model(self) -> Model:
        """Return the model of the last commit, or of the file on disk.

        Raises
        ------
        SdfViewerError
            If it has none.
        """
        state = self._state(self.commit(self.git.head), self.git.path)
        if state.model is None:
            raise SdfViewerError(f"{self.git.path}: {state.fault}")
        return state.model

    def model(self, commit: Commit, path: str) -> Model | None:
        """Return the model of a file in a commit, None where it has none."""
        return self._state(commit, path).model

    def row_before(self, commit: Commit, path: str, row: int, before: Commit, path_before: str) -> int | None:
        """Return the row of an earlier commit for a row of a commit, whatever it was called; None where it is new."""
        now, then = self._state(commit, path), self._state(before, path_before)
        if now is then:
            return row
        if now.model is None or then.model is None:
            return None
        known = then.rows.get(now)
        if known is None:
            matched = match_frames(then.model, now.model)
            known = then.rows[now] = {other: each for each, other in matched.items()}
        return known.get(row)

    @property
    def unread(self) -> str:
        """Which versions could not be read, in a sentence; empty where all could."""
        faults = [each for each in self._read if each.model is None]
        if not faults:
            return ""
        return f"{counted(len(faults), 'version')} cannot be read, one of them since: {faults[0].fault}"

    @property
    def finder(self) -> Finder:
        """What finds the files of the commit that was read last."""
        return self._make_loader(self._root / self.git.path, self._paths).finder

    def with_files(self, commit: Commit, path: str) -> Model | None:
        """Return a model after its files were written, for what reads more of them."""
        model = self.model(commit, path)
        self._write(commit.files)
        return model

    def _state(self, commit: Commit, path: str) -> _Read:
        files = commit.files
        for number, each in enumerate(self._read):
            if each.path == path and (
                each.files is files or all(files.get(name) == blob for name, blob in each.files.items())
            ):
                if number:  # neighbours in the history are asked for next
                    self._read.insert(0, self._read.pop(number))
                return each
        if self._stopped():
            raise SdfViewerError("cancelled")
        self._write(files)
        model, depends_on, fault = self._load(self._root / path)
        needed = files if depends_on is None else {name: files.get(name) for name in (path, *depends_on)}
        self._read.insert(0, _Read(path, needed, model, fault, WeakKeyDictionary()))
        self._forget_oldest()
        return self._read[0]

    def _forget_oldest(self) -> None:
        """Forget models beyond the budget, never the last two: they are compared."""
        rows = 0
        for number, each in enumerate(tuple(self._read)):
            rows += 0 if each.model is None else len(each.model)
            if number > 1 and rows > self._most_rows and each.model is not None:
                self._read.remove(each)

    def _load(self, path: Path) -> tuple[Model | None, list[str] | None, str]:
        """Return the model of a file, and the files that it includes; None where others could change it, too.

        The last one is why there is no model.
        """
        try:
            document = open_document(path)
            model, diagnostics = self._make_loader(path, self._paths).load_recovered(document)
        except SdfViewerError as error:
            return None, [], str(error)
        if model is None or model.failed_includes:
            return model, None, why_not_loaded(diagnostics)
        included = [each for each in included_files(model, document) if each.is_relative_to(self._root)]
        return model, [each.relative_to(self._root).as_posix() for each in included], ""

    def _write(self, files: Mapping[str, str]) -> None:
        """Make the folder hold the files of a commit."""
        if len(files) > _MOST_FILES:
            raise SdfViewerError(f"the repository has more than {_MOST_FILES:,} model files; that is too many")
        for name in [name for name, blob in self._present.items() if files.get(name) != blob]:
            with suppress(OSError):
                (self._root / name).unlink()
            del self._present[name]
        new = {name: blob for name, blob in files.items() if name not in self._present and _is_inside(name)}
        if sum(map(len, self._blobs.values())) > _MOST_BYTES:
            self._blobs = {blob: data for blob, data in self._blobs.items() if blob == _ON_DISK}
        self._blobs |= self.git.read(blob for blob in new.values() if blob not in self._blobs)
        for name, blob in new.items():
            if (data := self._blobs.get(blob)) is None:
                continue
            target = self._root / name
            with suppress(OSError):  # a name that this system does not allow
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                self._present[name] = blob


def _is_inside(name: str) -> bool:
    """Return whether a path of a commit leads nowhere else when it is written."""
    parts = PurePosixPath(name).parts
    return not ({"..", ".git"} & set(parts)) and not (os.sep == "\\" and any(c in name for c in '\\:<>"|?*'))
