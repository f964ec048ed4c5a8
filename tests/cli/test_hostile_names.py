"""Names that a terminal would obey, through every command that prints some."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.display_text import visible
from sdfviewer.programs import own_process

# What XML lets into a name: C1, controls of direction, line breaks; the others must be escaped already by the reader.
HOSTILE = "a&#x9b;31m&#x85;&#x202e;b&#10;c&#13;d&#x2066;&#x7f;&#x200b;&#xad;&#xe0041;&#xfffe;"
FILE = f"""<sdf version="1.9"><model name="m{HOSTILE}">
  <link name="{HOSTILE}"/><link name="{HOSTILE}"/>
  <link name="l{HOSTILE}"><pose relative_to="{HOSTILE}">{HOSTILE}</pose><visual name="v{HOSTILE}"/></link>
  <joint name="j{HOSTILE}" type="{HOSTILE}"><parent>{HOSTILE}</parent><child>x{HOSTILE}</child></joint>
  <frame name="f1{HOSTILE}" attached_to="f2{HOSTILE}"/><frame name="f2{HOSTILE}" attached_to="f1{HOSTILE}"/>
  <include><name>i{HOSTILE}</name><uri>model://{HOSTILE}</uri></include>
  <zap{"z"} {"a"}="{HOSTILE}"/>
</model></sdf>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sdf"
    path.write_text(FILE.replace("&#xfffe;", ""), encoding="utf-8")
    raw = tmp_path / "raw.sdf"
    model = 'name="m\x1b[31m\x07"><link name="\x1b]0;title\x07"/><frame name="\x1b" attached_to="\x08"/>'
    raw.write_text(f'<sdf version="1.9"><model {model}</model></sdf>', encoding="utf-8")
    return path


COMMANDS = [
    ("check",),
    ("check", "--json"),
    ("check", "--sarif"),
    ("check", "--output-format", "gitlab"),
    ("check", "--output-format", "github"),
    ("check", "--output-format", "junit"),
    ("check", "--urdf-ready"),
    ("check", "--resources"),
    ("assets",),
    ("assets", "--json"),
    ("frames", "--mass"),
    ("frames", "--mass", "--json"),
    ("collisions",),
    ("diff", str(Path(__file__).parents[2] / "resources" / "examples" / "arm.sdf")),
    ("frames", "--csv"),
    ("frames",),
    ("frames", "--json"),
    *(
        ("graph", "--kind", kind, "--format", form)
        for kind in ("relative_to", "kinematic")
        for form in ("dot", "svg", "json")
    ),
    ("convert", "--to", "urdf"),
    ("screenshot", "-o", "/nowhere/a.png"),
]


@pytest.mark.parametrize("name", ["a.sdf", "raw.sdf"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_name_reaches_the_terminal_as_it_is(
    file: Path, name: str, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command, str(file.with_name(name))])
    out, err = capsys.readouterr()
    if command[0] != "convert":  # which writes XML: the characters are those of the file
        for line in (*out.split("\n"), *err.split("\n")):
            assert visible(line) == line
    if out and "json" in " ".join(command):
        for line in out.splitlines() if command[0] != "graph" else [out]:
            json.loads(line)
    if "svg" in command and out:
        ET.fromstring(out)


def test_a_path_does_not_reach_the_terminal_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[31m\n.sdf"
    try:
        path.write_text(FILE, encoding="utf-8")
    except OSError:
        pytest.skip("this file system has no such names")
    for options in (
        "--urdf-ready",
        "--json",
        "--output-format=github",
        "--output-format=gitlab",
        "--output-format=junit",
    ):
        main(["check", options, str(path), str(tmp_path / "none\x1b.sdf")])
        out, err = capsys.readouterr()
        for line in (*out.split("\n"), *err.split("\n")):
            assert visible(line) == line


@pytest.mark.parametrize(
    "command",
    [
        *(words for words in COMMANDS if words[0] not in ("convert", "graph", "screenshot")),
        ("why", "::set-output name=a::b"),
        ("why", "##[add-mask]b"),
    ],
    ids=" ".join,
)
def test_no_name_is_a_command_to_a_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """A runner of GitHub looks for two colons behind blanks, and for ``##[`` anywhere in a line."""
    monkeypatch.chdir(tmp_path)
    name = "::add-mask::e.sdf"
    names = ("::set-output name=a::b", "##[add-mask]b", "##vso[task.setvariable variable=a]b")
    frames = "".join(f'<frame name="{each}"/><frame name="a{each}" attached_to="{each}_"/>' for each in names)
    text = f'<sdf version="1.9"><model name="{names[0]}"><link name="{names[1]}"/>{frames}<zap/></model></sdf>'
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError:
        pytest.skip("this file system has no such names")
    main([*command, name])
    main([*command, "::add-mask::none.sdf"])
    out, err = capsys.readouterr()
    written = ("::error ", "::warning ", "::notice ")
    for line in (*out.splitlines(), *err.splitlines()):
        assert not line.lstrip().startswith("::") or line.startswith(written)
        assert line.startswith(written) or not ("##[" in line or "##vso[" in line)


def test_line_breaks_in_a_name_survive_a_conversion(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = file.with_name("plain.sdf")
    plain.write_text(
        '<sdf version="1.9"><model name="m"><link name="a&#10;b&#13;c&#9;d"/></model></sdf>', encoding="utf-8"
    )
    main(["convert", "--to", "urdf", str(plain)])
    found = ET.fromstring(capsys.readouterr().out).find("link")
    assert found is not None
    assert found.get("name") == "a\nb\rc\td"


def test_a_spreadsheet_runs_no_name_as_a_formula(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.sdf"
    path.write_text("<sdf version='1.9'><model name='=cmd()'><link name='a'/></model></sdf>", encoding="utf-8")
    main(["frames", "--csv", str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[2] for line in lines[1:]] == ["'=cmd()", "'=cmd()::a"]
    assert [line.split(",")[-1] for line in lines[1:]] == ["'=cmd()::a", "'=cmd()::a"]


def test_the_log_shows_no_path_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\n::add-mask::e.sdf"
    try:
        path.write_text(FILE, encoding="utf-8")
    except OSError:
        pytest.skip("this file system has no such names")
    command = own_process("--debug", "check", str(path))
    done = subprocess.run(command.command, env=command.environment, cwd=tmp_path, capture_output=True, check=False)
    logged = [line for line in done.stderr.decode().split("\n") if " DEBUG " in line or "add-mask" in line]
    assert any("add-mask" in line for line in logged)
    for line in logged:
        assert visible(line) == line
        assert not line.lstrip().startswith("::")
