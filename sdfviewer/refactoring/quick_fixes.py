"""Quick fixes for names and references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.display_text import with_capital
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, remove_element, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.formats.load import Rebuild
from sdfviewer.formats.registry import can_edit_structure
from sdfviewer.model.findings import ElementPart, Finding, Findings
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import is_reserved, nearest
from sdfviewer.model.references import point_to, set_name
from sdfviewer.model.targets import Attribute, Targets
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.fix_check import FixCheck
from sdfviewer.refactoring.joint_fixes import Candidate, choose_leader, move_out, stop_following, swap_ends, swap_limits
from sdfviewer.refactoring.poses.writing import write_pose
from sdfviewer.refactoring.renaming.rename import rename
from sdfviewer.refactoring.respelling import respellings
from sdfviewer.transforms import invert
from sdfviewer.versions import FRAME_SEMANTICS

#: What a rule about a name that finds nothing, or about a cycle, is about.
POINTS: dict[str, Attribute] = {
    "attached-to-invalid": "attached_to",
    "attached-to-cycle": "attached_to",
    "relative-to-invalid": "relative_to",
    "relative-to-cycle": "relative_to",
    "joint-parent-invalid": "parent",
    "joint-child-invalid": "child",
    "joint-parent-is-child": "child",
    "expressed-in-invalid": "expressed_in",
    "canonical-link-invalid": "canonical_link",
    "placement-frame-invalid": "placement_frame",
}
#: Rules about a name that cannot stay.
NAMES = frozenset(
    {"duplicate-name", "shared-name", "renamed-clash", "reserved-name", "separator-in-name", "empty-name"}
)
#: The most edges of a cycle that are offered, and the most name searches in one file, which are slow.
MOST_EDGES, MOST_SOUGHT = 40, 200
#: What proposes fixes for the problems of a rule.
_PROVIDERS: dict[str, Callable[[Model, Document, Finding], Iterator[Candidate]]] = {
    "mimic-cycle": stop_following,
    "limits-reversed": swap_limits,
}
#: So many frames are named in the label of a fix that moves them.
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place where a row names a frame, or where its default could be overruled.

    Attributes
    ----------
    row
        The frame, joint or model that names.
    word
        What it says: ``relative_to``, ``attached_to``, ``parent``, ``child``, ``expressed_in``, ``canonical_link`` or
        ``placement_frame``.
    location
        Where it is written; of ``relative_to`` and ``attached_to`` only the file counts.
    """

    row: int
    word: Attribute
    location: ElementPart

    def targets(self, model: Model) -> Targets:
        """Return what the place may name, with the reasons against the rest."""
        return Targets(model, self.row, self.word)

    def label(self, model: Model, name: str | None) -> str:
        """Return the effect of another target in words; None: no target."""
        own = f"'{model.local_names[self.row]}'"
        target = name if name is None or is_reserved(name) else f"'{name}'"
        if target is None:
            return {
                "expressed_in": f"express the axis of {own} in the joint frame",
            }.get(self.word, f"remove {'frame' if self.location.part == '@frame' else self.word} of {own}")
        return {
            "relative_to": f"make {own} relative to {target}",
            "attached_to": f"attach {own} to {target}",
            "parent": f"make {target} the parent of {own}",
            "child": f"make {target} the child of {own}",
            "expressed_in": f"express the axis of {own} in {target}",
            "canonical_link": f"make {target} the canonical link of {own}",
            "placement_frame": f"place {own} by its frame {target}",
        }[self.word]

    def write(self, model: Model, file: Document, name: str | None) -> Replacements:
        """Return the edit of ``file`` that names another frame, or none."""
        element, part = self.location.element, self.location.part
        if self.word == "attached_to":
            return set_attribute(file, model.elements[self.row], "attached_to", name)
        if self.word == "relative_to":
            element = model.elements[self.row]
            pose = element.find("pose")
            if pose is not None and "frame" in pose.attributes and "relative_to" not in pose.attributes:
                return set_attribute(file, pose, "frame", name)  # as SDFormat 1.5 and 1.6 call it
            if name is None:
                return () if pose is None else set_attribute(file, pose, "relative_to", None)
            return point_to(file, element, "relative_to", name)
        if part is not None and part.startswith("@"):
            return set_attribute(file, element, part[1:], name)
        kept = self._kept_pose(model, name) if self.word == "child" and name is not None else ()
        return remove_element(file, element) if name is None else (*set_text(file, element, name), *kept)

    def _kept_pose(self, model: Model, child: str) -> Replacements:
        """Return the edit that leaves a joint where it is when it gets another child, which it is measured from."""
        target = self.targets(model).named(child).row
        if target < 0 or self.location.source is not None or model.relative_to_written[self.row] is not None:
            return ()
        X_CJ = invert(model.X_RootF[target]) @ model.X_RootF[self.row]
        return write_pose(model, self.row, X_CJ) if np.isfinite(X_CJ).all() else ()


def find_pointers(model: Model, problem: Diagnostic) -> list[Pointer]:
    """Return where a problem of the file itself can be fixed by naming another frame.

    That is each edge of a cycle, or the one place where a name finds nothing.
    """
    word = POINTS.get(problem.rule.name)
    rows = [model.rows_by_name[name] for name in problem.frames if name in model.rows_by_name]
    if word is None or problem.span is None or problem.span.path != model.document.name:
        return []
    if problem.rule.name.endswith("-cycle"):
        return [pointer for row in rows[:MOST_EDGES] if (pointer := _edge(model, row, word)).location.source is None]
    for row in rows[:1]:
        element = model.elements[row]
        for location in _locations(element, word):
            if model.sources[row] is None and model.document.span(location.element, location.part) == problem.span:
                return [Pointer(row, word, location)]
    return []


def _locations(element: Element, word: str) -> Iterator[ElementPart]:
    """Yield where an element may name a frame by a word."""
    if word in ("relative_to", "attached_to"):
        pose = element.find("pose") or element
        frame = "@frame" if "frame" in pose.attributes else "@relative_to"
        yield ElementPart(None, *((pose, frame) if word == "relative_to" else (element, "@attached_to")))
    elif word == "expressed_in":
        for axis in element.findall("axis", "axis2"):
            yield ElementPart(None, axis.find("xyz") or axis, "@expressed_in")
    elif (child := element.find(word)) is not None:
        yield ElementPart(None, child, "text")
    else:
        yield ElementPart(None, element, f"@{word}")


def _edge(model: Model, row: int, attribute: Attribute) -> Pointer:
    """Return the reference that determines the edge of a row in one of the frame graphs."""
    element, source = model.elements[row], model.sources[row]
    if attribute == "attached_to" and model.kinds[row] is Kind.JOINT:
        return Pointer(row, "child", ElementPart(source, element.find("child") or element, "text"))
    return Pointer(row, attribute, ElementPart(source, element))


class QuickFixProvider:
    """Offers fixes for what was found in one load.

    Parameters
    ----------
    model, findings
        What the file means, None where nothing in it could be read, and everything that is wrong with it.
    rebuild
        Loads the file again after an edit: each fix is tried out, and what does not keep its promise is not offered.
    """

    def __init__(self, model: Model | None, findings: Findings, rebuild: Rebuild) -> None:
        self._model = model
        self._check = FixCheck(model, findings, rebuild)
        self._taken: dict[int, set[str]] = {}
        self._sought = 0

    def has_candidates(self, file: Document, finding: Finding) -> bool:
        """Return whether it is worthwhile to ask for the fixes of a finding."""
        if finding.fixes or finding.meant:
            return True
        if not can_edit_structure(file):
            return False
        name = finding.rule.name
        return name in NAMES or (self._model is not None and bool(finding.rows) and self._provides(name) is not None)

    def _provides(self, name: str) -> Callable[[Model, Document, Finding], Iterator[Candidate]] | None:
        """Return what proposes fixes for the problems of a rule in a model, None where nothing does."""
        if name in POINTS:
            return self._repoint
        return self._choose_leader if name == "mimic-invalid" else _PROVIDERS.get(name)

    def fixes(self, file: Document, finding: Finding) -> Iterator[Fix]:
        """Yield the quick fixes of a finding in the file where it is, the likeliest first."""
        if not self._check.may_search():
            return
        for label, make_edits in finding.fixes:  # what the file evidently means: frames may move, and are named
            row, edits = self._row_at(file, finding), make_edits(file)
            moved = self._check.moved_by(file, finding, edits, ()) if edits else None
            if moved is not None:
                title = f"{with_capital(label)}{_which_moves(moved)}"
                yield Fix(title, file.name, edits, self._frame(row), tuple(moved))
        for label, edits in respellings(file, finding):  # what was ignored until now may have problems of its own
            moved = self._check.moved_by(file, finding, edits, (), reveals=True) if edits else None
            if moved is not None:
                title = f"{with_capital(label)}{_which_moves(moved)}"
                yield Fix(title, file.name, edits, self._frame(self._row_at(file, finding)), tuple(moved))
        seen: set[Replacements] = set()
        for row, label, edits in self._candidates(file, finding):
            if not edits or edits in seen:
                continue
            seen.add(edits)
            if self._check.moved_by(file, finding, edits, () if row is None else (row,)) == []:
                yield Fix(with_capital(label), file.name, edits, self._frame(row))

    def _frame(self, row: int | None) -> str:
        return self._model.names[row] if self._model is not None and row is not None else ""

    def _candidates(self, file: Document, finding: Finding) -> Iterator[tuple[int | None, str, Replacements]]:
        if not can_edit_structure(file):
            return
        name = finding.rule.name
        if name in NAMES:
            for label, edits in self._rename(file, finding):
                yield None, label, edits
        elif self._model is not None and finding.rows and (provide := self._provides(name)) is not None:
            yield from provide(self._model, file, finding)

    def _row_at(self, file: Document, finding: Finding) -> int | None:
        """Return the frame that a problem is about: the one it names, or the one whose element it is in."""
        if finding.rows or self._model is None:
            return finding.rows[0] if finding.rows else None
        element: Element | None = finding.location.element
        while element is not None:
            row = self._model.rows_by_element.get(id(element))
            if row is not None:
                return row if row > 0 and self._model.kinds[row].is_vertex else None
            element = file.parent(element)
        return None

    # --- references --------------------------------------------------------------------------------------------

    def _choose_leader(self, model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
        return choose_leader(model, file, finding)

    def _repoint(self, model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
        word = POINTS[finding.rule.name]
        if finding.rule.name.endswith("-cycle"):
            for row in finding.rows[:MOST_EDGES]:
                pointer = _edge(model, row, word)
                if pointer.location.source is finding.location.source:
                    yield from self._written(model, file, pointer, self._off_cycle(model, pointer))
            return
        pointer = Pointer(finding.rows[0], word, finding.location)
        if word == "child" and finding.reference == "world":
            yield from swap_ends(model, file, finding)
            return
        if word in ("parent", "child"):
            yield from move_out(model, file, finding)
        yield from self._written(model, file, pointer, self._instead(model, pointer, finding.reference))
        if finding.rule.name == "joint-parent-is-child":
            parent = model.elements[pointer.row].find("parent") or finding.location.element
            other = Pointer(pointer.row, "parent", ElementPart(finding.location.source, parent, "text"))
            yield from self._written(model, file, other, self._links(model, other))

    @staticmethod
    def _written(model: Model, file: Document, pointer: Pointer, names: Iterator[str | None]) -> Iterator[Candidate]:
        for name in dict.fromkeys(names):
            yield pointer.row, pointer.label(model, name), pointer.write(model, file, name)

    def _off_cycle(self, model: Model, pointer: Pointer) -> Iterator[str | None]:
        """Yield the names that lead an edge off its cycle; None is the default."""
        row, targets = pointer.row, pointer.targets(model)
        root = _root(model, targets.scope)
        if pointer.word == "child":
            yield from self._links(model, pointer)
            return
        if pointer.word == "attached_to" and model.kinds[row] is not Kind.FRAME:
            return
        joint = model.joints_by_row.get(row) if pointer.word == "relative_to" else None
        if joint is not None and joint.parent > 0 and targets.refusal(joint.parent) is None:
            # What a joint is measured from where it is not its child: its parent.
            yield targets.name_of(joint.parent)
        yield root
        if pointer.word == "relative_to" and model.relative_to_written[row] is not None:
            default = targets.named(None)
            if default.reason is None and default.row != targets.scope:
                yield None

    def _instead(self, model: Model, pointer: Pointer, name: str) -> Iterator[str | None]:
        """Yield what may stand where a name finds nothing: near names, the root, None for the default."""
        yield from self._near(model, pointer, name)
        targets = pointer.targets(model)
        root = _root(model, targets.scope)
        if pointer.word in ("relative_to", "attached_to", "expressed_in"):
            yield root
        if pointer.word == "parent":
            yield from nearest(name, ["world"])
        elif pointer.word == "child":
            yield from self._links(model, pointer)
        elif pointer.word == "relative_to":
            if targets.named(None).reason is None:
                yield None
        else:
            yield None

    def _near(self, model: Model, pointer: Pointer, name: str) -> Iterator[str]:
        targets = pointer.targets(model)
        rows = {other: row for other, row in targets.names if row not in (pointer.row, targets.scope)}
        tail = name
        while tail:  # a name that begins too far up, as if seen from a model around
            if tail in rows and targets.reason(rows[tail]) is None:
                yield tail
            tail = tail.partition("::")[2]
        ends = [other for other in rows if other.endswith(f"::{name}")]
        self._sought += 1
        likely = [*ends[:1], *(nearest(name, rows) if self._sought <= MOST_SOUGHT else ())]
        yield from islice((other for other in likely if targets.reason(rows[other]) is None), 2)

    def _links(self, model: Model, pointer: Pointer) -> Iterator[str]:
        """Yield a link that could be at an end of a joint: one that no other joint moves, or any."""
        moved = {joint.child for joint in model.joints}
        targets = pointer.targets(model)
        links = [
            (row in moved, name)
            for name, row in targets.names
            if row >= 0 and model.kinds[row] is Kind.LINK and targets.reason(row) is None
        ]
        yield from (name for _, name in sorted(links, key=lambda link: link[0])[:1])

    # --- names -------------------------------------------------------------------------------------------------

    def _rename(self, file: Document, finding: Finding) -> Iterator[tuple[str, Replacements]]:
        element = finding.location.element
        kind = "model" if element.tag == "include" else element.tag
        written = self._name_of(element)
        if finding.rule.name == "empty-name":
            wanted = kind
        elif finding.related:
            holder = finding.related[0][1].element
            wanted = f"{written}_{kind}" if holder.tag != element.tag else f"{written}_2"
        else:
            wanted = written.strip("_").replace("::", "_") or kind
            wanted = f"{wanted}_{kind}" if is_reserved(wanted) else wanted
        name = self._free_name(file, element, wanted)
        # References mean the first of two equal names, so only that of a single holder has any.
        edits = None if finding.related else self._with_references(element, name)
        yield f"rename this <{element.tag}> to '{name}'", edits or set_name(file, element, name)
        if finding.related and finding.related[0][1].source is finding.location.source:
            first = finding.related[0][1].element
            other = self._free_name(
                file, first, f"{written}_{first.tag}" if first.tag != element.tag else f"{written}_1"
            )
            if edits := self._with_references(first, other):
                yield f"rename the <{first.tag}> '{written}' to '{other}', with its references", edits
            # The references may have meant the other one all the time: a joint whose child has its name.
            label = f"rename the <{first.tag}> '{written}' to '{other}': references mean the <{element.tag}>"
            yield label, set_name(file, first, other)

    def _free_name(self, file: Document, element: Element, wanted: str) -> str:
        """Return ``wanted``, or with a number behind it, whichever no sibling has."""
        parent = file.parent(element)
        siblings = () if parent is None else parent.children
        taken = self._taken.setdefault(id(parent), set())
        if len(siblings) and not taken:
            taken.update(map(self._name_of, siblings))
        if wanted not in taken:
            return wanted
        stem = wanted.rstrip("0123456789").rstrip("_") or wanted
        return next(name for number in count(2) if (name := f"{stem}_{number}") not in taken)

    def _name_of(self, element: Element) -> str:
        """Return the name that an element has beside its siblings: of an ``<include>`` that of its model."""
        written = _written_name(element)
        if written or element.tag != "include" or self._model is None:
            return written
        row = self._model.rows_by_element.get(id(element))
        return "" if row is None else self._model.local_names[row]

    def _with_references(self, element: Element, name: str) -> Replacements | None:
        """Return the edit that renames a frame of the file along with its references, None where it is no frame."""
        model = self._model
        row = None if model is None else model.rows_by_element.get(id(element))
        self._sought += 1
        if model is None or row is None or not model.kinds[row].is_vertex or self._sought > MOST_SOUGHT:
            return None
        try:
            return rename(model, row, name).replacements
        except RefactoringError:
            return None


def _root(model: Model, scope: int) -> str | None:
    """Return how a scope's own frame is called inside of it; before SDFormat 1.7 it had no name: None, the default."""
    if model.kinds[scope] is Kind.WORLD:
        return "world"
    return "__model__" if model.version >= FRAME_SEMANTICS else None


def _written_name(element: Element) -> str:
    return element.attributes.get("name", "") or (element.text_of("name") if element.tag == "include" else "")


def _which_moves(names: Sequence[str]) -> str:
    """Return the end of a label that says which frames a fix moves, empty where it moves none."""
    if not names:
        return ""
    shown = ", ".join(f"'{name}'" for name in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return f"; this moves {shown}" + (f" and {more} more" if more > 0 else "")
