"""The kinds of frames."""

from __future__ import annotations

from enum import Enum


class Kind(str, Enum):
    """What a row of the frame table is; the value is the element's name in SDFormat."""

    WORLD = "world"
    MODEL = "model"
    LINK = "link"
    JOINT = "joint"
    FRAME = "frame"
    VISUAL = "visual"
    COLLISION = "collision"
    SENSOR = "sensor"
    LIGHT = "light"
    ACTOR = "actor"
    PROJECTOR = "projector"
    PARTICLE_EMITTER = "particle_emitter"

    @property
    def is_vertex(self) -> bool:
        """Whether a thing of this kind is a vertex of the frame graphs, that is, can be named by others."""
        return self in VERTICES

    def __str__(self) -> str:
        return self.value


SHAPED = (Kind.VISUAL, Kind.COLLISION)
"""What has a shape."""
VERTICES = frozenset({Kind.WORLD, Kind.MODEL, Kind.LINK, Kind.JOINT, Kind.FRAME})
"""What can be named by others."""

#: Degrees of freedom of each joint type.
JOINT_TYPES = {
    "ball": 3,
    "continuous": 1,
    "fixed": 0,
    "gearbox": 1,
    "prismatic": 1,
    "revolute": 1,
    "revolute2": 2,
    "screw": 1,
    "universal": 2,
}
#: Number of axes of each joint type that moves about or along axes.
JOINT_AXES = {each: freedoms for each, freedoms in JOINT_TYPES.items() if each not in ("ball", "fixed")}
