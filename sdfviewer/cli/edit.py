"""``sdfviewer edit``: the refactorings of the window for scripts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sdfviewer.cli.explain import find_rule
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_loader, read
from sdfviewer.cli.operation_options import (
    ADDING,
    BY_OPTION,
    EditStep,
    add_shared_options,
    details_of,
    help_of,
    perform_adding,
    perform_step,
)
from sdfviewer.cli.outputs import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.line_difference import unified_diff
from sdfviewer.files import saving
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.model.values import format_numbers
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import EditContext, FileChange
from sdfviewer.operations.parameters import SwitchType
from sdfviewer.refactoring.adding import (
    CHILDREN_OF,
    free_name,
    insert_member,
    nearest_owner,
    read_pose_words,
    require_place,
)
from sdfviewer.refactoring.fix_all import fix_all
from sdfviewer.refactoring.inertia import WATER, computed_body, inertial_fields
from sdfviewer.refactoring.new_elements import LIMITS
from sdfviewer.refactoring.new_parts import NewJoint, NewSolid, insert_link
from sdfviewer.refactoring.new_shapes import NewShape


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.set_defaults(steps=[])
    edits = parser.add_argument_group("edits, applied in the order given")
    edits.add_argument(
        "--fix",
        metavar="RULE",
        action=StepAction,
        help="apply the first quick fix of each problem of a rule (name or code)",
    )
    add_step_arguments(parser, edits)
    add_shared_options(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", metavar="OUT", type=Path, help="output file (default: standard output)")
    output.add_argument("--in-place", action="store_true", help="edit the file in place")
    output.add_argument("--diff", action="store_true", help="print the changes as a diff, write nothing")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    before = read(options.file)
    if options.in_place and before.path is None:
        raise SdfViewerError("standard input cannot be edited in place")
    if not options.steps:
        raise SdfViewerError("no edits given; see sdfviewer edit --help")
    if options.also and not (options.in_place or options.diff):
        raise SdfViewerError("--also changes several files: use --in-place or --diff")
    if options.also and not any(step.option == "rename" for step in options.steps):
        raise SdfViewerError("--also needs --rename: no other edit changes dependent files")
    loader = make_loader(options)
    after, others = before, dict[Path, FileChange]()
    for step in options.steps:
        if step.option == "fix":
            after = _fixed(loader, after, step.value)
        elif step.option in BY_OPTION or (step.option == "add" and step.value.partition(":")[0] in ADDING):
            after = _performed(loader, after, step, options, others)
        else:
            after = after.edited(make_step(_model(loader, after), step).replacements)
    changed = [FileChange(before, after), *others.values()]
    _write(changed, options)
    texts = {real_path(each.after.path): each.after for each in changed if each.after.path is not None}
    loader = make_loader(options, texts)
    errors = [error for each in changed for error in loader.load_with_diagnostics(each.after)[1] if error.is_error]
    for error in dict.fromkeys(errors):
        where = f"{error.span.path}:{error.span.line}: " if error.span else ""
        print_note(f"{where}error: {error.message} [{error.rule.name}]")
    return FINDINGS if errors else CLEAN


def _model(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(diagnostics[0].message if diagnostics else "the file contains no model or world")
    return model


def _performed(
    loader: Loader, document: Document, step: EditStep, options: argparse.Namespace, others: dict[Path, FileChange]
) -> Document:
    """Return the document after an operation, and take note of what becomes of other files."""
    opened = tuple(each.after for each in others.values())
    on = EditContext(_model(loader, document), loader, opened=opened)
    done = perform_step(on, step, options) if step.option in BY_OPTION else perform_adding(on, step)
    if done.files and not (options.in_place or options.diff):
        raise SdfViewerError(f"--{step.option} {step.value} changes several files: use --in-place or --diff")
    for file in done.files:
        assert file.after.path is not None
        path = real_path(file.after.path)
        first = others[path].before if path in others else file.before
        others[path] = FileChange(first, file.after)
    for remark in (*done.edit.losses, *done.edit.notes, *done.remarks):
        print_note(remark)
    return document.edited(done.edit.replacements)


def _fixed(loader: Loader, document: Document, wanted: str) -> Document:
    """Return the document with the first fix of each problem of a rule made, one after the other."""
    rule = find_rule(wanted).name
    fixed = fix_all(loader, document, {rule}, unsafe=True)
    for fix in fixed.applied:
        print_note(f"fixed: {fix.label}")
    if not fixed.applied:
        raise SdfViewerError(fixed.where_to_edit or f"no problem of rule '{rule}' has a quick fix")
    return fixed.document


def _write(changed: Sequence[FileChange], options: argparse.Namespace) -> None:
    """Write the changed documents; the requested one comes first."""
    changed = [FileChange(each.before, each.after.storable(print_note)) for each in changed]
    if options.diff:
        for each in changed:
            text = None if each.before is None else each.before.text
            print(unified_diff(each.after.name, text, each.after.text), end="")
    elif options.in_place:
        known = {each.after.path: None if each.before is None else each.before.fingerprint for each in changed}
        for path, fingerprint in known.items():  # none is written where one cannot be
            if path is not None and (path.exists() if fingerprint is None else saving.has_changed(path, fingerprint)):
                raise saving.ChangedOnDiskError(path)
        for each in changed:
            assert each.after.path is not None
            saving.save(each.after.path, each.after.to_bytes(), known[each.after.path], tell=print_note)
            if len(changed) > 1:
                print_note(f"written: {each.after.path}")
    else:
        after = changed[0].after
        if options.output:
            saving.save(options.output, after.to_bytes(), tell=print_note)
        else:
            print_bytes(after.to_bytes())


class StepAction(argparse.Action):
    """Collects the edits in the order in which they are written."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        """Add an edit."""
        value = "" if self.nargs == 0 else str(values)
        namespace.steps = [*namespace.steps, EditStep((option_string or "").lstrip("-"), value)]


#: The further options of each edit.
_DETAILS: Mapping[str, Mapping[str, str]] = {
    "add": {
        "in": "parent of the element: a world, model, link or joint (default: the nearest that can contain it)",
        "attached-to": "of a frame",
        "parent": "of a joint; of a link: what a joint connects it to",
        "child": "of a joint",
        "type": "of a joint, light or sensor; of a link: of the joint that carries it (fixed)",
        "axis": "of a joint: x y z",
        "lower": "limit of a joint: -90deg, 40mm; write --lower=-1 for negative numbers",
        "upper": "limit of a joint",
        "effort": "limit of a joint in N or N m",
        "velocity": "limit of a joint in m/s or rad/s",
        "pose": "x y z roll pitch yaw; units such as 12mm and 45deg are allowed",
        "relative-to": "the frame that the pose is measured from",
        "shape": "of a visual or collision: box, sphere, cylinder ...; of a link: of its visual and its collision",
        "size": "of a box: x y z; of a plane: x y",
        "radius": "of a sphere, cylinder, capsule or cone",
        "length": "of a cylinder, capsule or cone",
        "radii": "of an ellipsoid: x y z",
        "uri": "of an include or a mesh",
        "filename": "of a plugin",
        "mass": "of an inertial, which is computed from the shapes of its link",
        "density": "of an inertial, or of a link with a shape, in kg/m³ (1000)",
    },
}


def _details(option: str) -> Mapping[str, str]:
    """Return the options that may stand behind an edit, with their help."""
    operation = BY_OPTION.get(option)
    if operation is None:
        return _DETAILS.get(option, {})
    return {name: each.help for name, each in details_of(operation).items()}


class DetailAction(argparse.Action):
    """Adds to the last edit what an option behind it says."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        """Add to the last edit, or stop where this does not belong to it."""
        name = (option_string or "").lstrip("-")
        if not namespace.steps or name not in _details(namespace.steps[-1].option):
            owners = " or ".join(f"--{edit}" for edit in (*_DETAILS, *BY_OPTION) if name in _details(edit))
            parser.error(f"--{name} must follow {owners}")
        namespace.steps[-1].details[name] = "" if self.nargs == 0 else str(values)


def add_step_arguments(parser: argparse.ArgumentParser, edits: argparse._ArgumentGroup) -> None:
    """Add the options of these edits, and those of the operations."""
    edits.add_argument("--add", metavar="TAG[:NAME]", action=StepAction, help="add an element, with the options below")
    for option, operation in BY_OPTION.items():
        command = operation.command
        if command is not None and f"--{option}" not in parser._option_string_actions:
            edits.add_argument(
                f"--{option}",
                action=StepAction,
                nargs=None if command.form else 0,
                metavar=command.form or None,
                help=help_of(operation),
            )
    owners: dict[str, list[str]] = {}
    for option in (*_DETAILS, *BY_OPTION):
        for name in _details(option):
            owners.setdefault(name, []).append(option)
    groups: dict[tuple[str, ...], argparse._ArgumentGroup] = {}
    for name, options in owners.items():
        key = tuple(options)
        if key not in groups:
            groups[key] = parser.add_argument_group(f"options after {' or '.join(f'--{each}' for each in options)}")
        is_switch = any(
            isinstance(details_of(BY_OPTION[each])[name].type, SwitchType) for each in options if each in BY_OPTION
        )
        groups[key].add_argument(
            f"--{name}",
            action=DetailAction,
            dest=argparse.SUPPRESS,
            default=argparse.SUPPRESS,
            nargs=0 if is_switch else None,
            metavar=None if is_switch else name.upper().replace("-", "_"),
            help="; ".join(dict.fromkeys(_details(each)[name] for each in options)),
        )


def make_step(model: Model, step: EditStep) -> Edit:
    """Return the edit of one of these steps.

    Raises
    ------
    SdfViewerError
        With the reason, where it cannot be made.
    """
    return _STEPS[step.option](model, step)


_POSE_UNITS = ("m", "m", "m", "rad", "rad", "rad")
#: Names that every scope knows.
_RESERVED = ("world", "__model__", "__root__")


def _numbers(option: str, text: str, units: Sequence[str]) -> list[float]:
    words = text.replace(",", " ").split()
    if len(words) != len(units):
        order = ": x y z roll pitch yaw" if units is _POSE_UNITS else ""
        raise SdfViewerError(f"--{option} {text}: expected {counted(len(units), 'number')}{order}")
    try:
        return [parse_number(word, unit) for word, unit in zip(words, units, strict=True)]
    except ValueError as error:
        raise SdfViewerError(f"--{option} {text}: {error}") from None


def _add(model: Model, step: EditStep) -> Edit:
    tag, _, name = step.value.partition(":")
    details = dict(step.details)
    wanted = details.pop("in", "")
    known = {each: None for tags in CHILDREN_OF.values() for each in tags}
    if tag not in known:
        raise SdfViewerError(f"--add {step.value}: there is no <{tag}> to add, but {', '.join(known)}")
    owner = model.row(wanted) if wanted else nearest_owner(model, None, tag)
    if owner is None:
        raise SdfViewerError(
            f"--add {step.value}: nothing in this file can contain a <{tag}>; choose its parent with --in"
        )
    if "pose" in details:
        details["pose"] = read_pose_words(details["pose"])
    if tag == "inertial":
        require_place(model, owner, tag)
        density = _numbers("density", details.pop("density", str(WATER)), [""])[0]
        mass = _numbers("mass", details.pop("mass"), ["kg"])[0] if "mass" in details else None
        return insert_member(model, owner, tag, **inertial_fields(computed_body(model, owner, density, mass)))
    for limit in LIMITS:
        if limit in details:
            unit = "" if limit in ("effort", "velocity") else "m" if details.get("type") == "prismatic" else "rad"
            details[limit] = format_numbers(_numbers(limit, details[limit], [unit]))
    shape = _shape(step, details)
    fields = {key.replace("-", "_"): text for key, text in details.items()}
    if tag == "link":
        return _add_link(model, owner, name, shape, fields)
    return insert_member(model, owner, tag, name or None, **fields, **(shape.fields if shape else {}))


def _shape(step: EditStep, details: dict[str, str]) -> NewShape | None:
    """Take the shape and its sizes out of the details; None where they name no primitive shape."""
    sizes: dict[str, str] = {tag: details.pop(tag) for tag in ("size", "radius", "length", "radii") if tag in details}
    if details.get("shape") not in PRIMITIVES:
        if sizes:
            raise SdfViewerError(f"--{next(iter(sizes))} needs --shape, one of {', '.join(PRIMITIVES)}")
        return None
    shape = NewShape.usual(details.pop("shape"))
    for tag in sizes:
        if tag not in shape.sizes:
            raise SdfViewerError(f"--add {step.value}: a {shape.shape} has no {tag}, but {' and '.join(shape.sizes)}")
    return shape.with_typed(sizes)


def _add_link(model: Model, owner: int, name: str, shape: NewShape | None, fields: dict[str, str]) -> Edit:
    """Return the edit that adds a link, with the joint that carries it where it has a parent."""
    name = name or free_name(model, owner, "link")
    density = _numbers("density", fields.get("density", str(WATER)), [""])[0]
    parent, joint = fields.get("parent", ""), None
    if parent:
        of_joint = {key: fields[key] for key in ("axis", *LIMITS) if key in fields}
        joint = NewJoint(free_name(model, owner, f"{name}_joint"), fields.get("type", "fixed"), parent, of_joint)
    solid = None
    if shape is not None:
        height = shape.height_above_bottom
        solid = NewSolid(shape, format_numbers((0.0, 0.0, height, 0.0, 0.0, 0.0)) if height else "", density)
    return insert_link(
        model,
        owner,
        name,
        pose=fields.get("pose", ""),
        relative_to=fields.get("relative_to", ""),
        solid=solid,
        joint=joint,
    )


_STEPS: dict[str, Callable[[Model, EditStep], Edit]] = {"add": _add}
