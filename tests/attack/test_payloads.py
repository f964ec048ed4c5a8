"""No folder of a stranger runs code, reads secrets or has them copied."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.formats.xacro import evaluation
from tests.attack.payloads import ELSEWHERE, PAYLOADS, SECRET, SECRETS, Payload
from tests.named_tests import is_run


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
@pytest.mark.parametrize("payload", PAYLOADS, ids=[payload.name for payload in PAYLOADS])
def test_a_payload_touches_nothing_and_learns_nothing(
    payload: Payload, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for package in payload.needs:
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    home, folder, out, mark = (tmp_path / name for name in ("home", "p", "out", "marker"))
    for made in (home, folder, out):
        made.mkdir()
    for name, text in SECRETS.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    payload.write(folder, mark, home)
    before = _texts(home)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(home))
    for name, value in payload.variables.items():
        monkeypatch.setenv(name, value.replace("OUT", str(out)))
    evaluation.end_idle()
    for command in payload.commands:
        words = shlex.split(command.replace("OUT", str(out)))
        assert main(words) in (0, 1, 2), command
        said = "".join(capfd.readouterr())
        assert "internal error" not in said, said
        assert "internal-error" not in said, said
        assert SECRET not in said, f"{command}: {said}"
        assert not mark.exists(), command
    evaluation.end_idle()
    for path in out.rglob("*"):
        assert not path.is_symlink(), path
        assert path.is_dir() or SECRET.encode() not in path.read_bytes(), f"{path} was copied"
    made_beside = {each.name for each in tmp_path.iterdir()} - {"home", "p", "out"}
    assert not made_beside, "something was written outside of the folder that was named"
    assert _texts(home) == before, "a file of the user was written or made"


def _texts(home: Path) -> dict[str, str]:
    return {str(path.relative_to(home)): path.read_text("utf-8") for path in home.rglob("*") if path.is_file()}


def test_the_marker_is_touched_where_code_runs(tmp_path: Path) -> None:
    """The programs and expressions of the payloads do what they should: the test above proves something."""
    mark = tmp_path / "marker"
    eval(FIRST_AS_PYTHON.replace("MARK", mark.as_posix()))
    assert mark.exists()


FIRST_AS_PYTHON = "(x for x in [1]).gi_frame.f_builtins['__import__']('os').system('touch \"MARK\"')"


def test_what_is_tried_elsewhere_is_tried() -> None:
    assert [name for names in ELSEWHERE.values() for name in names if not is_run(name)] == []
