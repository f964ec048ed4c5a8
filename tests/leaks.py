"""What some work leaves behind: objects are counted, not megabytes, so that a count is the same on every machine."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Left:
    """What is left behind, once the block of :func:`what_is_left` has ended.

    Attributes
    ----------
    unreachable
        Objects in circles that nothing refers to: only a run of the garbage collector frees them.
    grown
        How many objects more than before are alive after such a run.
    """

    unreachable: int = 0
    grown: int = 0


@contextmanager
def others_set_aside() -> Iterator[None]:
    """Leave what is there already out of all that the garbage collector looks at and counts.

    What thousands of tests have left takes it half a second each time.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def what_is_left() -> Iterator[Left]:
    """Count what a block leaves behind, without a run of the garbage collector in it.

    Do the same once before: modules that are imported then, and what is computed once, are no leak.
    """
    left, enabled = Left(), gc.isenabled()
    gc.collect()
    gc.disable()
    before = len(gc.get_objects())
    try:
        yield left
        left.unreachable = gc.collect()
        left.grown = len(gc.get_objects()) - before
    finally:
        if enabled:
            gc.enable()
