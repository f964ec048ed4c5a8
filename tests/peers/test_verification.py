"""Other programs load what was written and find the same; what they find otherwise is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.export.bundle import make_bundle
from sdfviewer.export.conversion import ConversionOptions, convert, written_names
from sdfviewer.export.verification import PROGRAMS, verify, verify_steps
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from tests.writers.targets import MODELS

#: MuJoCo leaves out the mass of a link that nothing carries, unless the file says otherwise, as a bundle does.
CASES = [
    (program, name, target)
    for target, programs in (("urdf", ("drake", "pinocchio", "yourdfpy")), ("1.9", ("drake",)))
    for program in programs
    for name in ("everything.sdf", "everything.urdf")
]


@pytest.mark.parametrize(("program", "name", "target"), CASES)
def test_a_program_finds_what_was_written(program: str, name: str, target: str, tmp_path: Path) -> None:
    pytest.importorskip(PROGRAMS[program][1])
    loader = Loader()
    model = loader.load(open_document(MODELS / name))
    assert model is not None
    conversion = convert(model, loader, target, ConversionOptions(allow_loss=True))
    file = tmp_path / ("m.urdf" if target == "urdf" else "m.sdf")
    file.write_bytes(conversion.document.to_bytes())
    found = verify(program, file, model, conversion.names)
    assert found.agrees, str(found)
    assert found.links >= 4


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [('mass value="1.5"', 'mass value="1.6"', "kg of mass"), ('rpy="0 0.4 0"', 'rpy="0 0.5 0"', " rad at ")],
)
def test_what_a_program_finds_otherwise_is_said(old: str, new: str, what: str, tmp_path: Path) -> None:
    pytest.importorskip("yourdfpy")
    loader = Loader()
    model = loader.load(open_document(MODELS / "everything.urdf"))
    assert model is not None
    conversion = convert(model, loader, "urdf")
    file = tmp_path / "m.urdf"
    text = conversion.document.text
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    found = verify("yourdfpy", file, model, conversion.names)
    assert not found.agrees
    assert what in "; ".join(found.differences)


def test_a_program_finds_the_inertia_that_a_note_has_announced(tmp_path: Path) -> None:
    pytest.importorskip("yourdfpy")
    loader = Loader()
    text = (MODELS / "everything.urdf").read_text(encoding="utf-8")
    impossible = re.sub(r"<inertia [^>]*>", '<inertia ixx="1" ixy="1" ixz="1" iyy="1" iyz="1" izz="1"/>', text, count=1)
    assert impossible != text
    model = loader.load(parse_document(impossible, tmp_path / "m.urdf"))
    assert model is not None
    bundle = make_bundle(model, loader, "urdf", tmp_path / "b", "relative", "keep")
    bundle.write(tmp_path / "b")
    assert any("are impossible" in each for each in bundle.steps[0].losses)
    found = verify_steps("yourdfpy", tmp_path / "b" / bundle.name, model, bundle.steps)
    assert found.agrees, str(found)
    unannounced = verify("yourdfpy", tmp_path / "b" / bundle.name, model, written_names(model, bundle.steps))
    assert "of inertia" in "; ".join(unannounced.differences)
