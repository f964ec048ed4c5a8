"""The scope of a model or world: its frames, names and diagnostics.

SDFormat's references only ever go down: inside a model nothing can be named that is outside of it. A model therefore
means the same wherever it is, and what is found out about it is computed once, kept as long as its text does not
change, and copied into the table of the scope around it with an offset.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from sdfviewer.diagnostics import Severity
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Findings, Source
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.near_names import Hinted, NearNames
from sdfviewer.transforms import Array
from sdfviewer.versions import Version


class FramePoses(Protocol):
    """Answers where the frames of an interface model are once the whole file is known."""

    def __call__(self, name: str, relative_to: str = "world") -> Array:
        """Return X_RF (4, 4) of a frame F of the model, or of the model with ``__model__``.

        Parameters
        ----------
        name
            As in the model, or ``world``.
        relative_to
            The frame R: one of the model, ``__model__``, or ``world``, which is the root of the file.

        Raises
        ------
        UnknownFrameError
            If there is no such frame in the model; it cannot reach outside of it.
        """


#: Receives where the frames of an interface model are.
Reposture: TypeAlias = Callable[[FramePoses], None]
#: Placeholder among missing models for one whose include gives no name, so it can have any name.
ANY_NAME = "*"


#: Number of characters of a name that take as much memory as the rest of a row.
_CHARACTERS_OF_A_ROW = 200
#: Fewer row numbers are shifted one by one, which takes less than NumPy's calls.
_FEW = 40


def _no_rows() -> array[int]:
    return array("q")


def shifted_rows(rows: array[int], offset: int, first: int = 0) -> array[int]:
    """Return row numbers with an offset; those below ``first`` refer to nothing that moves and stay."""
    if len(rows) < _FEW:
        return array("q", [row + offset if row >= first else row for row in rows])
    numbers = np.frombuffer(rows, np.int64)
    return array("q", np.where(numbers >= first, numbers + offset, numbers).tobytes())


@dataclass(frozen=True, slots=True)
class Mimic(Hinted):
    """The constraint that makes an axis follow another: multiplier · (leader - reference) + offset.

    ``axis`` is 0 or 1, the axis of the leading joint.
    """

    joint: str
    axis: int = 0
    multiplier: float = 1.0
    offset: float = 0.0
    reference: float = 0.0


class WrittenAxis(NamedTuple):
    """One axis of a joint as written; radians or metres.

    Attributes
    ----------
    element
        The ``<axis>`` element.
    xyz
        Direction in the frame ``expressed_in``, not normalised.
    expressed_in
        Row of that frame: the joint's own by default, :data:`~sdfviewer.model.graph.UNRESOLVED` if missing.
    lower, upper, effort, velocity
        Limits; infinite if there is none.
    """

    element: Element
    xyz: tuple[float, float, float]
    expressed_in: int
    lower: float
    upper: float
    effort: float
    velocity: float
    mimic: Mimic | None

    def shifted(self, offset: int) -> WrittenAxis:
        """Return this axis in the rows of the scope around."""
        if self.expressed_in < 0:
            return self
        # Not _replace: thousands of models are nested again at every edit, and it takes three times as long.
        return WrittenAxis(
            self.element,
            self.xyz,
            self.expressed_in + offset,
            self.lower,
            self.upper,
            self.effort,
            self.velocity,
            self.mimic,
        )


class WrittenJoint(NamedTuple):
    """A joint of a scope: rows of the joint and of the frames named as parent and child (negative if missing).

    ``parent`` is :data:`~sdfviewer.model.graph.ROOT` where the parent is the world outside of the scope.
    """

    row: int
    type: str
    parent: int
    child: int
    axes: tuple[WrittenAxis, ...]
    screw_pitch: float = 0.0

    def shifted(self, offset: int) -> WrittenJoint:
        """Return this joint in the rows of the scope around."""
        return WrittenJoint(
            self.row + offset,
            self.type,
            self.parent + offset if self.parent >= 0 else self.parent,
            self.child + offset if self.child >= 0 else self.child,
            tuple([axis.shifted(offset) for axis in self.axes]),
            self.screw_pitch,
        )


class FailedInclude(NamedTuple):
    """An ``<include>`` that brings nothing into a scope: its row says where the model would be and how it is called.

    Attributes
    ----------
    row
        Its row: that of a model, or of the frame that would represent a merged one; negative where it has none yet.
    owner
        Row of the model or world that it is written in.
    name
        The name that it gives, or else the last part of its URI.
    uri, element, source
        What it includes, and where it is written.
    problems
        Why nothing could be included.
    """

    row: int
    owner: int
    name: str
    uri: str
    element: Element
    source: Source
    problems: tuple[str, ...]

    def shifted(self, offset: int) -> FailedInclude:
        """Return this include in the rows of the scope around."""
        return self._replace(row=self.row + offset, owner=self.owner + offset)


@dataclass(slots=True, eq=False)
class Scope:
    """The frame table of one model or world and everything in it, as parallel columns; row 0 is the scope itself.

    Row numbers are in arrays: those of a large world are shifted, compared and freed at once at each edit.

    Attributes
    ----------
    kinds, names, elements, sources
        Of each row. Names are relative to this scope, ``nested::link``; the name of row 0 is the scope's own.
    local_names
        What follows the last ``::`` of each name.
    owners
        Row of the thing that a row is written in; -1 for row 0.
    scopes
        Row of the model or world whose names a row sees. For a model that is the scope around it.
    relative_to, attached_to
        Target rows of the two frame graphs, or ROOT, UNRESOLVED.
    relative_to_written, attached_to_written
        The names as written, None where the default holds.
    raw_poses
        ``x y z roll pitch yaw`` as written, metres and radians.
    exact_poses
        Raw poses that are not written as six numbers (quaternions, placement frames) as matrices, by row.
    static
        Whether the row belongs to a static model.
    joints, findings
        Of this scope and all nested ones.
    members
        Row of each member that can be named without ``::``; of clashing names the one that references mean.
    nested
        Scope and row of each nested model by name.
    canonical_link
        Row of a model's canonical link, UNRESOLVED if it has none.
    placement_frame, placement_frames
        The name written at this model, and the row of the placement frame by row of the model placed by it.
    included_models
        Where the models that includes bring are written themselves, by row; their elements are the includes.
    has_includes
        Whether anything in it comes from other files, which may change on their own.
    prefix
        What an older tool wrote before the names of the members and in references to them, see
        :mod:`sdfviewer.formats.sdformat.composition`; empty in all other scopes.
    joins_links_only
        Whether the joints of the file can join links only, and no other frames.
    settled
        Rows whose targets are known from the scope they were merged from.
    missing
        Names of models that could not be included: what leans on them is not reported again.
    failed_includes
        The includes that bring nothing, of this scope and all nested ones.
    repostures
        Rows of interface models, and whom to tell where their frames are.
    composed
        What it took to compose it from nested models, see :meth:`cost_of`: a scope that is used twice counts twice.
    near_names
        What a wrong name in it may have meant, once requested.
    """

    kinds: list[Kind] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    local_names: list[str] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    owners: array[int] = field(default_factory=_no_rows)
    scopes: array[int] = field(default_factory=_no_rows)
    relative_to: array[int] = field(default_factory=_no_rows)
    relative_to_written: list[str | None] = field(default_factory=list)
    attached_to: array[int] = field(default_factory=_no_rows)
    attached_to_written: list[str | None] = field(default_factory=list)
    raw_poses: list[tuple[float, ...]] = field(default_factory=list)
    exact_poses: dict[int, Array] = field(default_factory=dict)
    static: list[bool] = field(default_factory=list)
    joints: list[WrittenJoint] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    members: dict[str, int] = field(default_factory=dict)
    nested: dict[str, tuple[Scope, int]] = field(default_factory=dict)
    canonical_link: int = UNRESOLVED
    placement_frame: str | None = None
    placement_frames: dict[int, int] = field(default_factory=dict)
    included_models: dict[int, ElementPart] = field(default_factory=dict)
    has_includes: bool = False
    prefix: str = ""
    joins_links_only: bool = False
    settled: set[int] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    failed_includes: list[FailedInclude] = field(default_factory=list)
    repostures: list[tuple[int, Reposture]] = field(default_factory=list)
    composed: int = 0
    near_names: NearNames | None = None

    def cost_of(self, nested: Scope, name: str) -> int:
        """Return the cost of nesting a scope under a name: rows, findings, and characters of the new names."""
        rows = len(nested.kinds)
        characters = sum(map(len, nested.names)) + rows * len(name)
        return rows + len(nested.findings) + characters // _CHARACTERS_OF_A_ROW

    def __len__(self) -> int:
        return len(self.kinds)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without what only loading needs."""
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**state, "findings": Findings(), "repostures": []}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    @property
    def is_world(self) -> bool:
        """Whether this is a world rather than a model."""
        return self.kinds[0] is Kind.WORLD

    def lookup(self, name: str) -> int | None:
        """Return the row that ``name`` means inside this scope, None if nothing.

        A name is that of a member, ``world`` in a world or ``__model__`` in a model for the scope's own frame, or a
        path ``nested::member`` downwards.
        """
        if self.prefix and name.startswith(self.prefix):
            name = name[len(self.prefix) :]
        row = self.members.get(name)
        if row is not None:
            return row
        if name == ("world" if self.is_world else "__model__"):
            return 0
        head, separator, tail = name.partition("::")
        if separator and (nested := self.nested.get(head)):
            scope, offset = nested
            row = scope.lookup(tail)
            return None if row is None else row + offset
        return None

    def leans_on_missing(self, name: str) -> bool:
        """Return whether a name that finds nothing leads into a model that could not be included."""
        if not self.missing and not self.nested:
            return False
        head, separator, tail = name.removeprefix(self.prefix).partition("::")
        if ANY_NAME in self.missing and separator and head not in self.nested:
            return True
        return head in self.missing or (head in self.nested and self.nested[head][0].leans_on_missing(tail))

    def rename(self, name: str) -> None:
        """Give the scope itself another name."""
        self.names[0], self.local_names[0] = name, _local(name)

    def add_row(
        self,
        kind: Kind,
        name: str,
        element: Element,
        source: Source,
        owner: int,
        raw_pose: tuple[float, ...],
        relative_to: str | None,
        attached_to: str | None = None,
    ) -> int:
        """Append a row whose targets are not yet known and return its number."""
        self.kinds.append(kind)
        self.names.append(name)
        self.local_names.append(_local(name) if ":" in name else name)  # a call for each row takes a while
        self.elements.append(element)
        self.sources.append(source)
        self.owners.append(owner)
        self.scopes.append(0)
        self.relative_to.append(ROOT)
        self.relative_to_written.append(relative_to)
        self.attached_to.append(ROOT)
        self.attached_to_written.append(attached_to)
        self.raw_poses.append(raw_pose)
        self.static.append(False)
        return len(self.kinds) - 1

    def add_scope(self, nested: Scope, name: str) -> int:
        """Append all rows of a nested scope under ``name`` and return the row of its own frame."""
        offset = len(self.kinds)
        self.kinds += nested.kinds
        self.names.append(name)
        prefix = name + "::"
        self.names += [prefix + inner for inner in nested.names[1:]]
        self.local_names.append(_local(name) if ":" in name else name)
        self.local_names += nested.local_names[1:]
        self.elements += nested.elements
        self.sources += nested.sources
        self.owners.append(0)
        self.owners += shifted_rows(nested.owners[1:], offset)
        self.scopes.append(0)
        self.scopes += shifted_rows(nested.scopes[1:], offset)
        self.relative_to += shifted_rows(nested.relative_to, offset)
        self.relative_to_written += nested.relative_to_written
        self.attached_to += shifted_rows(nested.attached_to, offset)
        self.attached_to_written += nested.attached_to_written
        self.raw_poses += nested.raw_poses
        self.static += nested.static
        if nested.placement_frames:
            self.placement_frames.update({row + offset: at + offset for row, at in nested.placement_frames.items()})
        if nested.exact_poses:
            self.exact_poses.update({row + offset: X for row, X in nested.exact_poses.items()})
        if nested.included_models:
            self.included_models.update({row + offset: at for row, at in nested.included_models.items()})
        if nested.joints:
            self.joints += [joint.shifted(offset) for joint in nested.joints]
        if nested.findings:
            self.findings += nested.findings.mapped(lambda finding: finding.shifted(offset))
        self.has_includes |= nested.has_includes
        if nested.failed_includes:
            self.failed_includes += [each.shifted(offset) for each in nested.failed_includes]
        if nested.repostures:
            self.repostures += [(row + offset, reposture) for row, reposture in nested.repostures]
        return offset

    @property
    def counts(self) -> tuple[int, ...]:
        """How much is in it, as :meth:`add_run` takes it.

        Rows, findings, exact poses, placement frames, included models, and the cost.
        """
        findings, poses, placements = len(self.findings), len(self.exact_poses), len(self.placement_frames)
        return len(self.kinds), findings, poses, placements, len(self.included_models), self.composed

    def add_run(self, other: Scope, begin: Sequence[int], end: Sequence[int]) -> None:
        """Append what models have brought to another world, with the names and the findings that they have there.

        Parameters
        ----------
        other
            That world. In this one, the targets of the models' own frames are still to be resolved.
        begin, end
            Its :attr:`counts` before and after the models.
        """
        rows, offset = slice(begin[0], end[0]), len(self.kinds) - begin[0]

        def shifted(targets: array[int]) -> array[int]:
            # Row 0 is the world itself in both; negative numbers are not rows.
            return shifted_rows(targets[rows], offset, first=1) if offset else targets[rows]

        self.kinds += other.kinds[rows]
        self.names += other.names[rows]
        self.local_names += other.local_names[rows]
        self.elements += other.elements[rows]
        self.sources += other.sources[rows]
        self.owners += shifted(other.owners)
        self.scopes += shifted(other.scopes)
        self.relative_to += shifted(other.relative_to)
        self.relative_to_written += other.relative_to_written[rows]
        self.attached_to += shifted(other.attached_to)
        self.attached_to_written += other.attached_to_written[rows]
        self.raw_poses += other.raw_poses[rows]
        self.static += other.static[rows]
        joints = other.joints[slice(*(bisect_left(other.joints, row, key=_row_of) for row in (begin[0], end[0])))]
        self.joints += [joint.shifted(offset) for joint in joints] if offset else joints
        findings = other.findings[begin[1] : end[1]]
        self.findings += [finding.shifted(offset) for finding in findings] if offset else findings
        poses = islice(other.exact_poses.items(), begin[2], end[2])
        self.exact_poses.update((row + offset, X) for row, X in poses)
        placements = islice(other.placement_frames.items(), begin[3], end[3])
        self.placement_frames.update((row + offset, at + offset) for row, at in placements)
        included = islice(other.included_models.items(), begin[4], end[4])
        self.included_models.update((row + offset, at) for row, at in included)
        self.composed += end[5] - begin[5]

    def merge_scope(self, nested: Scope, frame: str, element: Element, source: Source) -> int:
        """Append what is in a model as members of this scope and return the row of the frame that represents the model.

        Parameters
        ----------
        nested
            The model.
        frame
            Name of the frame that takes the model frame's place.
        element, source
            Where the merge is written.

        Notes
        -----
        Source: libsdformat, ``insertIncludedElement`` in src/parser.cc: links, joints, frames and nested models are
        copied, ``<static>`` and the like are not.
        """
        names = [frame, *nested.names[1:]]
        own_failed = len(self.failed_includes)
        offset = self.add_scope(nested, "")
        self.failed_includes[own_failed:] = [
            each._replace(owner=0 if each.owner == offset else each.owner) for each in self.failed_includes[own_failed:]
        ]
        self.names[offset:] = names
        self.local_names[offset] = _local(frame)
        self.kinds[offset] = Kind.FRAME
        self.elements[offset], self.sources[offset] = element, source
        self.attached_to_written[offset] = None
        self.static[offset:] = [False] * len(names)
        for row in range(offset, len(self.kinds)):  # rows that saw the model's names now see the ones here
            self.owners[row] = 0 if self.owners[row] == offset else self.owners[row]
            self.scopes[row] = 0 if self.scopes[row] == offset else self.scopes[row]
        canonical = nested.canonical_link
        self.attached_to[offset] = canonical + offset if canonical >= 0 else 0
        self.members.setdefault(frame, offset)
        for name, row in nested.members.items():
            self.members.setdefault(name, row + offset)
        for name, (inner, row) in nested.nested.items():
            self.nested.setdefault(name, (inner, row + offset))
        self.settled.update(row for row in range(offset + 1, len(self.kinds)) if self.scopes[row] == 0)
        self.missing |= nested.missing
        return offset


def _local(name: str) -> str:
    return name.rpartition("::")[2]


def _row_of(joint: WrittenJoint) -> int:
    return joint.row


@dataclass(frozen=True, slots=True)
class Origin:
    """Where elements come from: which document, which version, how deep in models they stand, whether in a world."""

    source: Source
    version: Version
    depth: int = 0
    in_world: bool = False

    @property
    def nested(self) -> Origin:
        """Where elements of a model in this model come from."""
        return Origin(self.source, self.version, self.depth + 1, self.in_world)

    @property
    def leniency(self) -> Severity | None:
        """How much faults of joints matter here: libsdformat looks at those of nested models less closely."""
        return Severity.WARNING if self.depth > 0 else None
