"""What is started imports and runs nothing of the folder of a stranger."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.formats.xacro import evaluation
from sdfviewer.programs import find_program, import_paths, own_process, python_process
from tests.hostile import CARELESS, HostileFolder, make_hostile
from tests.other_user import readable_folder, run_python

PACKAGE = Path(__file__).parents[1] / "sdfviewer"
MODEL = '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>\n'
ROBOT = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a${1 + 1}"/></robot>\n'


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HostileFolder:
    """A hostile working folder, which is also the first place to import from, as with ``python -m``."""
    folder = make_hostile(tmp_path / "workspace")
    (folder.path / "m.sdf").write_text(MODEL, encoding="utf-8")
    (folder.path / "m.xacro").write_text(ROBOT, encoding="utf-8")
    monkeypatch.chdir(folder.path)
    monkeypatch.syspath_prepend(str(folder.path))
    for name, value in CARELESS.items():
        monkeypatch.setenv(name, value)
    return folder


def test_sdfviewer_is_started_from_the_installation(hostile: HostileFolder) -> None:
    start = own_process("check", "--json", str(hostile.path / "m.sdf"))
    done = subprocess.run(
        start.command, env=start.environment, cwd=start.folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert hostile.ran == []


def test_a_process_sees_what_this_one_imports_from(hostile: HostileFolder) -> None:
    """The packages of a user stay, which ``-I`` alone would hide."""
    sys.path.append(str(hostile.path.parent))
    try:
        start = python_process("import json; print(json.dumps([sys.path, sys.argv[1:]]))", "a b", "--c")
    finally:
        sys.path.remove(str(hostile.path.parent))
    done = subprocess.run(start.command, env=start.environment, cwd=start.folder, capture_output=True, check=True)
    paths, words = json.loads(done.stdout)
    assert str(hostile.path.parent) in paths
    assert str(hostile.path) not in paths
    assert all(Path(path).is_absolute() for path in paths)
    assert words == ["a b", "--c"]
    assert not [name for name in start.environment if name.startswith("PYTHON")]
    assert not Path(start.folder).samefile(hostile.path)


def test_a_relative_place_is_not_imported_from(hostile: HostileFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", ".", "lib", *sys.path])
    assert set(import_paths()) & {"", ".", "lib", str(hostile.path)} == set()


def test_a_checkout_may_be_the_working_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PACKAGE.parent)
    assert str(PACKAGE.parent) in import_paths()


@pytest.mark.parametrize("words", [["check", "m.sdf"], ["frames", "m.sdf"], ["graph", "m.sdf"], ["check", "m.xacro"]])
def test_python_m_sdfviewer_imports_nothing_of_the_working_folder(tmp_path: Path, words: list[str]) -> None:
    """Python itself has imported ``sdfviewer`` and ``json`` before anything of ours runs."""
    folder = make_hostile(tmp_path / "workspace", without=("sdfviewer", "json", "sitecustomize"))
    (folder.path / "m.sdf").write_text(MODEL, encoding="utf-8")
    (folder.path / "m.xacro").write_text(ROBOT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep}
    subprocess.run([sys.executable, "-m", "sdfviewer", *words], cwd=folder.path, env=environment, check=False)
    assert folder.ran == []


@pytest.mark.skipif(not evaluation.has_evaluator(), reason="xacro is not installed")
def test_xacro_is_evaluated_by_the_installed_package(
    hostile: HostileFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluation.end_idle()
    main(["frames", "m.xacro"])
    assert "a2" in capsys.readouterr().out
    assert hostile.ran == []


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts of POSIX")
def test_programs_of_the_working_folder_are_not_found(hostile: HostileFolder) -> None:
    git = find_program("git")
    assert git is None or not Path(git).parent.samefile(hostile.path)
    assert find_program("git-remote-ext") is None or find_program("git-remote-ext") != str(hostile.path)
    main(["diff", "m.sdf"])
    assert hostile.ran == []


def test_a_folder_of_the_path_that_may_not_be_searched_is_passed_by() -> None:
    with readable_folder() as folder:
        closed, opened = folder / "closed", folder / "opened"
        for each in (closed, opened):
            each.mkdir()
            (each / "tool").write_text("#!/bin/sh\n", encoding="utf-8")
            (each / "tool").chmod(0o755)
        opened.chmod(0o755)
        closed.chmod(0)
        code = "from sdfviewer.programs import find_program; print(find_program('tool'))"
        done = run_python(code, folder, environment={"PATH": f"{closed}{os.pathsep}{opened}"})
    assert done.out == f"{opened / 'tool'}\n", done.err


def test_python_is_started_in_one_place() -> None:
    named = {
        str(module.relative_to(PACKAGE))
        for module in PACKAGE.rglob("*.py")
        if re.search(r"\.(?:executable|which)\b", text := module.read_text(encoding="utf-8"))
        and any(
            isinstance(node, ast.Attribute) and node.attr in ("executable", "which")
            for node in ast.walk(ast.parse(text))
        )
    }
    assert named == {"programs.py"}
