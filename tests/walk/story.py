"""The stories: what somebody does at the window, and what must be so afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tests.walk.actions import Steps
from tests.walk.meter import Pass

if TYPE_CHECKING:
    from tests.walk.walk import Walk

Tell: TypeAlias = "Callable[[Walk], Steps]"


class NotHere(Exception):
    """A story that this file does not support, and why."""


@dataclass(frozen=True)
class Story:
    """One story: its name, its topic, what it is about in a sentence, and its steps."""

    name: str
    topic: str
    about: str
    tell: Tell


STORIES: list[Story] = []


def story(tell: Tell) -> Tell:
    """Enter a function as a story: its module is the topic, the first line of its docstring what it is about."""
    topic = tell.__module__.rpartition(".")[2]
    STORIES.append(Story(tell.__name__, topic, (tell.__doc__ or "").strip().partition("\n")[0], tell))
    return tell


@dataclass
class Outcome:
    """What a story has led to.

    Attributes
    ----------
    passed, failed
        Sentences about what is so, and about what is not.
    notes
        What is worth knowing and no failure.
    skipped
        Why the file does not support it.
    """

    story: Story
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: str = ""
    seconds: float = 0.0
    passes: list[Pass] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
