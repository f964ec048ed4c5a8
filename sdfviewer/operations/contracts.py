"""Operations on contracts: what is true of a model now, and must stay true, is written into the settings."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import real_path
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_exact
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    FileChange,
    MenuEntry,
    Outcome,
    Parameter,
    operation,
)
from sdfviewer.operations.parameters import ChoiceType, FrameType, NumberType, TextType
from sdfviewer.refactoring.editable import EditError
from sdfviewer.transforms import invert, matrix_to_pose

#: Decimals of metres, radians and kilograms that are written: what is less is rounding.
_DECIMALS = 9
#: Tolerances where none is given: of a pose in metres and radians, of a mass in parts of it.
_POSE_TOLERANCE, _MASS_TOLERANCE = {"position": 1e-4, "rotation": 1e-3}, 0.01


def _nothing_selected(model: Model, rows: Sequence[int]) -> str | None:
    if not rows:
        return "select a frame, a link, a joint or a model"
    return None if model.document.path is not None else "save the document first: the settings are found from its file"


def _number_to_keep(model: Model, rows: Sequence[int]) -> object:
    """Return the number that a form starts with."""
    return "axis/limit/upper" if rows and model.kinds[rows[-1]] is Kind.JOINT else "pose/x"


@operation(
    "Keep this true",
    Parameter("frame", FrameType(), "the frame, link, joint or model"),
    Parameter("what", ChoiceType(("pose", "number", "mass")), "what must stay as it is", default="pose"),
    Parameter("relative_to", FrameType(), "the frame in which its pose stays; the root by default", default=None),
    Parameter(
        "number",
        TextType("the path of a number"),
        "the number that stays, such as pose/x or axis/limit/upper",
        default="pose/x",
        suggest=_number_to_keep,
    ),
    Parameter("tolerance", NumberType(), "how much it may change, in metres, radians or kilograms", default=None),
    Parameter("why", TextType(), "why; a broken contract says so", default=""),
    refusal=_nothing_selected,
    moves_nothing=True,
    verb="Keep",
    menu=MenuEntry(
        "refactor.keep_true",
        "Refactor",
        "Keep This True…",
        "Ctrl+K, Shift+T",
        "mdi6.file-sign",
        section=True,
        words="contract lock assert guard constraint test invariant",
    ),
    command=EditOption("keep-true", "FRAME", ("frame",)),
)
def keep_true(
    on: EditContext,
    frame: int,
    what: str,
    relative_to: int | None,
    number: str,
    tolerance: float | None,
    why: str,
) -> Outcome:
    """Write into `sdfviewer.toml` that a pose, a number or a mass must stay as it is.

    That is a contract: the window, code editors and the check report it where it is broken. It is written into the
    settings file above the model, or into a new one beside it, and is saved with the model.
    """
    path = on.document.path
    if path is None:
        raise EditError("save the document first: the settings are found from its file")
    if tolerance is not None and tolerance < 0:
        raise EditError(f"the tolerance must be 0 or more, not {format_exact(tolerance)}")
    if what == "mass":
        content = _mass(on.model, frame, tolerance)
    elif what == "number":
        content = _number(on.model, frame, number, tolerance)
    else:
        content = _pose(on.model, frame, relative_to or 0, tolerance)
    from sdfviewer.files.configuration import NAMES, find_configuration

    settings = find_configuration(path).file or path.parent / NAMES[0]
    before = on.present(settings)
    file = Path(os.path.relpath(real_path(path), real_path(settings.parent))).as_posix()
    entry = contract_entry(settings, {"file": file, **content, **({"why": why} if why else {})})
    after = _appended("" if before is None else before.text, entry)
    named = on.model.shown_name(frame)
    # It is in the history of the model, whose text stays.
    edit = Edit(f"Keep the {what} of '{named}' true", on.source, ())
    changed = parse_document(after, settings) if before is None else _with_text(before, after)
    return Outcome(edit, (FileChange(before, changed),))


def _pose(model: Model, row: int, base: int, tolerance: float | None) -> dict[str, Any]:
    X_BF = invert(model.X_RootF[base]) @ model.X_RootF[row]
    numbers = [round(value, _DECIMALS) + 0.0 for value in matrix_to_pose(X_BF).tolist()]
    if not all(map(math.isfinite, numbers)):
        raise EditError(f"the pose of '{model.shown_name(row)}' is undefined")
    reference = {"relative_to": model.names[base]} if base > 0 else {}
    allowed = _POSE_TOLERANCE if tolerance is None else tolerance
    return {"frame": _name(model, row), **reference, "pose": numbers, "tolerance": allowed}


def _number(model: Model, row: int, path: str, tolerance: float | None) -> dict[str, Any]:
    from sdfviewer.refactoring.properties.property_values import number_of

    value = number_of(model, row, path)
    if not math.isfinite(value):
        raise EditError(f"'{path}' of '{model.shown_name(row)}' is not limited: there is no number to keep")
    content: dict[str, Any] = {"value": f"{_name(model, row)}/{path}", "equals": round(value, _DECIMALS) + 0.0}
    return content if tolerance is None else {**content, "tolerance": tolerance}


def _mass(model: Model, row: int, tolerance: float | None) -> dict[str, Any]:
    from sdfviewer.formats.mass import link_bodies, links_of

    bodies = link_bodies(model, links_of(model, [row]))
    if bodies.unknown:
        raise EditError(f"the mass of '{model.names[bodies.unknown[0]]}' is not known")
    mass = bodies.total(model.X_RootF)[0].mass
    allowed = mass * _MASS_TOLERANCE if tolerance is None else tolerance
    bounds = {"min": round(max(mass - allowed, 0.0), _DECIMALS), "max": round(mass + allowed, _DECIMALS)}
    return {"mass": {**bounds, **({"of": model.names[row]} if row else {})}}


def _name(model: Model, row: int) -> str:
    name = model.names[row]
    if model.rows_by_name.get(name, row) != row:
        raise EditError(f"'{name}' is the name of several things; rename one of them first")
    return name


def _with_text(document: Document, text: str) -> Document:
    """Return a document with text added at its end."""
    from sdfviewer.diagnostics import Replacement

    end = len(document.text)
    return document.edited([Replacement(end, end, text[end:])])


def _appended(text: str, entry: str) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    start = text if not text or text.endswith("\n") else text + line_end
    between = line_end if start else ""
    return start + between + entry.replace("\n", line_end)


def contract_entry(settings: Path, content: Mapping[str, Any]) -> str:
    """Return a contract as it is written into a settings file."""
    from sdfviewer.files.configuration import NAMES

    table = "contract" if settings.name == NAMES[0] else "tool.sdfviewer.contract"
    lines = [f"{key} = {_toml(value)}\n" for key, value in content.items()]
    return f"[[{table}]]\n{''.join(lines)}"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float):
        return format_exact(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
