"""What each room says it does, for whoever looks for a fault: ``--debug`` and the variable ``SDFVIEWER_LOG``.

A room is a folder of the package, and its log is the logger ``sdfviewer.files``, ``sdfviewer.scene``. A program that
uses the library sets their levels as those of any logger.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

VARIABLE = "SDFVIEWER_LOG"
LEVELS = ("debug", "info", "warning", "error")


class RoomLog:
    """The log of a room. It is written only once :mod:`logging`, which takes long to import, is imported.

    Parameters
    ----------
    room
        The name of the room.
    """

    def __init__(self, room: str) -> None:
        self._name = f"sdfviewer.{room}"

    def debug(self, message: str, *values: object) -> None:
        """Log a message with ``%s`` for each value."""
        if (logging := sys.modules.get("logging")) is not None:
            logging.getLogger(self._name).debug(message, *values)


def parse_levels(text: str) -> Mapping[str, str]:
    """Return the level of each room, that of all under an empty name: ``debug``, ``scene=debug,files=info``.

    Raises
    ------
    ValueError
        If a level is none of :data:`LEVELS`; the message says which.
    """
    levels: dict[str, str] = {}
    for word in filter(None, map(str.strip, text.split(","))):
        room, is_room, level = word.rpartition("=")
        level = level.strip().lower()
        if level not in LEVELS or (is_room and not room.strip()):
            raise ValueError(
                f"{VARIABLE}: '{word}' is not a level; write {', '.join(LEVELS)} or scene=debug,files=info"
            )
        levels[room.strip()] = level
    return levels


def write_logs(levels: Mapping[str, str], escape: Callable[[str], str]) -> None:
    """Write what rooms log from now on to standard error.

    Parameters
    ----------
    levels
        Of :func:`parse_levels`.
    escape
        Returns a line as it may be shown: paths and names are a stranger's, and a terminal would obey them.
    """
    import logging  # noqa: PLC0415  # only who reads the log needs it

    class EscapedFormatter(logging.Formatter):
        """Escapes each line of the log."""

        def formatMessage(self, record: logging.LogRecord) -> str:  # logging's name
            return escape(super().formatMessage(record))

        def formatException(self, ei: Any) -> str:  # logging's name
            return "\n".join(map(escape, super().formatException(ei).split("\n")))

    if sys.stderr is None:  # a program without a console on Windows
        return
    logger = logging.getLogger("sdfviewer")
    for known in [each for each in logger.handlers if each.name == VARIABLE]:
        logger.removeHandler(known)
    handler = logging.StreamHandler()
    handler.name = VARIABLE
    handler.setFormatter(EscapedFormatter("%(relativeCreated)7.0f ms %(levelname)s %(name)s: %(message)s"))
    logger.addHandler(handler)
    for room, level in levels.items():
        logging.getLogger(f"sdfviewer.{room}" if room else "sdfviewer").setLevel(level.upper())
