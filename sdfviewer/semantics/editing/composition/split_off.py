"""A nested model split off into a file of its own, which an include takes the place of."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit, indentation, remove_element
from sdfviewer.document.element import Element
from sdfviewer.document.parse import escape
from sdfviewer.semantics.editing.editable import RefactoringError, require_editable
from sdfviewer.semantics.model import Model


def split_off(model: Model, row: int, file: Path) -> tuple[Edit, str]:
    """Return the edit that replaces a nested model by an include of ``file``, and the text to write there.

    The include carries the model's name, pose and placement frame; the new file holds the rest unchanged.

    Raises
    ------
    RefactoringError
        If the row is no model that is written in this file below its root.
    """
    require_editable(model, row)
    document, element = model.document, model.elements[row]
    if row == 0 or element.tag != "model":
        raise RefactoringError(f"'{model.names[row]}' is no nested model of this file")
    indent = indentation(document, element)
    newline = document.newline
    start, end = document.offsets(element, "element")
    source = document.text[start:end]
    pose = element.find("pose")
    if pose is not None:  # where a model stands is for the file that includes it to say
        for line in remove_element(document, pose):
            source = source[: line.start - start] + source[line.end - start :]
    dedented = re.sub(rf"(\n){re.escape(indent)}", r"\1", source) if indent else source
    version = ".".join(map(str, model.version))
    body = newline.join(f"  {line}" if line else line for line in dedented.split(newline))
    text = f'<?xml version="1.0"?>{newline}<sdf version="{version}">{newline}{body}{newline}</sdf>{newline}'
    folder = document.path.parent if document.path is not None else Path.cwd()
    try:
        uri = Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # another drive
        uri = file.as_posix()
    lines = ["<include>", f"  <name>{escape(model.local_names[row])}</name>", f"  <uri>{escape(uri)}</uri>"]
    if pose is not None:
        first, last = document.offsets(pose, "element")
        lines.append(f"  {document.text[first:last]}")
    lines += _placement(element, pose)
    lines.append("</include>")
    include = (newline + indent).join(lines)
    return Edit(f"Split {model.local_names[row]} off", (Replacement(start, end, include),)), text


def _placement(element: Element, pose: Element | None) -> list[str]:
    """Return the line of an include that places a model by a frame; without a pose the model's own holds."""
    frame = element.attributes.get("placement_frame")
    return [f"  <placement_frame>{escape(frame)}</placement_frame>"] if frame and pose is not None else []
