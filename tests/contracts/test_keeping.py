"""*Keep This True*: what is true now is written as a contract, in one undo step with other edits."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main
from tests.contracts.test_contracts import ARM

HERE = '[[contract]]\nfile = "arm.sdf"\n'


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.sdf"
    path.write_text(ARM, encoding="utf-8")
    return path


def test_what_is_true_now_is_written_and_holds(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--keep-true", "arm::tool0", "--relative-to", "base", "--why", 'the "cell"']
    assert main(["edit", *words, "--diff", str(arm)]) == 0
    assert '+frame = "arm::tool0"' in capsys.readouterr().out
    settings = arm.with_name("sdfviewer.toml")
    assert not settings.exists()
    more = ["--keep-true", "arm", "--what", "mass", "--tolerance", "0.5"]
    assert main(["edit", *words, *more, "--in-place", str(arm)]) == 0
    assert "error" not in capsys.readouterr().err
    pose = "[0.4, 0, 0.9, 0, 0, 0]\ntolerance = { position = 0.0001, rotation = 0.001 }"
    assert settings.read_text(encoding="utf-8") == (
        f'{HERE}frame = "arm::tool0"\nrelative_to = "arm::base"\npose = {pose}\nwhy = "the \\"cell\\""\n'
        f"\n{HERE}mass = {{ min = 4.5, max = 5.5 }}\n"
    )
    assert arm.read_text(encoding="utf-8") == ARM
    assert sdfviewer.check(arm) == ()
    arm.write_text(ARM.replace("0.4 0 0.7", "0.5 0 0.7").replace("<mass>3", "<mass>4"), encoding="utf-8")
    assert [each.rule.name for each in sdfviewer.check(arm)] == ["contract-broken"] * 2


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"what": "number"}, 'value = "arm::tool0/pose/x"\nequals = 0.4\n'),
        ({"what": "number", "number": "pose/z", "tolerance": 0.1}, "equals = 0.7\ntolerance = 0.1\n"),
        ({"what": "mass"}, 'mass = { min = 1.98, max = 2.02, of = "arm::palm" }\n'),
        ({"tolerance": 0.1}, "tolerance = 0.1\n"),
    ],
)
def test_a_number_or_a_mass_is_kept(arm: Path, options: dict[str, object], line: str) -> None:
    document = sdfviewer.open_document(arm)
    frame = "palm" if options.get("what") == "mass" else "tool0"
    with document.edit("Keep") as edit:
        edit.keep_true(frame, **options)  # type: ignore[arg-type]
    assert not arm.with_name("sdfviewer.toml").exists()
    document.save()
    assert line in arm.with_name("sdfviewer.toml").read_text(encoding="utf-8")
    assert sdfviewer.check(arm) == ()


def test_it_is_undone_with_the_document(arm: Path) -> None:
    settings = arm.with_name("sdfviewer.toml")
    settings.write_bytes(b'ignore = ["unknown-element"]\r\n')
    document = sdfviewer.open_document(arm)
    with document.edit("One") as edit:
        edit.keep_true("tool0")
        edit.keep_true("palm")
    document.undo()
    with document.edit("Two") as edit:
        edit.keep_true("base", why="ä")
    document.save()
    text = settings.read_bytes().decode("utf-8")
    assert text.startswith(
        'ignore = ["unknown-element"]\r\n\r\n[[contract]]\r\nfile = "arm.sdf"\r\nframe = "arm::base"'
    )
    assert text.count("[[contract]]") == 1
    assert text.endswith('why = "ä"\r\n')
    assert sdfviewer.check(arm) == ()


def test_it_is_written_into_the_settings_of_a_python_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.sdfviewer]\nstrict = true\n", encoding="utf-8")
    (tmp_path / "robots").mkdir()
    arm = tmp_path / "robots" / "arm.sdf"
    arm.write_text(ARM, encoding="utf-8")
    assert main(["edit", "--keep-true", "tool0", "--in-place", str(arm)]) == 0
    text = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    assert '[[tool.sdfviewer.contract]]\nfile = "robots/arm.sdf"\n' in text
    arm.write_text(ARM.replace("0.4 0 0.7", "0.5 0 0.7"), encoding="utf-8")
    assert [each.rule.name for each in sdfviewer.check(arm)] == ["contract-broken"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tolerance": -1.0}, "must be 0 or more"),
        ({"what": "number", "number": "pose/u"}, "is not a number of a pose"),
        ({"what": "weight"}, "'pose', 'number' or 'mass'"),
    ],
)
def test_what_cannot_be_kept_is_refused(arm: Path, options: dict[str, object], words: str) -> None:
    document = sdfviewer.open_document(arm)
    with pytest.raises(sdfviewer.SdfViewerError, match=words), document.edit("Keep") as edit:
        edit.keep_true("tool0", **options)  # type: ignore[arg-type]


def test_a_limit_that_is_not_there_is_no_number(arm: Path) -> None:
    arm.write_text(ARM.replace("<limit><lower>-1</lower><upper>3.1</upper></limit>", ""), encoding="utf-8")
    document = sdfviewer.open_document(arm)
    with pytest.raises(sdfviewer.SdfViewerError, match="is not limited"), document.edit("Keep") as edit:
        edit.keep_true("joint_1", what="number", number="axis/limit/upper")
