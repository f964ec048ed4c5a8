"""Text that is not XML at all: every command reads it as it may have been meant, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.load import load_model
from tests.frames import frame_in

BROKEN = """<sdf version="1.9">
  <model name="m">
    <link name="a"><pose>1 0 0 0 0 0</pose>
    <link name="b"/>
  </model>
</sdf>
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "broken.sdf"
    file.write_text(BROKEN)
    return file


def test_the_library_loads_it_and_says_what_is_wrong(broken: Path) -> None:
    model = load_model(broken)
    assert frame_in(model, "m::a").pose[0, 3] == 1.0
    assert [each.rule.name for each in model.diagnostics] == ["xml-syntax"]
    assert [each.rule.name for each in sdfviewer.check(broken)] == ["xml-syntax"]


def test_frames_lists_what_may_have_been_meant(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frames", "--json", str(broken)]) == 1
    out, err = capsys.readouterr()
    assert {"m::a"} <= {frame["name"] for frame in json.loads(out)["frames"]}
    assert f"{broken}:3:" in err
    assert "repaired while reading" in err


@pytest.mark.parametrize(
    "command", [["why", "m::a"], ["graph", "--kind", "relative_to"], ["convert", "--to", "1.12"], ["diff"]]
)
def test_other_commands_read_it_too(command: list[str], broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(broken)] * (2 if command[0] == "diff" else 1)
    assert main([*command, *files]) in (0, 1)
    assert "repaired while reading" in capsys.readouterr().err


def test_what_is_wrong_beside_the_text_is_no_error_of_the_program(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken.write_text(BROKEN.replace('<link name="b"/>', "<include><uri>model://none</uri></include>"))
    assert main(["convert", "--to", "1.12", str(broken)]) == 1
    assert "error of sdfviewer" not in capsys.readouterr().err
    assert [each.rule.name for each in load_model(broken).diagnostics] == ["xml-syntax", "uri-not-found"]


def test_the_error_is_the_one_that_stopped_it() -> None:
    with pytest.raises(SdfViewerError, match="first element is <launch>"):
        load_model("<launch/>")
    # A warning comes first in the text, but the error is what stops it.
    with pytest.raises(SdfViewerError, match="first element"):
        load_model('<?xml version="1.0"?><!-- -- --><launch x="1"/>')
    with pytest.raises(SdfViewerError, match="has no model, world, light or actor"):
        load_model("<sdf/>")
