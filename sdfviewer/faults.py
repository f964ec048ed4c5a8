"""Faults of this program: an unforeseen exception, where it happened, and what its report says.

Each face has one wall, where such an exception becomes a diagnostic or a message: reading a file, its quick fixes, a
command, a file of a command, a scene, a call of the library, poses at joint positions, a dependent file, a preview, a
job in the background.
Nothing is hidden: the log has the whole trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import visible

_PACKAGE = Path(__file__).parent
_LONGEST = 200
#: What foreign code may raise: exceptions and SystemExit.
FOREIGN_ERRORS = (Exception, SystemExit)


class InternalError(SdfViewerError):
    """A fault of this program, not of a file. The exception that was not foreseen is its cause."""

    @property
    def report(self) -> str:
        """What helps to find the fault: versions, system, and the whole trace."""
        import platform  # noqa: PLC0415  # only a fault needs these
        import traceback  # noqa: PLC0415

        trace = "".join(traceback.format_exception(self.__cause__)) if self.__cause__ is not None else ""
        system = f"Python {platform.python_version()}, {platform.platform()}"
        return f"sdfviewer {program_version()}, {system}\n{self}\n{trace}"


def program_version() -> str:
    """Return the version of this program."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # slow, and seldom wanted

    try:
        return version("sdfviewer")
    except PackageNotFoundError:  # started from a folder that is not installed
        return "unknown"


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

    logging.getLogger(__name__).error("cannot %s", visible(doing), exc_info=error)


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
        raise fault_error(doing, error) from error


def fault_error(doing: str, error: Exception) -> InternalError:
    """Return the error to raise for an exception that was not foreseen, which is logged; see :func:`log_fault`."""
    log_fault(doing, error)
    what, where = describe_fault(error)
    return InternalError(
        f"cannot {doing} because of an internal error ({what}, in {where}); please report it, with the file"
    )


def describe_error(error: BaseException) -> str:
    """Return an exception in one line."""
    try:
        text = str(error)
    except FOREIGN_ERRORS:  # this is code of others too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
