"""The same file in another version of SDFormat, newer or older; nothing moves.

What an older version has no words for is left out with a note, unless frames or joints hang on it: then the file is
refused, with every reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.semantics.editing.composition.standalone import Standalone
from sdfviewer.semantics.editing.draft import Draft
from sdfviewer.semantics.editing.editable import RefactoringError, require_editable
from sdfviewer.semantics.editing.versions.lower_elements import lower_elements
from sdfviewer.semantics.editing.versions.lower_frames import lower_frames
from sdfviewer.semantics.editing.versions.lower_inertia import lower_inertia
from sdfviewer.semantics.editing.versions.lower_joints import lower_joints, lower_values
from sdfviewer.semantics.editing.versions.lower_states import lower_states
from sdfviewer.semantics.editing.versions.lower_world_joints import move_world_joints
from sdfviewer.semantics.editing.versions.lowering import Lowering
from sdfviewer.semantics.editing.versions.raising import raise_version
from sdfviewer.semantics.load import Loader
from sdfviewer.semantics.values import Version, format_version, parse_bool, parse_version

#: The versions that a file can be brought to: since 1.7 frames are what they are today.
TARGETS: tuple[Version, ...] = ((1, 7), (1, 8), (1, 9), (1, 10), (1, 11), (1, 12))


def change_version(document: Document, loader: Loader, target: Version) -> Edit:
    """Return the file in another version of SDFormat.

    Included files keep theirs: each file says its own version.

    Raises
    ------
    SdfViewerError
        If the file cannot be read, or if what its frames or joints mean cannot be said in that version.
    """
    if target not in TARGETS:
        raise RefactoringError(f"a file can be brought to SDFormat {format_version(TARGETS[0])} or later")
    reader = Standalone(loader, lambda file, include: _is_lost(file, include, target))
    model = reader.load(document)
    require_editable(model, 0)
    if model.version <= target:
        edit = raise_version(model, target)
        return edit if model.version < target else Edit(edit.label, ())
    draft = Draft(document)
    reader.write(draft)
    lowering = Lowering(draft, target, reader.load)
    lowering.notes += [*reader.notes, *_newer_files(lowering)]
    if target < (1, 10):
        lowering.make(move_world_joints)
        lowering.make(lower_values)
    if target < (1, 11):
        lowering.make(lower_inertia)
    lowering.make(lower_frames, *((lower_joints,) if target < (1, 8) else ()))
    if target < (1, 12):
        lowering.make(lower_states)
    lowering.make(lower_elements)
    lowering.make(_version)
    label = f"Lower to SDFormat {format_version(target)}"
    return Edit(label, draft.replacements(), tuple(lowering.renamed), notes=tuple(lowering.notes))


def _version(lowering: Lowering) -> Replacements:
    root = lowering.document.root
    assert root is not None
    return set_attribute(lowering.document, root, "version", lowering.version)


def _is_lost(document: Document, include: Element, target: Version) -> bool:
    """Return whether an include merges a model and may not: in a model that came with 1.9, in a world with 1.10."""
    parent = document.parent(include)
    in_world = parent is not None and parent.tag == "world"
    return parse_bool(include.attributes.get("merge", "")) and target < ((1, 10) if in_world else (1, 9))


def _newer_files(lowering: Lowering) -> Iterator[str]:
    """Yield a note for each included file of a version that is newer than the older one."""
    model = lowering.model
    told = set()
    for row, source in enumerate(model.sources):
        root = source.root if source is not None else None
        version = parse_version(root.attributes.get("version", "")) if root is not None else None
        if source is None or version is None or version <= lowering.target or source.name in told:
            continue
        told.add(source.name)
        include = row
        while model.sources[include] is not None:
            include = int(model.owners[include])
        message = f"what is included from {source.name} is of SDFormat {format_version(version)} and stays that"
        yield lowering.draft.note(model.elements[include], message)
