"""``sdfviewer check``: text, JSON, SARIF, exit codes, folders, standard input, several processes."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdfviewer.cli import inputs, main
from sdfviewer.cli.check import FORMATS, number_of_jobs
from tests.patience import PATIENCE_SECONDS

CLEAN = '<sdf version="1.9">\n  <model name="m">\n    <link name="a"/>\n  </model>\n</sdf>\n'
WARNED = CLEAN.replace('<link name="a"/>', '<link name="a" colour="red"/>')
BROKEN = CLEAN.replace('    <link name="a"/>', '\t<link name="a"/> <frame name="f" attached_to="b"/>')
FIXABLE = CLEAN.replace('<link name="a"/>', '<link name="a"/><frame name="f" attached_to="aa"/>')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("clean.sdf", CLEAN), ("warned.world", WARNED), ("broken.sdf", BROKEN), ("notes.txt", "?")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_problem_is_reported_with_its_place_an_excerpt_and_a_caret(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "broken.sdf"
    assert main(["check", str(file)]) == 1
    out, err = capsys.readouterr()
    first, excerpt, caret, *_ = out.splitlines()
    assert first.startswith(f"{file}:3:35: error: ")
    assert first.endswith("[attached-to-invalid]")
    assert excerpt == '     3 |  <link name="a"/> <frame name="f" attached_to="b"/>'
    assert caret.index("^") == excerpt.index("attached_to")
    assert caret.strip("| ").count("~") == len('attached_to="b"') - 1
    assert err == "1 error and 0 warnings in 1 file\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["clean.sdf"], 0),
        (["warned.world"], 0),
        (["--strict", "warned.world"], 1),
        (["broken.sdf"], 1),
        (["gone.sdf"], 2),
        (["clean.sdf", "broken.sdf", "gone.sdf"], 2),
    ],
)
def test_the_exit_code(folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int) -> None:
    monkeypatch.chdir(folder)
    assert main(["check", *words]) == code


def test_wildcards_are_read_where_no_shell_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(["check", "*.sdf"]) == 2
    monkeypatch.setattr(sys, "platform", "win32")
    capsys.readouterr()
    main(["check", "--json", "*.sdf"])
    assert [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()] == ["broken.sdf", "clean.sdf"]


def test_no_more_processes_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 128)
    assert number_of_jobs("0") == 61


def test_folders_are_searched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--json", str(folder)])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(answer["file"]).name for answer in answers] == ["broken.sdf", "clean.sdf", "warned.world"]
    assert [answer["valid"] for answer in answers] == [False, True, True]


def test_json_holds_all_of_a_diagnostic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--json", str(folder / "broken.sdf"), str(folder / "gone.sdf")])
    broken, gone = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    (diagnostic,) = broken["diagnostics"]
    assert diagnostic["rule"] == "attached-to-invalid"
    assert diagnostic["libsdformat"] == "FRAME_ATTACHED_TO_INVALID"
    assert (diagnostic["line"], diagnostic["column"]) == (3, 35)
    assert diagnostic["frames"] == ["m::f"]
    assert gone["valid"] is False
    assert "gone.sdf" in gone["unreadable"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    assert main(["check", "-"]) == 1
    assert capsys.readouterr().out.startswith("-:3:35: error: ")


def test_several_processes_answer_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for number in range(12):
        file = folder / f"f{number:02}.sdf"
        file.write_text(BROKEN if number % 3 == 0 else CLEAN, encoding="utf-8")
        files.append(str(file))
    assert main(["check", "--json", *files]) == 1
    alone = capsys.readouterr().out
    assert main(["check", "--json", "-j", "2", *files]) == 1
    assert capsys.readouterr().out == alone


def test_several_processes_print_differences_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for number in range(8):
        file = folder / f"f{number:02}.sdf"
        file.write_text(FIXABLE if number % 3 == 0 else CLEAN, encoding="utf-8")
        files.append(str(file))
    main(["check", "--unsafe-fixes", "--diff", *files])
    alone = capsys.readouterr()
    changed = [line for line in alone.out.splitlines() if line.startswith("+++")]
    assert changed == [f"+++ b/{files[n]}" for n in (0, 3, 6)]
    assert alone.err.count(": fixed: ") == 3
    main(["check", "--unsafe-fixes", "--diff", "-j", "2", *files])
    assert capsys.readouterr() == alone


@pytest.mark.skipif(os.name == "nt", reason="not every user makes links there")
def test_nothing_is_fixed_through_a_link_that_was_found_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, mine = tmp_path / "folder", tmp_path / "mine.sdf"
    folder.mkdir()
    mine.write_text(FIXABLE, encoding="utf-8")
    (folder / "link.sdf").symlink_to(mine)
    main(["check", "--unsafe-fixes", str(folder)])
    assert f"not fixed: it is a link to {mine}; name it to fix that file" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == FIXABLE
    main(["check", "--unsafe-fixes", str(folder / "link.sdf")])
    assert mine.read_text(encoding="utf-8") == FIXABLE.replace('"aa"', '"a"')
    assert (folder / "link.sdf").is_symlink()


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])
def test_a_difference_is_not_mixed_into_a_report(folder: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--fix", "--diff", "--output-format", form, str(folder)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "--diff" in captured.err


def test_colour_is_for_terminals_only(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["check", str(folder / "broken.sdf")])
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["check", str(folder / "broken.sdf")])
    assert "\x1b[1;31merror:\x1b[0m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["check", str(folder / "broken.sdf")])
    assert "\x1b" not in capsys.readouterr().out


CYCLE = CLEAN.replace(
    '<link name="a"/>', '<link name="a"/>\n<frame name="f" attached_to="g"/>\n<frame name="g" attached_to="f"/>'
)


def test_sarif_has_what_its_schema_requires(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Checked are the properties that the schema of SARIF 2.1.0 requires of each object used here, and their types."""
    (folder / "cycle.sdf").write_text(CYCLE, encoding="utf-8")
    assert main(["check", "--sarif", str(folder / "cycle.sdf"), str(folder / "gone.sdf")]) == 2
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert isinstance(driver["name"], str)
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(rule["defaultConfiguration"]["level"] in ("error", "warning", "note") for rule in driver["rules"])
    (invocation,) = run["invocations"]
    assert isinstance(invocation["executionSuccessful"], bool)
    assert all(note["message"]["text"] for note in invocation["toolExecutionNotifications"])
    (result,) = run["results"]
    assert result["message"]["text"]
    assert ids[result["ruleIndex"]] == result["ruleId"] == "attached-to-cycle"
    for location in (*result["locations"], *result["relatedLocations"]):
        physical = location["physicalLocation"]
        assert physical["artifactLocation"]["uri"].startswith("file://")
        region = physical["region"]
        assert all(isinstance(value, int) and value >= 1 for key, value in region.items() if key.startswith(("s", "e")))
    assert len(result["relatedLocations"]) == 2
    for fix in result["fixes"]:
        for change in fix["artifactChanges"]:
            assert change["artifactLocation"]["uri"]
            assert all("deletedRegion" in replacement for replacement in change["replacements"])


def test_a_rule_is_named_only_where_that_says_more_than_its_id(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    main(["check", "--sarif", str(folder / "clean.sdf")])
    rules = json.loads(capsys.readouterr().out)["runs"][0]["tool"]["driver"]["rules"]
    names = {rule["id"]: rule.get("name") for rule in rules}
    assert names["axis-zero"] == "AxisZero"
    assert names["deprecated"] is None


def test_a_folder_without_files_is_not_clean(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("nothing here", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 2
    assert f"{tmp_path} holds no .sdf, .world, .urdf or .mjcf file" in capsys.readouterr().err


def test_the_last_line_counts_the_files_that_cannot_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = str(folder / "gone.sdf")
    for files, last in (
        ([gone], "1 file cannot be read"),
        ([gone, str(folder / "clean.sdf")], "1 file: no problems found; 1 file cannot be read"),
        ([gone, str(folder / "broken.sdf")], "1 error and 0 warnings in 1 file; 1 file cannot be read"),
    ):
        assert main(["check", *files]) == 2
        assert capsys.readouterr().err.splitlines()[-1] == last


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders, and links need a permission")
@pytest.mark.parametrize("command", ["check", "frames"])
def test_what_cannot_be_read_in_a_folder_is_named(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.sdf").unlink()
    (folder / "dangling.sdf").symlink_to("gone.sdf")
    (folder / "loop.urdf").symlink_to("loop.urdf")
    os.mkfifo(folder / "pipe.world")
    (folder / "sub").mkdir()
    (folder / "sub" / "also.sdf").write_text(CLEAN, encoding="utf-8")
    (folder / "notes").symlink_to("gone.txt")
    assert main([command, "--json", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        f"sdfviewer: cannot read {folder / 'dangling.sdf'}: the link leads to nothing",
        f"sdfviewer: cannot read {folder / 'loop.urdf'}: {os.strerror(errno.ELOOP)}",
        f"sdfviewer: {folder / 'pipe.world'} is not a regular file",
    ]
    answers = [json.loads(line) for line in out.splitlines()]
    assert [Path(answer["file"]).name for answer in answers if not answer.get("unreadable")] == [
        *("clean.sdf", "also.sdf", "warned.world"),
    ]


@pytest.mark.parametrize("command", ["check", "frames"])
def test_nothing_of_qt_is_imported(folder: Path, command: str) -> None:
    words = ["sdfviewer", command, "--json", str(folder / "clean.sdf")]
    code = (
        f"import sys; sys.argv = {words!r}\n"
        "from sdfviewer.cli import main\n"
        "main()\n"
        "never = ('PySide6', 'pyqtgraph', 'OpenGL', 'networkx', 'lxml')\n"
        "bad = [name for name in sys.modules if name.split('.')[0] in never]\n"
        "sys.exit(f'imported: {bad}' if bad else 0)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("command", [["check", "--no-config"], ["frames"]], ids=["check", "frames"])
def test_a_plain_command_imports_only_what_it_needs(examples: Path, command: list[str]) -> None:
    """It starts within a fifth of a second, most of which is NumPy."""
    code = (
        "import sys; from sdfviewer.cli import main\n"
        f"assert main({[*command, str(examples / 'arm.sdf')]!r}) == 0\n"
        "print(*[name for name in sys.modules], sep='\\n')"
    )
    # What measures coverage would be in the process too.
    variables = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_SECONDS,
    )
    loaded = set(done.stdout.split())
    unneeded = {"subprocess", "tomllib", "logging", "secrets", "xml.dom", "networkx", "shutil", "shlex"}
    rooms = ("export", "library", "scene", "model.contents", "model.shapes", "formats.interface", "formats.urdf.build")
    unneeded.add("sdfviewer.model.plugin_catalogue")
    unneeded |= {f"sdfviewer.{name}" for name in rooms}
    assert loaded & unneeded == set()


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that is used cannot be deleted there")
def test_files_are_checked_from_a_folder_that_has_been_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, gone = tmp_path / "a.sdf", tmp_path / "gone"
    path.write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', encoding="utf-8")
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["check", str(path)]) == 0
    assert main(["frames", str(path)]) == 0
    assert main(["check", "a.sdf"]) == 2


def test_a_folder_in_place_of_a_file_is_walked_up_to_its_first_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be a link to the whole disk."""

    def walk(folder: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[Path, list[Path]]]:
        yield folder, [folder / "a.sdf"]
        raise AssertionError("the walk goes on")

    monkeypatch.setattr(inputs, "walk_files", walk)
    assert main(["diff", str(tmp_path), str(tmp_path)]) == 2
    assert f"{tmp_path} is a folder" in capsys.readouterr().err


def test_a_missing_model_that_lies_near_names_the_option_that_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "worlds").mkdir()
    (tmp_path / "models" / "arm").mkdir(parents=True)
    config = '<model><name>arm</name><sdf version="1.9">model.sdf</sdf></model>'
    (tmp_path / "models" / "arm" / "model.config").write_text(config, encoding="utf-8")
    (tmp_path / "models" / "arm" / "model.sdf").write_text(CLEAN, encoding="utf-8")
    world = '<sdf version="1.9"><world name="w"><include><uri>model://arm</uri></include></world></sdf>'
    (tmp_path / "worlds" / "w.sdf").write_text(world, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "worlds")
    assert main(["check", "w.sdf"]) == 1
    folder = os.path.join("..", "models")
    out = capsys.readouterr().out
    assert f"cannot find 'model://arm'; it is in {folder}: add that folder to the model folders" in out
    assert f"found in {folder}: add `--path {folder}`" in out
    assert main(["assets", "w.sdf"]) == 1
    assert f"found in {folder}: add `--path {folder}`" in capsys.readouterr().out
    assert main(["check", "--path", folder, "w.sdf"]) == 0


def test_a_folder_is_checked_for_mjcf_but_not_for_other_xml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "package.xml").write_text("<package/>", encoding="utf-8")
    (tmp_path / "robot.xml").write_text("<!-- mine -->\n<mujoco>\n<worldbod/>\n</mujoco>", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    found = capsys.readouterr().out
    assert "robot.xml:3" in found
    assert "package.xml" not in found
