"""Every rule has a file that breaks it, each faulty line marked ``<!-- expect: rule -->``, and one that does not.

The marks are everything that may be said of a bad file: one diagnostic for each cause, no cascades.
"""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import sdfviewer
import sdfviewer.validation  # declares them
from sdfviewer.diagnostics import RULES, Diagnostic, Message, Severity, message_of
from sdfviewer.document.text_rules import FAULTS_OF_THE_PROGRAM
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.mass import lint_inertials
from sdfviewer.validation.file_rules import FOUND_WHILE_DRAWING
from sdfviewer.validation.format_rules import OF_XACRO_FILES
from sdfviewer.validation.joint_rules import lint_kinematics
from sdfviewer.validation.name_rules import check_portable_names

HERE = Path(__file__).parent
#: Rules of `check --kinematics` and `check --portable-names`.
ON_REQUEST = frozenset(
    {"inertial-by-default", "not-joined", "axis-not-unit", "limits-missing", "axis-in-model-frame", "name-not-portable"}
)
EXPECT = re.compile(r"<!-- expect: ([a-z-]+) -->")


def expected_lines(path: Path) -> list[tuple[int, str]]:
    """Return line and rule of each mark in a file."""
    lines = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    return [(number, rule) for number, line in enumerate(lines, 1) for rule in EXPECT.findall(line)]


def told_lines(path: Path, found: Iterable[Diagnostic]) -> list[tuple[int, str]]:
    """Return line and rule of each diagnostic; for one of an included file, the line of the include."""
    return sorted((line_in(path, diagnostic), diagnostic.rule.name) for diagnostic in found)


def found_in(path: Path) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a file, those that have to be asked for too where its rule is one of them."""
    if path.parent.name not in ON_REQUEST:
        return sdfviewer.check(path)
    # Many of the small files here have no inertials: they are noted for their own rule only.
    checks = [lint_kinematics, check_portable_names]
    loader = Loader(extra_checks=[*checks, lint_inertials] if path.parent.name == "inertial-by-default" else checks)
    return loader.load_with_diagnostics(open_document(path))[1]


def line_in(path: Path, diagnostic: Diagnostic) -> int:
    """Return the line of a file at which a diagnostic belongs."""
    spans = (diagnostic.span, *(related.span for related in diagnostic.related))
    return next(span.line for span in spans if span is not None and span.path == str(path))


#: Rules whose bad files are too large to keep; tests/document/test_document.py makes them.
OF_LARGE_FILES = frozenset({"text-too-large"})
#: Rules that depend on where the program is started; tests/files/test_working_directory.py breaks them.
OF_THE_WORKING_DIRECTORY = frozenset({"found-in-working-directory"})
KINDS = (
    RULES.keys()
    - FOUND_WHILE_DRAWING
    - FAULTS_OF_THE_PROGRAM
    - OF_XACRO_FILES
    - OF_LARGE_FILES
    - OF_THE_WORKING_DIRECTORY
)


def test_each_rule_has_a_bad_and_a_good_file() -> None:
    for name in sorted(KINDS):
        assert (HERE / name / "bad.sdf").is_file(), name
        assert (HERE / name / "good.sdf").is_file(), name
        assert name in {rule for _, rule in expected_lines(HERE / name / "bad.sdf")}


@pytest.mark.parametrize("name", sorted(folder.name for folder in HERE.iterdir() if (folder / "bad.sdf").is_file()))
def test_a_bad_file_is_reported_where_it_is_marked_and_nowhere_else(name: str) -> None:
    path = HERE / name / "bad.sdf"
    found = found_in(path)
    assert name in RULES
    assert told_lines(path, found) == sorted(expected_lines(path))
    for diagnostic in found:
        assert "; " not in diagnostic.what, "advice is apart from what is wrong"
        assert diagnostic.message == "; ".join(filter(None, (diagnostic.what, diagnostic.advice)))


@pytest.mark.parametrize("name", sorted(folder.name for folder in HERE.iterdir() if (folder / "good.sdf").is_file()))
def test_nothing_is_reported_of_a_good_file(name: str) -> None:
    assert [str(diagnostic.message) for diagnostic in found_in(HERE / name / "good.sdf")] == []


def test_each_rule_has_a_manual_page() -> None:
    for rule in RULES.values():
        for part in ("Bad:", "Use instead:", "Source:"):
            assert part in rule.page, rule.name
        assert rule.severity in Severity, rule.name


@pytest.mark.parametrize("module", sorted({rule.format.__module__ for rule in RULES.values()}))
def test_no_rule_writes_its_advice_into_what_is_wrong(module: str) -> None:
    path = HERE.parents[1].joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    pages = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Message"]
    advice = {id(each) for call in calls for argument in call.args[1:] for each in ast.walk(argument)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in pages | advice]
    assert [each.value for each in texts if isinstance(each.value, str) and "; " in each.value] == []


def test_parts_of_a_message_stay_known_whatever_is_written_around_it() -> None:
    reason = Message("the file is away", "copy it")
    whole = "xacro: " + reason + ", or move it"
    assert whole == "xacro: the file is away; copy it, or move it"
    assert (whole.what, whole.advice, whole.reason) == (
        "xacro: the file is away",
        "copy it, or move it",
        "the file is away",
    )
    hint = Message("", "did you mean 'arm'?")
    assert ("no frame 'amr'" + hint).advice == "did you mean 'arm'?"
    assert (reason + hint).advice == "copy it; did you mean 'arm'?"
    assert pickle.loads(pickle.dumps(whole)).advice == whole.advice
    assert message_of(ValueError(whole)).reason == "the file is away"
    assert message_of("no frame").advice == ""


def test_what_cannot_be_seen_is_escaped_in_each_part() -> None:
    rule = RULES["uri-not-found"]
    shown = Diagnostic(rule, rule.severity, rule.format("a\u202eb"))
    assert shown.what == "cannot find 'a\\u202eb'"
    assert shown.advice.startswith("correct the URI")
