"""Other programs load what was written and find the same; what they find otherwise is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.export.conversion import ConversionOptions, convert
from sdfviewer.export.verification import PROGRAMS, verify
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
