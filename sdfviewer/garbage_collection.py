"""Paused garbage collection, what is remembered of files, and memory that goes back to the system."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

#: The number of an option of glibc: how many heaps there are.
_ARENA_MAX = -8
#: To look at more objects than this once takes a noticeable part of the time in which they were made.
_MANY = 50_000
#: A key that is typed into a large world makes more. They refer to all of its rows, which are looked at with them.
_SOME = 2_000
#: So many objects are made at most before garbage is looked for among them: in pauses of several threads that have no
#: gap between them, and in many large files one after the other.
MOST_UNSEEN = 2_000_000


class _Pauses:
    """The pauses of all threads: the collector is off while there is one, and then as it was before the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number = 0
        self._is_ours = False
        self._unseen = 0
        self.is_wanted = True
        self.many = _MANY

    def begin(self) -> None:
        with self._lock:
            self._number += 1
            if self._number == 1 and self.is_wanted and gc.isenabled():
                gc.disable()
                self._is_ours = True

    def end(self) -> None:
        with self._lock:
            self._number -= 1
            if not self._is_ours:
                return
            made = gc.get_count()[0]
            if self._number == 0:
                self._make_old(made)
                gc.enable()
                self._is_ours = False
                return
        if made > MOST_UNSEEN:
            gc.collect()

    def _make_old(self, made: int) -> None:
        """Let what was made count as old, where it is much; now and then it is looked at all the same."""
        if made > self.many:
            self._unseen += made
            if self._unseen > MOST_UNSEEN:
                self._unseen = 0
            else:
                count_as_old()


def count_as_old() -> None:
    """Let all objects count as old, without looking at them, and go on counting where the collector was.

    Those of a large file live for long, and garbage is not among them.
    """
    # Since Python 3.14 young objects are looked at in small portions. Who has frozen objects wants them to stay so.
    if sys.version_info >= (3, 14) or gc.get_freeze_count():
        return
    _, young, old = gc.get_count()
    gc.freeze()
    gc.unfreeze()
    for generation, count in ((1, old), (0, young)):
        for _ in range(count):
            gc.collect(generation)  # there is nothing to look at: it counts


_pauses = _Pauses()


def count_edits_as_old() -> None:
    """Let what an edit of a large file makes count as old too, for a program that reads one again at each key.

    To look through that takes a sixth of the time of a key in a world of 3,000 models. Only who owns the process may
    ask for it: young objects of others count as old at each edit.
    """
    _pauses.many = _SOME


@contextmanager
def paused_collection() -> Iterator[None]:
    """Hold the cyclic garbage collector back while many long-lived objects are made, in a block or a whole function.

    It would walk all of them again and again, up to two thirds of the time that a large world takes to parse. Pauses
    may lie in each other and overlap in several threads. What is counted goes on being counted, so that a collection
    that falls due in a pause comes after it. A collector that is off stays off.
    """
    _pauses.begin()
    try:
        yield
    finally:
        _pauses.end()


def leave_garbage_collector_alone() -> None:
    """Let the garbage collector run while files are read, from now on.

    Reading pauses it, in all threads of the program, which makes it up to twice as fast: nothing that a file is read as
    is garbage. Other threads that make much garbage of their own in the meantime may want it to go on.
    """
    _pauses.is_wanted = False


def limit_arenas() -> None:
    """Let all threads take memory from the same few heaps, before the first thread begins.

    Each heap of glibc keeps what its threads have freed. With one for each thread that reads meshes or loads a file, a
    window that opens and closes the PR2 a hundred times ends with a tenth more memory.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # takes a while

        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(_ARENA_MAX, 1)


_Result = TypeVar("_Result")
_forget: list[Callable[[], None]] = []


def remembered(most: int) -> Callable[[Callable[..., _Result]], _lru_cache_wrapper[_Result]]:
    """Return a decorator for a function of what is written in files: results are kept for the same arguments.

    Unlike those of ``lru_cache`` they can be forgotten with the files, see :func:`give_back_memory`.
    """

    def remember(function: Callable[..., _Result]) -> _lru_cache_wrapper[_Result]:
        made = lru_cache(maxsize=most)(function)
        _forget.append(made.cache_clear)
        return made

    return remember


def give_back_memory(*, collect: bool = True, forget: bool = False) -> None:
    """Give memory that is no longer used back to the system, after something large has been closed.

    Parameters
    ----------
    collect
        Whether circles of objects are looked for first: that takes as long as there are objects.
    forget
        Whether what is :func:`remembered` of files is forgotten first, since none is open.
    """
    if forget:
        for each in _forget:
            each()
    if collect:
        gc.collect()
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # only programs that run for long need it

        # glibc keeps what is freed below something that is still used; other C libraries have no such function.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
