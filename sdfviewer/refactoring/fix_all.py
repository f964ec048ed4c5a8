"""Apply the quick fixes of many problems, one after the other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.document.document import Document
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.expansion import expansion_in
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_check import KEPT

#: More fixes are not applied to one file, or no more once so many rows have been loaded, a problem counting as several:
#: each is a step of its own, tried out by loading the file. The rest are applied at the next request.
MOST_FIXES, MOST_ROWS, _ROWS_OF_A_PROBLEM = 1000, 300_000, 8
#: More places are counted, not listed.
_MOST_PLACES = 5


@dataclass(frozen=True, slots=True)
class Fixed:
    """A document after fixes.

    Attributes
    ----------
    document
        The document.
    applied
        The fixes that were applied.
    left
        How many problems still have a fix that was not applied.
    written_by_xacro
        The places, as ``file:line``, of problems in what xacro writes, which no fix can reach: only the source can be
        edited there.
    """

    document: Document
    applied: tuple[Fix, ...]
    left: int
    written_by_xacro: tuple[str, ...] = ()

    @property
    def where_to_edit(self) -> str:
        """Where the source of xacro is to be edited, in words; empty where no problem is left there."""
        places = [*dict.fromkeys(self.written_by_xacro)]
        if not places:
            return ""
        more = f" and {len(places) - _MOST_PLACES} more places" if len(places) > _MOST_PLACES else ""
        return f"xacro writes what is wrong: edit {', '.join(places[:_MOST_PLACES])}{more}"


def fix_all(loader: Loader, document: Document, rules: Collection[str] | None = None, *, unsafe: bool = False) -> Fixed:
    """Return a document with quick fixes applied.

    Parameters
    ----------
    loader
        Loads the document.
    document
        The file.
    rules
        Names of the rules whose problems are fixed; all by default.
    unsafe
        Whether to apply the first fix of each problem. By default only safe fixes are applied: the only fix of its
        problem, after which every frame means what it meant before, and nothing in it is lost.
    """
    applied: list[Fix] = []
    rows = 0
    while len(applied) < MOST_FIXES and rows < MOST_ROWS:
        model, problems = loader.load_with_diagnostics(document)
        rows += (0 if model is None else len(model)) + _ROWS_OF_A_PROBLEM * len(problems)
        wanted = [each for each in problems if rules is None or each.rule.name in rules]
        step = _first_step(loader, document, model, wanted, unsafe=unsafe)
        if step is None:
            left = sum(1 for each in wanted if _own_fixes(document, each))
            return Fixed(document, tuple(applied), left, _written_by_xacro(document, model, wanted))
        fix, document = step
        applied.append(fix)
    return Fixed(document, tuple(applied), 0)


def _first_step(
    loader: Loader, document: Document, model: Model | None, problems: list[Diagnostic], *, unsafe: bool
) -> tuple[Fix, Document] | None:
    for problem in problems:
        fixes = _own_fixes(document, problem)
        if not fixes:
            continue
        after = document.edited(fixes[0].replacements)
        if after.text != document.text and (unsafe or (len(fixes) == 1 and _is_safe(model, loader.load(after)))):
            return fixes[0], after
    return None


def _written_by_xacro(document: Document, model: Model | None, problems: list[Diagnostic]) -> tuple[str, ...]:
    """Return where the problems are that have no fix because xacro writes what is wrong."""
    if model is None or expansion_in([model.document_of(row) for row in range(min(len(model), 1))]) is None:
        return ()
    return tuple(
        f"{each.span.path}:{each.span.line}"
        for each in problems
        if each.span is not None and not _own_fixes(document, each)
    )


def _own_fixes(document: Document, problem: Diagnostic) -> list[Fix]:
    return [fix for fix in problem.fixes if fix.path == document.name]


def _is_safe(before: Model | None, after: Model | None) -> bool:
    """Return whether every frame means what it meant, and none has lost its mass, its shape or its appearance."""
    if before is None or after is None:
        return False
    comparison = compare(before, after, by_row=True)
    return comparison.keeps_meaning and not comparison.lost(*KEPT)
