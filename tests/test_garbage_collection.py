"""Pauses of the garbage collector: what comes after them, in several threads, after errors, and where it is off."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

from sdfviewer import garbage_collection
from sdfviewer.garbage_collection import count_edits_as_old, give_back_memory, paused_collection, remembered
from tests.patience import PATIENCE_SECONDS

EDITS = 500
#: As many objects as a key makes that is typed into a world of 3,000 models.
KEY = 5000


@pytest.fixture(autouse=True)
def _usual_collector() -> Iterator[None]:
    """Let the collector run as Python does by itself, whatever the tests before have made of it."""
    thresholds, was_enabled = gc.get_threshold(), gc.isenabled()
    gc.freeze()  # what is there counts as old, and nothing as made since then
    gc.unfreeze()
    gc.set_threshold(700, 10, 10)
    gc.enable()
    yield
    gc.set_threshold(*thresholds)
    if not was_enabled:
        gc.disable()


class Circle:
    """Refers to itself."""

    def __init__(self) -> None:
        self.me = self


def test_the_collector_is_off_in_pauses_and_as_it_was_behind_them() -> None:
    with paused_collection():
        assert not gc.isenabled()
        with paused_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    with paused_collection():
        assert not gc.isenabled()
    assert not gc.isenabled(), "who has switched it off wants it off"


def test_a_pause_ends_with_an_error() -> None:
    def fail() -> None:
        with paused_collection(), paused_collection():
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        fail()
    assert gc.isenabled()


def test_pauses_of_several_threads_overlap() -> None:
    step = Barrier(2, timeout=PATIENCE_SECONDS)
    seen: list[bool] = []

    def other() -> None:
        with paused_collection():
            step.wait()  # both have begun
            step.wait()  # the first one has ended
            seen.append(gc.isenabled())
        step.wait()

    thread = Thread(target=other)
    thread.start()
    with paused_collection():
        step.wait()
    step.wait()
    step.wait()
    thread.join()
    assert seen == [False]
    assert gc.isenabled()


def test_what_falls_due_in_pauses_is_collected_behind_them() -> None:
    """An editor loads a file at each key: each load is a pause."""
    alive: list[weakref.ref[Circle]] = []
    for _ in range(EDITS):
        with paused_collection():
            alive += [weakref.ref(circle) for circle in [Circle() for _ in range(100)]]
    assert sum(circle() is not None for circle in alive) < EDITS * 100 // 10


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="young objects are looked at in portions there")
@pytest.mark.parametrize("size", [200_000, KEY], ids=["a large file", "a key that is typed into one"])
def test_what_a_large_file_makes_is_not_looked_through_and_resets_no_count(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    if size == KEY:
        monkeypatch.setattr(garbage_collection._pauses, "many", garbage_collection._pauses.many)
        count_edits_as_old()
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            found.append(len(gc.get_objects(generation=0)) if info["generation"] == 0 else 0)

    kept: list[list[int]] = [[] for _ in range(20_000)]  # so that some collections have been counted
    before = gc.get_count()[1:]
    gc.callbacks.append(note)
    try:
        with paused_collection():
            kept += [[] for _ in range(size)]
        after = gc.get_count()[1:]
    finally:
        gc.callbacks.remove(note)
    assert max(found, default=0) < 2000
    assert after >= before
    assert len(kept) == 20_000 + size


def test_many_large_files_are_looked_through_now_and_then() -> None:
    alive: list[weakref.ref[Circle]] = []
    for _ in range(30):
        with paused_collection():
            alive += [weakref.ref(circle) for circle in [Circle() for _ in range(50)]]
            large: list[list[int]] = [[] for _ in range(200_000)]
        del large
        for _ in range(20):
            assert len([[] for _ in range(1000)]) == 1000  # the program goes on
    assert sum(circle() is not None for circle in alive) < len(alive)


@pytest.mark.usefixtures("others_set_aside")
def test_what_is_remembered_of_files_can_be_forgotten() -> None:
    asked: list[str] = []

    @remembered(2)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length("a"), length("a"), length("bc")] == [1, 1, 2]
    give_back_memory()
    length("a")
    assert asked == ["a", "bc"]
    give_back_memory(forget=True)
    length("a")
    assert asked == ["a", "bc", "a"]
