"""Differences: other programs apply them and get the same text."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sdfviewer.document.line_difference import unified_diff
from tests.patience import PATIENCE_SECONDS

TEXTS = [
    ("a\nb\n", "a\nc\n"),
    ("a\nb", "a\nc"),
    ("a\nb", "a\nb\n"),
    ("a\nb\n", "a\nb"),
    ("a\nb", "x\nb"),
    ("a\r\nb\r\n", "a\r\nc"),
    ("a\fb\x85c\u2028d\ne", "a\fb\x85C\u2028d\ne"),  # these end no line for other programs
    ("a\rb", "a\rc"),
    (None, "a\nb"),
]
PROGRAMS = {"patch": ["patch", "--binary", "-p1", "-i"], "git": ["git", "apply", "--whitespace=nowarn"]}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_other_programs_apply_it(tmp_path: Path, program: str, before: str | None, after: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    file, patch = tmp_path / "arm.sdf", tmp_path / "change.patch"
    if before is not None:
        file.write_bytes(before.encode())
    patch.write_bytes(unified_diff("arm.sdf", before, after).encode())
    subprocess.run(
        [*PROGRAMS[program], patch.name], cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE_SECONDS
    )
    assert file.read_bytes().decode() == after


def test_a_missing_final_line_end_is_said_at_each_line_that_lacks_it() -> None:
    marked = "\\ No newline at end of file\n"
    assert unified_diff("a.sdf", "x", "y").endswith(f"-x\n{marked}+y\n{marked}")
    assert unified_diff("a.sdf", "x", "x") == ""
