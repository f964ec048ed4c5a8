"""A URDF that holds xacro is read as it is written, with a warning, until somebody asks for its evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.diagnostics import Severity
from sdfviewer.files.opening import open_document
from sdfviewer.formats.registry import reader_of
from sdfviewer.formats.urdf.format import URDF
from sdfviewer.formats.xacro.decisions import Answer, Decisions, NamedFiles
from sdfviewer.formats.xacro.expansion import Expander, holds_xacro

pytest.importorskip("xacro")

HEAD = 'name="bot" xmlns:xacro="http://ros.org/wiki/xacro"'
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOT = f"""<robot {HEAD}>
  <xacro:arg name="namespace" default="left_"/>
  <link name="$(arg namespace)base">{INERTIAL}</link>
</robot>
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "bot.urdf"
    file.write_text(BOT, encoding="utf-8")
    return file


def test_it_is_read_as_it_is_written(bot: Path) -> None:
    model = sdfviewer.load(bot)
    assert [link.name for link in model.links] == ["$(arg namespace)base"]
    assert [(each.rule.name, each.severity) for each in model.diagnostics] == [("urdf-is-xacro", Severity.WARNING)]


def test_it_is_evaluated_on_request(bot: Path) -> None:
    model = sdfviewer.load(bot, xacro=True)
    assert [link.name for link in model.links] == ["left_base"]
    assert model.diagnostics == ()
    given = sdfviewer.load(bot, xacro=True, arguments={"namespace": ""})
    assert [link.name for link in given.links] == ["base"]


def test_a_text_that_is_no_robot_without_xacro_stays_an_error(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(f'<robot {HEAD}><xacro:property name="m" value="1"/></robot>', encoding="utf-8")
    assert [(each.rule.name, each.is_error) for each in sdfviewer.check(file)] == [("urdf-is-xacro", True)]


def test_macro_calls_alone_are_no_request(tmp_path: Path) -> None:
    file = tmp_path / "rest.urdf"
    file.write_text(f'<robot {HEAD}><xacro:left_over/><link name="a">{INERTIAL}</link></robot>', encoding="utf-8")
    assert not holds_xacro(open_document(file))
    assert [link.name for link in sdfviewer.load(file, xacro=True).links] == ["a"]


def test_what_the_user_has_decided_counts(bot: Path) -> None:
    document = open_document(bot)
    expander = Expander(permission=Decisions("answer"))
    assert reader_of(document, expander) is URDF
    assert expander.refused == [document]
    expander.permission.decide([document], Answer.FILE)  # type: ignore[attr-defined]
    found = reader_of(document, expander)
    assert found is not None
    assert found.name == "xacro"


def test_naming_a_urdf_does_not_evaluate_it(bot: Path) -> None:
    found = reader_of(open_document(bot), Expander(permission=NamedFiles([bot], "")))
    assert found is URDF


def test_an_expression_alone_is_evaluated_too(tmp_path: Path) -> None:
    file = tmp_path / "expression.urdf"
    file.write_text(f'<robot {HEAD}><link name="${{1 + 1}}">{INERTIAL}</link></robot>', encoding="utf-8")
    assert [each.rule.name for each in sdfviewer.check(file)] == ["urdf-is-xacro"]
    assert [link.name for link in sdfviewer.load(file, xacro=True).links] == ["2"]
