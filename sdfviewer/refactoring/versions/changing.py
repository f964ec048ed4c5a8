"""Convert a file to a newer or older version of SDFormat; nothing moves.

What an older version has no words for is left out with a note, unless frames or joints hang on it: then the file is
refused, with every reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.load import Loader
from sdfviewer.model.values import parse_bool
from sdfviewer.refactoring.composition.inlining import Standalone
from sdfviewer.refactoring.draft import Draft
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.versions.lower_elements import lower_elements
from sdfviewer.refactoring.versions.lower_frames import lower_frames
from sdfviewer.refactoring.versions.lower_inertia import lower_inertia
from sdfviewer.refactoring.versions.lower_joints import lower_joints, lower_values
from sdfviewer.refactoring.versions.lower_states import lower_states
from sdfviewer.refactoring.versions.lower_world_joints import move_world_joints
from sdfviewer.refactoring.versions.lowering import Lowering
from sdfviewer.refactoring.versions.raising import raise_version
from sdfviewer.versions import (
    AUTO_INERTIA,
    MERGE_INCLUDE,
    SCOPED_REFERENCES,
    STATE_ELEMENTS,
    TARGETS,
    WORLD_JOINTS_AND_INFINITE_LIMITS,
    WORLD_MERGE_INCLUDE,
    Version,
    format_version,
    parse_version,
)


def change_version(document: Document, loader: Loader, target: Version) -> Edit:
    """Return the file in another version of SDFormat.

    Included files keep theirs: each file says its own version.

    Raises
    ------
    SdfViewerError
        If the file cannot be read, or if what its frames or joints mean cannot be said in that version.
    """
    if target not in TARGETS:
        raise RefactoringError(f"a file can be converted to SDFormat {format_version(TARGETS[0])} or later")
    reader = Standalone(loader, lambda file, include: _is_lost(file, include, target))
    model = reader.load(document)
    require_editable(model, 0)
    if model.version <= target:
        edit = raise_version(model, target)
        return edit if model.version < target else Edit(edit.label, model.document, ())
    draft = Draft(document)
    reader.write(draft)
    lowering = Lowering(draft, target, reader.load)
    notes = (*reader.notes, *_newer_files(lowering))
    if target < WORLD_JOINTS_AND_INFINITE_LIMITS:
        lowering.make(move_world_joints)
        lowering.make(lower_values)
    if target < AUTO_INERTIA:
        lowering.make(lower_inertia)
    lowering.make(lower_frames, *((lower_joints,) if target < SCOPED_REFERENCES else ()))
    if target < STATE_ELEMENTS:
        lowering.make(lower_states)
    lowering.make(lower_elements)
    lowering.make(_version)
    label = f"Convert to SDFormat {format_version(target)}"
    losses = (*reader.losses, *lowering.losses)
    return Edit(label, document, draft.replacements(), tuple(lowering.renamed), notes=notes, losses=losses)


def _version(lowering: Lowering) -> Replacements:
    root = lowering.document.root
    assert root is not None
    return set_attribute(lowering.document, root, "version", lowering.version)


def _is_lost(document: Document, include: Element, target: Version) -> bool:
    """Return whether an include merges a model and may not: in a model that came with 1.9, in a world with 1.10."""
    parent = document.parent(include)
    in_world = parent is not None and parent.tag == "world"
    return parse_bool(include.attributes.get("merge", "")) and target < (
        WORLD_MERGE_INCLUDE if in_world else MERGE_INCLUDE
    )


def _newer_files(lowering: Lowering) -> Iterator[str]:
    """Yield a note for each included file of a version that is newer than the older one."""
    model = lowering.model
    reported = set()
    for row, source in enumerate(model.sources):
        root = source.root if source is not None else None
        version = parse_version(root.attributes.get("version", "")) if root is not None else None
        if source is None or version is None or version <= lowering.target or source.name in reported:
            continue
        reported.add(source.name)
        include = row
        while model.sources[include] is not None:
            include = int(model.owners[include])
        message = f"what is included from {source.name} uses SDFormat {format_version(version)} and is not converted"
        yield lowering.draft.note(model.elements[include], message)
