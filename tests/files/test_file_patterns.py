"""The patterns of settings files: one language for contracts, for what is excluded, and for rules that are ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.configuration import FilePattern


@pytest.mark.parametrize(
    ("pattern", "path", "fits", "covers"),
    [
        ("arm.sdf", "arm.sdf", True, True),
        ("arm.sdf", "robots/arm.sdf", False, True),  # its name
        ("robots/*.sdf", "robots/arm.sdf", True, True),
        ("robots/*.sdf", "robots/old/arm.sdf", False, False),
        ("robots/*", "robots/old/arm.sdf", False, True),  # a folder that holds it
        ("robots/**/*.sdf", "robots/arm.sdf", True, True),
        ("robots/**/*.sdf", "robots/a/b/arm.sdf", True, True),
        ("robots/**.sdf", "robots/a/b/arm.sdf", True, True),
        ("**", "robots/a/arm.sdf", True, True),
        ("rob**", "robots/a/arm.sdf", True, True),
        ("build/", "build/a.sdf", False, True),
        ("?rm.sdf", "arm.sdf", True, True),
        ("../other/*.sdf", "../other/arm.sdf", True, False),  # settings are about the files of their folder
        ("*a" * 90, "a" * 200, True, True),
    ],
)
def test_a_pattern_means_the_same_everywhere(tmp_path: Path, pattern: str, path: str, fits: bool, covers: bool) -> None:
    """Found: ``*`` went across folders where files were excluded, and not in contracts."""
    found = FilePattern(tmp_path / "here", pattern)
    assert found.fits(tmp_path / "here" / path) is fits
    assert found.covers(tmp_path / "here" / path) is covers
