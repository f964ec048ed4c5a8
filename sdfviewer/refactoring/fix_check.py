"""Check a quick fix: it removes its problem, adds no other, and moves and loses only what it names.

Each fix is tried out before it is offered: the text is edited and loaded again, the problems are counted, and the
models are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Aspect
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Rebuild
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
