"""Each question about a model is answered in one place of the package: nothing else in it looks like an answer."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

import pytest

import sdfviewer

ROOT = Path(inspect.getfile(sdfviewer)).parent
#: What an answer looks like, the files that may have it, and a second answer as somebody might write it.
ANSWERS = {
    "which problems are new": (
        r"def \w*new_(problems|findings|diagnostics)\b",
        {"diagnostics.py"},
        "def _new_problems(before, after):",
    ),
    "what an element is called": (
        r"(word|get)\(\"name\"[^)]*\) or [(\w.]*text_of\(\"name\"\)|text_of\(\"name\"\) or [\w.]*(word|get)\(\"name\"",
        {"document/element.py"},
        'name = include.attributes.get("name") or include.text_of("name")',
    ),
    "what an include is called": (
        r"text_of\(\"uri\"\)[^\n]*(rpartition|rsplit|stem)\b",
        {"document/element.py"},
        'name = element.text_of("name") or element.text_of("uri").rstrip("/").rpartition("/")[2]',
    ),
    "which include brings a row": (
        r"def \w*include_of\b|\.tag (==|!=) \"include\"[^\n]*\bowners\b",
        {"model/model.py"},
        "def _include_of(model, row):",
    ),
    "what a name means in a scope": (  # formats ask while they read, and record what they find
        r"\bscopes?\b[\w.\[\]]*\.lookup\(|\.row_in_scope\(",
        {
            "model/scope.py",
            "model/targets.py",
            "formats/interface.py",
            "formats/sdformat/build.py",
            "formats/sdformat/members.py",
            "formats/sdformat/settings.py",
            "formats/srdf.py",
            "formats/urdf/build.py",
        },
        "row = model.scope.lookup(name)",
    ),
    "what a unit is": (
        r"\"(deg|°|cm|mm|km)\"\s*:\s*[\w(.]*\d|math\.pi / 180\b|180(\.0)? / math\.pi\b",
        {"number_expression.py", "formats/xacro/expressions.py"},  # YAML of xacro has units of its own: !degrees
        '_UNITS = {"m": 1.0, "mm": 1e-3}',
    ),
    "which names XML has": (
        r"\[A-Za-z_:[^\]]*\]\[",
        {"document/xml/repair.py"},
        'if not re.fullmatch(r"[A-Za-z_:][A-Za-z0-9_:.-]*", name):',
    ),
    "which numbers a text has": (
        r"float\((\w+)\) for \1 in [\w.]*text[\w.()]*split\(|map\(float, [\w.]*text[\w.()]*split\(",
        {"model/values.py", "formats/mjcf/nodes.py"},
        "vector = [float(word) for word in text.split()]",
    ),
    "whether a text is true": (
        r"in [\[({]\"(true|1)\", \"(1|true)\"[\])}]",
        {"model/values.py", "document/tables.py"},
        'if degrees.lower() in ("true", "1"):',
    ),
    "which name may be meant": (
        r"\bget_close_matches\(",
        {"model/near_names.py"},
        "near = difflib.get_close_matches(name, names)",
    ),
    "what a parameter of a plugin names": (
        r"\"body\": \(Kind\.",
        {"model/plugin_catalogue.py"},
        '_WORDS = {"link": (Kind.LINK,), "body": (Kind.LINK,)}',
    ),
    "why a file means nothing": (
        r"(?<!document\.)\bdiagnostics\[0\]\.message",
        set(),
        'why = diagnostics[0].message if diagnostics else "nothing in it"',
    ),
    "which shapes there are": (
        r"\"cone\"",
        set(),
        '_FOLLOWED = frozenset({"box", "cone", "mesh"})',
    ),
    "what an include adds": (
        r"in \(\"model\", \"actor\", \"light\"\)",
        {"formats/sdformat/params.py"},
        'return next((each for each in root.children if each.tag in ("model", "actor", "light")), None)',
    ),
    "how many axes a joint has": (
        r"\"(universal|revolute2)\": 2\b",
        {"model/kinds.py"},
        '_AXES = {"revolute": 1, "universal": 2}',
    ),
    "what limits an axis": (
        r"\(\"lower\", \"upper\", \"effort\", \"velocity\"\)",
        {"model/joints.py"},
        'for tag in ("lower", "upper", "effort", "velocity"):',
    ),
    "which lights there are": (
        r"\(\"point\", (\"spot\", \"directional\"|\"directional\", \"spot\")\)",
        {"validation/content_rules.py"},
        '("light", "type"): ("point", "directional", "spot"),',
    ),
    "whether an option in <gazebo> is set": (
        r"\(\"true\", \"yes\", \"1\"\)",
        {"formats/urdf/robot.py"},
        'if option_text(option).lower() in ("true", "yes", "1"):',
    ),
    "which edits are one step": (
        r"for edit in edits for \w+ in edit\.replacements",
        {"document/edits.py"},
        "replacements = tuple(each for edit in edits for each in edit.replacements)",
    ),
    "where the text of a cell is": (
        r"SE_ItemViewItemText\b",
        {"gui/kit/labels.py"},
        "box = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget)",
    ),
    "whether a file was written again": (  # files to save are compared as a whole, decisions not followed through links
        r"st_mtime_ns, [\w.]*st_size",
        {"files/paths.py", "files/saving.py", "formats/xacro/decisions.py"},
        "stamp = status.st_mtime_ns, status.st_size",
    ),
    "what an undefined rotation is": (
        r"\"a quaternion of length zero",
        {"transforms.py"},
        'raise RefactoringError("a quaternion of length zero is not a rotation")',
    ),
}


@cache
def _texts() -> dict[str, str]:
    """Return the text of each module, by its path in the package."""
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in ROOT.rglob("*.py")}


@pytest.mark.parametrize("question", ANSWERS)
def test_a_question_is_answered_in_one_place(question: str) -> None:
    pattern, places, _ = ANSWERS[question]
    assert {file for file, text in _texts().items() if re.search(pattern, text)} == places


@pytest.mark.parametrize("question", ANSWERS)
def test_a_second_answer_is_noticed(question: str) -> None:
    pattern, _, planted = ANSWERS[question]
    assert re.search(pattern, planted)
