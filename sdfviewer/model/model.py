"""A model: one flat table of frames, the joints between them, and its diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdfviewer.computed import computed_from, equal_at_end, first_difference, reuse_caches, state_of, with_attributes
from sdfviewer.diagnostics import Diagnostic, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, UNRESOLVED, Rows
from sdfviewer.model.joints import Joint, resolve_joints
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.scope import FailedInclude, Scope
from sdfviewer.transforms import Array
from sdfviewer.versions import SCOPED_REFERENCES, Version

_Item = TypeVar("_Item")

#: Of a file in which no model is flattened: one object, so that what depends on it stays.
_NO_PREFIXES: Mapping[int, str] = {}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(Kind)}


class UnknownFrameError(SdfViewerError, KeyError):
    """There is no frame of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnresolvedPoseError(SdfViewerError):
    """A pose was requested that the file leaves undefined: it leads into a cycle or to a missing frame."""


class Model:
    """The meaning of a file, as a table with a row for everything that has a pose.

    Row 0 is the root: the world of a world file, the top model of a model file. Everything comes after what it is
    written in, in document order. In a model file the root is the frame that poses are resolved to: where the file
    says where the model itself is, it says so for whoever includes it.

    Attributes
    ----------
    document
        The file.
    version
        Its version of SDFormat.
    kinds, names, elements
        Of each row; names are scoped from the root of the file, ``arm::gripper::finger``.
    owners
        Row of the thing that a row is written in, -1 for row 0.
    scopes
        Row of the model or world whose names a row's references see.
    raw_poses
        X_RF (n, 4, 4): each frame F in the frame R that ``relative_to`` points to.
    relative_to, attached_to
        Target rows (n,) of the two frame graphs, or ROOT, UNRESOLVED.
    relative_to_written, attached_to_written
        The names as written, None where the default holds.
    X_RootF
        Resolved poses (n, 4, 4) in the root frame, at the initial configuration; NaN where they are undefined.
    static
        Whether each row (n,) belongs to a static model.
    joints
        All joints in document order.
    written_prefixes
        By row of a model that an older tool has flattened, what is written before the names of its members in the
        file, there and wherever they are named: ``a::``, see :mod:`sdfviewer.formats.sdformat.composition`.
    canonical_links
        Row of the canonical link by row of its model.
    diagnostics
        All that is wrong, in the order of the file.

    Notes
    -----
    Columns that are as in the model before are the same objects, and so is what is computed from them: most edits
    change one or two columns of a few rows.
    """

    def __init__(
        self, document: Document, version: Version, scope: Scope, raw_poses: Array, before: Model | None = None
    ) -> None:
        self.document = document
        self.version = version
        self.elements = scope.elements
        self.sources = scope.sources
        self.is_world = scope.is_world
        if scope.is_world:
            names = ["world", *scope.names[1:]]
        else:
            prefix = scope.names[0] + "::"
            names = [scope.names[0], *[prefix + name for name in scope.names[1:]]]
        self.kinds, self.names, self.local_names = scope.kinds, names, scope.local_names
        if before is not None:
            self.kinds = _same(before.kinds, self.kinds)
            self.names = _same(before.names, self.names)
            self.local_names = _same(before.local_names, self.local_names)
        self.scope = scope
        self.owners: Rows = self._column("owners", before)
        self.scopes: Rows = self._column("scopes", before)
        self.relative_to: Rows = self._column("relative_to", before)
        self.attached_to: Rows = self._column("attached_to", before)
        self.relative_to_written = scope.relative_to_written
        self.attached_to_written = scope.attached_to_written
        self.static: NDArray[np.bool_] = self._column("static", before)
        self.raw_poses = raw_poses
        self.relative_to[0] = ROOT
        self.X_RootF: Array
        if before is not None and raw_poses is before.raw_poses and self.relative_to is before.relative_to:
            self.X_RootF = before.X_RootF
        else:
            self.X_RootF = graph.resolve(self.relative_to, raw_poses)
        if self.kinds[0] is Kind.LIGHT or self.kinds[0] is Kind.ACTOR:  # what is in no model is where it says
            self.X_RootF[0] = raw_poses[0]
        self.joints = resolve_joints(scope, self.names, self.X_RootF)
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.written_prefixes = _NO_PREFIXES
        if scope.is_world and version < SCOPED_REFERENCES and document.contains("::"):
            self.written_prefixes = dict(_written_prefixes(scope))
        if before is not None:
            if before.written_prefixes == self.written_prefixes:
                self.written_prefixes = before.written_prefixes
            reuse_caches(self, before)
            if self.names is not before.names and "rows_by_name" in before.__dict__:
                rows = _rows_after(before.rows_by_name, before.names, self.names)
                if len(rows) == len(self):  # else names clash, and it matters which one is meant
                    self.__dict__["rows_by_name"] = rows

    def __getstate__(self) -> dict[str, object]:
        return state_of(self)

    def without_diagnostics(self) -> Model:
        """Return the same model without its diagnostics, for what they refer to."""
        return with_attributes(self, diagnostics=())

    @computed_from("kinds")
    def kind_numbers(self) -> NDArray[np.int8]:
        """The kind of each row (n,) as its place in :class:`Kind`."""
        return np.fromiter(map(_KIND_NUMBERS.__getitem__, self.kinds), np.int8, len(self.kinds))

    def kinds_are(self, *kinds: Kind) -> NDArray[np.bool_]:
        """Return which rows (n,) are of one of some kinds."""
        return np.array([kind in kinds for kind in Kind])[self.kind_numbers]

    @computed_from("kind_numbers")
    def is_vertex(self) -> NDArray[np.bool_]:
        """Which rows (n,) are vertices of the frame graphs, that is, can be named by others."""
        return np.array([kind.is_vertex for kind in Kind])[self.kind_numbers]

    @computed_from("local_names")
    def _repeated_names(self) -> frozenset[str]:
        """The names that several rows have."""
        return frozenset(name for name, count in Counter(self.local_names).items() if count > 1)

    @computed_from("names", "local_names", "is_vertex")
    def distinct_names(self) -> list[str]:
        """The local name of each row (n,); of vertices that share one with as much scope as tells them apart."""
        return _distinct_names(self.names, self.local_names, np.flatnonzero(self.is_vertex).tolist())

    @computed_from("X_RootF")
    def is_resolved(self) -> NDArray[np.bool_]:
        """Which rows (n,) have a pose in the root frame."""
        with np.errstate(over="ignore", invalid="ignore"):  # frames at 1e308 metres
            if np.isfinite(self.X_RootF.sum()):  # as nearly always: one sum, not one for each row
                return np.ones(len(self.X_RootF), bool)
        return np.asarray(np.isfinite(self.X_RootF).all(axis=(1, 2)))

    def _column(self, name: str, before: Model | None) -> NDArray[Any]:
        """Return a column of the table as an array, that of the model before where it is the same."""
        written = getattr(self.scope, name)
        if before is not None and getattr(before.scope, name) == written:
            column: NDArray[Any] = getattr(before, name)
            return column
        return np.array(written, dtype=bool if name == "static" else np.int64)

    @computed_from("relative_to")
    def relative_to_cycles(self) -> list[list[int]]:
        """The rows of each cycle of ``relative_to``, in the direction of the references."""
        return graph.cycles(self.relative_to)

    @computed_from("attached_to")
    def attached_to_cycles(self) -> list[list[int]]:
        """The rows of each cycle of ``attached_to``, in the direction of the references."""
        return graph.cycles(self.attached_to)

    @computed_from("kind_numbers", "attached_to")
    def bodies(self) -> Rows:
        """Row (n,) of the link, or of the world, that carries each frame; negative if there is none."""
        ends = graph.sinks(self.attached_to)
        is_body = self.kinds_are(Kind.LINK, Kind.WORLD)
        carried = (ends >= 0) & is_body[np.maximum(ends, 0)]
        return np.where(carried, ends, np.where(ends >= 0, UNRESOLVED, ends))

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def name(self) -> str:
        """The name of the top model or of the world, as written."""
        return self.scope.names[0]

    @property
    def root_frame(self) -> str:
        """How the root frame is called: ``world`` or ``__model__``."""
        return "world" if self.is_world else "__model__"

    @computed_from("names", "kinds")
    def rows_by_name(self) -> Mapping[str, int]:
        """The row of each scoped name; of clashing names the one that references mean."""
        rows: dict[str, int] = dict(zip(self.names, range(len(self)), strict=True))
        if len(rows) == len(self):
            return rows
        rows = {}
        for row, name in enumerate(self.names):
            if name not in rows or (self.kinds[row].is_vertex and not self.kinds[rows[name]].is_vertex):
                rows[name] = row
        return rows

    @computed_from("scope")
    def failed_includes(self) -> Mapping[int, FailedInclude]:
        """The includes that bring nothing, by their rows."""
        return {failed.row: failed for failed in self.scope.failed_includes}

    @computed_from("elements", "sources")
    def rows_by_element(self) -> Mapping[int, int]:
        """The row of each element of the file itself, by the element's identity."""
        return {id(element): row for row, element in enumerate(self.elements) if self.sources[row] is None}

    def innermost_row(self, path: Sequence[Element]) -> int | None:
        """Return the row of the innermost of some elements of the file that has one, None where none has.

        Parameters
        ----------
        path
            Elements from the outermost on, each of which holds the next.

        Notes
        -----
        The rows of what an element holds follow its own row, so each search looks at a small part of a large world.
        Making :attr:`rows_by_element` takes longer than the rest of an edit.
        """
        innermost, first, last = None, 0, len(self)
        root = next((number for number, element in enumerate(path) if element is self.elements[0]), None)
        if root is not None:  # nothing around the world or the top model has a row
            innermost, first, path = 0, 1, path[root + 1 :]
        for element in path:
            row = self._row_between(element, first, last)
            while row is not None:  # of the rows of an element the last one is meant
                innermost, first = row, row + 1
                last = self.inside(row).stop
                row = self._row_between(element, first, last)
        return innermost

    def _row_between(self, element: Element, first: int, last: int) -> int | None:
        try:
            return self.elements.index(element, first, last)
        except ValueError:
            return None

    @property
    def included_documents(self) -> list[Document]:
        """The documents that the file includes, at once or through others, each once."""
        return list({id(source): source for source in self.sources if source is not None}.values())

    @computed_from("owners")
    def _rows_in(self) -> Mapping[int, list[int]]:
        rows: dict[int, list[int]] = {}
        for row, owner in enumerate(self.owners.tolist()):
            rows.setdefault(owner, []).append(row)
        return rows

    def rows_in(self, owner: int, *kinds: Kind) -> Sequence[int]:
        """Return the rows of what is written directly in a row, in document order: of some kinds, all by default."""
        rows = self._rows_in.get(owner, ())
        return [row for row in rows if self.kinds[row] in kinds] if kinds else rows

    def inside(self, row: int) -> range:
        """Return a row and all that is written in it: what an element holds follows its own row."""
        outside = self.owners[row + 1 :] < row
        return range(row, row + 1 + int(outside.argmax()) if outside.any() else len(self))

    def include_of(self, row: int) -> int | None:
        """Return the row of the include in the file itself that brings what another file writes; None where none does.

        Of a model that is merged that is the row of its frame: what it brings belongs to the model around the include.
        """
        if self.sources[row] is None:
            return None
        # The rows of an included model follow that of its include, also where they are merged.
        above = next((each for each in range(row, -1, -1) if self.sources[each] is None), -1)
        return above if above >= 0 and self.elements[above].tag == "include" else None

    def around(self, row: int) -> Iterator[int]:
        """Yield a row and what it is written in, from inside; nothing for a row below zero."""
        while row >= 0:
            yield row
            row = int(self.owners[row])

    @computed_from("joints")
    def joints_by_row(self) -> Mapping[int, Joint]:
        """Each joint by the row of its frame."""
        return {joint.row: joint for joint in self.joints}

    @computed_from("kind_numbers", "attached_to")
    def canonical_links(self) -> Mapping[int, int]:
        """The row of each model's canonical link; static models have none of their own."""
        links = self.attached_to
        rows = np.flatnonzero(
            self.kinds_are(Kind.MODEL) & (links >= 0) & self.kinds_are(Kind.LINK)[np.maximum(links, 0)]
        )
        return dict(zip(rows.tolist(), links[rows].tolist(), strict=True))

    def document_of(self, row: int) -> Document:
        """Return the document that a row's element is in: the file, or one that it includes."""
        source = self.sources[row]
        return self.document if source is None else source

    def row(self, name: str) -> int:
        """Return the row of a frame by its scoped name; the root frame's own name means row 0.

        Raises
        ------
        UnknownFrameError
            If there is no such frame.
        """
        row = self.rows_by_name.get(name)
        if row is None and name == self.root_frame:
            return 0
        if row is None and not self.is_world:  # members of the top model may be called by their short names
            row = self.rows_by_name.get(f"{self.names[0]}::{name}")
        if row is None:
            raise UnknownFrameError(f"there is no frame '{name}'{did_you_mean(name, self.rows_by_name)}")
        return row

    def member_prefix(self, scope: int) -> str:
        """Return the scope prefix of the members of a model or world, from the root of the file."""
        return "" if self.kinds[scope] is Kind.WORLD else self.names[scope] + "::"

    def find(self, scope: int, name: str) -> int | None:
        """Return the row of any kind that a name or path finds in a model or world, None where it finds nothing."""
        written = self.written_prefixes.get(scope, "")
        return self.rows_by_name.get(self.member_prefix(scope) + name.removeprefix(written))

    def name_in(self, scope: int, row: int) -> str | None:
        """Return how the members of a model or world call a row, None where they cannot: names lead downwards only."""
        if row == scope:
            return self._own_name(scope)
        prefix, name = self.member_prefix(scope), self.names[row] if row >= 0 else ""
        if len(name) <= len(prefix) or not name.startswith(prefix) or self.rows_by_name.get(name) != row:
            return None
        return self.written_prefixes.get(scope, "") + name[len(prefix) :]

    def _own_name(self, scope: int) -> str:
        """Return how the members of a model or world call it."""
        return "world" if self.kinds[scope] is Kind.WORLD else self.written_prefixes.get(scope, "") + "__model__"

    def row_in_scope(self, scope: int, name: str) -> int | None:
        """Return the row that a name means in a model or world, None where it is none of :meth:`names_in_scope`."""
        if name in (self._own_name(scope), "world" if self.kinds[scope] is Kind.WORLD else "__model__"):
            return scope
        target = self.find(scope, name)
        if not name or target is None or not self.kinds[target].is_vertex:
            return None
        # Of two models of one name the other one is not meant.
        return target if target != scope and target in self.inside(scope) else None

    def shown_name(self, row: int) -> str:
        """Return the scoped name of a row as views show it: that of a world is its own, as in the file."""
        return self.local_names[0] if row == 0 else self.names[row]

    def distinct_name(self, row: int) -> str:
        """Return what messages call a row: its distinct name; of what a link holds, with the link if that is shared."""
        name = self.distinct_names[row] or self.label(row)
        if self.is_vertex[row] or self.local_names[row] not in self._repeated_names:
            return name
        return f"{self.distinct_names[self.owners[row]]}::{name}"

    def name_or_count(self, rows: Sequence[int]) -> str:
        """Return what messages call some rows: the name of a single one, and how many elements several are."""
        return self.distinct_name(rows[0]) if len(rows) == 1 else f"{len(rows)} elements"

    def label(self, row: int) -> str:
        """Return what views call a row among its siblings: its name, or its tag where it has none."""
        return self.local_names[row] or f"<{self.elements[row].tag}>"

    def reference_label(self, written: str, row: int) -> str:
        """Return what views call a reference to a row: as it is written; of a world they show its own name, too."""
        if row < 0 or self.kinds[row] is not Kind.WORLD or self.local_names[row] == written:
            return written
        return f"{self.local_names[row]} ({written})"

    def names_in_scope(self, scope: int) -> Sequence[tuple[str, int]]:
        """Return the names that references in a model or world can be resolved to, as written there, and their rows.

        The own name of the scope comes first, then its members and those of the models nested in it, in document order.
        An element with an empty name is none of them: a reference that is empty means its default.
        Whether a reference may name them is decided in :mod:`sdfviewer.model.targets`.
        """
        if scope not in self._names_in_scopes:
            self._names_in_scopes[scope] = self._find_names_in(scope)
        return self._names_in_scopes[scope]

    @computed_from("names", "kinds", "is_vertex", "rows_by_name", "owners", "written_prefixes")
    def _names_in_scopes(self) -> dict[int, list[tuple[str, int]]]:
        return {}

    def _find_names_in(self, scope: int) -> list[tuple[str, int]]:
        prefix, written = self.member_prefix(scope), self.written_prefixes.get(scope, "")
        names, rows_by_name, inside = self.names, self.rows_by_name, self.inside(scope)
        first = inside.start + 1
        vertices = (np.flatnonzero(self.is_vertex[first : inside.stop]) + first).tolist()
        return [
            (self._own_name(scope), scope),
            *(
                (written + name, each)
                for each in vertices
                if (name := names[each][len(prefix) :]) and rows_by_name[names[each]] == each
            ),
        ]


def _written_prefixes(scope: Scope, row: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the prefix of each flattened model in a scope that begins in a row of the file."""
    for nested, offset in scope.nested.values():
        if nested.prefix:
            yield row + offset, nested.prefix
        yield from _written_prefixes(nested, row + offset)


def _distinct_names(names: list[str], local_names: list[str], rows: list[int]) -> list[str]:
    """Return all local names, with the shortest scopes before those of some rows that make them different."""
    distinct, depth = list(local_names), 1
    while True:
        counts = Counter(map(distinct.__getitem__, rows))
        rows = [row for row in rows if counts[distinct[row]] > 1 and names[row] != distinct[row]]
        if not rows:
            return distinct
        for row in rows:
            distinct[row] = "::".join(names[row].rsplit("::", depth + 1)[-depth - 1 :])
        depth += 1


def _rows_after(rows: Mapping[str, int], names: Sequence[str], after: Sequence[str]) -> dict[str, int]:
    """Return the rows of names after an edit of a few: to copy those of the others is faster than to count all.

    Where some names clash, before or after it, there are fewer rows than names.
    """
    start, end = first_difference(names, after), 0
    if len(names) == len(after):  # else what comes behind has other rows
        end = min(equal_at_end(names, after), len(after) - start)
    changed = dict(rows)
    for name in names[start : len(names) - end]:
        changed.pop(name, None)
    changed.update(zip(after[start : len(after) - end], range(start, len(after) - end), strict=True))
    return changed


def _same(before: list[_Item], now: list[_Item]) -> list[_Item]:
    """Return the former list where both are equal, which is faster to find out than to compute anything from it."""
    return before if before == now else now
