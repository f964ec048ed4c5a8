"""What somebody who types in an editor waits for: a real server process, message by message over its pipes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from tests.forked import start_alone
from tests.large import world_of_shapes
from tests.lsp.wire import Wire, between

#: Lines above and below the caret that are in sight.
_IN_SIGHT = 30


class Typist:
    """Somebody who changes one number of a file again and again.

    Parameters
    ----------
    wire
        The server.
    path
        The file, a world with poses.
    """

    def __init__(self, wire: Wire, path: Path) -> None:
        self.wire, self.uri = wire, path.as_uri()
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        self.line = next(at for at in range(len(lines) // 2, len(lines)) if "<pose>" in lines[at])
        self.character = lines[self.line].index("<pose>") + len("<pose>")
        self.in_sight = between((self.line - _IN_SIGHT, 0), (self.line + _IN_SIGHT, 0))
        self.version = 1
        wire.start({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}})
        wire.open(self.uri, text)
        wire.until_checked(self.uri, 1)
        self.seconds_of_server: list[float] = []
        self._numbers = count()

    def type(self) -> None:
        """Press a key: a digit more or less before the first number of the pose."""
        self.version += 1
        typed = next(self._numbers) % 2 == 0
        end = self.character if typed else self.character + 1
        where = between((self.line, self.character), (self.line, end))
        self.wire.change(self.uri, self.version, "1" if typed else "", where)

    def until_checked(self) -> None:
        """Wait for the problems of what was typed last."""
        self.wire.until_checked(self.uri, self.version)
        self.wire.notifications.clear()

    def ask(self, *methods: str) -> None:
        """Ask for what an editor shows of the lines in sight, all at once."""
        params = {"textDocument": {"uri": self.uri}, "range": self.in_sight}
        numbers = [self.wire.ask(f"textDocument/{method}", params) for method in methods]
        for number in numbers:
            assert self.wire.answer(number).get("result") is not None

    def time(self, job: Callable[[], None]) -> None:
        """Do something, and note the processor time that the server took for it where the system can say it."""
        before = _processor_seconds(self.wire.process.pid)
        job()
        self.seconds_of_server.append(_processor_seconds(self.wire.process.pid) - before)


def _processor_seconds(process: int) -> float:
    if sys.platform != "linux":
        return float("nan")
    return time.clock_gettime((~process << 3) | 2)  # the clock of a process, as the C library makes it of its number


@pytest.fixture
def typist(tmp_path: Path) -> Iterator[Typist]:
    with Wire(start=start_alone) as wire:
        world = tmp_path / "world.sdf"
        world.write_text(world_of_shapes(3000), encoding="utf-8")
        yield Typist(wire, world)
        assert wire.end() == 0


@pytest.mark.target(0.15)
@pytest.mark.parametrize("what", ["the problems", "the problems, hints and tokens in sight"])
def test_answer_a_key_in_an_editor_with(benchmark: BenchmarkFixture, typist: Typist, what: str) -> None:
    def answer() -> None:
        typist.type()
        if "hints" in what:
            typist.ask("inlayHint", "semanticTokens/range")
        typist.until_checked()

    benchmark.pedantic(lambda: typist.time(answer), rounds=20, warmup_rounds=2)
    processor = f"{1000 * median(typist.seconds_of_server):.0f} ms of the server's processor"
    benchmark.extra_info["on"] = f"{what}, world of 3000 models, {processor}"


@pytest.mark.parametrize("method", ["semanticTokens/full", "documentSymbol", "foldingRange", "codeLens"])
def test_answer_an_editor_about_a_whole_file(benchmark: BenchmarkFixture, typist: Typist, method: str) -> None:
    benchmark.extra_info["on"] = f"{method}, world of 3000 models"
    benchmark.pedantic(lambda: typist.ask(method), rounds=5, warmup_rounds=1)
