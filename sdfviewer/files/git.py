"""What git knows of a model file: its committed version, which commit changed which file, the files of any commit."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import MAX_FILE_BYTES, Document, parse_document
from sdfviewer.document.xml.encoding import decode
from sdfviewer.files.paths import real_path
from sdfviewer.programs import find_program, run_program

#: A repository on a network drive may be slow; do not wait longer for all that git is asked.
TIMEOUT_SECONDS = 10
#: A partial clone must not fetch what it lacks: its own configuration says which program does that. Versions of git
#: before 2.45 know only the second one: only a transport of that name is allowed.
_WITHOUT_NETWORK = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
#: Nothing is written, and the user is not asked.
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
#: Variables that name a program.
_PROGRAMS = (
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "SSH_ASKPASS",
)
#: Every setting of one fixed name with which a repository can name a program, set to one that does nothing, and what
#: else could lead to one. Those named after a filter, a driver or a remote cannot be listed: :data:`_VERBS` use none.
_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.editor": ":",
    "sequence.editor": ":",
    "core.askPass": "",
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "core.alternateRefsCommand": "false",
    "core.attributesFile": os.devnull,
    "credential.helper": "",
    "diff.external": "false",
    "interactive.diffFilter": "cat",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "gpg.ssh.defaultKeyCommand": "false",
    "log.showRoot": "true",
    "log.showSignature": "false",
    "uploadpack.packObjectsHook": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
    "maintenance.auto": "false",
    "gc.auto": "0",
    "safe.bareRepository": "explicit",
}
#: The requests to git. These read no index, which is when the file monitor runs, and apply no filter or driver:
#: ``log`` lists hashes and paths only, without differences of texts and signatures, see `git_history`.
_VERBS = ("rev-parse", "cat-file", "log")
#: What git says of an object that is the content of a file.
_BLOB = re.compile(r"(?P<hash>[0-9a-f]{40,64}) blob (?P<size>\d{1,18})")
_NO_GIT = "git is not installed, or not found on the PATH"


class NotInGitError(SdfViewerError):
    """There is no committed state of a file; the message says why."""


def open_git_head(path: Path, revision: str = "HEAD") -> Document:
    """Return the file as a commit of its git work tree holds it, by default the last one.

    Includes of the document are resolved beside the present file on disk.

    Raises
    ------
    NotInGitError
        If git is not installed, the file is in no work tree, it is not in that commit, or it is too large.
    """
    deadline = time.monotonic() + TIMEOUT_SECONDS
    wanted = f"{find_commit(path, revision, deadline)}:./{path.name}"
    size = ask_git(path, revision, deadline, "cat-file", "-s", wanted)
    if int(size or 0) > MAX_FILE_BYTES:
        raise NotInGitError(f"the committed version of {path.name} is too large")
    read = decode(ask_git(path, revision, deadline, "cat-file", "blob", wanted))
    return parse_document(read.text, path, encoding=read.encoding)


def committed_files(path: Path, others: Iterable[Path], revision: str = "HEAD") -> dict[Path, Document]:
    """Return what a commit holds of other files of the same work tree, by their resolved paths.

    Those that it does not hold, or that are too large, are left out.

    Parameters
    ----------
    path
        A file of the work tree.
    others
        The files; they need not be on the disk any more.
    revision
        The commit.

    Raises
    ------
    NotInGitError
        See :func:`open_git_head`.
    """
    deadline = time.monotonic() + TIMEOUT_SECONDS
    commit, root = find_commit(path, revision, deadline), find_work_tree(path, deadline)
    inside = (file for file in map(real_path, others) if file.is_relative_to(root))
    names = {f"{commit}:{file.relative_to(root).as_posix()}": file for file in inside}
    contents = read_objects(path, names, deadline)
    decoded = {file: decode(contents[name]) for name, file in names.items() if name in contents}
    return {file: parse_document(read.text, file, encoding=read.encoding) for file, read in decoded.items()}


def find_work_tree(path: Path, deadline: float) -> Path:
    """Return the folder of the work tree of a file, without links."""
    top = ask_git(path, "HEAD", deadline, "rev-parse", "--show-toplevel")
    return real_path(Path(os.fsdecode(top.removesuffix(b"\n"))))


def read_objects(path: Path, names: Iterable[str], deadline: float) -> dict[str, bytes]:
    """Return what names of objects in the repository of a file stand for.

    Those that are no files of text that is short enough, or missing, are left out, and so are names that git cannot be
    asked for, which have a line end in them.

    Parameters
    ----------
    names
        Hashes, or ``COMMIT:FILE`` with the path in the work tree.
    """
    asked = [name for name in dict.fromkeys(names) if "\n" not in name]
    if not asked:
        return {}
    form = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
    answers = _ask_objects(path, asked, form, deadline).decode("utf-8", "replace").split("\n")
    hashes: dict[str, str] = {}
    for name, answer in zip(asked, answers, strict=False):
        blob = _BLOB.fullmatch(answer)
        if blob is not None and int(blob["size"]) <= MAX_FILE_BYTES:
            hashes[name] = blob["hash"]
    if not hashes:
        return {}
    found: dict[str, bytes] = {}
    data, at = _ask_objects(path, dict.fromkeys(hashes.values()), "--batch", deadline), 0
    while at < len(data):
        end = data.index(b"\n", at)
        hash, _, size = data[at:end].decode("ascii", "replace").split(" ")
        found[hash] = data[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
    return {name: found[hash] for name, hash in hashes.items() if hash in found}


def _ask_objects(path: Path, names: Iterable[str], option: str, deadline: float) -> bytes:
    written = os.fsencode("".join(f"{name}\n" for name in names))
    return ask_git(path, "HEAD", deadline, "cat-file", option, written=written)


def find_commit(path: Path, revision: str, deadline: float) -> str:
    """Return the hash of the commit that a revision means.

    What begins with a hyphen would be an option of git; what begins with a colon is searched for in the index, which
    runs the file monitor of the repository.
    """
    if not revision or revision.startswith(("-", ":")):
        raise NotInGitError(f"'{revision}' is no revision: name a commit, a branch or a tag, such as HEAD~3")
    words = ("--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    answer = ask_git(path, revision, deadline, "rev-parse", *words)
    return answer.decode("ascii").strip()


def ask_git(path: Path, revision: str, deadline: float, verb: str, *words: str, written: bytes | None = None) -> bytes:
    """Return what git answers in the folder of a file until a time of the clock; the only place that runs git.

    Parameters
    ----------
    path, revision
        The file, and what is asked of it, for messages.
    deadline
        Time of the monotonic clock.
    verb, *words
        The request, one of :data:`_VERBS`, with its arguments.
    written
        What git reads from its standard input; None where it reads nothing.

    Raises
    ------
    NotInGitError
        If git is not installed, takes longer, or refuses.
    """
    assert verb in _VERBS
    program = find_program("git")
    if program is None:
        raise NotInGitError(_NO_GIT)
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    input_of_git = () if written is None else (written,)
    inherited = {name: value for name, value in os.environ.items() if name not in _PROGRAMS}
    try:
        answer = run_program(
            [program, "--no-pager", *settings, "-C", str(path.parent), verb, *words],
            {**inherited, **_WITHOUT_NETWORK, **_QUIET},
            max(deadline - time.monotonic(), 0.0),
            *input_of_git,
        )
    except subprocess.TimeoutExpired:
        raise NotInGitError("git did not respond in time") from None
    except (OSError, ValueError) as error:  # it cannot be started; a NUL in a name
        raise NotInGitError(f"git cannot be started: {getattr(error, 'strerror', None) or error}") from error
    if answer.returncode != 0:
        where = "" if revision == "HEAD" else f" in {revision}"
        raise NotInGitError(f"git has no committed version of {path.name}{where}: {_reason(verb, answer)}")
    return answer.stdout


def _reason(verb: str, answer: subprocess.CompletedProcess[bytes]) -> str:
    words = answer.stderr.decode("utf-8", "replace").strip().splitlines()
    if words:
        return words[-1].removeprefix("fatal: ")
    return "there is no such commit" if verb == "rev-parse" else f"git exited with code {answer.returncode}"


# --- history ------------------------------------------------------------------------------------------------------


#: Seconds for the log, and for each reading of files.
HISTORY_SECONDS = 120
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
        deadline = time.monotonic() + HISTORY_SECONDS
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
        return read_objects(self._file, blobs, time.monotonic() + HISTORY_SECONDS)


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
