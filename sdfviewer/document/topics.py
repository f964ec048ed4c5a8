"""What may differ between two models, by kind: one vocabulary for those who compare and those who announce."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias


class Aspect(str, Enum):
    """What of a model is compared besides its frames; each is computed when it is requested."""

    MODEL = "model"
    JOINT = "joint"
    MASS = "mass"
    SHAPE = "shape"
    APPEARANCE = "appearance"
    CONTACT = "contact"
    SENSOR = "sensor"
    LIGHT = "light"
    ACTOR = "actor"
    PLUGIN = "plugin"
    PHYSICS = "physics"
    SETTING = "setting"


#: What is compared of frames, beside the aspects of the rest.
FRAME: Final = None


@dataclass(frozen=True, slots=True)
class Topic:
    """Quantities of one kind that may differ.

    Attributes
    ----------
    aspect
        Their kind, `FRAME` for what happens to a frame.
    pattern
        A regular expression for the whole of what the comparison calls them: ``axis.limits.upper``, ``moved``.
    """

    aspect: Aspect | None
    pattern: str = ".*"

    @property
    def is_whole(self) -> bool:
        """Whether it is all of its aspect, whatever the comparison calls it."""
        return self.pattern == ".*"

    def covers(self, aspect: Aspect | None, quantity: str) -> bool:
        """Return whether a quantity of an aspect is one of them."""
        return aspect is self.aspect and re.fullmatch(self.pattern, quantity) is not None


Topics: TypeAlias = tuple[Topic, ...]
#: Of what is left out with all that is in it.
LEFT_OUT: Topics = (Topic(FRAME, "vanished"),)
#: Of what has another frame, and is still there.
MOVED: Topics = (Topic(FRAME, "(?!vanished).*"),)
#: Of a joint whose link is fixed.
FIXED: Topics = (Topic(Aspect.JOINT), Topic(Aspect.SETTING, "axis.*"), *MOVED)
#: Of what may differ in any way.
ANYTHING: Topics = (Topic(FRAME), *(Topic(aspect) for aspect in Aspect))


def may_be_gone(topics: Topics) -> bool:
    """Return whether all of what they are about may be gone."""
    return any(each.covers(FRAME, "vanished") for each in topics)


@dataclass(frozen=True, slots=True)
class Announced:
    """What an edit says may differ: a loss or a note, with what it is about.

    Attributes
    ----------
    name
        Scoped name of the row that it is about.
    sentence
        In words.
    topics
        What may differ of that row: it may be refused, too.
    """

    name: str
    sentence: str
    topics: Topics = ()

    @property
    def is_of_whole(self) -> bool:
        """Whether all of the row may be gone."""
        return may_be_gone(self.topics)
