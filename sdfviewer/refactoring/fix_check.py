"""Check a quick fix, which removes its problem and adds no other, and apply those of many problems.

Each fix is tried out before it is offered: the text is edited and loaded again, the problems are counted, and the
models are compared. It moves and loses only what it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Aspect
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.expansion import ExpandedDocument, expansion_in
from sdfviewer.formats.load import Loader, Rebuild
from sdfviewer.model.findings import Finding, Findings
from sdfviewer.model.model import Model
from sdfviewer.validation import joint_rules, migration_rules, urdf_rules
from sdfviewer.validation.format_rules import xacro_failed

#: What is looked for only where no problem of another rule is left: respelling a link may reveal a second root, and
#: what Gazebo leaves out below a link without mass.
_HIDDEN_BY = {
    urdf_rules.urdf_link_unknown: (urdf_rules.urdf_not_a_tree, urdf_rules.urdf_massless, joint_rules.model_without_link)
}

#: What makes a plugin one that the catalogue knows, so that its parameters are checked only then.
_REVEALING = frozenset({migration_rules.classic_plugin, migration_rules.ignition_plugin})

#: Fixes are tried out until so much work is done, counted in rows that are built; a file with more problems offers the
#: rest once the first are fixed. A problem counts as several rows, because similar names are searched.
MAX_WORK, _ROWS_OF_A_TRIAL, _ROWS_OF_A_FINDING, _ROWS_SOUGHT_PER_ROW = 200_000, 100, 8, 8

#: What a fix must not lose without saying so. References, plugins and options of sensors that get another name are what
#: fixes are about.
KEPT = (Aspect.MASS, Aspect.SHAPE, Aspect.APPEARANCE)


class Effect(NamedTuple):
    """What a fix changes apart from its problem.

    Attributes
    ----------
    moves
        Scoped names of the frames that it moves apart from those that it is about, and of visuals, collisions and the
        like that it moves on their links.
    loses
        What is written before it and not after it, in words: ``the mass of 'm::l'``.
    """

    moves: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()


class FixCheck:
    """Tries out the fixes for the problems of one load.

    Parameters
    ----------
    model, findings
        What was loaded, and everything that is wrong with it.
    rebuild
        Loads again after an edit.
    """

    def __init__(self, model: Model | None, findings: Findings, rebuild: Rebuild) -> None:
        self._model = model
        self._before = findings.count_by_rule()
        self._rebuild = rebuild
        self._rows = 0 if model is None else len(model)
        self._work = 0

    def may_search(self) -> bool:
        """Return whether it is worthwhile to search for the fixes of another finding, which is work too."""
        self._work += self._rows // _ROWS_SOUGHT_PER_ROW
        return self._work <= MAX_WORK

    def effect_of(
        self, file: Document, finding: Finding, edit: Replacements, rows: Sequence[int] = (), *, reveals: bool = False
    ) -> Effect | None:
        """Return what an edit moves apart from ``rows``, and what it loses; None if it does not fix the problem.

        Parameters
        ----------
        file
            The file that is edited: the one that was loaded, or one that it includes.
        finding
            The problem. It is fixed if it is gone, and nothing else is wrong that was not wrong before.
        edit
            Replacements in the text of ``file``.
        rows
            The frames that the fix names; what is written in them may move with them.
        reveals
            Whether the edit makes something count that was ignored, so that what is wrong in it is found only then.
        """
        if self._work > MAX_WORK:
            return None
        self._work += _ROWS_OF_A_TRIAL + self._rows + _ROWS_OF_A_FINDING * self._before.total()
        after = file.edited(edit)
        if after.root is None or len(after.diagnostics) > len(file.diagnostics):
            return None
        model, findings = self._rebuild(file, after)
        name = finding.rule.name
        if findings.count_by_rule()[name] >= self._before[name]:
            return None
        reveals |= finding.rule in _REVEALING
        count = _count_outside(findings, file, after, finding) if reveals else findings.count_by_rule()
        if count - self._before and finding.rule is not xacro_failed:  # nothing else could be looked at before
            return None
        if self._model is None or model is None:
            return Effect() if self._model is None else None
        return _effect(self._model, model, rows)


def _count_outside(findings: Findings, file: Document, after: Document, fixed: Finding) -> Counter[str]:
    """Return how many problems there are of each rule outside of the element whose problem was fixed.

    Those that its problem may have hidden do not count.
    """
    count = findings.count_by_rule()
    for hidden in _HIDDEN_BY.get(fixed.rule, ()):
        del count[hidden.name]
    _, written = _written(fixed)
    element = after.element_at(file.offset(written) + 1)
    if element is None:
        return count
    start, end = after.offsets(element, "element")
    for each in findings:
        source, written = _written(each)
        is_here = source is after or (source is None and fixed.location.source is None)
        if is_here and start <= after.offset(written) < end:
            count[each.rule.name] -= 1
    return count


def _written(finding: Finding) -> tuple[Document | None, Element]:
    """Return the file and the element of a problem, None for the file that was loaded; of xacro those of the source."""
    source, element = finding.location.source, finding.location.element
    found = source.source_of(element) if isinstance(source, ExpandedDocument) else None
    return (source, element) if found is None else found


def _effect(before: Model, after: Model, named: Sequence[int]) -> Effect | None:
    """Return the frames that have another pose or body, and what is lost; None if a frame has lost its pose or body."""
    free = _with_contents(before, named)
    comparison = compare(before, after, by_row=True)
    if not free[comparison.lost_rows].all():
        return None
    moved = comparison.moved_rows
    all_moved = set(moved.tolist())  # a visual that goes along with its link need not be named
    rows = [row for row in moved[~free[moved]].tolist() if before.is_vertex[row] or before.owners[row] not in all_moved]
    moves = [before.names[row] for row in rows]
    lost = comparison.lost(*KEPT)
    loses = (f"the {'mass' if each.aspect is Aspect.MASS else each.quantity} of '{each.before}'" for each in lost)
    return Effect(tuple(moves), tuple(dict.fromkeys(loses)))


def _with_contents(model: Model, rows: Sequence[int]) -> NDArray[np.bool_]:
    """Return which rows (n,) are among some or written in one of them; what is in the root is not in it here."""
    free = np.zeros(len(model), dtype=bool)
    free[list(rows)] = True
    owners = np.maximum(model.owners, 0)
    while True:
        more = free | (free[owners] & (owners > 0))
        if (more == free).all():
            return free
        free = more


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
