"""Operations that copy: elements within a file, and from one file to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdfviewer.document.edits import Edit, as_one, element_behind
from sdfviewer.files.uris import UriForm
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.number_text import counted
from sdfviewer.operations.arranging import link_of
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Outcome, Parameter, operation
from sdfviewer.operations.frames import SELECT_FIRST
from sdfviewer.operations.parameters import (
    URIS,
    FileType,
    FramesType,
    FrameType,
    PairType,
    SwitchType,
    TextType,
)
from sdfviewer.refactoring.editable import EditError, outermost, require_editable, why_read_only, why_read_only_together

if TYPE_CHECKING:
    from sdfviewer.refactoring.composition.copying import CopiedElements
    from sdfviewer.refactoring.composition.pasting import Pasted

_COPY = "Edit/Copy and Paste"
_BELOW = Parameter(
    "below",
    SwitchType(),
    "also everything below: what joints carry, with its sensors and plugins",
    default=False,
    label="and everything below",
)
_INTO = Parameter(
    "into",
    FrameType(),
    "the link that carries it, or the model, world or link that it is written in; by default what fits",
    default=None,
    option="into",
    suggest=lambda model, rows: model.names[rows[-1]] if rows else None,
)


def why_not_duplicated(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection cannot be duplicated."""
    reason = why_read_only_together(model, rows) if rows else SELECT_FIRST
    return None if reason is None else str(reason)


def _sides(model: Model, rows: Sequence[int]) -> tuple[str, str] | None:
    """Return what becomes what in the names of the copy of a limb, where its name says a side."""
    from sdfviewer.refactoring.limb import guess_sides

    link = link_of(model, rows)
    sides = None if link is None else guess_sides(model.local_names[link])
    return sides if sides is not None and sides[0] else None


def _rest_stays(on: EditContext, _values: Mapping[str, Any], done: Outcome) -> tuple[str, ...]:
    """Return what else than the copies differs, which is nothing."""
    from sdfviewer.formats.comparison import Announcement, compare, read_back
    from sdfviewer.refactoring.limb import comparable_configurations

    start = f"{on.document.name}:1: error of sdfviewer: "
    after = on.loader.load(on.document.edited(done.edit.replacements))
    if after is None:
        return (f"{start}the text with the copies cannot be read",)
    known = set(on.model.names)
    copies = [row for row, name in enumerate(after.names) if name not in known]
    count = min(comparable_configurations(on.model), comparable_configurations(after))
    announced = [Announcement(each.sentence, on.model.rows_by_name[each.name], each.topics) for each in done.edit.about]
    comparison = compare(on.model, after, done.edit.renamed)
    return read_back(comparison, announced, copies, configurations=count).faults


@operation(
    "Duplicate",
    Parameter(
        "things",
        FramesType(),
        "what is copied",
        label="copied",
        suggest=lambda model, rows: ", ".join(model.names[row] for row in rows),
    ),
    Parameter("name", TextType("a name"), "the name of the copy; a free one by default", default=None),
    _BELOW,
    Parameter(
        "names",
        PairType(),
        "OLD=NEW in the names of all that is copied, such as left=right; guessed by default where these names are free",
        default=None,
        suggest=_sides,
    ),
    refusal=why_not_duplicated,
    reads_back=_rest_stays,
    note="With everything below, the joint that attaches the limb, its joints, frames, sensors, and plugins that name "
    "nothing else are copied too. The copy is where the original is.",
    verb="Duplicate",
    menu=MenuEntry(
        "edit.duplicate",
        _COPY,
        "Duplicate",
        "Ctrl+D",
        "mdi6.content-duplicate",
        "Add a copy of the selection after it",
        words="copy clone",
    ),
    command=EditOption("duplicate", "FRAME,...", ("things",)),
)
def duplicate(
    on: EditContext, things: Sequence[int], name: str | None, below: bool, names: tuple[str, str] | None
) -> Edit | Outcome:
    """Write copies of elements after them, of links with everything below where that is asked for.

    Then the joint that attaches a limb, its joints, frames and sensors, and plugins that name nothing else are copied
    too, and names follow a pattern. The copy is where the original is.
    """
    from sdfviewer.refactoring.adding import duplicate as copy

    rows = outermost(on.model, things)
    names = names if names is not None and names[0] else None
    if name is not None and len(rows) > 1:
        raise EditError("several copies cannot have one name")
    if below:
        return _duplicate_below(on, rows, name, names)
    edits = [copy(on.model, row, name) for row in rows]
    return as_one(f"Duplicate {counted(len(edits), 'element')}", edits)


def _duplicate_below(on: EditContext, rows: Sequence[int], name: str | None, names: tuple[str, str] | None) -> Outcome:
    from sdfviewer.refactoring.composition.copying import CopyNames, copy_elements
    from sdfviewer.refactoring.composition.pasting import paste
    from sdfviewer.refactoring.limb import with_limbs

    model, owner = on.model, int(on.model.owners[rows[0]])
    for row in rows:
        require_editable(model, row)
    members = [row for row in with_limbs(model, rows) if int(model.owners[row]) == owner]
    given = {} if name is None else {model.local_names[rows[0]]: name}
    wanted = CopyNames(*(names or _sides(model, rows) or ("", "")), suffix="_copy", given=given)
    prefix = model.member_prefix(owner)
    swapped = [wanted.swapped(model.local_names[each]) for each in members]
    if names is None and any(new is None or prefix + new in model.rows_by_name for new in swapped):
        wanted = CopyNames(suffix="_copy", given=given)
    copied = copy_elements(model, rows, below=True)
    last = max((model.elements[row] for row in members), key=on.document.offset)
    following = element_behind(on.document, last)
    done = paste(model, copied.document, on.loader, into=owner, names=wanted, before=following)
    edit = replace(done.edit, label=f"Duplicate {model.name_or_count(rows)} and everything below")
    main = prefix + (name or wanted.wanted(model.local_names[rows[0]]))
    added = tuple(sorted(edit.added, key=lambda each: each != main))  # the limb itself first
    return _outcome(copied, replace(done, edit=replace(edit, added=added)))


def _outcome(copied: CopiedElements | None, done: Pasted) -> Outcome:
    edit = done.edit
    if copied is not None:
        notes = tuple(f"plugin '{each}' also names what is not copied, so it is not copied" for each in copied.left_out)
        edit = replace(edit, notes=(*edit.notes, *notes))
    return Outcome(edit, remarks=(f"{counted(len(edit.added), 'new element')}.",), copies=done.copies)


def why_not_pasted(model: Model, rows: Sequence[int]) -> str | None:
    """Return why nothing can be pasted at a selection."""
    reason = why_read_only(model, rows[-1] if rows else 0)
    return None if reason is None else str(reason)


@operation(
    "Paste",
    Parameter("xml", TextType("XML"), "what was copied, or any elements"),
    _INTO,
    Parameter(
        "source",
        FileType(),
        "the file that it is from, from whose folder relative paths lead to meshes",
        default=None,
        option="source",
    ),
    URIS,
    refusal=why_not_pasted,
    reads_back=_rest_stays,
    verb="Paste",
    menu=MenuEntry(
        "edit.paste",
        _COPY,
        "Paste",
        "Ctrl+V",
        "mdi6.content-paste",
        "Paste the elements in the clipboard into this file",
        words="clipboard insert xml element from another file",
    ),
    command=EditOption("paste", "XML", ("xml",)),
)
def paste(on: EditContext, xml: str, into: int | None, source: Path | None, uris: UriForm | None) -> Outcome:
    """Write copied elements into this file, under names that are free.

    References among them follow. On the link that carries them they have the place that they had on the one that has
    carried them; without one they keep their place in the model. URIs lead to the same files. What this format or
    version cannot hold is named.
    """
    from sdfviewer.refactoring.composition import pasting

    return _outcome(
        None, pasting.paste(on.model, xml, on.loader, into=into, source=source, form=uris, convert=on.convert)
    )


def _row_called(model: Model, name: str) -> int:
    """Return the row of a scoped name, or of one that only one thing has."""
    rows = [row for row, local in enumerate(model.local_names) if local == name]
    known = model.rows_by_name.get(name, rows[0] if len(rows) == 1 else None)
    if known is None:
        why = f"there are {len(rows)} things called '{name}'" if rows else f"there is no '{name}'"
        raise EditError(f"{why} in {model.document.name}{did_you_mean(name, model.names)}")
    return known


@operation(
    "Copy from another file",
    Parameter("file", FileType(), "the other file, from the folder of this one"),
    Parameter("things", TextType("names"), "the names of what is copied, with commas between them"),
    _BELOW,
    _INTO,
    URIS,
    refusal=why_not_pasted,
    reads_back=_rest_stays,
    verb="Copy",
    menu=MenuEntry(
        "edit.copy_from",
        _COPY,
        "Copy From Another File…",
        "Ctrl+K, Shift+I",
        "mdi6.file-import",
        words="import borrow transfer paste limb between files",
    ),
    command=EditOption("copy-from", "FILE=NAME,...", ("file", "things")),
)
def copy_from(on: EditContext, file: Path, things: str, below: bool, into: int | None, uris: UriForm | None) -> Outcome:
    """Copy elements of another file into this one, with what belongs to them; see Paste.

    A link takes along the joint that carries it, the frames on it and the plugins that name nothing else, and
    everything below where that is asked for.
    """
    from sdfviewer.formats.load import why_not_loaded
    from sdfviewer.refactoring.composition import pasting
    from sdfviewer.refactoring.composition.copying import copy_elements

    path = file if on.document.path is None else on.document.path.parent / file
    written = on.present(path)
    if written is None:
        raise EditError(f"there is no file {path}")
    other, diagnostics = on.loader.load_with_diagnostics(written)
    if other is None:
        raise EditError(f"{path} cannot be read: {why_not_loaded(diagnostics)}")
    other = on.loader.load_expansion(other)
    names = [each.strip() for each in things.split(",")]
    copied = copy_elements(other, [_row_called(other, each) for each in names], below=below)
    return _outcome(
        copied,
        pasting.paste(on.model, copied.document, on.loader, into=into, source=path, form=uris, convert=on.convert),
    )
