#!/usr/bin/env python3
"""Write docs/specification.md: every statement of the specification with its test and its state.

usage: python packaging/specification.py [--check]

The statements are in tests/specification/statements. With --check nothing is written, and the exit code is 1 if the
page is not up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "specification.md"
sys.path.insert(0, str(ROOT))

from tests.specification import (  # noqa: E402
    test_seed_composition,
    test_seed_kinematics,
    test_seed_pose_frame_legacy,
    test_seed_pose_frame_semantics,
)
from tests.specification.seeds import INVALID, VALID  # noqa: E402
from tests.specification.statements import (  # noqa: E402
    AGREES,
    COMPOSITION,
    DIFFERS,
    DOCUMENTS,
    FRAMES,
    FRAMES_LEGACY,
    KINEMATICS,
    NOT_COVERED,
    STATEMENTS,
    Statement,
)

INTRODUCTION = """# The specification, statement by statement

Made by `python packaging/specification.py` from `tests/specification/statements`; do not edit. Each statement of
the five documents that specify frames, poses, kinematics and composition is shown with the test that holds it. "Its
file" is a small file of its own, which `tests/specification/test_statements.py` loads: its problems, poses, bodies and
targets must be those that the statement says. Where libsdformat 17 differs from a document, this program follows
libsdformat.
"""


def make_page() -> str:
    """Return the page as Markdown."""
    states = (AGREES, DIFFERS, NOT_COVERED)
    lines = [INTRODUCTION, f"| document | statements | {' | '.join(states)} |", "|---|---|---|---|---|"]
    for document in DOCUMENTS:
        own = [each for each in STATEMENTS if each.document == document]
        counts = " | ".join(str(sum(each.state == state for each in own)) for state in states)
        lines.append(f"| {document} | {len(own)} | {counts} |")
    total = " | ".join(str(sum(each.state == state for each in STATEMENTS)) for state in states)
    lines.append(f"| all | {len(STATEMENTS)} | {total} |")
    for document in DOCUMENTS:
        lines += ["", f"## {document}", "", "| section | statement | state | test |", "|---|---|---|---|"]
        lines += [_row(each) for each in STATEMENTS if each.document == document]
        lines += _examples(document)
    return "\n".join([*lines, ""])


#: The modules that hold the examples of each document, as the document prints them.
EXAMPLES = {
    KINEMATICS: test_seed_kinematics,
    FRAMES_LEGACY: test_seed_pose_frame_legacy,
    FRAMES: test_seed_pose_frame_semantics,
    COMPOSITION: test_seed_composition,
}


def _examples(document: str) -> list[str]:
    """Return the lines about the examples of a document: each line that it calls VALID or INVALID is one statement."""
    module = EXAMPLES.get(document)
    if module is None:
        return []
    name = module.__name__.rpartition(".")[2]
    lines = ["", f"Its examples, in `tests/specification/{name}.py`:", "", "| example | version | valid | invalid |"]
    lines.append("|---|---|---|---|")
    for example in module.EXAMPLES:
        counts = len(VALID.findall(example.xml)), len(INVALID.findall(example.xml))
        valid, invalid = counts if any(counts) else (1, 0)
        lines.append(f"| {_cell(example.section)} | {example.version} | {valid} | {invalid} |")
    return lines


def _row(statement: Statement) -> str:
    test = f"`{statement.test}`" if statement.test else "its file" if statement.xml else ""
    state = f"{statement.state}: {statement.why}" if statement.why else statement.state
    return f"| {_cell(statement.section)} | {_cell(statement.text)} | {_cell(state)} | {test} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("_", "\\_").replace("*", "\\*")


def main() -> int:
    """Write or check the page and return the exit code."""
    page = make_page()
    if sys.argv[1:] == ["--check"]:
        return 0 if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page else 1
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
