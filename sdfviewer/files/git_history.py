"""The history of the model files of a repository: which commit changed which file, and the files of any commit.

Nothing is checked out: git lists hashes and hands over what they stand for, so no hook, filter or driver of the
repository runs, see `git_head`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.files.git_head import NotInGitError, ask_git, find_commit, find_work_tree, read_objects
from sdfviewer.files.paths import real_path

#: Seconds for the log, and for each reading of files.
TIMEOUT_SECONDS = 120
#: The files that models are made of, or are compared with. Meshes and textures are not among them.
_SUFFIXES = (
    *("sdf", "world", "urdf", "xacro", "mjcf", "srdf", "xml", "config"),
    *("yaml", "yml", "toml", "json", "ini", "cfg", "params"),
)
_FORMAT = "--format=%x01%H%x02%P%x02%an%x02%aI%x02%s"
_HEADER = re.compile(r"\x01([0-9a-f]{40,64})\x02([0-9a-f ]*)\x02(.*)\x02([^\x02]*)\x02(.*)", re.DOTALL)
#: Modes of regular files; links and submodules are left out.
_REGULAR = ("100644", "100755")


@dataclass(frozen=True, eq=False)
class Commit:
    """A commit of the history of model files.

    Attributes
    ----------
    id
        Its hash, empty for what is not committed yet.
    parents
        Hashes of the commits before it that changed model files, the first one being that of its own branch.
    author, date, subject
        Who, when (ISO 8601), and the first line of the message.
    files
        The hash of each model file after it, by its path in the repository.
    renamed
        The paths that files had before it, by those that they have after it.
    """

    id: str
    parents: tuple[str, ...]
    author: str
    date: str
    subject: str
    files: Mapping[str, str] = field(repr=False)
    renamed: Mapping[str, str] = field(repr=False)

    @property
    def name(self) -> str:
        """The first characters of its hash."""
        return self.id[:10] or "not committed"


class GitHistory:
    """The commits that lead to the present one.

    Parameters
    ----------
    path
        A file of the repository, absolute.

    Attributes
    ----------
    root
        The top folder of the work tree.
    commits
        By their hashes, later ones first.
    head
        The hash of the last one.
    path
        The path of the file in the repository.

    Raises
    ------
    NotInGitError
        If git is not installed, the file is in no work tree, or there is no such commit.
    """

    def __init__(self, path: Path) -> None:
        self._file = path
        deadline = time.monotonic() + TIMEOUT_SECONDS
        self.root = find_work_tree(path, deadline)
        self.path = real_path(path).relative_to(self.root).as_posix()
        commit = find_commit(path, "HEAD", deadline)
        options = ("-z", "--topo-order", "--full-history", "--parents", "--raw", "-r", "-M", "--no-abbrev")
        plain = ("--diff-merges=first-parent", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap")
        patterns = [f":(top)*.{suffix}" for suffix in _SUFFIXES]
        words = (*options, *plain, _FORMAT, "--end-of-options", commit, "--", *patterns)
        listed = ask_git(path, "HEAD", deadline, "log", *words)
        self.commits = _read_log(listed.decode("utf-8", "surrogateescape"))
        if not self.commits:
            raise NotInGitError(f"git has no committed version of {path.name}: no commit has changed a model file")
        self.head = next(iter(self.commits))

    def add_uncommitted(self, blob: str) -> None:
        """Add what is in the file on disk as a last commit, of which ``blob`` is the name for :meth:`read`."""
        last = self.commits[self.head]
        files = {**last.files, self.path: blob}
        self.commits = {"": Commit("", (self.head,), "", "", "not committed yet", files, {}), **self.commits}
        self.head = ""

    def read(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """Return what hashes stand for; those that are too large, or missing, are left out."""
        return read_objects(self._file, blobs, time.monotonic() + TIMEOUT_SECONDS)


def _read_log(text: str) -> dict[str, Commit]:
    """Return the commits of a log, later ones first."""
    words = text.split("\0")
    listed: list[tuple[re.Match[str], list[list[str]]]] = []
    at = 0
    while at < len(words):
        word = words[at].lstrip("\n")
        at += 1
        if word.startswith(":") and listed:
            count = 2 if word.rsplit(" ", 1)[1][:1] in "RC" else 1
            listed[-1][1].append([word, *words[at : at + count]])
            at += count
        elif header := _HEADER.fullmatch(word):
            listed.append((header, []))
    commits: dict[str, Commit] = {}
    for header, changes in reversed(listed):  # those before a commit come first
        parents = tuple(parent for parent in header[2].split() if parent in commits)
        files = commits[parents[0]].files if parents else {}
        renamed: dict[str, str] = {}
        if changes:
            files = _changed(dict(files), changes, renamed)
        commits[header[1]] = Commit(header[1], parents, header[3], header[4], header[5], files, renamed)
    return dict(reversed(commits.items()))


def _changed(files: dict[str, str], changes: list[list[str]], renamed: dict[str, str]) -> dict[str, str]:
    for description, *paths in changes:
        _, mode, _, blob, status = description.split(" ")
        if status.startswith("R"):
            files.pop(paths[0], None)
            renamed[paths[-1]] = paths[0]
        if status == "D" or mode not in _REGULAR:
            files.pop(paths[-1], None)
        else:
            files[paths[-1]] = blob
    return files
