"""Quick fixes for names and references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import cast

import numpy as np

from sdfviewer.diagnostics import Edge, Fix, Replacement, SdfViewerError
from sdfviewer.display_text import with_capital
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, remove_element, set_attribute, set_tag, set_text
from sdfviewer.document.element import Element
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Rebuild
from sdfviewer.formats.registry import can_edit_structure
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding, Findings
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import is_merged_frame, is_reserved, nearest
from sdfviewer.model.references import point_to, set_name
from sdfviewer.model.targets import Attribute, ReferenceTargets, is_in_tree
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.fix_check import FixCheck
from sdfviewer.refactoring.joint_fixes import PROPOSALS, Candidate, Propose, move_out, swap_ends
from sdfviewer.refactoring.pose_writing import write_pose
from sdfviewer.refactoring.renaming import rename
from sdfviewer.transforms import invert
from sdfviewer.validation.element_rules import unknown_attribute
from sdfviewer.validation.urdf_rules import urdf_misspelt
from sdfviewer.versions import FRAME_SEMANTICS


def respellings(file: Document, finding: Finding) -> Iterator[tuple[str, Replacements]]:
    """Yield labels and edits that write each of the words that a problem says may have been meant."""
    element, part = finding.location.element, finding.location.part
    for word in finding.meant:
        if part is None:
            yield f"replace <{element.tag}> with <{word}>", set_tag(file, element, word)
        elif part == "text":
            yield f"replace '{element.text.strip()}' with '{word}'", set_text(file, element, word)
        elif finding.rule in (unknown_attribute, urdf_misspelt):
            name = part.removeprefix("@")
            written = file.attribute_offsets(element, name)
            if written is not None:
                edits = (Replacement(written[0], written[0] + len(name), word),)
                yield f"replace the attribute '{name}' with '{word}'", edits
        else:
            name = part.removeprefix("@")
            label = f"replace '{element.attributes.get(name, '')}' with '{word}'"
            yield label, set_attribute(file, element, name, word)


#: Rules about a name that cannot stay.
NAMES = frozenset(
    {"duplicate-name", "shared-name", "renamed-clash", "reserved-name", "separator-in-name", "empty-name"}
    | {"urdf-name-for-ros"}
)
#: The most edges of a cycle that are offered, and the most name searches in one file, which are slow.
MOST_EDGES, MOST_SOUGHT = 40, 200
#: So many things are named in the label of a fix that moves or loses them.
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place where a row names a frame, or where its default could be overruled.

    Attributes
    ----------
    row
        The frame, joint or model that names.
    word
        What holds the name: ``relative_to``, ``attached_to``, ``parent``, ``child``, ``expressed_in``, ``mimic``,
        ``canonical_link`` or ``placement_frame``.
    location
        Where it is written; of ``relative_to`` and ``attached_to`` only the file counts.
    axis
        ``axis`` or ``axis2`` of a joint, for ``expressed_in`` and ``mimic``.
    """

    row: int
    word: Attribute
    location: ElementPart
    axis: str = "axis"

    def targets(self, model: Model) -> ReferenceTargets:
        """Return what the place may name, with the reasons against the rest."""
        return ReferenceTargets(model, self.row, self.word)

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
            "mimic": f"make {own} mimic {target}",
            "canonical_link": f"make {target} the canonical link of {own}",
            "placement_frame": f"place {own} by its frame {target}",
        }[self.word]

    def operation(self, model: Model, name: str | None) -> tuple[str, dict[str, object]]:
        """Return the operation that names another frame here, or none, and its arguments.

        It is for places in the file itself: operations edit no other one.
        """
        own = model.names[self.row]
        what: object = own if model.rows_by_name.get(own) == self.row else self.row
        if self.word in ("relative_to", "attached_to"):
            return f"set_{self.word}", {"frame": what, "target": name, "keep": "numbers"}
        if self.word == "parent":
            return "set_parent", {"joint": what, "parent": name, "keep": "numbers"}
        if self.word == "child":
            row = -1 if name is None else self.targets(model).named(name).row
            is_placed = row >= 0 and bool(np.isfinite(model.X_RootF[[row, self.row]]).all())
            return "set_child", {"joint": what, "child": name, "keep": "pose" if is_placed else "numbers"}
        path = {"expressed_in": f"{self.axis}/xyz@expressed_in", "mimic": f"{self.axis}/mimic@joint"}
        return "set_property", {"thing": [what], "path": path.get(self.word, f"@{self.word}"), "value": name}

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


def pointers_of(model: Model, edges: Sequence[Edge]) -> list[Pointer]:
    """Return where a problem of the file itself can be fixed by naming another frame: at its edges, in their order."""
    found = []
    for edge in edges[:MOST_EDGES]:
        row = model.rows_by_name.get(edge.frame)
        if row is not None and model.sources[row] is None:
            found.append(_pointer(model, FaultyEdge(row, edge.attribute, axis=edge.axis)))
    return found


def _pointer(model: Model, edge: FaultyEdge) -> Pointer:
    """Return the place of a faulty edge, or where it would be written."""
    element, source, word = model.elements[edge.row], model.sources[edge.row], cast("Attribute", edge.attribute)
    if word == "relative_to" and model.kinds[edge.row] is Kind.JOINT and is_in_tree(model, edge.row):
        word = "parent"  # which a joint of a URDF is measured from
    holder, part = element, f"@{word}"
    if word == "relative_to":
        holder = element.find("pose") or element
        part = "@frame" if "frame" in holder.attributes else part
    elif edge.axis:
        axis = element.find(edge.axis) or element
        tag, part = ("mimic", "@joint") if word == "mimic" else ("xyz", part)
        holder = axis.find(tag) or axis
    elif (child := element.find(word)) is not None and word != "attached_to":
        holder, part = child, "@link" if "link" in child.attributes else "text"
    return Pointer(edge.row, word, ElementPart(source, holder, part), edge.axis or "axis")


def _written_back(
    model: Model | None, expanded: ExpandedDocument, edits: Replacements
) -> tuple[Document, Replacements]:
    """Return the file of xacro that writes what is wrong, and the edit there: none where that is in several files.

    Of what several macro calls write, all is edited: it is wrong for the same reason.
    """
    from sdfviewer.formats.xacro.expansion import XacroExpansion  # noqa: PLC0415  # few files are xacro
    from sdfviewer.refactoring.xacro_edits import ways_back  # noqa: PLC0415

    if model is None or not isinstance(expanded, XacroExpansion):
        return expanded, ()
    try:
        ways = ways_back(model, Edit("Fix", expanded, edits))
        choice = ways.for_all
    except SdfViewerError:
        return expanded, ()  # an expression makes it
    documents = {} if choice is None else {each.document.name: each.document for each in choice.changes}
    if choice is None or len(documents) != 1:
        return expanded, ()
    (file,) = documents.values()
    return file, choice.replacements_in(file)


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
        #: What makes the same edit as some of the candidates.
        self._operations: dict[Replacements, tuple[str, Mapping[str, object]]] = {}
        self._sought = 0

    def has_candidates(self, file: Document, finding: Finding) -> bool:
        """Return whether it is worthwhile to ask for the fixes of a finding."""
        if finding.fixes or finding.meant:
            return True
        if not can_edit_structure(file):
            return False
        has_rows = self._model is not None and bool(finding.rows)
        return finding.rule.name in NAMES or (has_rows and self._provides(finding) is not None)

    def _provides(self, finding: Finding) -> Propose | None:
        """Return what proposes fixes for a problem in a model, None where nothing does."""
        return PROPOSALS.get(finding.rule.name, self._repoint if finding.edges else None)

    def fixes(self, file: Document, finding: Finding) -> Iterator[Fix]:
        """Yield the quick fixes of a finding in the file where it is, the likeliest first."""
        if not self._check.may_search():
            return
        row = self._row_at(file, finding)
        for label, make_edits in finding.fixes:  # what the file evidently means: frames may move, and are named
            yield from self._tried(file, finding, label, make_edits(file), row)
        for label, edits in respellings(file, finding):  # what was ignored until now may have problems of its own
            yield from self._tried(file, finding, label, edits, row, reveals=True)
        seen: set[Replacements] = set()
        for row, label, edits in self._candidates(file, finding):
            if edits and edits not in seen:
                seen.add(edits)
                about = () if row is None else (row,)
                operation, arguments = self._operations.get(edits, ("", {}))
                for fix in self._tried(file, finding, label, edits, row, about, may_move=False):
                    yield replace(fix, operation=operation, arguments=arguments)

    def _tried(
        self,
        file: Document,
        finding: Finding,
        label: str,
        edits: Replacements,
        row: int | None,
        about: tuple[int, ...] = (),
        *,
        reveals: bool = False,
        may_move: bool = True,
    ) -> Iterator[Fix]:
        """Yield the fix that an edit is; nothing where it does not keep its promise."""
        if edits and isinstance(file, ExpandedDocument):
            file, edits = _written_back(self._model, file, edits)
        effect = self._check.effect_of(file, finding, edits, about, reveals=reveals) if edits else None
        if effect is not None and (may_move or not effect.moves):
            frame = "" if self._model is None or row is None else self._model.names[row]
            moves = _in_words("moves", [f"'{name}'" for name in effect.moves])
            title = f"{with_capital(label)}{moves}{_in_words('loses', effect.loses)}"
            yield Fix(title, file.name, edits, frame, effect.moves, effect.loses)

    def _candidates(self, file: Document, finding: Finding) -> Iterator[tuple[int | None, str, Replacements]]:
        if not can_edit_structure(file):
            return
        name = finding.rule.name
        if name in NAMES:
            for label, edits in self._rename(file, finding):
                yield None, label, edits
        elif self._model is not None and finding.rows and (provide := self._provides(finding)) is not None:
            yield from provide(self._model, file, finding)

    def _row_at(self, file: Document, finding: Finding) -> int | None:
        """Return the frame that a problem is about: the one it names, or the one whose element it is in."""
        if finding.rows or self._model is None:
            return finding.rows[0] if finding.rows else None
        rows = self._model.rows_by_element
        around = file.outwards(finding.location.element)
        row = next((rows[id(each)] for each in around if id(each) in rows), 0)
        return row if row > 0 and self._model.kinds[row].is_vertex else None

    # --- references --------------------------------------------------------------------------------------------

    def _repoint(self, model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
        first, *others = finding.edges
        if finding.is_cycle:
            for edge in finding.edges[:MOST_EDGES]:
                pointer = _pointer(model, edge)
                if pointer.location.source is finding.location.source:
                    yield from self._written(model, file, pointer, self._off_cycle(model, pointer))
            return
        word = cast("Attribute", first.attribute)
        pointer = Pointer(first.row, word, finding.location)
        if word == "child" and finding.reference == "world":
            yield from swap_ends(model, file, finding)
            return
        if word in ("parent", "child"):
            yield from move_out(model, file, finding)
        yield from self._written(model, file, pointer, self._instead(model, pointer, finding.reference))
        for edge in others:
            other = _pointer(model, edge)
            yield from self._written(model, file, other, self._links(model, other))

    def _written(
        self, model: Model, file: Document, pointer: Pointer, names: Iterator[str | None]
    ) -> Iterator[Candidate]:
        for name in dict.fromkeys(names):
            edits = pointer.write(model, file, name)
            if model.sources[pointer.row] is None:
                self._operations[edits] = pointer.operation(model, name)
            yield pointer.row, pointer.label(model, name), edits

    def _off_cycle(self, model: Model, pointer: Pointer) -> Iterator[str | None]:
        """Yield the names that lead an edge off its cycle; None is the default."""
        row, targets = pointer.row, pointer.targets(model)
        root = _root(model, targets.scope)
        if pointer.word in ("parent", "child"):
            yield from self._links(model, pointer)
            return
        if is_in_tree(model, row) or (pointer.word == "attached_to" and model.kinds[row] is not Kind.FRAME):
            return  # a link of a URDF is where its joint is
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
        is_merged = element.tag == "include" and is_merged_frame(written)
        if is_merged:  # what clashes is in the merged model, under the name of the one that is there first
            written = self._name_of(finding.related[0][1].element) if finding.related else ""
            if not written or is_merged_frame(written):
                return
        if finding.rule.name == "empty-name":
            wanted = kind
        elif finding.related:
            holder = finding.related[0][1].element
            wanted = f"{written}_{kind}" if holder.tag != element.tag else f"{written}_2"
        else:
            wanted = written.strip().strip("_/").replace("::", "_").replace("/", "_") or kind
            wanted = f"{wanted}_{kind}" if is_reserved(wanted) else wanted
        name = self._free_name(file, element, wanted)
        # References mean the first of two equal names, so only that of a single holder has any.
        edits = None if finding.related else self._with_references(element, name)
        if not is_merged:
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
        written = element.given_name
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


def _in_words(verb: str, what: Sequence[str]) -> str:
    """Return the end of a label that says what a fix moves or loses, empty where that is nothing."""
    if not what:
        return ""
    more = len(what) - MOST_NAMED
    return f"; this {verb} {', '.join(what[:MOST_NAMED])}" + (f" and {more} more" if more > 0 else "")
