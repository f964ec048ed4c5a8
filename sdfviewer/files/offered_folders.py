"""The folders that a person would try for a file that is not found: for the offer to add one, never used without it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sdfviewer.files.paths import folders_in, is_file

#: How many folders above a file are tried, and below the one around its package.
_LEVELS_ABOVE, _LEVELS_BELOW = 4, 2
#: Maximum number of folders that are tried for one file.
_MOST = 400
#: A folder has more parts than this: more than ``/`` and ``home``.
_LEAST_PARTS = 2
_PACKAGE_MARKS = ("package.xml", "model.config")


def folders_to_offer(folder: Path, home: Path) -> tuple[Path, ...]:
    """Return folders in which a model or package may lie that a file in `folder` names, the nearest first.

    These are the folders above, the ``models`` folder of each, and what is beside the package or model that the file is
    in, such as the other packages of a repository with their ``models``.
    """
    return tuple(islice(dict.fromkeys(_places(folder, home)), _MOST))


def _places(folder: Path, home: Path) -> Iterator[Path]:
    above_all = [above for above in (folder, *folder.parents)[:_LEVELS_ABOVE] if len(above.parts) > _LEAST_PARTS]
    if home in above_all:
        above_all = above_all[: above_all.index(home)]
    for above in above_all:
        yield above
        yield above / "models"
    packages = [above for above in above_all if any(is_file(above / mark) for mark in _PACKAGE_MARKS)]
    if not packages or packages[-1].parent not in above_all:
        return
    level = [packages[-1].parent]
    for _ in range(_LEVELS_BELOW):
        level = [below for each in level for below in folders_in(each)][:_MOST]
        for below in level:
            yield below
            yield below / "models"


def shown_from(folder: Path, start: Path) -> str:
    """Return the path of a folder as a person in another one writes it: relative where that is near, with its name."""
    try:
        relative = os.path.relpath(folder, start)
        if set(relative.split(os.sep)) <= {os.curdir, os.pardir}:  # which would say nothing of the folder
            relative = os.path.join(os.path.relpath(folder.parent, start), folder.name)
    except ValueError:  # on another drive
        return str(folder)
    return relative if relative.split(os.sep).count(os.pardir) <= _LEVELS_ABOVE else str(folder)
