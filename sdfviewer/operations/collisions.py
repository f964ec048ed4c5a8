"""Operations on collisions: align them, simple shapes in place of meshes, and pairs that MoveIt does not test."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations, count
from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import read_regular, real_path
from sdfviewer.files.saving import unsaved_file
from sdfviewer.files.search import project_folder, semantic_files_near
from sdfviewer.files.uris import AssetKind
from sdfviewer.formats.contents import read_shape
from sdfviewer.formats.srdf import is_semantic
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    FileChange,
    MenuEntry,
    Outcome,
    Parameter,
    operation,
)
from sdfviewer.operations.frames import SELECT_FIRST, move
from sdfviewer.operations.parameters import ChoiceType, FramesType, GivenGeometry, WholeType
from sdfviewer.operations.properties import set_geometry
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError, is_editable
from sdfviewer.refactoring.fitting import FITTED, FittedShape, fit, fit_pieces
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.refactoring.composition.moved_uris import FileCopy
    from sdfviewer.refactoring.fitting import ConvexMesh


def _links_of(model: Model, rows: Sequence[int]) -> list[int]:
    """Return the links among some rows, and those of visuals and collisions among them."""
    owners = (int(model.owners[row]) if model.kinds[row] in SHAPED else row for row in rows)
    return list(dict.fromkeys(row for row in owners if model.kinds[row] is Kind.LINK))


def no_visual(model: Model, rows: Sequence[int]) -> str | None:
    """Return why no collision can be aligned: what is selected, or the file, has no visual."""
    links = _links_of(model, rows) if rows else range(len(model))
    if any(
        is_editable(model, each) and model.kinds[each] is Kind.LINK and model.rows_in(each, Kind.VISUAL)
        for each in links
    ):
        return None
    return "select a link that has a visual" if rows else "no link of this file has a visual"


@operation(
    "Align collisions to visuals",
    Parameter(
        "links",
        FramesType((Kind.LINK, *SHAPED)),
        "the links, or what is in them; all that have a visual by default",
        default=(),
    ),
    refusal=no_visual,
    is_slow=True,
    menu=MenuEntry(
        "refactor.align_collisions",
        "Refactor",
        "Align Collisions to Visuals…",
        "Ctrl+K, Shift+A",
        "mdi6.shield-sync-outline",
        "Give each collision of a link the geometry and the pose of its visual",
        section=True,
        words="collision visual same copy sync match",
    ),
    command=EditOption("align-collisions"),
)
def align_collisions(on: EditContext, links: Sequence[int]) -> Outcome:
    """Give each collision of links the geometry and the pose of the visual that is written at its place in order.

    A visual without a collision gets one. Collisions beyond the visuals stay. The inertial keeps its density where it
    was that of the shapes.
    """
    from sdfviewer.refactoring import parts

    model = on.model
    candidates = _links_of(model, links) or [
        row for row, kind in enumerate(model.kinds) if kind is Kind.LINK and is_editable(model, row)
    ]
    chosen = [link for link in candidates if model.rows_in(link, Kind.VISUAL)]
    if not chosen:
        raise EditError("none of these links has a visual")
    draft, remarks = ModelDraft(model, on.loader), []
    changed = parts.align_collisions(draft, chosen, on.mesh_body)
    for link in chosen:
        more = len(model.rows_in(link, Kind.COLLISION)) - len(model.rows_in(link, Kind.VISUAL))
        if more > 0:
            remarks.append(f"{model.distinct_name(link)} keeps {counted(more, 'collision')} beyond its visuals")
    what = model.distinct_name(chosen[0]) if len(chosen) == 1 else counted(len(changed), "link")
    return Outcome(draft.edit(f"Align collisions of {what}"), remarks=tuple(remarks))


def no_part(model: Model, rows: Sequence[int]) -> str | None:
    """Return why nothing can be fitted to a selection."""
    if not rows:
        return SELECT_FIRST
    if all(model.kinds[row] in SHAPED for row in rows):
        return None
    return "select visuals or collisions"


@operation(
    "Fit collisions",
    Parameter("parts", FramesType(SHAPED), "the collisions, or visuals whose collisions get the shape"),
    Parameter("shape", ChoiceType(FITTED), "the shape around each of them", default="box"),
    refusal=no_part,
    verb="Fit",
    is_slow=True,
    menu=MenuEntry(
        "refactor.fit_collisions",
        "Refactor",
        "Fit Collisions…",
        "Ctrl+K, Shift+F",
        "mdi6.shield-outline",
        "Put a box, cylinder, capsule, sphere or convex hull around a mesh in place of its collision",
        words="collision simplify approximate bounding mesh convex hull box cylinder capsule sphere",
    ),
    command=EditOption("fit-collisions", "PARTS=SHAPE", ("parts", "shape")),
)
def fit_collisions(on: EditContext, parts: Sequence[int], shape: str) -> Outcome:
    """Put the smallest box, cylinder, capsule, sphere or convex hull around meshes.

    A collision becomes that shape. For a visual the collision at its place in order becomes it, or one is added; the
    visual stays. A hull is written in a new mesh file when the document is saved. How the volume changes and how far
    the new surface is from the mesh is shown.
    """
    return _fitted(on, parts, lambda triangles: fit(shape, triangles), f"Fit {shape} to")


@operation(
    "Decompose collisions",
    Parameter("parts", FramesType(SHAPED), "the collisions, or visuals whose collisions get the pieces"),
    Parameter("pieces", WholeType(1, 256), "the most pieces of each of them", default=16, label="most pieces"),
    refusal=no_part,
    verb="Decompose",
    is_slow=True,
    menu=MenuEntry(
        "refactor.decompose_collisions",
        "Refactor",
        "Decompose Collisions…",
        "Ctrl+K, Shift+C",
        "mdi6.puzzle-outline",
        "Put convex pieces in place of the collision of a mesh, with CoACD",
        words="collision coacd vhacd convex decomposition pieces split mesh simplify",
    ),
    command=EditOption("decompose-collisions", "PARTS", ("parts",)),
)
def decompose_collisions(on: EditContext, parts: Sequence[int], pieces: int) -> Outcome:
    """Put convex pieces that are nearly the mesh in place of a collision.

    A collision becomes the first piece, and others are added beside it. For a visual its collision becomes it, or one
    is added; the visual stays. Each piece is written in a new mesh file when the document is saved. CoACD cuts the
    mesh, which may take some minutes.
    """
    return _fitted(on, parts, lambda triangles: fit_pieces(triangles, pieces, on.is_cancelled), "Decompose")


def _fitted(on: EditContext, parts: Sequence[int], fit_to: Callable[[Array], FittedShape], verb: str) -> Outcome:
    """Put what is fitted to the triangles of parts in place of their collisions."""
    from sdfviewer.refactoring.adding import free_name, insert_member
    from sdfviewer.refactoring.new_parts import name_of_collision

    if not parts:
        raise EditError("name the visuals or collisions")
    model, remarks, files = on.model, [], _MeshFiles(on)
    draft = ModelDraft(model, on.loader)
    for row in parts:
        fitted = fit_to(_triangles(on, row))
        remarks.append(f"'{model.distinct_name(row)}': {fitted.remark}")
        shapes: list[GivenGeometry]
        shapes = files.add(row, fitted.pieces) if fitted.geometry is None else [fitted.geometry]
        collision = _collision_of(model, row)
        if collision is not None:
            _put(draft, model.names[collision], model.X_RootF[row] @ fitted.X_SG, shapes.pop(0), on)
        for shape in shapes:
            link = draft.model.row(model.names[int(model.owners[row])])
            name = free_name(draft.model, link, model.local_names[row if collision is None else collision])
            if model.kinds[row] is Kind.VISUAL and collision is None:
                name = name_of_collision(draft.model, link, model.local_names[row])
            draft.make(insert_member(draft.model, link, "collision", name, shape="box"))
            _put(draft, draft.added[-1], model.X_RootF[row] @ fitted.X_SG, shape, on)
    what = model.name_or_count(parts)
    return Outcome(draft.edit(f"{verb} {what}"), remarks=tuple(remarks), copies=tuple(files.copies))


def _collision_of(model: Model, row: int) -> int | None:
    """Return a collision, or the one that is written at the place of a visual in order; None where there is none."""
    if model.kinds[row] is Kind.COLLISION:
        return row
    link = int(model.owners[row])
    collisions, order = model.rows_in(link, Kind.COLLISION), model.rows_in(link, Kind.VISUAL).index(row)
    return collisions[order] if order < len(collisions) else None


class _MeshFiles:
    """The mesh files that an operation makes, which are written once the document is saved.

    Attributes
    ----------
    copies
        The files, and where they go.
    """

    def __init__(self, on: EditContext) -> None:
        self._on = on
        self.copies: list[FileCopy] = []

    def add(self, row: int, pieces: Sequence[ConvexMesh]) -> list[GivenGeometry]:
        """Return convex meshes for a visual or collision as shapes whose files are beside its mesh.

        They are in the folder ``meshes`` beside the document where the mesh belongs to another project.

        Raises
        ------
        EditError
            If the document has no file yet.
        """
        from sdfviewer.refactoring.composition.moved_uris import FileCopy
        from sdfviewer.refactoring.new_parts import NewMesh

        model, document, finder = self._on.model, self._on.source.path, self._on.loader.finder
        if document is None:
            raise EditError("save the document first: the new meshes are written beside it")
        folder, prefix = document.absolute().parent / "meshes", "meshes/"
        geometry = read_shape(model, row)
        if isinstance(geometry, Mesh):
            found = finder.find(geometry.uri, geometry.file, nearby=True).path
            before, slash, name = geometry.uri.rpartition("/")
            if found is not None and found.name == name and project_folder(document) in real_path(found).parents:
                folder, prefix = found.parent, before + slash
        link, own = model.local_names[int(model.owners[row])], model.local_names[row]
        stem = re.sub(r"[^\w.-]", "_", f"{link}_{own}")
        word = "hull" if len(pieces) == 1 else "piece"
        taken = {each.target for each in self.copies}
        shapes: list[GivenGeometry] = []
        for piece in pieces:
            content = piece.obj.encode("ascii")
            for number in count(1):
                name = f"{stem}_{word}_{number}.obj" if number > 1 or len(pieces) > 1 else f"{stem}_{word}.obj"
                target = folder / name
                there = finder.find(prefix + name, document, nearby=True).path
                if target not in taken and (there is None or read_regular(there) == content):
                    break
            taken.add(target)
            source = unsaved_file(name, content)
            self.copies.append(FileCopy(AssetKind.MESH, document, source, target, document.absolute().parent))
            shapes.append(NewMesh(word, prefix + name))
        return shapes


def _put(draft: ModelDraft, name: str, X_RootG: Array, shape: GivenGeometry, on: EditContext) -> None:
    """Give a collision a shape at its pose."""
    from sdfviewer.refactoring.properties.property_values import set_shape

    if not isinstance(shape, Geometry):  # nothing of another mesh stays, such as its scale
        draft.make(set_shape(draft.model, draft.model.row(name), "box"))
    for change, arguments in (
        (set_geometry, {"part": [name], "geometry": shape}),
        (move, {"frame": name, "to": X_RootG}),
    ):
        draft.make(change.perform(EditContext(draft.model, on.loader), arguments).edit)


def _triangles(on: EditContext, row: int) -> Array:
    """Return the triangles (m, 3, 3) of a visual or collision in its frame.

    Raises
    ------
    EditError
        If it has none.
    """
    geometry = read_shape(on.model, row)
    kind = kind_of(geometry)
    surfaces = [] if kind is None else kind.surfaces(geometry)
    triangles = surfaces[0].positions[surfaces[0].indices] if surfaces else on.mesh_triangles(geometry)
    if triangles is None or not len(triangles):
        raise EditError(f"'{on.model.names[row]}' has no triangles: its file is not found, or cannot be read")
    return np.asarray(triangles, np.float64)


_REASONS = {
    "User": "You know that the links may touch, or never do.",
    "Adjacent": "A joint connects the links.",
    "Never": "The links never collide in any configuration.",
    "Default": "The links collide where all joints are at zero.",
    "Always": "The links collide in every configuration.",
}


def _too_few_links(model: Model, rows: Sequence[int]) -> str | None:
    if sum(model.kinds[row] is Kind.LINK for row in rows) < 2:
        return "select two links or more"
    return None if model.document.path is not None else "save the document first: its SRDF is written beside it"


@operation(
    "Disable collisions of links",
    Parameter("links", FramesType((Kind.LINK,)), "the links; each two of them are not tested"),
    Parameter("reason", ChoiceType(tuple(_REASONS), _REASONS), "why they need no test", default="User"),
    refusal=_too_few_links,
    moves_nothing=True,
    verb="Disable",
    menu=MenuEntry(
        "refactor.disable_collisions",
        "Refactor",
        "Disable Collisions…",
        "Ctrl+K, Shift+D",
        "mdi6.shield-off-outline",
        words="srdf moveit self collision matrix acm allowed ignore pair",
    ),
    command=EditOption("disable-collisions", "A,B,...=REASON", ("links", "reason")),
)
def disable_collisions(on: EditContext, links: Sequence[int], reason: str) -> Outcome:
    """Write into the SRDF of a robot that MoveIt need not test some links for collisions with each other.

    The SRDF is the open file, or the one of this robot beside it or in the packages beside its own; without one a new
    file is written beside the robot. It is saved with the robot. What is written in it stays. File › MoveIt… finds the
    pairs that never collide.
    """
    from sdfviewer.refactoring import new_elements

    model = on.model
    names = list(dict.fromkeys(model.local_names[row] for row in links))
    if len(names) < 2:
        raise EditError("name two links or more")
    pairs = [(first, second, reason) for first, second in combinations(names, 2)]
    if is_semantic(on.source):
        return Outcome(new_elements.disable_collisions(on.source, pairs))
    path = on.source.path
    if path is None:
        raise EditError("save the document first: its SRDF is written beside it")
    near = [each for each in map(on.present, semantic_files_near(path)) if each is not None]
    found = [each for each in near if _is_of(each, model.local_names[0])]
    if len(found) > 1:
        listed = ", ".join(each.name for each in found)
        raise EditError(f"several SRDF files are about this robot ({listed}): open the one to be changed")
    before = found[0] if found else None
    new = path.with_name(f"{path.name.partition('.')[0]}.srdf")
    if before is None and new.exists():
        raise EditError(f"{new} is there already, and is about another robot: rename it, or the robot")
    document = before or new_elements.new_semantics(model.local_names[0], new)
    edit = new_elements.disable_collisions(document, pairs)
    # It is in the history of the robot, whose text stays.
    changes = (FileChange(before, document.edited(edit.replacements)),) if edit.replacements else ()
    return Outcome(Edit(edit.label, on.source, ()), changes)


def _is_of(document: Document, robot: str) -> bool:
    """Return whether a file is an SRDF of a robot."""
    root = document.root if is_semantic(document) else None
    return root is not None and root.attributes.get("name") == robot
