"""What nobody foresaw: an exception, a full disk, streams that are closed, Ctrl-C, a folder that is gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from sdfviewer.cli import main
from tests.patience import PATIENCE_SECONDS

GOOD = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'
BAD = '<sdf version="1.9"><model name="bad"><link name="l"/><frame name="f" attached_to="x"/></model></sdf>'


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("injected")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("a.sdf", GOOD), ("b.sdf", BAD), ("c.sdf", GOOD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def fail_for_bad(broken: str, patch: pytest.MonkeyPatch) -> None:
    """Let a function fail for the file ``b.sdf``: it has its document, its model, or a convention of that first."""
    module, _, name = broken.rpartition(".")
    real = getattr(import_module(module), name)

    def work(thing: object, *arguments: object, **words: object) -> object:
        model = getattr(thing, "model", thing)
        if str(getattr(getattr(model, "document", model), "path", "")).endswith("b.sdf"):
            fail()
        return real(thing, *arguments, **words)

    patch.setattr(broken, work)


def test_a_fault_in_reading_is_a_problem_of_that_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_for_bad("sdfviewer.formats.load.check_graphs", monkeypatch)
    assert main(["check", "--json", str(folder)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(each["file"]).name for each in answers] == ["a.sdf", "b.sdf", "c.sdf"]
    (problem,) = answers[1]["diagnostics"]
    assert problem["rule"] == "internal-error"
    assert "ZeroDivisionError: injected, in " in problem["message"]
    assert "please report it" in problem["message"]
    assert answers[0]["diagnostics"] == answers[2]["diagnostics"] == []


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        (["check"], "sdfviewer.cli.check.reported"),
        (["check", "-j", "2"], "sdfviewer.cli.check.reported"),
        (["frames", "--mass"], "sdfviewer.cli.frames.describe_masses"),
        (["frames"], "sdfviewer.cli.frames.resolved"),
    ],
)
def test_a_fault_with_one_file_leaves_the_others_their_answers(
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    broken: str,
) -> None:
    if "-j" in words and sys.platform != "linux":
        pytest.skip("only a fork inherits what is injected")
    fail_for_bad(broken, monkeypatch)
    assert main([*words, str(folder)]) == 2
    printed = capfd.readouterr()
    assert "b.sdf because of an internal error (ZeroDivisionError: injected" in printed.err
    assert "please report it, with the file" in printed.err
    assert "-j" in words or "Traceback" in caplog.text
    if words[0] == "check":
        assert "1 file cannot be read" in printed.err
    else:
        assert printed.out.count(".sdf") == 2


def test_a_fault_in_a_fix_leaves_the_problem(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdfviewer.refactoring.fix_check.FixCheck.effect_of", fail)
    assert main(["check", str(folder / "b.sdf")]) == 1
    assert "attached-to-invalid" in capsys.readouterr().out


def test_a_fault_in_a_command_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdfviewer.cli.graph.format_graph", fail, raising=False)
    assert main(["graph", str(folder / "a.sdf")]) == 2
    assert "because of an internal error (ZeroDivisionError: injected" in capsys.readouterr().err


def test_ctrl_c_says_nothing(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sdfviewer.cli.check.reported", interrupt)
    assert main(["check", str(folder)]) == 130
    printed = capsys.readouterr()
    assert printed.err == ""


@pytest.fixture
def heeded_interrupt() -> Iterator[None]:
    """Let processes heed Ctrl-C: a shell that starts the tests in the background has it ignored by all of them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded_interrupt")
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_a_run_over_many_files_without_a_trace(folder: Path, jobs: str) -> None:
    for number in range(200):
        (folder / f"{number}.sdf").write_text(GOOD, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "sdfviewer", "check", "--json", "-j", jobs, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    assert said == b""


def run(words: list[str], shell_end: str = "", cwd: Path | None = None, *flags: str) -> tuple[int, str]:
    """Run a command in a shell that closes a stream or sends it elsewhere; return its exit code and what it says."""
    command = [sys.executable, *flags, "-m", "sdfviewer", *words]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {shell_end}', "sh", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    return done.returncode, done.stderr


needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@needs_sh
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [["check"], ["convert", "--to", "1.9"]])
def test_an_output_that_is_full_is_no_problem_of_the_file(folder: Path, words: list[str]) -> None:
    code, said = run([*words, str(folder / ("b.sdf" if words == ["check"] else "a.sdf"))], ">/dev/full")
    assert code == 2
    assert "the output cannot be written: " in said
    assert "Traceback" not in said


@needs_sh
def test_streams_that_are_closed(folder: Path) -> None:
    file = str(folder / "a.sdf")
    code, said = run(["check", "-"], "<&-")
    assert code == 2
    assert "standard input is closed" in said
    code, said = run(["convert", "--to", "1.8", file], ">&-")
    assert code == 2
    assert "standard output is closed" in said
    assert run(["check", file], "<&- >&-")[0] == 0
    assert run(["frames", "--json", file], "2>&-")[0] == 0


@needs_sh
def test_a_working_folder_that_is_gone(folder: Path) -> None:
    file = str(folder / "a.sdf")
    gone = folder / "gone"
    for words in (["check", file], ["diff", file, file]):
        gone.mkdir()
        command = " ".join(f"'{word}'" for word in [sys.executable, "-m", "sdfviewer", *words])
        done = subprocess.run(
            ["sh", "-c", f"rmdir '{gone}'; {command}"],
            cwd=gone,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        assert done.returncode == 0, done.stderr


@needs_sh
def test_python_without_docstrings(folder: Path) -> None:
    """``-OO`` leaves out the docstrings, which are the manual."""
    file = str(folder / "a.sdf")
    commands = (["check", file], ["frames", "--mass", file], ["explain", "joint-parent-invalid"])
    script = f"from sdfviewer.cli import main\nprint([main(words) for words in {commands!r}])"
    done = subprocess.run([sys.executable, "-OO", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[0, 0, 0]\n")
