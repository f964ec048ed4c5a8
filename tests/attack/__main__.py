"""Attacks the program for a while and prints what came of it; see ``packaging/attack.sh``.

Each attack runs in a process of its own with bounds of memory and of time for one input. A fault ends that process;
it is written down with its number and the attack goes on behind it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.attack.attacks import ATTACKS
from tests.attack.figures import write_table
from tests.attack.runner import Tally, run

_REPORT = Path(__file__).parents[2] / "build" / "attack.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all attacks, or repeat one input; return 1 where there were faults."""
    parser = argparse.ArgumentParser(prog="packaging/attack.sh", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=45.0, help="how long, for all attacks together")
    parser.add_argument("--first", type=int, default=None, help="the first number; another one at each run by default")
    parser.add_argument("--only", choices=ATTACKS, help="run this attack only")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/reliability.md")
    parser.add_argument("--sum", nargs="+", metavar="REPORT", type=Path, help="do not run, sum reports of runs")
    parser.add_argument("--repeat", nargs=2, metavar=("ATTACK", "NUMBER"), help="run one input again, in this process")
    options = parser.parse_args(arguments)
    if options.repeat:
        ATTACKS[options.repeat[0]][0](int(options.repeat[1]))
        return 0
    first = options.first if options.first is not None else int(time.time()) % 1_000_000 * 1000
    tallies: dict[str, Tally] = {}
    lines = ["| attack | inputs | faults | slowest input | peak memory |", "|---|--:|--:|--:|--:|"]
    print("\n".join(lines))
    for name, (_, share) in ATTACKS.items():
        if options.only in (None, name):
            if options.sum:
                tally = _sum(name, options.sum)
            else:
                tally = run(name, options.seconds * (1.0 if options.only else share), first)
            tallies[name] = tally
            cells = f"{tally.inputs:,} | {len(tally.faults)} | {tally.slowest:.2f} s | {tally.peak_bytes >> 20} MB"
            lines.append(f"| {name} | {cells} |")
            print(lines[-1], flush=True)
    if options.write:
        write_table("attacks", lines)
    if options.sum:
        return 0
    for tally in tallies.values():
        for fault in tally.faults:
            print(fault, file=sys.stderr)
    _REPORT.parent.mkdir(exist_ok=True)
    _REPORT.write_text(json.dumps({name: asdict(tally) for name, tally in tallies.items()}, indent=1), encoding="utf-8")
    return 1 if any(tally.faults for tally in tallies.values()) else 0


def _sum(name: str, reports: Sequence[Path]) -> Tally:
    """Return what an attack has come to in several runs."""
    total = Tally()
    for report in reports:
        each = json.loads(report.read_text(encoding="utf-8")).get(name)
        if each is not None:
            total.inputs += each["inputs"]
            total.faults += each["faults"]
            total.slowest = max(total.slowest, each["slowest"])
            total.peak_bytes = max(total.peak_bytes, each["peak_bytes"])
    return total


if __name__ == "__main__":
    sys.exit(main())
