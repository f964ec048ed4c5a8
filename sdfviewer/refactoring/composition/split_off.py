"""Split off a nested model into a file of its own and include it."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    element_source,
    indentation_step,
    reindented,
    remove_element,
    replace_element,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.files.opening import current_folder
from sdfviewer.files.uris import relative_uri
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat
from sdfviewer.versions import format_version


def split_off(model: Model, row: int, file: Path) -> tuple[Edit, str]:
    """Return the edit that replaces a nested model by an include of ``file``, and the text to write there.

    The include carries the model's name, pose and placement frame; the new file holds the rest unchanged.

    Raises
    ------
    RefactoringError
        If the row is no model that is written in this file below its root.
    """
    require_sdformat(model)
    require_editable(model, row)
    document, element = model.document, model.elements[row]
    if row == 0 or element.tag != "model":
        raise RefactoringError(f"'{model.names[row]}' is not a nested model of this file")
    if any(row in model.around(each) or each in model.around(row) for each in model.written_prefixes):
        raise RefactoringError(
            f"'{model.names[row]}' holds, or is in, a model that an older tool has flattened, as only worlds of before "
            "SDFormat 1.8 can: write the file in a newer version first"
        )
    include = replace_element(document, element, _include(document, element, model.local_names[row], file))
    return Edit(f"Split off {model.distinct_name(row)}", model.document, include), _new_file(model, element)


def _include(document: Document, element: Element, name: str, file: Path) -> str:
    """Return the include that takes the place of a model."""
    folder = document.path.parent if document.path is not None else current_folder()
    step, pose = indentation_step(document), element.find("pose")
    lines = [f"<name>{escape(name)}</name>", f"<uri>{escape(relative_uri(file, folder))}</uri>"]
    if pose is not None:
        lines += element_source(document, pose).split("\n")
        if frame := element.attributes.get("placement_frame"):  # without a pose the model's own holds
            lines.append(f"<placement_frame>{escape(frame)}</placement_frame>")
    return "\n".join(["<include>", *(step + line for line in lines), "</include>"])


def _new_file(model: Model, element: Element) -> str:
    """Return the text of a file that holds a nested model alone."""
    document, pose = model.document, element.find("pose")
    # The including file says where a model is.
    xml = element_source(document, element, remove_element(document, pose) if pose is not None else ())
    root = document.root
    declared = root.attributes.items() if root is not None else ()
    prefixes = "".join(f' {name}="{escape(uri, chr(34))}"' for name, uri in declared if name.startswith("xmlns:"))
    newline, step = document.newline, indentation_step(document)
    body = step + reindented(xml, "", step, newline)
    start = f'<?xml version="1.0"?>{newline}<sdf version="{format_version(model.version)}"{prefixes}>'
    return f"{start}{newline}{body}{newline}</sdf>{newline}"
