"""Which frames a reference may name, and the reason against each of the others.

This is the one answer for completion, pickers, drags in the graphs, forms, quick fixes, the command line, the library
and the language server. Whether the file can be edited at all is another question, see
:mod:`sdfviewer.refactoring.editable`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import mimic_lines
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.outside import LOOKED_UP_INSIDE, explain_outside
from sdfviewer.versions import FRAME_SEMANTICS, POSE_FRAME, format_version

#: The attribute or element that holds a name.
Attribute: TypeAlias = Literal[
    "relative_to",
    "attached_to",
    "expressed_in",
    "parent",
    "child",
    "mimic",
    "canonical_link",
    "placement_frame",
    "gearbox_reference_body",
    "gazebo_reference",
    "joint",
    "link",
    "model",
    "collision",
]
#: What grippers and plugins of a model name, which are its members, too.
_NAMED_IN_MODEL = frozenset({"joint", "link"})

#: Which kinds it may name, where it may not name any frame.
_KINDS: dict[str, tuple[Kind, ...]] = {
    "mimic": (Kind.JOINT,),
    "canonical_link": (Kind.LINK,),
    "gearbox_reference_body": (Kind.LINK,),
    "gazebo_reference": (Kind.LINK, Kind.JOINT),
    "joint": (Kind.JOINT,),
    "link": (Kind.LINK,),
    "model": (Kind.MODEL,),
    "collision": (Kind.COLLISION,),
}
#: Maximum number of targets in one list whose cycles are written out, and of frames in the text of one cycle.
_MOST_CYCLES, _LONGEST_CYCLE = 100, 20


class ReferenceTarget(NamedTuple):
    """A frame that a reference may name.

    Attributes
    ----------
    name
        As it would be written; None where nothing is written and the default holds.
    row
        What it means: a row, :data:`~sdfviewer.model.graph.ROOT` for the world outside of a model file, or
        :data:`~sdfviewer.model.graph.UNRESOLVED`.
    reason
        Why it must not be named, None where it may.
    """

    name: str | None
    row: int
    reason: str | None = None


class ReferenceTargets:
    """The names that one reference may hold, in the order of the file, each with the reason against it if there is one.

    Parameters
    ----------
    model
        The model.
    row
        The row whose element holds the reference; None for an element that is yet to be added.
    attribute
        What holds the name.
    owner
        Row of what the new element is to be written in, where ``row`` is None.
    other
        Row of the other end of a joint that is yet to be added, if it has one.

    Attributes
    ----------
    scope
        Row of the model or world in which the name is looked up.
    """

    def __init__(
        self, model: Model, row: int | None, attribute: Attribute, *, owner: int = 0, other: int | None = None
    ) -> None:
        holder = owner if row is None else row
        if attribute == "attached_to" and row in model.written_prefixes:
            attribute = "canonical_link"  # as an older tool wrote it of a model that it has flattened
        if attribute == "collision":  # of the link that the contact sensor is in
            self.scope = holder if model.kinds[holder] is Kind.LINK else int(model.owners[holder])
        elif attribute == "model":  # any one of the world
            self.scope = 0
        elif row is None:
            is_scope = model.kinds[owner] in (Kind.MODEL, Kind.WORLD)
            self.scope = owner if is_scope else int(model.scopes[owner])
        else:
            inside = attribute in LOOKED_UP_INSIDE or (attribute in _NAMED_IN_MODEL and model.kinds[row] is Kind.MODEL)
            self.scope = row if inside else int(model.scopes[row])
        self._of_link: str | None = None
        if attribute == "relative_to" and row is not None and is_in_tree(model, row):
            # In URDF a pose is measured from the kinematic parent: to measure it from another link is to join it there.
            row, attribute = self._as_parent(model, row)
        self.model, self.row, self.attribute = model, row, attribute
        self._joint = None if row is None else model.joints_by_row.get(row)
        self._other = other
        if self._joint is not None:
            self._other = {"parent": self._joint.child, "child": self._joint.parent}.get(attribute)

    def _as_parent(self, model: Model, row: int) -> tuple[int, Attribute]:
        """Return the joint whose parent is what a row of a URDF is measured from; where it has none, say why."""
        if model.kinds[row] is Kind.LINK and int(model.relative_to[row]) > 0:
            row = int(model.relative_to[row])
        if model.kinds[row] is Kind.JOINT:
            return row, "parent"
        what = f"a {model.kinds[row]} is measured from its link"
        if model.kinds[row] is Kind.LINK:
            what = f"no joint carries '{model.local_names[row]}', so its pose is measured from nothing"
        self._of_link = f"in URDF {what}"
        return row, "relative_to"

    def __iter__(self) -> Iterator[ReferenceTarget]:
        cycles = 0
        for name, row in self.names:
            reason = self._reason(row)
            if reason is None and row in self._closing:
                cycles += 1
                reason = self._cycle(row) if cycles <= _MOST_CYCLES else "it would close a cycle"
            yield ReferenceTarget(name, row, reason)

    @cached_property
    def names(self) -> Sequence[tuple[str, int]]:
        """All names of the right kind with their rows, those that are refused among them."""
        model, kinds = self.model, self.kinds
        if self.attribute == "collision":
            return [(model.local_names[row], row) for row in model.rows_in(self.scope, *kinds)]
        names = model.names_in_scope(self.scope)
        if self.attribute in LOOKED_UP_INSIDE:
            names = names[1:]  # a model is not placed by its own frame
        elif self.attribute == "parent" and not kinds and model.kinds[self.scope] is not Kind.WORLD:
            return [("world", ROOT), *names]
        return [(name, row) for name, row in names if model.kinds[row] in kinds] if kinds else names

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of what may be named, empty for all frames."""
        if self.attribute in ("parent", "child"):
            return (Kind.LINK,) if self.model.scope.joins_links_only else ()
        return _KINDS.get(self.attribute, ())

    def named(self, name: str | None) -> ReferenceTarget:
        """Return what a name would mean here; None represents the default."""
        if name is None and self.attribute == "parent" and self._is_tree:
            return ReferenceTarget(None, UNRESOLVED, self.general or "in URDF a joint must name its parent link")
        if name is None:
            row = self.default
            reason = self._refused_here or (
                explain_missing_default(self.model, self.row or 0) if row < 0 else self._cycle(row)
            )
            return ReferenceTarget(None, row, reason)
        model = self.model
        meant = self.row_of(name)
        if meant is None:
            return ReferenceTarget(name, UNRESOLVED, self.general or self.explain_unknown(name))
        if self.kinds and meant >= 0 and model.kinds[meant] not in self.kinds:
            wanted = " or ".join(kind.value for kind in self.kinds)
            return ReferenceTarget(name, UNRESOLVED, f"'{name}' is a {model.kinds[meant]}, not a {wanted}")
        return ReferenceTarget(name, meant, self.reason(meant))

    def explain_unknown(self, name: str) -> str:
        """Return why a name means nothing here, and which one may be meant."""
        outside = "" if self.row is None else explain_outside(self.model, self.row, name, self.attribute)
        hint = f": {outside}" if outside else did_you_mean(name, (each for each, _ in self.names))
        return f"'{name}' is not a frame in this scope{hint}"

    def row_of(self, name: str) -> int | None:
        """Return what a name means here, whether or not it is refused; None where it means nothing."""
        if self.attribute == "parent" and name == "world":
            return self.scope if self.model.kinds[self.scope] is Kind.WORLD else ROOT
        if self.attribute == "collision":
            return dict(self.names).get(name)
        return self.model.row_in_scope(self.scope, name)

    def name_of(self, row: int) -> str | None:
        """Return how a row is called here, None where it cannot be named."""
        if row == ROOT:
            return "world" if self.attribute == "parent" else None
        if self.attribute in LOOKED_UP_INSIDE and row == self.scope:
            return None
        if self.attribute == "collision":
            return next((name for name, each in self.names if each == row), None)
        return self.model.name_in(self.scope, row)

    def refusal(self, row: int) -> str | None:
        """Return why a row must not be named here, None where it may: it is out of scope, or see :meth:`reason`."""
        if self.general is not None:
            return self.general
        if self.name_of(row) is None:
            model = self.model
            return f"'{model.names[row]}' is outside of the scope of '{model.names[self.scope]}'"
        return self.reason(row)

    def reason(self, row: int) -> str | None:
        """Return why a frame of the scope must not be named here, None where it may."""
        return self._reason(row) or self._cycle(row)

    @cached_property
    def general(self) -> str | None:
        """Why no name at all may stand here, None where one may."""
        version = self.model.version
        if self._refused_here is None and self.attribute == "relative_to" and version < POSE_FRAME:
            return (
                f"a pose in SDFormat {format_version(version)} cannot name its frame; convert the file to SDFormat "
                f"{format_version(FRAME_SEMANTICS)} or later"
            )
        return self._refused_here

    @cached_property
    def _refused_here(self) -> str | None:
        """Why the row has no such attribute, None where it may have it."""
        model, row = self.model, self.row
        if self._of_link is not None:
            return self._of_link
        if row == 0 and self.attribute in ("relative_to", "attached_to"):
            return f"the {model.kinds[0]} is the root and refers to no other frame"
        if self.attribute == "attached_to" and row is not None and model.kinds[row] is not Kind.FRAME:
            return f"a {model.kinds[row]} has no attached_to; only a <frame> has"
        return None

    # --- defaults ----------------------------------------------------------------------------------------------

    @property
    def default(self) -> int:
        """Row that counts where nothing is written; negative where there is none."""
        model, row = self.model, self.row
        if self.attribute == "relative_to":
            return self.scope if row is None else default_relative_to(model, row)
        if self.attribute == "attached_to":
            return self.scope
        if self.attribute == "expressed_in" and row is not None:
            return row
        return UNRESOLVED

    # --- reasons -----------------------------------------------------------------------------------------------

    def _reason(self, row: int) -> str | None:
        """Return the reason against a frame of the scope that is no cycle."""
        if self.general is not None:
            return self.general
        if self.attribute in ("parent", "child"):
            return self._reason_against_end(row)
        if self.attribute == "mimic" and row >= 0:
            joint = self.model.joints_by_row.get(row)
            if row == self.row:
                return "it is this joint itself"
            if joint is None or not joint.axes:
                return "it has no axis to mimic"
            if row in self._following:
                return "it mimics this joint"
        return None

    def _reason_against_end(self, row: int) -> str | None:
        """Return the reason against an end of a joint: both must not belong to one body."""
        model, other = self.model, self._other
        what = "child" if self.attribute == "parent" else "parent"
        if self.attribute == "child" and (row == ROOT or model.kinds[row] is Kind.WORLD):
            return "a joint cannot move the world"
        if row in self._moving:
            return f"it moves with this joint, so it cannot be its {self.attribute}"
        if row == other:
            return f"it is already the {what}"
        if self._is_tree:
            return self._reason_in_tree(row) if row >= 0 else None
        if other is not None and other >= 0 and row >= 0 and model.bodies[row] == model.bodies[other] >= 0:
            return f"it belongs to the same body as the {what}: {model.names[int(model.bodies[other])]}"
        return None

    def _reason_in_tree(self, row: int) -> str | None:
        """Return the reason against an end of a joint of a URDF: its links form one tree."""
        model, driver = self.model, int(self.model.relative_to[row])
        is_driven = driver > 0 and model.kinds[driver] is Kind.JOINT
        if self.attribute == "child" and is_driven and driver != self.row:
            holder = model.local_names[driver]
            return f"it is the child of '{holder}' already, and in URDF a link has one parent; a loop needs SDFormat"
        return "it would close a loop, which URDF does not have" if self._would_loop(row) else None

    def _would_loop(self, row: int) -> bool:
        """Return whether a joint of a URDF would come back to a link that carries it, with a link at this end of it."""
        carrying = self.row if self.row is not None and self.attribute == "child" else self._other
        if carrying is None or carrying < 0 or (self.row is not None and self.attribute == "parent"):
            return False  # of a joint that is there, the cycle is named
        ends = (row, carrying) if self.attribute == "child" else (carrying, row)
        return ends[0] in graph.chain(self.model.relative_to, ends[1])

    @cached_property
    def _is_tree(self) -> bool:
        """Whether this is about a joint of a URDF, whose links form a tree."""
        if self.row is None:
            return self.model.scope.joins_links_only and self.scope == 0
        return self.model.kinds[self.row] is Kind.JOINT and is_in_tree(self.model, self.row)

    @cached_property
    def _moving(self) -> frozenset[int]:
        """Rows that a joint itself carries."""
        if self.row is None:
            return frozenset()
        return frozenset(graph.dependents(self.model.attached_to, self.row).tolist())

    @cached_property
    def _following(self) -> frozenset[int]:
        """Rows of the joints that mimic the joint of the reference, directly or through others."""
        leads: dict[int, list[int]] = {}
        for (follower, _), line in mimic_lines(self.model):
            leads.setdefault(line.leader[0], []).append(follower)
        found: set[int] = set()
        front = [] if self.row is None else [self.row]
        while front:
            front = [each for leader in front for each in leads.get(leader, ()) if each not in found]
            found.update(front)
        return frozenset(found)

    @cached_property
    def _graphs(self) -> tuple[Literal["relative_to", "attached_to"], ...]:
        """The frame graphs in which a target adds an edge from the row."""
        if self.row is None:
            return ()
        if self.attribute == "relative_to":
            return ("relative_to",)
        if self._is_tree:  # where a joint is measured from its parent
            return ("relative_to",) if self.attribute == "parent" else ()
        follows = self.model.relative_to_written[self.row] is None
        if self.attribute == "attached_to":
            return ("attached_to", "relative_to") if follows else ("attached_to",)
        # A child that the joint carries has its reason already.
        return ("relative_to",) if self.attribute == "child" and follows else ()

    @cached_property
    def _closing(self) -> frozenset[int]:
        """Rows that depend on the row of the reference, so that an edge to them closes a cycle."""
        if self.row is None:
            return frozenset()
        parents = (getattr(self.model, name) for name in self._graphs)
        return frozenset(row for each in parents for row in graph.dependents(each, self.row).tolist())

    def _cycle(self, target: int) -> str | None:
        """Return the cycle that an edge to a frame would close as a reason, None where it closes none."""
        for name in self._graphs:
            assert self.row is not None
            if cycle := would_close(self.model, self.row, target, name):
                names = [self.model.names[row] for row in [*cycle, cycle[0]]]
                if len(names) > _LONGEST_CYCLE:
                    names = [*names[: _LONGEST_CYCLE - 1], "…", names[-1]]
                reason = f"it would close a cycle: {' → '.join(names)}"
                return (
                    reason
                    if name == self.attribute or self._is_tree
                    else f"its pose is relative to {self.attribute} by default: {reason}"
                )
        return None


def is_in_tree(model: Model, row: int) -> bool:
    """Return whether a row is written in URDF itself, where all links form a tree and poses are measured along it.

    What a ``<gazebo>`` holds is SDFormat.
    """
    if not model.scope.joins_links_only or int(model.scopes[row]) != 0:
        return False
    if model.kinds[row] is Kind.JOINT:
        parent = model.elements[row].find("parent")
        return parent is None or "link" in parent.attributes
    return model.kinds[row] in (Kind.LINK, Kind.VISUAL, Kind.COLLISION)


def default_relative_to(model: Model, row: int) -> int:
    """Return the row that a row's pose is relative to where no ``relative_to`` is written.

    A merged include has a row of a frame, whose pose is that of any include: in the model or world around it.
    """
    kind = model.kinds[row]
    if kind is Kind.JOINT:
        return model.joints_by_row[row].child
    if kind is Kind.FRAME and model.elements[row].tag != "include":
        return int(model.attached_to[row])
    return int(model.owners[row])


def explain_missing_default(model: Model, row: int) -> str:
    """Return why there is no frame that the pose of a row is relative to by default: what the file names for it."""
    element, joint = model.elements[row], model.joints_by_row.get(row)
    word, name = "attached_to", model.attached_to_written[row]
    if model.kinds[row] is Kind.JOINT:
        ends = {tag: end for tag in ("parent", "child") if (end := element.find(tag)) is not None}
        # In URDF it is the parent link, in SDFormat the child frame.
        is_by_parent = joint is not None and joint.parent == UNRESOLVED
        if is_by_parent and joint is not None and joint.child == UNRESOLVED:
            is_by_parent = any("link" in end.attributes for end in ends.values())
        word = "parent" if is_by_parent else "child"
        end = ends.get(word)
        name = None if end is None else end.attributes.get("link", end.value)
    if name:
        return f"its {word} '{name}' does not exist in this scope"
    return f"it has no {word}" if model.kinds[row] is Kind.JOINT else "the default frame does not exist"


def would_close(
    model: Model, row: int, target: int, attribute: Literal["relative_to", "attached_to"] = "relative_to"
) -> list[int]:
    """Return the rows of the cycle that an edge from ``row`` to ``target`` would close, empty if none."""
    parents = model.relative_to if attribute == "relative_to" else model.attached_to
    way = graph.chain(parents, target) if target >= 0 else []
    return [row, *way[: way.index(row)]] if row in way else []


def common_targets(model: Model, rows: Sequence[int]) -> list[ReferenceTarget]:
    """Return the targets of ``relative_to`` that mean the same frame for all of several rows, in the order of the file.

    The rows themselves are left out. A target that one of them must not name has the reason of that row.
    """
    scopes = list(dict.fromkeys(int(model.scopes[row]) for row in rows))
    common = [set(model.names_in_scope(scope)) for scope in scopes[1:]]
    selected = set(rows)
    closing = set(graph.dependents(model.relative_to, rows).tolist())
    found: list[ReferenceTarget] = []
    cycles = 0
    for name, target in model.names_in_scope(scopes[0]):
        if target in selected or not all((name, target) in names for names in common):
            continue
        reason = ReferenceTargets(model, rows[0], "relative_to").general
        if reason is None and target in closing:
            cycles += 1
            reason = "it would close a cycle"
            if cycles <= _MOST_CYCLES:
                row = next(each for each in graph.chain(model.relative_to, target) if each in selected)
                reason = ReferenceTargets(model, row, "relative_to").reason(target)
        found.append(ReferenceTarget(name, target, reason))
    return found
