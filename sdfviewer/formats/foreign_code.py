"""Code of others, that of plugins: whatever it raises is reported and ends nothing."""

from __future__ import annotations

#: What foreign code may raise: exceptions and SystemExit.
FOREIGN_ERRORS = (Exception, SystemExit)


def describe_error(error: BaseException) -> str:
    """Return an exception in one line."""
    try:
        text = str(error)
    except FOREIGN_ERRORS:  # this is code of others too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
