"""Answers about paths that are the same on every system."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.files.fuel import cache_folder
from sdfviewer.files.paths import as_name, home_folder, is_name
from sdfviewer.files.recovery import recovery_folder


def test_the_home_folder_is_what_the_variables_say() -> None:
    assert home_folder({"HOME": "/a", "USERPROFILE": "/b"}) == Path("/a")
    assert home_folder({"HOME": "", "USERPROFILE": "/b"}) == Path("/b")
    assert home_folder({}) == Path.home()


def test_a_user_whom_nobody_knows_has_no_home_and_can_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container runs as a number, often with no name and no HOME; ``Path.home`` raises then."""

    def nobody_knows() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody_knows)
    root = Path(Path.cwd().anchor)
    assert home_folder({}) == root
    assert Finder(environ={}, cwd=root).find("model://nonsense", root / "a.sdf").path is None
    assert cache_folder({}) == root / ".gz" / "fuel"
    assert recovery_folder({}, "linux") == root / ".local" / "state" / "sdfviewer" / "recovery"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("arm", "arm"),
        ("../../.ssh/key", "_.._.ssh_key"),
        ("/etc/passwd", "_etc_passwd"),
        ("C:\\a", "C__a"),
        ("..", "model"),
        ("", "model"),
        ("a.", "a"),
        ("a\nb\0", "a_b_"),
    ],
)
def test_a_text_as_a_name_leads_nowhere(text: str, name: str) -> None:
    assert as_name(text, "model") == name
    assert is_name(name)
