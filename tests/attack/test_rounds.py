"""Attacks go on where the last round has ended, and a fault can be repeated by what is printed of it."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.attack.__main__ import main
from tests.attack.attacks import ATTACKS, Attack
from tests.attack.record import FEWEST, Tally, add_round, growth, read_record

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the bound of memory is POSIX's")


def attack(record: Path, *words: str) -> int:
    return main(["0.2", "--only", "stored", "--record", str(record), *words])


def test_a_round_goes_on_where_the_last_one_has_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "build" / "rounds.json"
    assert attack(record) == 0
    first = read_record(record)["stored"]
    assert first.inputs == first.next > 0
    assert attack(record) == 0
    both = read_record(record)["stored"]
    assert both.inputs == both.next > first.next
    assert both.rounds == 2
    assert len(both.commits) == 1
    assert f"{both.next - first.next} inputs up to number {both.next - 1}" in capsys.readouterr().out.replace(",", "")


def test_attacks_that_share_a_record_keep_what_the_other_has_come_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "rounds.json"

    def run(name: str, seconds: float, first: int) -> Tally:
        add_round("texts", Tally(inputs=7, next=7, rounds=1), record)  # of another one that ends meanwhile
        return Tally(inputs=5, next=first + 5, rounds=1)

    monkeypatch.setattr("tests.attack.__main__.run", run)
    # Begun at 0 s, time for one round, and over.
    monkeypatch.setattr("tests.attack.__main__.time", SimpleNamespace(monotonic=iter((0.0, 0.0, 9.0)).__next__))
    assert attack(record) == 0
    assert {name: each.inputs for name, each in read_record(record).items()} == {"texts": 7, "stored": 5}


def test_what_begins_at_a_number_is_not_recorded(tmp_path: Path) -> None:
    record = tmp_path / "rounds.json"
    assert attack(record, "--first", "1") == 0
    assert not record.exists()


def test_a_fault_says_how_it_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An input that takes more than it may is at fault; its number is tried again by the command that is printed."""
    tried: list[int] = []
    monkeypatch.setitem(ATTACKS, "stored", Attack(tried.append, 1.0))
    tally = Tally()
    from tests.attack import runner

    runner._blame(tally, "stored", 7, "no end after 30 s")
    command = tally.faults[0].splitlines()[-1].removeprefix("again: packaging/attack.sh ")
    assert main(shlex.split(command)) == 0
    assert tried == [7]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system does not tell")
@pytest.mark.parametrize(("load", "in_time"), [(0.0, False), (1e6, True)])
def test_an_input_that_others_keep_from_the_processor_has_an_end(
    monkeypatch: pytest.MonkeyPatch, load: float, in_time: bool
) -> None:
    from tests.attack import runner

    monkeypatch.setattr("os.getloadavg", lambda: (load, load, load))
    polled = iter((False, True))
    answers = SimpleNamespace(poll=lambda _: next(polled))
    assert runner._has_answered("stored", os.getpid(), answers) is in_time  # type: ignore[arg-type]


def test_the_rounds_are_put_together() -> None:
    first = Tally(inputs=3, next=3, slowest=2.0, slowest_number=1, peak_bytes=5, rounds=1, commits=["a"])
    second = Tally(inputs=2, next=5, faults=["x"], slowest=1.0, slowest_number=4, peak_bytes=9, growth=0.1, rounds=1)
    both = first.with_round(second).with_round(Tally(next=5, growth=-0.2, rounds=1, commits=["a", "b"]))
    assert (both.inputs, both.next, both.faults, both.slowest, both.slowest_number) == (5, 5, ["x"], 2.0, 1)
    assert (both.peak_bytes, both.growth, both.rounds, both.commits) == (9, 0.1, 3, ["a", "b"])


def test_growth_is_that_behind_the_first_tenth() -> None:
    assert growth([5] * (FEWEST - 1)) is None
    assert growth([0] * 100) is None
    assert growth([1] * 10 + [100] * 90) == 0
    assert growth([100] * 90 + [120] * 10) == pytest.approx(0.2)
    assert growth([50] * 20 + [100] * 80, warm_up=20) == 0
    assert growth([50] * 20 + [100] * 10, warm_up=20) is None
