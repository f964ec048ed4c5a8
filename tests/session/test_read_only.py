"""Why an open file cannot be edited now."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.session.read_only import why_not_current, why_read_only
from sdfviewer.session.session import Session

ARM = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'
XACRO = '<robot name="r"><link name="${nope}"/></robot>'


def sentence(session: Session) -> str:
    reason = why_not_current(session)
    return "" if reason is None else reason.sentence


def test_a_text_that_can_be_read_has_no_reason() -> None:
    session = Session(parse_document(ARM))
    assert why_not_current(session) is None
    assert why_read_only(session, 1) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<sdf><model", "The XML cannot be read; fix its errors first."),
        ('<sdf version="1.9"/>', "The file contains no readable model or world; see its problems."),
    ],
)
def test_the_reason_is_what_is_wrong_with_the_text(text: str, reason: str) -> None:
    assert sentence(Session(parse_document(text))) == reason


def test_a_file_of_values_is_no_broken_model(tmp_path: Path) -> None:
    """A link leads to the value in a YAML file that a xacro file reads: it had an error, and five panels said so."""
    session = Session(parse_document("mass: 1\n", tmp_path / "values.yaml"))
    assert sentence(session) == "The file holds settings or values, no model; edit its text."
    assert session.diagnostics == ()
    session.apply(Edit("Type", session.document, (Replacement(6, 7, "2"),)))
    assert session.document.text == "mass: 2\n"
    assert session.diagnostics == ()


def test_the_rows_of_an_earlier_text_cannot_be_edited() -> None:
    session = Session(parse_document(ARM))
    session.recover(ARM.removesuffix("</sdf>"))
    reason = why_read_only(session, 1)
    assert reason is not None
    assert reason is why_not_current(session)


def test_a_xacro_file_has_no_errors_of_xml(tmp_path: Path) -> None:
    pytest.importorskip("xacro")
    file = parse_document(XACRO, tmp_path / "r.urdf.xacro")
    named = Expander(permission=NamedFiles(None, ""))
    assert sentence(Session(file, expander=named, waits=False)) == "The file is being read; wait until it is shown."
    failed = Session(file, expander=named)
    assert sentence(failed).startswith("The xacro file cannot be evaluated: ")
    assert "nope" in sentence(failed)
    asks = Session(file, expander=Expander())
    assert sentence(asks) == "The xacro file is not evaluated; allow it to see the robot that it writes."
