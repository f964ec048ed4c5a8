"""A fault of the program ends a call of the library as one typed error with a report, and nothing else is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.faults import program_version

ARM = """<sdf version="1.9"><model name="m">
<link name="a"/><link name="b"><pose relative_to="a">0 0 1 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("injected")


def edit(path: Path) -> object:
    document = sdfviewer.open_document(path)
    before = document.text
    try:
        with document.edit() as block:
            block.set_pose("b", xyz=(1, 2, 3))
    except sdfviewer.InternalError:
        assert document.text == before
        raise
    return None


@pytest.mark.parametrize(
    ("broken", "call"),
    [
        ("sdfviewer.library.opening.load_document", sdfviewer.load),
        ("sdfviewer.library.opening.read_document", sdfviewer.check),
        ("sdfviewer.library.document.read_document", sdfviewer.open_document),
        ("sdfviewer.export.conversion.export_urdf", lambda path: sdfviewer.load(path).to_urdf()),
        ("sdfviewer.export.mjcf.export_mjcf", lambda path: sdfviewer.load(path).to_mjcf()),
        ("sdfviewer.refactoring.versions.changing.change_version", lambda path: sdfviewer.load(path).convert("1.8")),
        ("sdfviewer.library.handle.explain_pose", lambda path: sdfviewer.load(path).link("b").explain()),
        ("sdfviewer.library.handle.as_pose", lambda path: sdfviewer.load(path).link("b").pose),
        ("sdfviewer.library.base.Kinematics", lambda path: sdfviewer.load(path).poses({"j": 0.1})["b"]),
        ("sdfviewer.library.edit_block.PoseEdits._make", edit),
    ],
)  # fmt: skip
def test_a_fault_is_one_typed_error_with_a_report(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    broken: str,
    call: Callable[[Path], object],
) -> None:
    path = tmp_path / "a.sdf"
    path.write_text(ARM, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        with pytest.raises(sdfviewer.InternalError) as caught:
            call(path)
    error = caught.value
    assert isinstance(error, sdfviewer.SdfViewerError)
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert "because of an internal error (ZeroDivisionError: injected" in str(error)
    assert f"sdfviewer {program_version()}" in error.report
    assert "Traceback" in error.report
    assert "in fail" in error.report
    assert [each.levelno for each in caplog.records] == [logging.ERROR], "it is logged once"
    call(path)  # and the next call works


def test_what_is_wrong_with_a_call_is_no_internal_error(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_text(ARM, encoding="utf-8")
    model = sdfviewer.load(path)
    with pytest.raises(TypeError, match="positional"):
        model.link()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no argument 'folder'"):
        sdfviewer.load(path, folder=tmp_path)  # type: ignore[call-arg]
    with pytest.raises(sdfviewer.UnknownNameError):
        model.link("c")
    with pytest.raises(AttributeError, match="links"):
        model.linkz  # type: ignore[attr-defined]  # noqa: B018
