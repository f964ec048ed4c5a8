"""Runs an attack in a process of its own, with bounds of memory and of time for one input."""

from __future__ import annotations

import math
import multiprocessing
import os
import tempfile
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from tests.attack.attacks import ATTACKS
from tests.attack.record import MOST_GROWTH, Tally, growth

#: The time of the clock, in parts of the processor time that an input may take, after which it has no end: others use
#: the machine too.
_PATIENCE = 6.0
#: How often the processor of an attack may be found busy with others, for as long as it has used less than it may.
_MOST_WAITS = 20
#: Seconds that a process may take to begin.
_TO_START = 60.0
#: Faults of one attack after which it is given up.
MOST_FAULTS = 20


def _worker(name: str, first: int, seconds: float, temporary: str, answers: Connection) -> None:
    import resource  # the bound of memory is POSIX's

    # What is left there is removed when this process has ended, however it ends.
    os.environ["TMPDIR"] = tempfile.tempdir = temporary
    attack = ATTACKS[name]
    resource.setrlimit(resource.RLIMIT_DATA, (attack.most_bytes, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    number, deadline = first, time.monotonic() + seconds
    while number == first or time.monotonic() < deadline:
        began, memory = _processor_seconds(), None
        answers.send(("began", number, 0.0, 0, None))
        try:
            memory = attack.run(number)
        except Exception:
            answers.send(("fault", number, traceback.format_exc(limit=-6), 0, None))
        took = _processor_seconds() - began
        if took > attack.most_seconds:
            answers.send(("fault", number, f"{took:.1f} s of processor time", 0, None))
        peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        answers.send(("ended", number, took, peak * 1024, memory))
        number += 1
    answers.send(("done", number, 0.0, 0, None))
    answers.close()
    os._exit(0)  # what was answered is all there is to keep: Qt and servers may take their time


def _processor_seconds() -> float:
    """Return the processor time of this process and of the ended ones that it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run(name: str, seconds: float, first: int) -> Tally:
    """Run one attack from a number on, at least one input, and return what it has come to."""
    tally = Tally(next=first, rounds=1)
    context = multiprocessing.get_context("spawn")
    while tally.seconds < seconds and len(tally.faults) < MOST_FAULTS:
        with tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as temporary:
            answers, to_us = context.Pipe(duplex=False)
            words = (name, tally.next, seconds - tally.seconds, temporary, to_us)
            process = context.Process(target=_worker, args=words, daemon=True)
            process.start()
            to_us.close()
            answers.poll(_TO_START)  # what it imports takes no time of the attack
            began, memory = time.monotonic(), list[int]()
            while _take(name, process.pid or 0, answers, tally, memory):
                pass
            process.kill()
            process.join()
        found = growth(memory, ATTACKS[name].warm_up)
        if found is not None:
            tally.growth = found if tally.growth is None else max(found, tally.growth)
            if found > MOST_GROWTH and ATTACKS[name].is_steady:
                _blame(tally, name, tally.next, f"memory has grown by {found:.0%} in {len(memory)} inputs")
        tally.seconds += time.monotonic() - began
    return tally


def _has_answered(name: str, process: int, answers: Connection) -> bool:
    """Return whether there is an answer in time: a process that hardly got the processor meanwhile has more of it."""
    patience, most = _PATIENCE * ATTACKS[name].most_seconds, ATTACKS[name].most_seconds
    used = _used_by(process)
    for _ in range(_MOST_WAITS):
        if answers.poll(patience):
            return True
        if _used_by(process) - used > most or os.getloadavg()[0] < (os.cpu_count() or 1):
            return False
    return False


def _used_by(process: int) -> float:
    """Return the processor seconds that a process has used so far, infinite where the system does not tell."""
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return math.inf
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _take(name: str, process: int, answers: Connection, tally: Tally, memory: list[int]) -> bool:
    """Take one answer of the worker; return whether there are more."""
    try:
        if not _has_answered(name, process, answers):
            _blame(tally, name, tally.next, f"no end, and {ATTACKS[name].most_seconds:.0f} s of the processor or more")
            tally.next += 1
            return False
        what, number, result, peak, held = answers.recv()
    except EOFError:
        _blame(tally, name, tally.next, "the process ended")
        tally.next += 1
        return False
    tally.next = number + (what == "ended")
    if what == "fault":
        _blame(tally, name, number, result)
    elif what == "ended":
        tally.inputs += 1
        tally.peak_bytes = max(tally.peak_bytes, peak)
        memory += [held] * (held is not None)
        if result > tally.slowest:
            tally.slowest, tally.slowest_number = result, number
    return what != "done"


def _blame(tally: Tally, name: str, number: int, what: str) -> None:
    tally.faults.append(f"{name} {number}: {what}\nagain: packaging/attack.sh --repeat {name!r} {number}")
