"""Runs an attack in a process of its own, with bounds of memory and of time for one input."""

from __future__ import annotations

import multiprocessing
import time
import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from tests.attack.attacks import ATTACKS

#: What one input may cost. A hang is only a hang where it lasts this long on a busy machine too.
MOST_BYTES, PATIENCE = 1 << 30, 30.0
#: Faults of one attack after which it is given up.
MOST_FAULTS = 20


@dataclass
class Tally:
    """What an attack has come to."""

    inputs: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0
    slowest_seed: int = -1
    peak_bytes: int = 0


def _worker(name: str, first: int, deadline: float, answers: Connection) -> None:
    import resource  # the bound of memory is POSIX's

    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    attack = ATTACKS[name][0]
    seed = first
    while time.monotonic() < deadline:
        answers.send(("began", seed, 0.0, 0))
        began = time.perf_counter()
        try:
            attack(seed)
        except Exception:
            answers.send(("fault", seed, traceback.format_exc(limit=-6), 0))
        took = time.perf_counter() - began
        answers.send(("ended", seed, took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))
        seed += 1
    answers.send(("done", seed, 0.0, 0))


def run(name: str, seconds: float, first: int) -> Tally:
    """Run one attack from a number on and return what it has come to."""
    tally, seed, deadline = Tally(), first, time.monotonic() + seconds
    context = multiprocessing.get_context("spawn")
    while time.monotonic() < deadline and len(tally.faults) < MOST_FAULTS:
        answers, to_us = context.Pipe(duplex=False)
        process = context.Process(target=_worker, args=(name, seed, deadline, to_us), daemon=True)
        process.start()
        to_us.close()
        is_over = False
        while not is_over:
            is_over, seed = _take(name, answers, tally, seed)
        process.kill()
        process.join()
    return tally


def _take(name: str, answers: Connection, tally: Tally, seed: int) -> tuple[bool, int]:
    """Take one answer of the worker; return whether there is no more, and the number to go on with."""
    try:
        if not answers.poll(PATIENCE):
            tally.faults.append(f"{name} {seed}: no end after {PATIENCE:.0f} s")
            return True, seed + 1
        what, seed, result, peak = answers.recv()
    except EOFError:
        tally.faults.append(f"{name} {seed}: the process ended")
        return True, seed + 1
    if what == "fault":
        tally.faults.append(f"{name} {seed}: {result}")
    elif what == "ended":
        tally.inputs += 1
        tally.peak_bytes = max(tally.peak_bytes, peak)
        if result > tally.slowest:
            tally.slowest, tally.slowest_seed = result, seed
    return what == "done", seed + (what == "ended")
