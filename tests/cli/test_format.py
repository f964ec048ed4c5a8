"""``sdfviewer format``."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main

TEXT = "<sdf>\r\n  <model>\r\n<link/>\r\n  </model>\r\n</sdf>"
WANTED = TEXT.replace("<link", "    <link")


def test_files_are_formatted_checked_and_written(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, other = tmp_path / "a.sdf", tmp_path / "b.sdf"
    path.write_bytes(TEXT.encode())
    other.write_bytes(WANTED.encode())
    assert main(["format", str(path)]) == 0
    assert capfdbinary.readouterr().out == WANTED.encode()
    assert main(["format", str(tmp_path)]) == 2
    assert main(["format", "--check", str(tmp_path)]) == 1
    assert capfdbinary.readouterr().out.decode().splitlines() == [str(path)]
    assert main(["format", "--diff", str(path)]) == 1
    assert b"+    <link/>" in capfdbinary.readouterr().out
    assert main(["format", "--in-place", str(tmp_path)]) == 0
    assert path.read_bytes() == other.read_bytes() == WANTED.encode()
    assert main(["format", "--check", str(tmp_path)]) == 0


def test_a_text_that_is_not_well_formed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.sdf"
    path.write_text("<sdf>\n<model></sdf>", encoding="utf-8")
    assert main(["format", "--in-place", str(path)]) == 2
    assert "cannot be formatted" in capsys.readouterr().err
