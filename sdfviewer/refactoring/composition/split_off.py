"""Split off a nested model into a file of its own and include it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    indentation_step,
    reindented,
    remove_element,
    replace_element,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import UriForm, unread_by_drake, uri_of
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.moved_uris import FileCopy, moved_uris
from sdfviewer.refactoring.editable import (
    RefactoringError,
    require_editable,
    require_not_flattened,
    require_sdformat,
)
from sdfviewer.versions import format_version


class SplitOff(NamedTuple):
    """A nested model in a file of its own: the edit that includes it, the text to write there, and copies for it."""

    edit: Edit
    text: str
    copies: tuple[FileCopy, ...] = ()


def split_off(
    model: Model, row: int, file: Path, finder: Finder | None = None, form: UriForm | None = None
) -> SplitOff:
    """Return the edit that replaces a nested model by an include of ``file``, and the text to write there.

    The include carries the model's name, pose and placement frame; the new file holds the rest unchanged, except for
    URIs that would lead elsewhere from its folder.

    Parameters
    ----------
    finder, form
        What finds files, and how the include and the new file name them, see `URI_FORMS`.

    Raises
    ------
    RefactoringError
        If the row is no model that is written in this file below its root.
    UriError
        If the new file cannot be named in that form.
    """
    finder = finder or Finder()
    require_sdformat(model)
    require_editable(model, row)
    document, element = model.document, model.elements[row]
    if row == 0 or element.tag != "model":
        raise RefactoringError(f"'{model.names[row]}' is not a nested model of this file")
    require_not_flattened(model, row)
    named: UriForm | None = "relative" if form == "copied" else form
    uri = uri_of(file, document.path, finder.expecting([file.absolute()]), form=named, is_model=True)
    include = replace_element(document, element, _include(document, element, model.local_names[row], uri))
    moved = moved_uris(document, file, finder, form, element)
    notes = [unread_by_drake(uri), *(each.note for each in moved)]
    label = f"Split off {model.distinct_name(row)}"
    return SplitOff(
        Edit(label, model.document, include, notes=tuple(filter(None, notes))),
        _new_file(model, element, tuple(edit for each in moved for edit in each.replacements)),
        tuple(each.copy for each in moved if each.copy is not None),
    )


def _include(document: Document, element: Element, name: str, uri: str) -> str:
    """Return the include that takes the place of a model."""
    step, pose = indentation_step(document), element.find("pose")
    lines = [f"<name>{escape(name)}</name>", f"<uri>{escape(uri)}</uri>"]
    if pose is not None:
        lines += element_source(document, pose).split("\n")
        if frame := element.attributes.get("placement_frame"):  # without a pose the model's own holds
            lines.append(f"<placement_frame>{escape(frame)}</placement_frame>")
    return "\n".join(["<include>", *(step + line for line in lines), "</include>"])


def _new_file(model: Model, element: Element, edits: Replacements) -> str:
    """Return the text of a file that holds a nested model alone, with some edits."""
    document, pose = model.document, element.find("pose")
    # The including file says where a model is.
    edits += remove_element(document, pose) if pose is not None else ()
    xml = element_source(document, element, edits)
    root = document.root
    declared = root.attributes.items() if root is not None else ()
    prefixes = "".join(f' {name}="{escape(uri, chr(34))}"' for name, uri in declared if name.startswith("xmlns:"))
    newline, step = document.newline, indentation_step(document)
    body = step + reindented(xml, "", step, newline)
    start = f'<?xml version="1.0"?>{newline}<sdf version="{format_version(model.version)}"{prefixes}>'
    return f"{start}{newline}{body}{newline}</sdf>{newline}"
