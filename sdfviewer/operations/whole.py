"""Operations on the whole file, which move nothing: forms, defaults, composition, versions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.document.edits import Edit
from sdfviewer.files.uris import UriForm
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted, in_degrees, in_millimetres
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    EditorKind,
    FileChange,
    MenuEntry,
    Operation,
    Outcome,
    Parameter,
    operation,
)
from sdfviewer.operations.frames import SELECT_FIRST
from sdfviewer.operations.parameters import URIS, FileType, FramesType, FrameType, SwitchType, TextType, WholeType
from sdfviewer.refactoring.editable import EditError, why_not_sdformat, why_read_only
from sdfviewer.versions import TARGETS, format_version, parse_version

_REFACTOR = "Refactor"


def largest_move(on: EditContext, edit: Edit) -> str:
    """Return in a sentence how many frames an edit moves, and how far."""
    from sdfviewer.model.comparison.frames import FrameComparison

    after = on.loader.load(on.document.edited(edit.replacements))
    if after is None:
        return "The text could not be read any more."
    gone = {each.name for each in edit.about if each.is_of_whole}
    moved = [each for each in FrameComparison(on.model, after, edit.renamed).moved() if each.name not in gone]
    if not moved:
        return "No frame moves."
    metres = np.nan_to_num([each.metres for each in moved])
    radians = np.nan_to_num([each.radians for each in moved])
    what = f"{counted(len(moved), 'frame')} {'moves' if len(moved) == 1 else 'move'}"
    far = f"{in_millimetres(float(metres.max()), 3)} and {in_degrees(float(radians.max()), 3)}"
    return f"{what}, by at most {far}; '{moved[int(metres.argmax())].name}' is moved farthest."


def keeps_meaning(on: EditContext, _values: Mapping[str, Any], done: Outcome) -> tuple[str, ...]:
    """Return what differs in what the file means and is not announced."""
    from sdfviewer.refactoring.unmoved import unannounced

    return unannounced(on.model, done.edit, on.loader, [each.after for each in done.files], done.copies)


#: Declares an operation that writes the file otherwise and changes nothing of what it means.
_rewriting = partial(operation, moves_nothing=True, reads_back=keeps_meaning)


def needs_sdformat(model: Model, _rows: Sequence[int]) -> str | None:
    """Return why a file has no other form: only SDFormat has."""
    return why_not_sdformat(model)


@_rewriting(
    "Convert to element-relative form",
    refusal=needs_sdformat,
    note="Makes the pose of each joint relative to its parent and the pose of each link "
    "relative to the joint that drives it, as in a URDF.",
    menu=MenuEntry(
        "refactor.element_relative",
        _REFACTOR,
        "Convert to Element-Relative Form…",
        "Ctrl+K, E",
        "mdi6.family-tree",
        "Make joint poses relative to their parent and link poses relative to their joint, as in URDF",
    ),
    command=EditOption("to-element-relative-form"),
    editor=EditorKind.REWRITE,
)
def to_element_relative_form(on: EditContext) -> Edit:
    """Write joints relative to their parent and links relative to the joint that drives them; nothing moves."""
    from sdfviewer.refactoring import forms

    return forms.to_element_relative_form(on.model)


@_rewriting(
    "Convert to model-absolute form",
    refusal=needs_sdformat,
    note="Makes link poses relative to their model and joint poses relative to their child, the defaults of SDFormat.",
    menu=MenuEntry(
        "refactor.model_absolute",
        _REFACTOR,
        "Convert to Model-Absolute Form…",
        "Ctrl+K, A",
        "mdi6.hexagon-outline",
        "Make link poses relative to their model and joint poses relative to their child, the defaults",
    ),
    command=EditOption("to-model-absolute-form"),
    editor=EditorKind.REWRITE,
)
def to_model_absolute_form(on: EditContext) -> Edit:
    """Write links relative to their model and joints relative to their child, the defaults; nothing moves."""
    from sdfviewer.refactoring import forms

    return forms.to_model_absolute_form(on.model)


@_rewriting(
    "Write default attributes",
    refusal=needs_sdformat,
    note="Writes every relative_to and attached_to that the file leaves to its default.",
    menu=MenuEntry(
        "refactor.write_defaults",
        _REFACTOR,
        "Write Defaults…",
        "Ctrl+K, D",
        "mdi6.playlist-plus",
        "Write every relative_to and attached_to that the file leaves out",
        section=True,
    ),
    command=EditOption("write-defaults"),
    editor=EditorKind.REWRITE,
)
def write_defaults(on: EditContext) -> Edit:
    """Write every ``relative_to`` and ``attached_to`` that the file leaves to its default."""
    from sdfviewer.refactoring import forms

    return forms.write_defaults(on.model)


@_rewriting(
    "Remove redundant attributes",
    refusal=needs_sdformat,
    note="Removes every relative_to, attached_to and pose that repeats the default.",
    menu=MenuEntry(
        "refactor.remove_redundant",
        _REFACTOR,
        "Remove Redundant Attributes…",
        "Ctrl+K, R",
        "mdi6.playlist-minus",
        "Remove every relative_to, attached_to and pose that repeats the default",
    ),
    command=EditOption("remove-redundant"),
    editor=EditorKind.REWRITE,
)
def remove_redundant(on: EditContext) -> Edit:
    """Remove every ``relative_to``, ``attached_to`` and pose that says only the default."""
    from sdfviewer.refactoring import forms

    return forms.remove_redundant(on.model)


@_rewriting(
    "Shorten poses",
    note="Writes each number of each pose with as few digits as possible, within a picometre and a picoradian.",
    menu=MenuEntry(
        "refactor.shorten_poses",
        _REFACTOR,
        "Shorten Poses…",
        "Ctrl+K, S",
        "mdi6.decimal-decrease",
        "Write the numbers of poses with as few digits as possible",
    ),
    command=EditOption("shorten-poses"),
    editor=EditorKind.REWRITE,
)
def shorten_poses(on: EditContext) -> Edit:
    """Write each number of each pose as short as it can be within a picometre and a picoradian."""
    from sdfviewer.refactoring import forms

    return forms.shorten_poses(on.model)


@operation(
    "Round poses",
    Parameter("frames", FramesType(), "the frames, all by default", default=()),
    Parameter("decimals", WholeType(0, 12), "number of decimals that stay", default=6),
    menu=MenuEntry("refactor.round_poses", _REFACTOR, "Round Poses…", "Ctrl+K, Ctrl+3", "mdi6.decimal"),
    command=EditOption("round-poses", "DECIMALS", ("decimals",)),
    verb="Round",
)
def round_poses(on: EditContext, frames: Sequence[int], decimals: int) -> Outcome:
    """Round the numbers of poses to a number of decimals.

    Angles are rounded as they are written, in radians or degrees. What moves by it, and how far, is shown.
    """
    from sdfviewer.refactoring import forms

    model = on.model
    rows = frames or [row for row in range(len(model)) if model.sources[row] is None]
    edit = forms.round_poses(model, rows, decimals)
    return Outcome(edit, remarks=(largest_move(on, edit),) if edit.replacements else ())


# --- composition ---------------------------------------------------------------------------------------------------


def model_to_split_off(model: Model, rows: Sequence[int]) -> int | None:
    """Return the nested model that a selection is in, None where it is in none."""
    row = rows[-1] if rows else 0
    while row > 0 and model.kinds[row] is not Kind.MODEL:
        row = int(model.owners[row])
    return row if row > 0 else None


def no_nested_model(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection is in no nested model that can be split off."""
    if not rows:
        return SELECT_FIRST
    if (why := why_not_sdformat(model)) is not None:
        return why
    row = model_to_split_off(model, rows)
    if row is None:
        return "select a nested model, or something in it"
    reason = why_read_only(model, row)
    return None if reason is None else str(reason)


@_rewriting(
    "Split off nested model",
    Parameter("model", FrameType((Kind.MODEL,)), "the nested model"),
    Parameter("file", FileType(), "the new file, in the folder of this one unless it says otherwise"),
    URIS,
    refusal=no_nested_model,
    menu=MenuEntry(
        "refactor.split_off",
        _REFACTOR,
        "Split Off Nested Model…",
        "Ctrl+K, O",
        "mdi6.file-export-outline",
        "Move the selected nested model to a file of its own and include that",
        section=True,
    ),
    command=EditOption("split-off", "MODEL=FILE", ("model", "file")),
)
def split_off(on: EditContext, model: int, file: Path, uris: UriForm | None) -> Outcome:
    """Move a nested model to its own file, and include that; no pose changes.

    Relative URIs of meshes and textures still lead to their files from the new file.
    """
    from sdfviewer.document.document import parse_document
    from sdfviewer.files.paths import real_path
    from sdfviewer.refactoring.composition import inlining as splitting

    if on.document.path is None and not file.is_absolute():
        raise EditError("save the document first: other files are found from the folder of its file")
    path = file if on.document.path is None else on.document.path.parent / file
    written = {real_path(each.path) for each in on.opened if each.path is not None}
    if os.path.lexists(path) or real_path(path) in written:  # also a link to nothing
        raise EditError(f"{path} exists; choose another name")
    if not path.parent.is_dir():
        raise EditError(f"there is no folder {path.parent}")
    done = splitting.split_off(on.model, model, path, on.loader.finder, uris)
    return Outcome(done.edit, (FileChange(None, parse_document(done.text, path)),), copies=done.copies)


def nothing_to_inline(model: Model, _rows: Sequence[int]) -> str | None:
    """Return why there is nothing to inline."""
    return None if any(source is not None for source in model.sources) else "this file includes no other file"


@_rewriting(
    "Inline includes",
    refusal=nothing_to_inline,
    note="Replaces every include with the model that it includes, so that the file needs no other files.",
    menu=MenuEntry(
        "refactor.standalone",
        _REFACTOR,
        "Inline Includes…",
        "Ctrl+K, X",
        "mdi6.file-import-outline",
        "Replace every include with the model that it includes",
    ),
    command=EditOption("inline-includes"),
    editor=EditorKind.INLINE,
)
def inline_includes(on: EditContext) -> Edit:
    """Write every included model where its include is."""
    from sdfviewer.refactoring.composition import inlining

    return inlining.inline_includes(on.document, on.loader)


@_rewriting(
    "Flatten nested models",
    Parameter(
        "keep_scopes",
        SwitchType(),
        "use names such as model::member, which SDFormat allows up to version 1.7",
        default=False,
    ),
    refusal=needs_sdformat,
    note="Inlines every include and moves the links, joints and frames of nested models into the model around them, "
    "under longer names, with a frame where each model was.",
    menu=MenuEntry(
        "refactor.flatten",
        _REFACTOR,
        "Flatten…",
        "Ctrl+K, Y",
        "mdi6.layers-triple-outline",
        "Inline includes and move the links, joints and frames of nested models into the model around them",
    ),
    command=EditOption("flatten"),
    editor=EditorKind.INLINE,
)
def flatten(on: EditContext, keep_scopes: bool) -> Edit:
    """Inline includes and dissolve nested models; nothing moves."""
    from sdfviewer.refactoring.composition import flatten as flattening

    return flattening.flatten(on.document, on.loader, keep_scopes=keep_scopes)


@_rewriting(
    "Convert to another version",
    Parameter(
        "version",
        TextType("a version of SDFormat"),
        f"a version of SDFormat: {', '.join(map(format_version, TARGETS))}",
    ),
    Parameter(
        "allow_loss",
        SwitchType(),
        "let joints that mimic others become independent where the version cannot say it",
        default=False,
        label="leave out <mimic> where the version has none",
    ),
    command=EditOption("change-version", "VERSION", ("version",)),
)
def change_version(on: EditContext, version: str, allow_loss: bool) -> Edit:
    """Convert the file to another version of SDFormat; nothing moves."""
    from sdfviewer.refactoring.versions import changing

    target = parse_version(version)
    if target is None or target not in TARGETS:
        known = ", ".join(map(format_version, TARGETS))
        raise EditError(f"a file cannot be converted to SDFormat {version}: use {known}")
    return changing.change_version(on.document, on.loader, target, allow_loss=allow_loss)


FORMS: dict[str, Operation] = {
    "flat": flatten,
    "standalone": inline_includes,
    "element-relative": to_element_relative_form,
    "model-absolute": to_model_absolute_form,
}
"""What a file is rewritten as by a conversion to a form, by the name of the form."""
