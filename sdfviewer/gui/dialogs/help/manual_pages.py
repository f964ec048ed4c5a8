"""The pages of the manual: those of the documentation, and one for each rule. Knows no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sdfviewer.validation  # noqa: F401  # registers the rules
from sdfviewer.diagnostics import RULES
from sdfviewer.resources import documentation

GUIDE, CONCEPTS, REFERENCE, RULE_PAGES = "Guide", "Concepts", "Reference", "Problems"
#: The pages for whoever uses the window, by their place in the documentation, in the order of the manual.
_PAGES = (
    (GUIDE, "start"),
    (GUIDE, "window"),
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
_CELL = re.compile(r"\s*(?<!\\)\|\s*")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
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
    for rule in sorted(RULES.values(), key=lambda rule: int(rule.code[1:])):
        reported = f" · libsdformat reports `{rule.libsdformat}`" if rule.libsdformat else ""
        text = f"# {rule.name}\n\n{rule.code} · {rule.severity.value}{reported}\n\n{rule.page.replace('``', '`')}"
        pages.append(Page(f"rules/{rule.name}", RULE_PAGES, rule.name, text, root))
    return tuple(pages)


def find_pages(words: str) -> list[tuple[Page, str]]:
    """Return the pages that hold all words, those with one in the title first, each with a line around the first."""
    wanted = words.lower().split()
    found = []
    for page in manual_pages():
        text = page.markdown.lower()
        if wanted and all(word in text or word in page.title.lower() for word in wanted):
            lines = [_plain(line) for line in page.markdown.splitlines()]
            lines = [line for line in lines if wanted[0] in line.lower() and line != page.title]
            # One line with all words says more than one with the first.
            line = next((line for line in lines if all(word in line.lower() for word in wanted)), "".join(lines[:1]))
            found.append((page, _from_word(line, wanted[0])))
    return sorted(found, key=lambda pair: not any(word in pair[0].title.lower() for word in wanted))


def _plain(line: str) -> str:
    """Return a line without the marks of Markdown."""
    line = _LINK.sub(r"\1", line).strip(" |#*-").replace("`", "").replace("**", "")
    return _CELL.sub(" · ", line)


def _from_word(line: str, word: str) -> str:
    """Return a line from a few words before a word on, so that the word is in sight where little of the line is."""
    before = line[: max(line.lower().find(word), 0)]
    start = before.rfind(" ", 0, max(len(before) - _BEFORE, 0)) + 1
    return f"…{line[start:]}" if start else line
