"""Run the benchmarks and print them as the Markdown table of docs/benchmarks.md.

usage: python -m tests.benchmarks [--history FILE] [PYTEST ARGUMENT...]

A row is a pytest-benchmark test in this folder: its name, read as words, says what was measured; its parameter says on
what. ``benchmark.extra_info["on"]`` replaces the parameter where that is too short to understand. The mark ``target``
says below what the median should stay.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def format_seconds(seconds: float) -> str:
    """Return a duration with three digits and a unit that fits."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def format_row(result: dict) -> str:
    """Return one benchmark as a row of the table."""
    words = result["name"].split("[")[0].removeprefix("test_").replace("_", " ")
    on = result["extra_info"].get("on") or result["param"] or ""
    target = result["extra_info"].get("target")
    aim = "" if target is None else f"< {format_seconds(target)}"
    stats = result["stats"]
    return f"| {words} | {on} | {format_seconds(stats['median'])} | {format_seconds(stats['min'])} | {aim} |"


def append_history(report: dict, file: Path) -> None:
    """Add a line for each benchmark to a CSV table: date, commit, what, on, median and best in seconds."""
    is_new = not file.exists()
    with file.open("a", encoding="utf-8", newline="") as lines:
        table = csv.writer(lines)
        if is_new:
            table.writerow(["date", "commit", "what", "on", "median", "best"])
        for result in report["benchmarks"]:
            name, _, _ = result["name"].partition("[")
            stats = result["stats"]
            commit = report["commit_info"].get("id", "")
            table.writerow([report["datetime"], commit, name, result["param"] or "", stats["median"], stats["min"]])


def format_table(report: dict) -> str:
    """Return a pytest-benchmark report as a Markdown table, in the order in which the tests ran."""
    lines = ["| what | on | median | best | target |", "|---|---|---:|---:|---:|"]
    lines += [format_row(result) for result in report["benchmarks"]]
    cpu = report["machine_info"].get("cpu", {}).get("brand_raw") or platform.processor() or "unknown processor"
    lines += ["", f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}."]
    return "\n".join(lines)


def main() -> int:
    """Run pytest on this folder; the table goes to stdout, pytest's own words to stderr."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--history", type=Path)
    options, chosen = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        reporting = ["--benchmark-only", f"--benchmark-json={report}", "--benchmark-disable-gc", "-q"]
        stdout = os.dup(1)
        os.dup2(2, 1)
        try:
            status = pytest.main([str(HERE), *reporting, *chosen])
        finally:
            sys.stdout.flush()
            os.dup2(stdout, 1)
            os.close(stdout)
        if report.exists() and report.stat().st_size:
            measured = json.loads(report.read_text(encoding="utf-8"))
            print(format_table(measured))
            if options.history is not None:
                append_history(measured, options.history)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
