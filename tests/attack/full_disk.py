"""A disk that is full or fails while a file is saved, or its unsaved text kept: nothing is torn, nothing is lost."""

from __future__ import annotations

import errno
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from sdfviewer.document.document import parse_document
from sdfviewer.files.recovery import recoveries, write_recovery
from sdfviewer.files.saving import SaveError
from sdfviewer.session.session import Session

_FAILING = ("open", "fdopen", "fsync", "replace", "chmod", "unlink")
_ERRORS = (errno.ENOSPC, errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.EIO, errno.EIO, errno.EROFS)


@contextmanager
def _small_files(most: int) -> Iterator[None]:
    """Let no file become larger: what is written beyond is cut off in the middle, as where a disk is full."""
    import resource  # POSIX's

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _failing_call(name: str, number: int, is_lasting: bool, code: int) -> Iterator[None]:
    """Let a function of the system fail at one call, or from that call on."""
    call: Callable[..., object] = getattr(os, name)
    count = 0

    def fail(*arguments: object, **named: object) -> object:
        nonlocal count
        count += 1
        if count == number or (is_lasting and count > number):
            raise OSError(code, os.strerror(code))
        return call(*arguments, **named)

    with mock.patch.object(os, name, fail):
        yield


def _trouble(rng: random.Random, size: int) -> tuple[Callable[[], object], bool]:
    """Return what makes a context in which the disk fails, and whether files may be left that nobody can remove."""
    if sys.platform != "win32" and rng.random() < 0.5:
        most = rng.randrange(size + 20_000)
        return lambda: _small_files(most), True
    name, number, is_lasting = rng.choice(_FAILING), rng.randrange(1, 5), rng.random() < 0.5
    code = rng.choice(_ERRORS)
    return lambda: _failing_call(name, number, is_lasting, code), is_lasting or name == "unlink"


def attack(seed: int) -> None:
    """Save a file, and keep its unsaved text, on a disk that fails; then again on one that does not."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old, new = (_text(rng) for _ in range(2))
        path = folder / "a.sdf"
        path.write_bytes(old.encode())
        if rng.random() < 0.3 and hasattr(os, "link"):
            os.link(path, folder / "b.sdf")
        session = Session(parse_document(old, path))
        session.save(overwrite=True)
        session.recover(new)
        trouble, may_leave = _trouble(rng, len(new))
        _save(session, path, old, new, trouble)
        session.save(overwrite=True)  # there is room again
        assert path.read_bytes() == new.encode()
        assert not session.dirty
        left = {each.name for each in folder.iterdir()} - {"a.sdf", "b.sdf"}
        assert not left or (may_leave and all(each.endswith(".tmp") for each in left)), left
        _keep(folder / "recovery", path, old, new, rng)


def _text(rng: random.Random) -> str:
    words = "".join(f"<!-- {rng.random()} -->" for _ in range(rng.choice((0, 3, 500, 5000))))
    return f'<sdf version="1.9"><model name="m"><link name="l"/>{words}</model></sdf>'


def _save(session: Session, path: Path, old: str, new: str, trouble: Callable[[], object]) -> None:
    try:
        with trouble():  # type: ignore[attr-defined]
            session.save()
    except SaveError as error:
        assert str(path) in str(error)  # noqa: PT017  # whether anything is raised is up to the disk
        assert session.document.text == new, "the text is lost"
        assert path.read_bytes() in (old.encode(), new.encode()), "torn"
        if path.read_bytes() != new.encode():
            assert session.dirty, "what could not be saved counts as saved"
    else:
        assert path.read_bytes() == new.encode(), "not saved, and nobody said so"


def _keep(folder: Path, path: Path, old: str, new: str, rng: random.Random) -> None:
    """Keep unsaved work twice; whatever fails the second time, one of both is offered after a crash."""
    write_recovery(path, old.encode(), None, folder)
    trouble, _ = _trouble(rng, len(new))
    try:
        with trouble():  # type: ignore[attr-defined]
            write_recovery(path, new.encode(), None, folder)
    except SaveError as error:
        assert str(folder) in str(error)  # noqa: PT017  # whether anything is raised is up to the disk
    kept = [each.data for each in recoveries(folder)]
    assert kept in ([old.encode()], [new.encode()]), "unsaved work is lost"
