"""No file runs code, whatever its expressions, arguments and YAML files say."""

from __future__ import annotations

import time
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from sdfviewer.cli import main
from sdfviewer.formats.xacro import engine
from tests.formats.xacro.payloads import EXPENSIVE, EXPENSIVE_FILES, FILES, REACHING

pytest.importorskip("xacro")

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "marker"


def expand(folder: Path, content: str, yaml: str = "") -> str:
    """Return what a file is expanded to, within this process."""
    (folder / "y.yaml").write_text(yaml, encoding="utf-8")

    def read(path: str) -> str:
        return Path(path).read_text(encoding="utf-8")

    path = str(folder / "a.xacro")
    return engine.evaluate(f"{HEAD}{content}</robot>", path, {}, read, lambda name: None).text


def attribute(expression: str) -> str:
    return '<link name="' + escape(f"${{{expression}}}", {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"}) + '"/>'


def test_an_expression_reaches_no_object_of_python(tmp_path: Path, marker: Path) -> None:
    for expression in REACHING:
        try:
            expanded = expand(tmp_path, attribute(expression.replace("MARK", marker.as_posix())))
        except engine.EvaluationError as error:
            reason = str(error)
        else:
            pytest.fail(f"{expression} is expanded to {expanded}")
        assert reason, expression
        assert not marker.exists(), expression


def expand_within_bounds(folder: Path, content: str, yaml: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expand a file; it may be refused, but must neither take long nor write much."""
    monkeypatch.setattr(engine, "_MOST_STEPS", 100_000)
    before = engine.MOST_SECONDS + time.process_time()
    try:
        text = expand(folder, content, yaml)
    except engine.EvaluationError as error:
        text = str(error)
        assert text
    assert len(text) < 64 << 20
    assert time.process_time() < before + 1


@pytest.mark.parametrize("expression", EXPENSIVE, ids=lambda each: each[:40])
def test_an_expression_takes_little(expression: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expand_within_bounds(tmp_path, attribute(expression), "", monkeypatch)


@pytest.mark.parametrize(("content", "yaml"), EXPENSIVE_FILES, ids=lambda each: each[:60])
def test_a_file_takes_little(content: str, yaml: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expand_within_bounds(tmp_path, content, yaml, monkeypatch)


@pytest.mark.parametrize(("content", "yaml"), FILES, ids=lambda each: each[:60])
def test_no_part_of_a_file_runs_code(content: str, yaml: str, tmp_path: Path, marker: Path) -> None:
    mark = marker.as_posix()
    with pytest.raises(engine.EvaluationError) as error:
        expand(tmp_path, content.replace("MARK", mark), yaml.replace("MARK", mark))
    assert str(error.value)
    assert not marker.exists()


def test_the_command_touches_nothing(tmp_path: Path, marker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = "".join(attribute(each.replace("MARK", marker.as_posix())) for each in REACHING[:1])
    file = tmp_path / "a.xacro"
    file.write_text(f"{HEAD}\n{names}</robot>", encoding="utf-8")
    assert main(["check", str(file)]) == 1
    assert f"{file}:2:1: error: xacro: name 'open' is not defined in the expression" in capsys.readouterr().out
    assert not marker.exists()
