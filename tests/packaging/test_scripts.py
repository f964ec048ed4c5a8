"""The scripts that bring the program to a bare machine."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sdfviewer.cli import main, open_window

PACKAGING = Path(__file__).parents[2] / "packaging"
MODEL = '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>'
SCRIPTS = [
    *sorted(script for script in PACKAGING.rglob("*.sh") if "node_modules" not in script.parts),
    PACKAGING.parent / ".ci" / "run",
]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for bash; Windows has run.ps1")


def in_environment(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run bash with packaging/environment.sh sourced; the variables replace those of this process."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"source packaging/environment.sh; {command}"],
        cwd=PACKAGING.parent,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_bash(script: Path) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)


def run_script(name: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script where no environment is prepared, and none can be."""
    environment = {**os.environ, "SDFVIEWER_VENV": f"{PACKAGING}/run.sh/venv", **variables}
    command = ["bash", str(PACKAGING / name), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--path", ".", "--help"]], ids=" ".join)
def test_run_shows_its_own_help_before_it_prepares_anything(words: list[str]) -> None:
    done = run_script("run.sh", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: packaging/run.sh")


def test_run_names_every_option_of_the_window() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    open_window.add_arguments(parser)
    for option in parser.format_help().split("options:")[1].split():
        if option.startswith("--"):
            assert option in run_script("run.sh", "--help").stdout
            assert f"'{option}'" in (PACKAGING / "run.ps1").read_text(encoding="utf-8")  # no bash runs it
            if option != "--xacro":  # which is a switch
                assert f"{option} needs a value" in run_script("run.sh", option).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--nonsense", "resources/examples/arm.sdf"], "there is no option '--nonsense'"),
        (["resources/examples/arm.sdf", "-x"], "there is no option '-x'"),
        (["open", "nonsense.sdf"], "there is no file and no command 'nonsense.sdf'"),
        (["nonsense"], "there is no file and no command 'nonsense'"),
        (["--path", "nonsense"], "there is no folder 'nonsense'"),
        (["--", "--help"], "there is no file and no command '--help'"),
    ],
    ids=" ".join,
)
def test_run_refuses_a_wrong_argument_before_it_prepares_anything(words: list[str], message: str) -> None:
    done = run_script("run.sh", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"run.sh: {message}\n")


def test_run_opens_files_of_any_name_and_passes_options_on(tmp_path: Path) -> None:
    """An option before a file was taken for the file."""
    viewer = tmp_path / "venv" / "bin" / "sdfviewer"
    viewer.parent.mkdir(parents=True)
    viewer.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n', encoding="utf-8")
    viewer.chmod(0o755)
    file = tmp_path / "-a 機械.sdf"
    file.write_text("<sdf/>", encoding="utf-8")
    fakes = """
        install_program() { :; }; prepare_libraries() { :; }
        has_display() { [ -n "$SEEN" ]; }; start_virtual_screen() { :; }
    """
    script = (PACKAGING / "run.sh").read_text(encoding="utf-8")
    begins, _, rest = script.partition('source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"\n')
    assert rest
    copy = tmp_path / "run.sh"
    copy.write_text(f"{begins}source '{PACKAGING}/environment.sh'\n{fakes}\n{rest}", encoding="utf-8")
    words = ["--arg", "a=b", "--path", str(tmp_path), "--", str(file)]
    shared = f"<--arg><a=b><--path><{tmp_path}>"
    for seen, expected in (("1", f"<open>{shared}<--><{file}>"), ("", f"<screenshot><--window>{shared}<-o>")):
        environment = {**os.environ, "SDFVIEWER_VENV": str(tmp_path / "venv"), "SEEN": seen}
        command = ["bash", str(copy), *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.startswith(expected)
        assert str(file) in done.stdout


def test_test_answers_before_it_prepares_anything() -> None:
    shown = run_script("test.sh", "tests/model", "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("Usage: packaging/test.sh")
    refused = run_script("test.sh", "-x", "-k", "a", "tests", "tests/nonsense::test_a")
    assert refused.returncode == 2
    assert "there is no file or folder 'tests/nonsense'" in refused.stderr


def test_a_place_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    place = tmp_path / "file" / "venv"
    place.parent.write_text("", encoding="utf-8")  # no folder, so not even root may
    done = run_script("run.sh", SDFVIEWER_VENV=str(place))
    assert done.returncode == 1
    assert f"{place} may not be written. Name another folder for the environment: SDFVIEWER_VENV=" in done.stderr


@pytest.mark.parametrize("python", ["3.10", "3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_ci_installs_one_version_of_each_requirement_that_pyproject_allows(python: str, system: str) -> None:
    place = {"python_version": python, "python_full_version": f"{python}.5", "sys_platform": system}
    lines = (PACKAGING / "constraints.txt").read_text(encoding="utf-8").splitlines()
    locked = [Requirement(line) for line in lines]
    here = [each for each in locked if each.marker is None or each.marker.evaluate(place)]
    versions = {canonicalize_name(each.name): str(each.specifier).removeprefix("==") for each in here}
    assert len(here) == len(versions), "a package has two versions"
    pyproject = (PACKAGING.parent / "pyproject.toml").read_text(encoding="utf-8")
    wanted = pyproject.split("\ndependencies = [")[1].split("\n# Other programs that")[0]
    for text in re.findall(r'"([A-Za-z][^"\[]*>=[^"]*)"', wanted):
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate(place):
            assert versions[canonicalize_name(requirement.name)] in requirement.specifier, text


def test_the_versions_of_ci_say_not_where_they_come_from() -> None:
    assert "/" not in (PACKAGING / "constraints.txt").read_text(encoding="utf-8")


def test_a_file_of_versions_may_lie_below_any_folder(tmp_path: Path) -> None:
    """What pip reads from variables ends at spaces."""
    file = tmp_path / "a b #1%" / "versions.txt"
    file.parent.mkdir()
    file.write_text("pytest==0.0.7\n", encoding="utf-8")
    command = f'"{sys.executable}" -m pip install --no-index pytest'
    done = in_environment(command, SDFVIEWER_CONSTRAINTS=str(file))
    assert "0.0.7" in done.stdout + done.stderr


def test_a_python_that_is_too_old_is_not_taken(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    assert in_environment(f'is_supported "{old}" && echo taken || echo refused').stdout == "refused\n"


def test_a_folder_that_is_no_virtual_environment_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine", encoding="utf-8")
    done = in_environment(f'venv="{tmp_path}" python="{tmp_path}/bin/python"; prepare_venv')
    assert done.returncode == 1
    assert "exists but is not a virtual environment" in done.stderr
    assert precious.read_text(encoding="utf-8") == "mine"


def test_a_second_install_asks_nothing_of_the_network(tmp_path: Path) -> None:
    commands = f"""
        venv="{tmp_path}"
        prepare_venv() {{ :; }}
        pip_install() {{ echo installing; }}
        install_program all; install_program all; install_program test; install_program test; install_program all
    """
    done = in_environment(commands)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("installing") == 2


def test_the_oldest_version_of_every_requirement_is_tested() -> None:
    pyproject = (PACKAGING.parent / "pyproject.toml").read_text(encoding="utf-8")
    requirements = pyproject.split("\ndependencies = [")[1].split("[project.scripts]")[0]
    named = set(re.findall(r'^\s*"([A-Za-z0-9._-]+)', requirements, re.MULTILINE))
    pinned = dict(line.split("==") for line in in_environment("lowest_versions").stdout.split())
    assert set(pinned) == named - {"sdfviewer"}  # extras that bring other extras
    assert pinned["numpy"] == "1.24"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a screen is taken for granted")
def test_a_screen_that_is_gone_is_no_display() -> None:
    done = in_environment("has_display && echo display || echo none", DISPLAY=":98765", WAYLAND_DISPLAY="")
    assert done.stdout == "none\n"


def test_what_cannot_be_installed_is_named_as_a_command() -> None:
    commands = """
        package_manager() { printf apt-get; }
        may_install() { false; }
        install_packages "System libraries" libegl1 libgl1
    """
    done = in_environment(commands)
    assert done.returncode == 1
    assert "sudo apt-get install -y --no-install-recommends libegl1 libgl1" in done.stderr


def in_action(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the action in a folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", str(PACKAGING / "action" / script)],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(PACKAGING.parent), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_annotates_problems_and_writes_sarif(tmp_path: Path) -> None:
    (tmp_path / "bad.sdf").write_text('<sdf version="1.9"><model name="m"/></sdf>', encoding="utf-8")
    done = in_action("check.sh", tmp_path, FILES=".")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=bad.sdf")
    assert '"version": "2.1.0"' in (tmp_path / "sdfviewer.sarif").read_text(encoding="utf-8")


def test_the_action_reports_no_problem_of_its_baseline(tmp_path: Path) -> None:
    bad = tmp_path / "bad.sdf"
    bad.write_text('<sdf version="1.9"><model name="m"/></sdf>', encoding="utf-8")
    known = tmp_path / "-known problems.json"
    assert main(["check", f"--write-baseline={known}", str(bad)]) == 0
    done = in_action("check.sh", tmp_path, FILES=".", BASELINE=known.name)
    assert (done.returncode, done.stdout) == (0, "")
    assert '"results": []' in (tmp_path / "sdfviewer.sarif").read_text(encoding="utf-8")
    (tmp_path / "new.sdf").write_text('<sdf version="1.9"><model name="n"/></sdf>', encoding="utf-8")
    done = in_action("check.sh", tmp_path, FILES=".", BASELINE=known.name)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=new.sdf")


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
def test_the_action_takes_no_name_of_a_stranger_for_an_option_and_writes_through_no_link(tmp_path: Path) -> None:
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "--write-baseline=x.sdf").write_text(MODEL, encoding="utf-8")
    (tmp_path / "profile").write_text("mine", encoding="utf-8")
    (folder / "sdfviewer.sarif").symlink_to(tmp_path / "profile")
    done = in_action("check.sh", folder, FILES="*.sdf")
    assert done.returncode == 0, done.stderr
    assert not (folder / "x.sdf").exists()
    assert (tmp_path / "profile").read_text(encoding="utf-8") == "mine"
    assert '"version": "2.1.0"' in (folder / "sdfviewer.sarif").read_text(encoding="utf-8")


def test_the_action_imports_nothing_of_the_checkout_to_install(tmp_path: Path) -> None:
    for name in ("pip.py", "runpy.py", "site.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'mark')!r}, 'w')", encoding="utf-8")
    done = in_action("install.sh", tmp_path, VERSION="--help", PYTHONPATH="")
    assert "pip install [options]" in done.stdout, done.stderr
    assert not (tmp_path / "mark").exists()


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("git") is None, reason="needs git, and any file name")
def test_the_action_writes_no_name_of_a_file_as_markdown_and_follows_no_link(tmp_path: Path) -> None:
    folder = tmp_path / "checkout"
    folder.mkdir()
    (tmp_path / "secret").write_text("of-the-runner", encoding="utf-8")
    (tmp_path / "other").write_text("of-the-runner", encoding="utf-8")
    named, link = folder / "a\n![x](http:evil).sdf", folder / "link.sdf"
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")

    def commit() -> None:
        for words in (("add", "."), ("commit", "-q", "-m", "x")):
            subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)

    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    named.write_text(MODEL, encoding="utf-8")
    link.symlink_to(tmp_path / "secret")
    commit()
    named.write_text(MODEL.replace('name="a"', 'name="b"'), encoding="utf-8")
    link.unlink()
    link.symlink_to(tmp_path / "other")
    commit()
    done = in_action("compare.sh", folder, BASE="HEAD~1", GITHUB_STEP_SUMMARY="/dev/stdout", GITHUB_OUTPUT=os.devnull)
    assert done.returncode == 0, done.stderr
    assert "**a???x??http?evil?.sdf**" in done.stdout
    assert "| renamed: link `m::b` |" in done.stdout, "names are code"
    assert "`a\\n![x](http:evil).sdf:1`" in done.stdout
    assert "of-the-runner" not in done.stdout
    assert "link.sdf" not in done.stdout
