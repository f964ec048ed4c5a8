"""The latest log messages, for problem reports."""

from __future__ import annotations

import logging
from collections import deque

#: Records that are kept.
MOST_RECORDS = 200


class RecentLog(logging.Handler):
    """Keeps the last warnings and errors as text."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=MOST_RECORDS)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """Return the logged lines, the oldest first."""
        return "\n".join(self._lines)


def keep_recent_log() -> RecentLog:
    """Keep what this program logs from now on, and return where."""
    logger = logging.getLogger("sdfviewer")
    known = next((handler for handler in logger.handlers if isinstance(handler, RecentLog)), None)
    if known is not None:
        return known
    handler = RecentLog()
    logger.addHandler(handler)
    return handler
