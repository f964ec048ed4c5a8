"""How far each attack has come: the next run goes on there, and the figures of all rounds are put together."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

#: The record of this checkout.
RECORD = Path(__file__).parents[2] / "build" / "attack_rounds.json"


@dataclass
class Tally:
    """What an attack has come to, in one round or in all.

    Attributes
    ----------
    inputs
        How many were tried.
    next
        The number of the next input.
    faults
        What broke a promise, each with the command that repeats it.
    slowest, slowest_number
        The most processor time of one input in seconds, and its number.
    peak_bytes
        The most memory of the attack or of a program that it started.
    growth
        The largest growth of the memory within a round, see :func:`growth`; None where none was measured.
    rounds, seconds
        How many rounds there were, and how long they took.
    commits
        The commits that were attacked.
    """

    inputs: int = 0
    next: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0
    slowest_number: int = -1
    peak_bytes: int = 0
    growth: float | None = None
    rounds: int = 0
    seconds: float = 0.0
    commits: list[str] = field(default_factory=list)

    def with_round(self, other: Tally) -> Tally:
        """Return this with another round behind it."""
        slower = other if other.slowest > self.slowest else self
        known = [each.growth for each in (self, other) if each.growth is not None]
        return replace(
            self,
            inputs=self.inputs + other.inputs,
            next=max(self.next, other.next),  # two may have run at once
            faults=[*self.faults, *other.faults],
            slowest=slower.slowest,
            slowest_number=slower.slowest_number,
            peak_bytes=max(self.peak_bytes, other.peak_bytes),
            growth=max(known, default=None),
            rounds=self.rounds + other.rounds,
            seconds=self.seconds + other.seconds,
            commits=[*dict.fromkeys((*self.commits, *other.commits))],
        )


def read_record(path: Path = RECORD) -> dict[str, Tally]:
    """Return what was tried by the name of the attack; nothing where there is no record yet."""
    if not path.exists():
        return {}
    return {name: Tally(**each) for name, each in json.loads(path.read_text(encoding="utf-8")).items()}


def add_round(name: str, tally: Tally, path: Path = RECORD) -> None:
    """Put a round of an attack into the record, to which other attacks may be adding theirs."""
    import fcntl  # like the bounds of memory it is POSIX's

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = read_record(path)
        tallies = {**known, name: known.get(name, Tally()).with_round(tally)}
        # Whoever ends this program meanwhile leaves the old or the new record.
        new = path.with_suffix(".new")
        new.write_text(json.dumps({name: asdict(each) for name, each in tallies.items()}, indent=1), encoding="utf-8")
        new.replace(path)


#: By how much memory may grow, and how often it must have been measured to say so.
MOST_GROWTH, FEWEST = 0.1, 30


def growth(memory: list[int], warm_up: int = 0) -> float | None:
    """Return by which part memory has grown between the second and the last tenth of some measurements.

    In the first tenth modules are loaded and caches filled. None where there are too few, or the system tells nothing.

    Parameters
    ----------
    memory
        The measurements.
    warm_up
        How many of them are left out at least, where it takes more than a tenth.
    """
    tenth = len(memory) // 10
    start = max(tenth, warm_up)
    if len(memory) < FEWEST or len(memory) - start < FEWEST // 2 or not any(memory):
        return None
    first, last = (max(part) for part in (memory[start : start + tenth], memory[-tenth:]))
    return last / first - 1
