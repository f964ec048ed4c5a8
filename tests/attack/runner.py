"""Runs an attack in a process of its own, with bounds of memory and of time for one input."""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from tests.attack.attacks import ATTACKS

#: What one input may cost: memory, and processor time of the attack and of the programs that it starts.
MOST_BYTES, MOST_SECONDS = 1 << 30, 5.0
#: The time of the clock after which an input has no end, on a busy machine too.
PATIENCE = 30.0
#: Faults of one attack after which it is given up.
MOST_FAULTS = 20


@dataclass
class Tally:
    """What an attack has come to; the slowest input is that of the most processor time."""

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
        began = _processor_seconds()
        try:
            attack(seed)
        except Exception:
            answers.send(("fault", seed, traceback.format_exc(limit=-6), 0))
        took = _processor_seconds() - began
        if took > MOST_SECONDS:
            answers.send(("fault", seed, f"{took:.1f} s of processor time", 0))
        peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        answers.send(("ended", seed, took, peak * 1024))
        seed += 1
    answers.send(("done", seed, 0.0, 0))


def _processor_seconds() -> float:
    """Return the processor time of this process and of the ended ones that it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


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
