"""Attacks the program for a while and prints what came of it; see ``packaging/attack.sh``.

Each attack runs in a process of its own with bounds of memory and of time for one input. A fault ends that process;
it is written down with its number and the attack goes on behind it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.attack.attacks import ATTACKS
from tests.attack.figures import write_table
from tests.attack.record import RECORD, Tally, add_round, read_record
from tests.attack.runner import run

_HEAD = ("| attack | inputs | faults | slowest input | peak memory | growth |", "|---|--:|--:|--:|--:|--:|")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks in rounds, or repeat one input; return 1 where there were faults."""
    parser = argparse.ArgumentParser(prog="packaging/attack.sh", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=90.0, help="how long, for all attacks together")
    parser.add_argument("--round", type=float, default=600.0, metavar="SECONDS", help="how long a round is")
    parser.add_argument("--first", type=int, help="begin there and keep no record; by default goes on where it ended")
    parser.add_argument("--only", choices=ATTACKS, action="append", metavar="ATTACK", help="run this attack only")
    parser.add_argument("--record", type=Path, default=RECORD, help="where it is kept what was tried")
    parser.add_argument("--list", action="store_true", help="list the attacks and how far each has come")
    parser.add_argument("--write", action="store_true", help="write the figures of all rounds into docs/reliability.md")
    parser.add_argument("--repeat", nargs=2, metavar=("ATTACK", "NUMBER"), help="run one input again, in this process")
    options = parser.parse_args(arguments)
    if options.repeat:
        repeated = ATTACKS[options.repeat[0]]
        repeated.run(int(options.repeat[1]))
        if repeated.opens_window:
            os._exit(0)  # Qt may end as it likes
        return 0
    if options.list or options.write:
        lines = _table(read_record(options.record))
        print("\n".join(lines))
        if options.write:
            write_table("attacks", lines)
        return 0
    names = [name for name in ATTACKS if options.only is None or name in options.only]
    for name in names:
        if why := ATTACKS[name].why_not():
            print(f"{name} is left out: {why}", file=sys.stderr)
    names = [name for name in names if not ATTACKS[name].why_not()]
    record = None if options.first is not None else options.record
    tried = _attack(names, options.seconds, options.round, options.first or 0, record)
    print("\n".join(_table(tried)))
    return int(any(each.faults for each in tried.values()))


def _attack(names: Sequence[str], seconds: float, length: float, first: int, record: Path | None) -> dict[str, Tally]:
    """Run rounds of some attacks until the time is over, and return what these rounds have come to."""
    tried: dict[str, Tally] = {}
    shares = sum(ATTACKS[name].share for name in names)
    commit, deadline = _commit(), time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > min(1.0, seconds / 2):
        for name in names:
            known = tried if record is None else read_record(record)
            here = run(name, min(left, length) * ATTACKS[name].share / shares, known.get(name, Tally(next=first)).next)
            here.commits = [commit]
            print(
                f"{name}: {here.inputs:,} inputs up to number {here.next - 1}, {len(here.faults)} faults,"
                f" {here.seconds:.0f} s",
                flush=True,
            )
            for fault in here.faults:
                print(fault, file=sys.stderr, flush=True)
            tried[name] = tried.get(name, Tally()).with_round(here)
            if record is not None:
                add_round(name, here, record)
    return tried


def _table(tallies: dict[str, Tally]) -> list[str]:
    rows = []
    for name in ATTACKS:
        if name in tallies:
            each = tallies[name]
            grown = "" if each.growth is None else f"{each.growth:+.1%}"
            cells = (
                f"{each.inputs:,} | {len(each.faults)} | {each.slowest:.2f} s | {each.peak_bytes >> 20} MB | {grown}"
            )
            rows.append(f"| {name} | {cells} |")
    return [*_HEAD, *rows]


def _commit() -> str:
    """Return the commit that is attacked, with a sign where files differ from it."""
    try:
        words = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
        done = subprocess.run(words, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
