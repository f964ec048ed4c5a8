"""``sdfviewer collisions --srdf``: the pairs of links that never collide, written for MoveIt."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.new_elements import disable_collisions


def link(name: str, size: str = "0.1 0.1 0.1", xyz: str = "0 0 0") -> str:
    shape = f'<origin xyz="{xyz}"/><geometry><box size="{size}"/></geometry>'
    return f'<link name="{name}"><collision>{shape}</collision></link>'


def joint(name: str, parent: str, child: str, xyz: str, limits: str = "") -> str:
    kind = "revolute" if limits else "fixed"
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}"><origin xyz="{xyz}"/>{ends}<axis xyz="0 1 0"/>{limits}</joint>'


def limits(reach: float) -> str:
    return f'<limit lower="-{reach}" upper="{reach}" effort="1" velocity="1"/>'


#: The forearm reaches the base and its hand does not reach the upper arm; inside the box are two links that overlap.
ROBOT = "".join(
    (
        '<robot name="arm">',
        link("base", "0.2 0.2 0.2"),
        link("upper", "0.1 0.1 1", "0 0 0.5"),
        link("fore", "0.1 0.1 1", "0 0 0.5"),
        link("hand"),
        link("far", xyz="9 0 0"),
        link("cover", "0.3 0.3 0.3"),
        joint("j1", "base", "upper", "0 0 0.2", limits(2)),
        joint("j2", "upper", "fore", "0 0 1.1", limits(3)),
        joint("j3", "fore", "hand", "0 0 1.1"),
        joint("j4", "far", "cover", "0 0 0"),
        joint("j5", "base", "far", "0 0 0"),
        "</robot>",
    )
)
PAIRS = {
    ("base", "upper", "Adjacent"),
    ("base", "far", "Adjacent"),
    ("base", "cover", "Always"),
    ("upper", "fore", "Adjacent"),
    ("upper", "hand", "Never"),
    ("upper", "far", "Never"),
    ("fore", "hand", "Adjacent"),
    ("fore", "far", "Never"),
    ("hand", "far", "Never"),
    ("far", "cover", "Adjacent"),
}


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    return path


def pairs_in(path: Path) -> set[tuple[str, str, str]]:
    root = parse_document(path.read_text()).root
    assert root is not None
    return {(a["link1"], a["link2"], a["reason"]) for each in root.children if (a := each.attributes)}


def collisions(*arguments: object) -> int:
    return main(["collisions", *map(str, arguments)])


def test_a_new_srdf_has_all_pairs_with_their_reasons(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    assert collisions("--srdf", srdf, "--samples", 400, robot) == 0
    upper_and_cover = {pair for pair in pairs_in(srdf) if set(pair[:2]) == {"upper", "cover"}}
    assert pairs_in(srdf) - upper_and_cover == PAIRS
    assert main(["check", str(srdf)]) == 0


def test_what_is_in_the_srdf_stays_byte_for_byte(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    before = (
        b"<?xml version='1.0'?>\r\n<robot  name='arm'>\r\n\t<!-- mine -->\r\n"
        b"\t<disable_collisions link2='base' link1='upper' reason='Adjacent' />\r\n"
        b"\t<passive_joint name='j1'/>\r\n</robot>\r\n"
    )
    srdf.write_bytes(before)
    assert collisions("--srdf", srdf, "--samples", 400, robot) == 0
    after = srdf.read_bytes()
    added = [line for line in after.splitlines(keepends=True) if line not in before.splitlines(keepends=True)]
    assert before == b"".join(line for line in after.splitlines(keepends=True) if line not in added)
    assert all(line.startswith(b"\t<disable_collisions link1=") and line.endswith(b"/>\r\n") for line in added)
    assert not any(b'link1="base" link2="upper"' in line for line in added)
    assert after.index(added[0]) < after.index(b"<passive_joint")


def test_a_difference_writes_nothing(robot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    srdf = robot.with_suffix(".srdf")
    assert collisions("--srdf", srdf, "--samples", 100, "--diff", robot) == 0
    assert '+  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>' in capsys.readouterr().out
    assert not srdf.exists()


def test_a_pair_that_collides_and_is_disabled_as_never_is_named(
    robot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    srdf = robot.with_suffix(".srdf")
    srdf.write_text('<robot name="arm">\n<disable_collisions link1="fore" link2="base" reason="Never"/>\n</robot>')
    assert collisions("--srdf", srdf, "--samples", 400, robot) == 1
    assert f"{srdf}:2: fore and base are disabled as 'Never', and collide\n" in capsys.readouterr().out


def test_a_mesh_that_is_missing_keeps_all_from_being_written(robot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot.write_text(ROBOT.replace('<box size="0.3 0.3 0.3"/>', '<mesh filename="cover.stl"/>'))
    srdf = robot.with_suffix(".srdf")
    assert collisions("--srdf", srdf, robot) == 2
    assert "without all meshes it is not known what never collides" in capsys.readouterr().err
    assert not srdf.exists()


@pytest.mark.parametrize("more", [["--joint", "j1=1"], ["--sweep", "j1"], ["--json"]])
def test_other_configurations_are_refused(robot: Path, more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert collisions("--srdf", robot.with_suffix(".srdf"), *more, robot) == 2
    assert "--srdf tests configurations of its own" in capsys.readouterr().err


def test_a_urdf_is_no_srdf() -> None:
    with pytest.raises(RefactoringError, match="is not an SRDF file"):
        disable_collisions(parse_document(ROBOT), [("base", "far", "Never")])
