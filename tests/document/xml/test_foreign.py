"""Files that are no models: said what they are rather than which character XML does not allow."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import open_document

MODEL = '<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR<\x00\x00", "a picture"),
        (b"PXR-USDC\x00\x00", "a USD scene"),
        (b'#usda 1.0\ndef Xform "x" {}\n', "a USD scene"),
        (b"solid part\nendsolid part\n", "a mesh"),
        (b'{"asset": {"version": "2.0"}}', "JSON"),
        (bytes(range(256)) * 8, "binary data"),
        (b"hello", "not XML"),
        (b"<!DOCTYPE html>\n<html><body><p>404</body></html>", "a web page"),
    ],
)
def test_a_file_that_is_no_xml_is_named_in_one_problem(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "robot.sdf"
    path.write_bytes(content)
    document = open_document(path)
    (problem,) = document.diagnostics
    assert problem.rule.name == "xml-syntax"
    assert said in problem.message
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (1, 1)
    assert document.to_bytes() == content


def test_an_archive_is_one_although_it_holds_a_model(tmp_path: Path) -> None:
    path = tmp_path / "robot.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.sdf", MODEL)
    (problem,) = open_document(path).diagnostics
    assert "a ZIP archive: unpack it" in problem.message


@pytest.mark.parametrize("text", ["", " \n", "solid\n" + MODEL, MODEL.replace("link", "li\x00nk"), "<sdf"])
def test_a_broken_model_is_not_taken_for_something_else(text: str) -> None:
    messages = [problem.message for problem in parse_document(text).diagnostics]
    assert messages
    assert not any("this is no" in message for message in messages)


@pytest.mark.parametrize(("tag", "said"), [("COLLADA", "this is a mesh"), ("mujocco", "'mujoco'"), ("sfd", "'sdf'")])
def test_another_first_element_is_named(tag: str, said: str) -> None:
    (problem,) = sdfviewer.check(f"<{tag}/>")
    assert problem.rule.name == "not-sdformat"
    assert said in problem.message
