"""The versions of SDFormat and their features.

A new version of SDFormat is one entry in :data:`VERSIONS` and one table in ``resources/spec``, made by
``packaging/spec_tables.py``. What it changes for reading or converting files is one name below.
"""

from __future__ import annotations

from typing import TypeAlias

#: Major and minor number of a version of SDFormat.
Version: TypeAlias = tuple[int, int]

#: The versions that have a table, oldest first. There was never a 1.1.
VERSIONS: tuple[Version, ...] = ((1, 0), *((1, minor) for minor in range(2, 13)))
NEWEST: Version = VERSIONS[-1]

#: The axis of a joint is in the joint frame, no longer in the frame of the parent model.
AXIS_IN_JOINT_FRAME: Version = (1, 5)
#: The attribute ``frame`` of a pose, which later became `relative_to`; nested models.
POSE_FRAME: Version = (1, 5)
#: Gravity and magnetic field belong to the world, no longer to the physics.
WORLD_GRAVITY: Version = (1, 6)
#: `relative_to`, `attached_to`, `canonical_link`, `expressed_in`, reserved names, names unique among all siblings.
FRAME_SEMANTICS: Version = (1, 7)
#: The versions that a file can be converted to: since 1.4 the layout is that of today. Before 1.7 no frame is written.
TARGETS = tuple(version for version in VERSIONS if version >= (1, 4))
#: References such as ``a::b``, any frame as a joint's end, `placement_frame`; ``::`` may not be part of a name.
SCOPED_REFERENCES: Version = (1, 8)
#: ``<include merge="true">`` in a model.
MERGE_INCLUDE: Version = (1, 9)
#: ``degrees`` and ``rotation_format`` of a pose.
ROTATION_FORMAT: Version = (1, 9)
#: ``<include merge="true">`` in a world.
WORLD_MERGE_INCLUDE: Version = (1, 10)
#: Joints of a world; a missing limit is infinite, a negative effort or velocity is no longer "no limit".
WORLD_JOINTS_AND_INFINITE_LIMITS: Version = (1, 10)
#: ``<inertial auto="true">`` and ``<mimic>``.
AUTO_INERTIA: Version = (1, 11)
#: The elements of a world's state end in ``_state``.
STATE_ELEMENTS: Version = (1, 12)

#: A number of a version has no more digits.
_MOST_DIGITS = 9


def format_version(version: Version) -> str:
    """Return a version as it is written, such as ``1.12``."""
    return f"{version[0]}.{version[1]}"


def parse_version(text: str) -> Version | None:
    """Return the version that ``text`` names, None if it is not two numbers with a point between them.

    Notes
    -----
    ``1.4.1`` was never released but occurs in files. libsdformat reads it as 1.4.
    """
    major, point, minor = text.strip().partition(".")
    if not point or not major.isascii() or not major.isdigit():
        return None
    minor = minor.partition(".")[0]
    if not minor.isascii() or not minor.isdigit():
        return None
    major, minor = major.lstrip("0") or "0", minor.lstrip("0") or "0"
    # Python refuses to read thousands of digits.
    return (int(major), int(minor)) if max(len(major), len(minor)) <= _MOST_DIGITS else None


#: The versions as they are written, oldest first.
WRITTEN_VERSIONS = tuple(map(format_version, VERSIONS))
