"""Each statement of the specification holds for its file, or the test that it names exists."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.diagnostics import Severity
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import pose_to_matrix
from tests.frames import RowFrame, frame_in
from tests.named_tests import is_run
from tests.specification.statements import AGREES, DOCUMENTS, STATEMENTS, Statement

#: What files begin with that are not the inside of a model.
WHOLE = ("<world", "<model>", '<model name="m"', '<model name="empty"')
ROOT = Path(__file__).parents[2]


def load(statement: Statement, folder: Path) -> tuple[Model | None, list[str], list[str]]:
    """Return the model of a statement's file, and the rules that it breaks: errors and warnings."""
    for name, text in statement.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.startswith("<?") else _whole(text, statement.version), encoding="utf-8")
    body = statement.xml
    if not body.startswith(("<robot", "<sdf", "<?")):
        body = _whole(body if body.startswith(WHOLE) else f'<model name="m">{body}</model>', statement.version)
    path = folder / ("top.urdf" if body.startswith("<robot") else "top.sdf")
    path.write_text(body, encoding="utf-8")
    model, found = Loader().load_with_diagnostics(open_document(path))
    errors = [each.rule.name for each in found if each.is_error]
    return model, errors, [each.rule.name for each in found if each.severity is Severity.WARNING]


def _whole(body: str, version: str) -> str:
    return f'<sdf version="{version}">{body}</sdf>'


@pytest.mark.parametrize("statement", [each for each in STATEMENTS if each.xml], ids=str)
def test_statement(statement: Statement, tmp_path: Path) -> None:
    model, errors, warnings = load(statement, tmp_path)
    assert errors == list(statement.errors)
    if statement.warnings is not None:
        assert warnings == list(statement.warnings)
    if model is None:
        assert not any((statement.at, statement.bodies, statement.relative_to, statement.attached_to))
        return
    kinematics = Kinematics(model)
    if statement.dofs is not None:
        assert len(kinematics.dofs) == statement.dofs
    X = kinematics.poses(kinematics.positions({name: (value,) for name, value in statement.q.items()}))
    for name, position in statement.at.items():
        np.testing.assert_allclose(X[model.row(name), :3, 3], position, atol=1e-8, err_msg=name)
    for name, angles in statement.turned.items():
        expected = pose_to_matrix(np.array([0, 0, 0, *angles]))
        np.testing.assert_allclose(X[model.row(name), :3, :3], expected[:3, :3], atol=1e-8, err_msg=name)
    for name, direction in statement.axes.items():
        row = model.row(name)
        found = X[row, :3, :3] @ np.array(model.joints_by_row[row].axes[0].xyz)
        np.testing.assert_allclose(found, direction, atol=1e-8, err_msg=name)
    _check_frames(model, statement.bodies, lambda frame: frame.body)
    _check_frames(model, statement.relative_to, lambda frame: frame.relative_to)
    _check_frames(model, statement.attached_to, lambda frame: frame.attached_to)


def _check_frames(model: Model, expected: Mapping[str, str], find: Callable[[RowFrame], RowFrame | None]) -> None:
    for name, target in expected.items():
        found = find(frame_in(model, name))
        assert found is not None, name
        assert found.name == (model.names[0] if target == "world" else target), name


def test_the_test_of_a_statement_exists() -> None:
    tests = {each.test for each in STATEMENTS if each.test}
    assert [test for test in sorted(tests) if not (is_run(test) if "::" in test else (ROOT / test).is_file())] == []


def test_each_statement_has_a_file_a_test_or_a_reason() -> None:
    for statement in STATEMENTS:
        assert statement.document in DOCUMENTS
        assert statement.xml or statement.test or statement.why, statement
        assert statement.state == AGREES or statement.why, statement
    assert len({(each.document, str(each)) for each in STATEMENTS}) == len(STATEMENTS)


def test_the_table_in_the_docs_is_made_from_the_statements() -> None:
    spec = importlib.util.spec_from_file_location("specification", ROOT / "packaging" / "specification.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
    assert written == module.make_page(), "write it again with: python packaging/specification.py"
