"""Paused garbage collection for programs that own their process: command line, window and language server.

The library never does: the collector belongs to the program that uses it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

#: Makes a context in which many objects are made: :func:`paused_collection`, or ``contextlib.nullcontext``.
Pausing: TypeAlias = Callable[[], AbstractContextManager[object]]

#: The number of an option of glibc: how many heaps there are.
_ARENA_MAX = -8


@contextmanager
def paused_collection() -> Iterator[None]:
    """Hold the cyclic garbage collector back while many long-lived objects are made.

    The collector would walk all of them again and again: three times the cost of parsing a large world. Freezing and
    thawing makes them old at once, so that it does not walk them when it comes back either.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # else somebody has frozen objects to keep them so
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()


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


def give_back_memory(*, collect: bool = True) -> None:
    """Give memory that is no longer used back to the system, after something large has been closed.

    Parameters
    ----------
    collect
        Whether circles of objects are looked for first: that takes as long as there are objects.
    """
    if collect:
        gc.collect()
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  # only programs that run for long need it

        # glibc keeps what is freed below something that is still used; other C libraries have no such function.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
