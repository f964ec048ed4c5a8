"""What a xacro file that cannot be evaluated may have meant."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer

pytest.importorskip("xacro")

BOUND = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def check(folder: Path, *lines: str, head: str = BOUND) -> tuple[sdfviewer.Diagnostic, Path]:
    """Return the only problem of a file with these lines after its start tag."""
    file = folder / "r.urdf.xacro"
    body = "\n".join(lines)
    file.write_text(f'<robot name="r" {head}>\n{body}\n</robot>', encoding="utf-8")
    (problem,) = sdfviewer.check(file)
    return problem, file


def fixed(problem: sdfviewer.Diagnostic, file: Path) -> str:
    """Return a file after the first fix of its problem."""
    text = file.read_text(encoding="utf-8")
    for change in sorted(problem.fixes[0].replacements, key=lambda each: each.start, reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return text


LINK = f'<link name="a">{INERTIAL}</link>'


def test_a_prefix_that_is_not_declared_is_found_and_declared(tmp_path: Path) -> None:
    problem, file = check(tmp_path, LINK, '<xacro:property name="w" value="3"/>', head="")
    assert problem.message == f"xacro: the prefix of <xacro:property> is not declared: write <robot {BOUND}>"
    assert problem.span is not None
    assert problem.span.line == 3
    assert f'<robot name="r" {BOUND}' in fixed(problem, file)


def test_a_prefix_that_an_included_file_does_not_declare_is_found_there(tmp_path: Path) -> None:
    (tmp_path / "arm.xacro").write_text('<robot>\n<xacro:property name="w" value="3"/></robot>', encoding="utf-8")
    problem, _ = check(tmp_path, LINK, '<xacro:include filename="arm.xacro"/>')
    assert problem.span is not None
    assert (Path(problem.span.path).name, problem.span.line) == ("arm.xacro", 2)


def test_names_of_macros_without_prefix_are_explained_and_all_get_it(tmp_path: Path) -> None:
    macro = f'<macro name="leg" params="n"><link name="${{n}}">{INERTIAL}</link></macro>'
    problem, file = check(tmp_path, macro, '<leg n="a"/>')
    assert problem.message.endswith("; xacro reads <xacro:macro>, and here it is <macro>")
    assert "<xacro:leg n=" in fixed(problem, file)
    assert "</xacro:macro>" in fixed(problem, file)


def test_a_property_without_prefix_is_a_warning_where_nothing_fails(tmp_path: Path) -> None:
    problem, file = check(tmp_path, '<property name="w" value="3"/>', LINK)
    assert (problem.rule.name, problem.message) == (
        "xacro-warning",
        "xacro: <property> is copied as it is: write <xacro:property>",
    )
    assert '<xacro:property name="w"' in fixed(problem, file)


def test_an_include_by_uri_is_written_by_its_package(tmp_path: Path) -> None:
    problem, _ = check(tmp_path, LINK, '<xacro:include filename="package://my_robot/urdf/arm.xacro"/>')
    assert problem.message.endswith("write $(find my_robot)/urdf/arm.xacro")


@pytest.mark.parametrize(("written", "meant"), [("${find r}/a", "$(find r)"), ("${arg side}", "$(arg side)")])
def test_a_substitution_in_the_braces_of_an_expression_is_named(tmp_path: Path, written: str, meant: str) -> None:
    problem, _ = check(tmp_path, '<xacro:arg name="side" default="l"/>', f'<link name="{written}">{INERTIAL}</link>')
    assert problem.message.endswith(f"is not part of an expression: write {meant}")


def test_that_substitution_is_written_right_by_the_fix(tmp_path: Path) -> None:
    problem, file = check(
        tmp_path, '<xacro:arg name="side" default="l"/>', f'<link name="${{arg side}}">{INERTIAL}</link>'
    )
    assert '<link name="$(arg side)">' in fixed(problem, file)
