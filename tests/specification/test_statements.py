"""Each statement of the specification holds for its file, or the test that it names exists."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from tests.specification.statements import AGREES, DOCUMENTS, STATEMENTS, Statement

#: What files begin with that are not the inside of a model.
WHOLE = ("<world", "<model>", '<model name="m"', '<model name="empty"')
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("statement", [each for each in STATEMENTS if each.xml], ids=str)
def test_statement(statement: Statement) -> None:
    body = statement.xml if statement.xml.startswith(WHOLE) else f'<model name="m">{statement.xml}</model>'
    model, found = Loader().load_with_diagnostics(parse_document(f'<sdf version="{statement.version}">{body}</sdf>'))
    assert [each.rule.name for each in found if each.is_error] == list(statement.errors)
    if statement.at or statement.bodies or statement.relative_to:
        assert model is not None
        for name, position in statement.at.items():
            np.testing.assert_allclose(model.frame(name).pose[:3, 3], position, atol=1e-12)
        for name, body_name in statement.bodies.items():
            assert model.frame(name).body.name == body_name  # type: ignore[union-attr]
        for name, target in statement.relative_to.items():
            assert model.frame(name).relative_to.name == target  # type: ignore[union-attr]


@pytest.mark.parametrize("statement", [each for each in STATEMENTS if each.test], ids=str)
def test_the_test_of_a_statement_exists(statement: Statement) -> None:
    file, _, name = statement.test.partition("::")
    path = ROOT / file
    assert path.is_file()
    if name:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


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
