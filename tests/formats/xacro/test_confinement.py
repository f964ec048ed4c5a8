"""What the process that evaluates xacro files can do: compute, and ask for what the files name."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.formats.load import load_model
from sdfviewer.formats.xacro import evaluation

pytestmark = pytest.mark.skipif(not evaluation.has_evaluator(), reason="xacro is not installed")

HEAD = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
INTRUDER = "from tests.formats.xacro.intruder import main; main()"
#: What each wall of :func:`sdfviewer.formats.xacro.confinement.confine` keeps a stranger from.
KEPT_FROM = {
    "limits": {"write_here"},
    "network": {"tcp", "udp"},
    "tcp": {"tcp"},
    "files": {"read", "list", "write", "write_here", "start"},
}


@pytest.fixture(autouse=True)
def _new_process() -> Iterator[None]:
    evaluation.end_idle()
    yield
    evaluation.end_idle()


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    file = tmp_path / "package" / "urdf" / "robot.xacro"
    file.parent.mkdir(parents=True)
    (file.parents[1] / "package.xml").write_text("<package><name>package</name></package>", encoding="utf-8")
    return file


def write(file: Path, inside: str) -> Path:
    file.write_text(f'<robot name="r" {HEAD}>{inside}</robot>', encoding="utf-8")
    return file


def test_code_in_the_process_reaches_nothing(robot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "PROGRAM", INTRUDER)
    monkeypatch.setenv("SOME_VARIABLE", "x")
    secret = tmp_path / "secret"
    secret.write_text("x", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        arguments = {"secret": str(secret), "port": str(port), "parent": str(os.getpid())}
        (found,) = sdfviewer.check(write(robot, "<link name='a'/>"), arguments=arguments)
    told = re.search(r"walls=(\S*) done=(\S*)", found.message)
    assert told is not None, found.message
    walls, done = ({*filter(None, part.split(","))} for part in told.groups())
    assert "variables" not in done
    if sys.platform != "win32":
        assert "limits" in walls
    assert done & {each for wall in walls for each in KEPT_FROM[wall]} == set()
    assert not (tmp_path / "written").exists() or "files" not in walls


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is of Linux")
def test_files_are_out_of_reach_for_good_where_the_kernel_has_landlock() -> None:
    code = (
        "import ctypes\n"
        "from sdfviewer.formats.xacro.confinement import confine\n"
        "library = ctypes.CDLL(None)\n"
        "version = library.syscall(444, None, 0, 1)\n"
        "walls = confine(())\n"
        "print(version > 0, 'files' in walls, library.prctl(39, 0, 0, 0, 0))  # whether it may gain no privileges\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout.split()
    if told[0] == "False":
        pytest.skip("this kernel has no Landlock")
    assert told == ["True", "True", "1"]


def test_the_process_has_a_folder_of_its_own_which_goes_with_it(robot: Path) -> None:
    load_model(write(robot, "<link name='a'/>"))
    worker = evaluation.take()
    folder = Path(worker.folder)
    assert folder != Path.cwd()
    worker.end()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("ROBOT_NAME", True), ("ROBOT_TOKEN", False), ("AWS_SECRET_ACCESS_KEY", False), ("MY_PASSWORD", False)],
)
def test_a_variable_that_is_named_is_told_unless_it_is_a_secret(
    robot: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_told: bool
) -> None:
    monkeypatch.setenv(name, "hal")
    model = load_model(write(robot, f"<link name='$(optenv {name} nobody)'/>"))
    assert f"r::{'hal' if is_told else 'nobody'}" in model.names


def test_a_variable_whose_name_is_computed_is_not_told(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_NAME", "hal")
    inside = "<xacro:property name='n' value='ROBOT'/><link name='$(optenv ${n}_NAME nobody)'/>"
    assert "r::nobody" in load_model(write(robot, inside)).names


@pytest.mark.parametrize("how", ["file", "hidden", "above", "link"])
def test_files_outside_the_package_are_not_read(robot: Path, tmp_path: Path, how: str) -> None:
    (tmp_path / ".ssh").mkdir()
    hidden = tmp_path / ".ssh" / "key.yaml"
    hidden.write_text("a: secret\n", encoding="utf-8")
    (tmp_path / "key.yaml").write_text("a: secret\n", encoding="utf-8")
    place = {
        "file": tmp_path / "key.yaml",
        "hidden": hidden,
        "above": Path("../../key.yaml"),
        "link": robot.parent / "key.yaml",
    }[how]
    if how == "link":
        try:
            place.symlink_to(hidden)
        except OSError:
            pytest.skip("this system makes no links for this user")
    (found,) = sdfviewer.check(write(robot, f"<link name=\"${{xacro.load_yaml('{place.as_posix()}')['a']}}\"/>"))
    assert found.rule.name == "xacro-failed"
    assert "outside the package of this file" in found.message
    assert "secret" not in found.message


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
def test_a_link_to_what_is_not_hidden_is_read(robot: Path, tmp_path: Path) -> None:
    """``colcon build --symlink-install`` makes packages of links to the sources."""
    source = tmp_path / "source.xacro"
    write(source, "<link name='linked'/>")
    (robot.parent / "part.xacro").symlink_to(source)
    assert "r::linked" in load_model(write(robot, "<xacro:include filename='part.xacro'/>")).names


def test_what_a_package_holds_is_read(robot: Path) -> None:
    config = robot.parents[1] / "config"
    config.mkdir()
    (config / "size.yaml").write_text("length: 7\n", encoding="utf-8")
    (config / "a.xacro").write_text(f'<robot {HEAD}><link name="included"/></robot>', encoding="utf-8")
    model = load_model(
        write(
            robot,
            "<xacro:include filename='../config/*.xacro'/>"
            "<link name=\"l${xacro.load_yaml('../config/size.yaml')['length']}\"/>"
            "<link name='$(cwd)'/>",
        )
    )
    assert {"r::l7", "r::included", f"r::{Path.cwd()}"} <= {*model.names}
