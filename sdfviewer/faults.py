"""Faults of this program: an exception that nobody foresaw, where it happened, and what its report says.

Each face has one wall, where such an exception becomes a diagnostic or a message: reading a file, its quick fixes, a
command, a file of a command, a scene, a conversion. Nothing is hidden: the log has the whole trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError

_PACKAGE = Path(__file__).parent
_LONGEST = 200


class InternalError(SdfViewerError):
    """A fault of this program, not of a file. The exception that was not foreseen is its cause."""


def describe_fault(error: BaseException) -> tuple[str, str]:
    """Return what an exception says, and where in this program it was raised: ``sdfviewer/model/graph.py:7``."""
    import traceback  # noqa: PLC0415  # as what follows, only a fault needs it

    message = str(error)[:_LONGEST]
    what = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _PACKAGE in Path(frame.filename).parents]
    if not ours:
        return what, "another program"
    return what, f"{Path(ours[-1].filename).relative_to(_PACKAGE.parent).as_posix()}:{ours[-1].lineno}"


def log_fault(doing: str, error: BaseException) -> None:
    """Log an exception that was not foreseen, with its trace.

    Parameters
    ----------
    doing
        What could not be done, in words that follow "cannot": ``check a.sdf``.
    """
    import logging  # noqa: PLC0415

    logging.getLogger(__name__).error("cannot %s", doing, exc_info=error)


@contextmanager
def faults_as_errors(doing: str) -> Iterator[None]:
    """Turn an exception that was not foreseen into an InternalError, and log it; see :func:`log_fault`.

    Raises
    ------
    InternalError
        If the body raises anything but an SdfViewerError, or an OSError that names no file, which is about a stream.
    """
    try:
        yield
    except SdfViewerError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise
        log_fault(doing, error)
        what, where = describe_fault(error)
        message = f"cannot {doing} because of an internal error ({what}, in {where}); please report it, with the file"
        raise InternalError(message) from error
