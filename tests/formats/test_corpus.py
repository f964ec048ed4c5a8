"""Agreement with libsdformat on real files, where they are at hand: verdicts and frames."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sdfviewer.cli import main

SHARED = Path(__file__).parents[3] / "shared"
EXPECTED = SHARED / "corpus" / "expected.jsonl"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EXPECTED.is_file(), reason="the corpus of real files is not here"),
]


@pytest.fixture(scope="module")
def disagreements() -> list[dict[str, Any]]:
    """What the comparison of all files finds."""
    tool = _tool()
    corpus = EXPECTED.parent
    wanted: dict[str, list[dict[str, Any]]] = {}
    for line in EXPECTED.read_text(encoding="utf-8").splitlines():
        want = json.loads(line)
        wanted.setdefault(want["file"].split("/")[0], []).append(want)
    found: list[dict[str, Any]] = []
    for repository, wants in wanted.items():
        paths = [corpus / repository / path for path in tool.MODEL_PATHS.get(repository, [])]
        if repository not in ("gazebosim+sdformat", "osrf+gazebo_models"):
            paths.append(corpus / "osrf+gazebo_models")
        words = [word for path in paths for word in ("--path", str(path))]
        files = [str(corpus / want["file"]) for want in wants]
        checks, frames = (_ask(verb, words, files) for verb in ("check", "frames"))
        for want, check, frame in zip(wants, checks, frames, strict=True):
            tool.compare(want, check, frame, Counter(), found)
    return found


def _ask(verb: str, words: list[str], files: list[str]) -> list[dict[str, Any]]:
    """Return the answers of the command line, one for each file."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([verb, "--json", *words, *files])
    return [json.loads(line) for line in out.getvalue().splitlines()]


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("agreement", SHARED / "tools" / "agreement.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_verdict_is_the_same(disagreements: list[dict[str, Any]]) -> None:
    assert [each for each in disagreements if each["what"] == "verdict"] == []


def test_every_frame_is_where_libsdformat_puts_it(disagreements: list[dict[str, Any]]) -> None:
    assert [each["file"] for each in disagreements if each["what"] == "frames"] == []
