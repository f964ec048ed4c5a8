"""``sdfviewer merge``: by hand and as the merge driver of git."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sdfviewer.cli import main

ARM = """<sdf version="1.9">\r
  <model name="arm">\r
    <link name="base"/>\r
    <frame name="tool"><pose>0 0 {tool} 0 0 0</pose></frame>\r
    <frame name="eye"><pose>0 0 {eye} 0 0 0</pose></frame>\r
  </model>\r
</sdf>\r
"""


def write(folder: Path, **texts: str) -> list[str]:
    paths = [folder / f"{name}.sdf" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_bytes(text.encode())
    return [str(path) for path in paths]


def arm(tool: float = 1, eye: float = 2) -> str:
    return ARM.format(tool=tool, eye=eye)


def test_the_merged_text_goes_to_standard_output_and_what_moves_beside_it(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    files = write(tmp_path, base=arm(), mine=arm(tool=1.5), theirs=arm(eye=2.25))
    assert main(["merge", *files]) == 0
    out, err = capfdbinary.readouterr()
    assert out == arm(tool=1.5, eye=2.25).encode()
    assert err.decode().splitlines() == [
        "moved: frame arm::eye  0.25 m, 0 rad",
        f"merged 1 change into {files[1]}, 0 new problems",
    ]
    assert Path(files[1]).read_bytes() == arm(tool=1.5).encode()


def test_conflicts_are_marked_or_decided(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    files = write(tmp_path, base=arm(), mine=arm(tool=3, eye=4), theirs=arm(tool=5))
    assert main(["merge", "--in-place", *files]) == 1
    assert capfdbinary.readouterr().err.decode() == f"{files[1]}:4:30: conflict: both versions have changed this\n"
    line = '    <frame name="tool"><pose>0 0 {} 0 0 0</pose></frame>\r\n'
    both = f"<<<<<<< mine\r\n{line.format(3)}=======\r\n{line.format(5)}>>>>>>> theirs\r\n"
    assert Path(files[1]).read_bytes().decode() == arm(tool=3, eye=4).replace(line.format(3), both)
    for side, tool in (("mine", 3), ("theirs", 5)):
        files = write(tmp_path, base=arm(), mine=arm(tool=3, eye=4), theirs=arm(tool=5))
        assert main(["merge", "--in-place", "--conflicts", side, *files]) == 0
        assert Path(files[1]).read_bytes().decode() == arm(tool=tool, eye=4)
    assert main(["merge", "--conflicts", "both", *write(tmp_path, b=arm(), m=arm(tool=3), t=arm(tool=5))]) == 1


def test_a_merged_text_with_a_problem_that_neither_had_is_reported(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    new = '    <frame name="new"/>\r\n'
    mine = arm().replace("    <link", f"{new}    <link")
    theirs = arm().replace("  </model", f"{new}  </model")
    assert main(["merge", *write(tmp_path, base=arm(), mine=mine, theirs=theirs)]) == 1
    assert "'new'" in capfdbinary.readouterr().err.decode()


def test_what_cannot_be_read_or_written_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, mine, theirs = write(tmp_path, base=arm(), mine=arm(), theirs=arm())
    assert main(["merge", base, mine, str(tmp_path / "none.sdf")]) == 2
    assert main(["merge", "--in-place", base, "-", theirs]) == 2
    assert "standard input cannot be written in place" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_merges_with_it(tmp_path: Path) -> None:
    def git(*words: str) -> int:
        author = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false")
        return subprocess.run(["git", *author, *words], cwd=tmp_path, check=False, capture_output=True).returncode

    def commit(text: str) -> None:
        path.write_bytes(text.encode())
        assert git("add", "-A") == 0
        assert git("commit", "-m", "x") == 0

    path = tmp_path / "arm.sdf"
    git("init", "-b", "main")
    command = f'"{sys.executable}" -m sdfviewer merge --in-place --name %P %O %A %B'.replace("\\", "/")
    git("config", "merge.sdfviewer.driver", command)
    (tmp_path / ".gitattributes").write_text("*.sdf merge=sdfviewer -text\n", encoding="utf-8")
    commit(arm())
    git("checkout", "-b", "theirs")
    commit(arm(eye=7))
    git("checkout", "main")
    commit(arm(tool=6))  # in the line beside it, where git by itself finds a conflict
    assert git("merge", "theirs") == 0
    assert path.read_bytes() == arm(tool=6, eye=7).encode()
