"""``sdfviewer diff``: two files, and what git has committed of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sdfviewer.cli import main

PART = '<sdf version="1.9"><model name="part"><link name="l"><pose>0 0 {} 0 0 0</pose></link></model></sdf>\n'
TOP = """<sdf version="1.9">
  <model name="top">
    <link name="base"/>
    <frame name="mark"><pose>{} 0 0 0 0 0</pose></frame>
    <frame name="on_mark" attached_to="mark"/>
    <include><uri>part.sdf</uri></include>
  </model>
</sdf>
"""


@pytest.fixture
def top(tmp_path: Path, commit: Callable[[Path], None]) -> Path:
    """Return a file with an include, both committed twice: the mark stood at 1, then at 2."""
    folder = tmp_path / "models of ours"
    folder.mkdir()
    part, file = folder / "part.sdf", folder / "top.sdf"
    part.write_text(PART.format(0), encoding="utf-8")
    commit(part)
    for x in (1, 2):
        file.write_text(TOP.format(x), encoding="utf-8")
        commit(file)
    return file


def test_diff_at_a_configuration(examples: Path, capsys: pytest.CaptureFixture) -> None:
    files = [str(examples / f"two_links_orthogonal_{number}.sdf") for number in (1, 1)]
    assert main(["diff", *files]) == 0
    a, b = (str(examples / f"parity_{name}.sdf") for name in ("relative_to", "legacy_numbers"))
    assert main(["diff", "--json", "--joint", "joint1=0.3", a, b]) == 1
    found = {each["after"]: each for each in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["parity_legacy_numbers::link2"]["changes"] == ["moved"]
    assert found["parity_legacy_numbers::link2"]["radians"] == pytest.approx(0.4)


def test_a_file_alone_is_compared_with_the_last_commit(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(top)]) == 0
    assert capsys.readouterr().out == ""
    top.write_text(TOP.format(2.5), encoding="utf-8")
    assert main(["diff", str(top)]) == 1
    assert capsys.readouterr().out == (
        "moved: frame top::mark  0.5 m, 0 rad\nmoved: frame top::on_mark  0.5 m, 0 rad  together with top::mark\n"
    )
    assert main(["diff", "--json", str(top)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["along"] for each in found] == [None, "top::mark"]


def test_an_earlier_commit_is_named_as_git_names_it(
    top: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(top.parent)
    assert main(["diff", "HEAD:top.sdf", "top.sdf"]) == 0
    assert main(["diff", "HEAD~1:top.sdf", "top.sdf"]) == 1
    assert "top::mark  1 m" in capsys.readouterr().out
    monkeypatch.chdir(top.parent.parent)
    assert main(["diff", "top.sdf", f"HEAD~1:{top.parent.name}/top.sdf"]) == 2  # there is no ./top.sdf
    assert main(["diff", str(top), f"HEAD~1:{top.parent.name}/top.sdf"]) == 1


def test_what_a_committed_file_includes_is_that_of_the_commit(
    top: Path, commit: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    part = top.parent / "part.sdf"
    part.write_text(PART.format(3), encoding="utf-8")
    assert main(["diff", str(top)]) == 1
    assert capsys.readouterr().out == "moved: link top::part::l  3 m, 0 rad\n"
    commit(part)
    assert main(["diff", str(top)]) == 0
    assert main(["diff", f"HEAD~1:{top}", str(top)]) == 1
    assert capsys.readouterr().out == "moved: link top::part::l  3 m, 0 rad\n"
    part.unlink()
    assert main(["diff", f"HEAD~1:{top}", f"HEAD:{top}"]) == 1  # which need not be on the disk
    assert capsys.readouterr().out == "moved: link top::part::l  3 m, 0 rad\n"
    assert main(["diff", str(top)]) == 1
    assert "vanished: link top::part::l" in capsys.readouterr().out


def test_what_included_files_include_and_files_of_no_commit_are_read_too(
    top: Path, commit: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    cell, tool = top.parent / "cell.sdf", top.parent / "tool.sdf"
    cell.write_text(
        '<sdf version="1.9"><world name="w"><include><uri>top.sdf</uri></include>'
        "<include><uri>tool.sdf</uri></include></world></sdf>",
        encoding="utf-8",
    )
    commit(cell)
    tool.write_text(PART.format(0).replace("part", "tool"), encoding="utf-8")  # never committed
    (top.parent / "part.sdf").write_text(PART.format(1), encoding="utf-8")
    assert main(["diff", str(cell)]) == 1
    assert capsys.readouterr().out == "moved: link top::part::l  1 m, 0 rad\n"


def test_what_git_does_not_hold_is_reported(
    top: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    new = top.with_name("new.sdf")
    new.write_text(TOP.format(1), encoding="utf-8")
    assert main(["diff", str(new)]) == 2
    assert "git has no committed version of new.sdf" in capsys.readouterr().err
    assert main(["diff", "-"]) == 2
    assert "no version in git" in capsys.readouterr().err
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    outside = tmp_path / "outside.sdf"
    outside.write_text(TOP.format(1), encoding="utf-8")
    assert main(["diff", str(outside)]) == 2
    assert "git has no committed version of outside.sdf" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["diff", str(top)]) == 2
    assert "git is not installed" in capsys.readouterr().err


def test_the_help_says_what_one_file_means(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["diff", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "since the last commit" in told
    assert "REV:FILE" in told


def test_a_changed_mass_is_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = (
        '<sdf version="1.9"><model name="m"><link name="l">\n<inertial><mass>{}</mass></inertial></link></model></sdf>'
    )
    a, b = tmp_path / "a.sdf", tmp_path / "b.sdf"
    a.write_text(link.format(1), encoding="utf-8")
    b.write_text(link.format(2), encoding="utf-8")
    assert main(["diff", str(a), str(b)]) == 1
    assert capsys.readouterr().out == f"changed: link m::l: mass  1 → 2  ({b}:2)\n"
    assert main(["diff", "--json", str(a), str(b)]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "changes": ["changed"],
        "kind": "link",
        "before": "m::l",
        "after": "m::l",
        "aspect": "mass",
        "quantity": "mass",
        "value_before": "1",
        "value_after": "2",
        "place_before": f"{a}:2",
        "place_after": f"{b}:2",
    }
    assert main(["diff", "--only", "frame", "--only", "joint", str(a), str(b)]) == 0


def test_a_table_for_a_comment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Frames that moved farthest first, then properties; what was taken along is counted, and no name ends its cell."""
    name = "t|ip` &lt;img src=x>"
    text = (
        '<sdf version="1.10"><model name="m"><link name="a"><inertial><mass>{}</mass></inertial></link>'
        '<frame name="near"><pose>{} 0 0 0 0 0</pose></frame><frame name="on"><pose relative_to="near"/></frame>'
        f'<frame name="{name}"><pose>0 0 {{}} 0 0 0</pose></frame></model></sdf>'
    )
    before, after = tmp_path / "a.sdf", tmp_path / "b.sdf"
    before.write_text(text.format(1, 0, 0), encoding="utf-8")
    after.write_text(text.format(2, 0.25, 0.5), encoding="utf-8")
    assert main(["diff", "--markdown", str(before), str(after)]) == 1
    head, _, far, near, mass, empty, note = capsys.readouterr().out.splitlines()
    assert head == "| What has changed | By | Before | After |"
    assert far.startswith("| moved: frame `m::t?ip? <img src=x>` | 500 mm, 0° | `")
    assert near.startswith("| moved: frame `m::near` | 250 mm, 0° | `")
    assert "`mass`" in mass
    assert "`1` → `2`" in mass
    assert {line.count("|") for line in (head, far, near, mass)} == {5}
    assert empty == ""
    assert note.startswith("1 frame,")
    assert main(["diff", "--markdown", str(before), str(before)]) == 0
    assert capsys.readouterr().out == ""
