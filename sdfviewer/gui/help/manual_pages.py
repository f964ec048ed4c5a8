"""The pages of the manual: those of the documentation, that of all operations, and one for each rule. Knows no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from operator import itemgetter
from pathlib import Path

import sdfviewer.validation  # noqa: F401  # registers the rules
from sdfviewer.diagnostics import RULES
from sdfviewer.operations.table import operations_page
from sdfviewer.resources import documentation

GUIDE, CONCEPTS, REFERENCE, RULE_PAGES = "Guide", "Concepts", "Reference", "Problems"
#: The pages for whoever uses the window, by their place in the documentation, in the order of the manual.
_PAGES = (
    (GUIDE, "start"),
    (GUIDE, "window"),
    (GUIDE, "robots"),
    (GUIDE, "pages"),
    (GUIDE, "interoperability"),
    (GUIDE, "pipelines"),
    (GUIDE, "editors"),
    (CONCEPTS, "concepts/frames"),
    (CONCEPTS, "concepts/scopes"),
    (CONCEPTS, "concepts/conventions"),
    (CONCEPTS, "concepts/kinematics"),
    (REFERENCE, "library"),
    (REFERENCE, "cookbook"),
    (REFERENCE, "glossary"),
)
_DIRECTIVE = re.compile(r"^(`{3,}|:{3,})\{[^\n]*\n.*?^\1\s*$\n?", re.MULTILINE | re.DOTALL)
#: Links that only the window can follow are in comments, which the site leaves out.
_FOR_THE_WINDOW = re.compile(r"<!-- window: (.*?) -->", re.DOTALL)
#: Between the cells of a table.
_CELL = re.compile(r"[^\S\n]*(?<!\\)\|[^\S\n]*")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
#: Code, which keeps its stars, or text between one or two stars.
_EMPHASIS = re.compile(r"(`[^`\n]*`)|(\*{1,2})(?=\S)(.+?)(?<=\S)\2")
#: What begins a heading or an item of a list.
_MARKER = re.compile(r"^(#+|[-*]|\d+\.) ", re.MULTILINE)
_BEFORE = 12
"""Letters before what was found that are shown at least."""
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """One page.

    Attributes
    ----------
    id
        Its place in the documentation, ``"concepts/frames"``, or ``"rules/"`` and the name of a rule.
    section, title
        Its section in the list, and its title there.
    markdown
        The text.
    folder
        What its links and pictures are relative to.
    """

    id: str
    section: str
    title: str
    markdown: str
    folder: Path


@cache
def manual_pages() -> tuple[Page, ...]:
    """Return all pages that are installed, in the order of the manual."""
    root = documentation()
    pages = []
    for section, id in _PAGES:
        file = root / f"{id}.md"
        if file.is_file():
            # Leave out markup that only the site generator understands.
            text = _FOR_THE_WINDOW.sub(r"\1", _DIRECTIVE.sub("", file.read_text(encoding="utf-8")))
            title = _TITLE.search(text)
            pages.append(Page(id, section, title[1].replace("`", "") if title else id, text, file.parent))
    pages.append(Page("operations", REFERENCE, "Operations", operations_page(), root))
    for rule in sorted(RULES.values(), key=lambda rule: rule.number):
        reported = f" · libsdformat reports `{rule.libsdformat}`" if rule.libsdformat else ""
        text = f"# {rule.name}\n\n{rule.code} · {rule.severity.value}{reported}\n\n{rule.page.replace('``', '`')}"
        pages.append(Page(f"rules/{rule.name}", RULE_PAGES, rule.name, text, root))
    return tuple(pages)


def find_pages(words: str) -> list[tuple[Page, str]]:
    """Return the pages that hold all words, the best first, each with a line around the first word.

    All words in the title or in a heading count most, of these first what explains a topic and then the problems; then
    one in the title, then text rather than a table. The line with the most of the words is shown: a heading rather
    than text, and text rather than a table.
    """
    wanted = words.lower().split()
    found: list[tuple[tuple[int, ...], Page, str]] = []
    for page in manual_pages():
        text, title = _readable(page.markdown), page.title.lower()
        if not wanted or not all(word in text or word in title for word in wanted):
            continue
        lines = [(kind, line) for kind, line in _lines_by_kind(page.markdown) if wanted[0] in line.lower()]
        lines = [each for each in lines if each[1] != page.title]
        lines.sort(key=lambda each: (not _has_all(each[1], wanted), each[0]))
        is_heading = bool(lines) and lines[0][0] is _Kind.HEADING and _has_all(lines[0][1], wanted)
        is_title = _has_all(title, wanted)
        is_problem = page.section == RULE_PAGES
        is_partly = any(word in title for word in wanted)
        kind = lines[0][0] if lines else _Kind.TABLE
        rank = (not (is_title or is_heading), is_problem, not is_title, not is_partly, kind)
        found.append((rank, page, _from_word(lines[0][1] if lines else "", wanted[0])))
    return [(page, line) for _, page, line in sorted(found, key=itemgetter(0))]


class _Kind(IntEnum):
    HEADING, TEXT, TABLE = range(3)


@cache
def _readable(markdown: str) -> str:
    """Return what is read of a page, in small letters: not where its links and pictures lead."""
    return "\n".join(line for _, line in _lines_by_kind(markdown)).lower()


@cache
def _lines_by_kind(markdown: str) -> tuple[tuple[_Kind, str], ...]:
    """Return the lines of a page as they are read."""
    is_code = False
    lines = markdown.split("\n")
    kinds = []
    for line in lines:
        is_code ^= line.startswith("```")
        is_heading = line.startswith("#") and not is_code  # in code that is a comment
        kinds.append(_Kind.HEADING if is_heading else _Kind.TABLE if line.startswith("|") else _Kind.TEXT)
    # Line by line the marks of the whole manual took the window's thread three times as long.
    plain = _plain("\n".join([line.strip(" |") for line in lines]))
    return tuple(zip(kinds, plain.split("\n"), strict=True))


def _has_all(line: str, wanted: list[str]) -> bool:
    return all(word in line.lower() for word in wanted)


def _plain(lines: str) -> str:
    """Return lines without the marks of Markdown."""
    lines = _LINK.sub(r"\1", _MARKER.sub("", lines))
    return _CELL.sub(" · ", _EMPHASIS.sub(r"\1\3", lines).replace("`", ""))


def _from_word(line: str, word: str) -> str:
    """Return a line from a few words before a word on, so that the word is in sight where little of the line is."""
    before = line[: max(line.lower().find(word), 0)]
    start = before.rfind(" ", 0, max(len(before) - _BEFORE, 0)) + 1
    return f"…{line[start:]}" if start else line
