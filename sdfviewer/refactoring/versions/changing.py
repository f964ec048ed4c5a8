"""Convert a file to a newer or older version of SDFormat; nothing moves.

What an older version has no words for is left out with a note, unless frames or joints hang on it: then the file is
refused, with every reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    indentation_step,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
    set_tag,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.document.topics import Aspect, Topic
from sdfviewer.formats.load import Loader
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.contents import Inertial
from sdfviewer.model.kinds import Kind
from sdfviewer.model.shapes import SHAPES
from sdfviewer.model.values import IDENTITY, format_number, format_numbers, format_pose, parse_bool, parse_numbers
from sdfviewer.refactoring.composition.inlining import Standalone
from sdfviewer.refactoring.draft import Draft
from sdfviewer.refactoring.editable import RefactoringError, require_sdformat
from sdfviewer.refactoring.properties.property_values import shape_of
from sdfviewer.refactoring.versions.lower_joints import lower_joints, lower_values, move_world_joints
from sdfviewer.refactoring.versions.lowering import (
    Lowering,
    leave_frames_out,
    lower_frames,
    models_with_canonical_links,
    write_canonical_link_first,
)
from sdfviewer.refactoring.versions.raising import raise_version
from sdfviewer.versions import (
    AUTO_INERTIA,
    FRAME_SEMANTICS,
    MERGE_INCLUDE,
    NEWEST,
    SCOPED_REFERENCES,
    STATE_ELEMENTS,
    TARGETS,
    VERSIONS,
    WORLD_GRAVITY,
    WORLD_JOINTS_AND_INFINITE_LIMITS,
    WORLD_MERGE_INCLUDE,
    Version,
    format_version,
    parse_version,
)


def change_version(document: Document, loader: Loader, target: Version, *, allow_loss: bool = False) -> Edit:
    """Return the file in another version of SDFormat.

    Included files keep theirs: each file says its own version. With ``allow_loss`` joints that mimic others become
    independent in a version that cannot say it, which is a loss; without, the file is refused.

    Raises
    ------
    SdfViewerError
        If the file cannot be read, or if what its frames or joints mean cannot be said in that version.
    """
    if target not in TARGETS:
        raise RefactoringError(f"a file can be converted to SDFormat {format_version(TARGETS[0])} or later")
    reader = Standalone(loader, lambda file, include: _is_lost(file, include, target))
    model = reader.load(document)
    require_sdformat(model)
    if model.version <= target:
        edit = raise_version(model, target)
        return edit if model.version < target else Edit(edit.label, model.document, ())
    draft = Draft(document)
    reader.write(draft)
    lowering = Lowering(draft, target, reader.load, allow_loss=allow_loss)
    newer = tuple(_newer_files(lowering))
    lowering.make(_drop_ignored)
    if target < WORLD_JOINTS_AND_INFINITE_LIMITS:
        lowering.make(move_world_joints)
        lowering.make(lower_values)
    lowering.make(_lower_inertia)
    lowering.make(lower_frames, *((lower_joints,) if target < SCOPED_REFERENCES else ()))
    if target < FRAME_SEMANTICS:
        for name in models_with_canonical_links(lowering.model):
            lowering.make(partial(write_canonical_link_first, name))
        lowering.make(leave_frames_out)
    if target < WORLD_GRAVITY:
        lowering.make(_lower_gravity)
    if target < STATE_ELEMENTS:
        lowering.make(_lower_states)
    lowering.make(_lower_elements)
    lowering.make(_version)
    label = f"Convert to SDFormat {format_version(target)}"
    losses = (*reader.losses, *lowering.losses)
    notes = (*reader.notes, *newer, *lowering.remarks)
    renamed, about = tuple(lowering.renamed), tuple(lowering.about)
    return Edit(label, document, draft.replacements(), renamed, notes=notes, losses=losses, about=about)


def _drop_ignored(lowering: Lowering) -> Replacements:
    """Return the edit that takes out what the file's version ignores and the older one would read."""
    root = lowering.document.root
    assert root is not None
    known = (table(lowering.model.version).root, table(NEWEST).root)
    return _without_ignored(lowering, root, known, table(lowering.target).root)


def _without_ignored(
    lowering: Lowering, element: Element, known: Sequence[ElementDefinition], older: ElementDefinition
) -> Replacements:
    edits: Replacements = ()
    ignored = f"was ignored, and SDFormat {lowering.version} would read it; left out"
    for name in element.attributes:
        if name in older.attributes and not any(name in each.attributes for each in known):
            lowering.remark(element, f"'{name}' of <{element.tag}> {ignored}")
            edits += set_attribute(lowering.document, element, name, None)
    for child in element.children if not older.allows_any_child else ():
        definition = older.children.get(child.tag)
        inner = [each.children[child.tag] for each in known if child.tag in each.children]
        if definition is not None and inner:
            edits += _without_ignored(lowering, child, inner, definition)
        elif definition is not None:
            lowering.remark(child, f"<{child.tag}> of <{element.tag}> {ignored}")
            edits += remove_element(lowering.document, child)
    return edits


#: What a world has more of where it had none.
_PHYSICS = Topic(Aspect.PHYSICS, "physics")


def _lower_gravity(lowering: Lowering) -> Replacements:
    """Return the edit that moves gravity and magnetic field to the physics of each world, where they were until 1.5."""
    root, document = lowering.document.root, lowering.document
    physics = table(lowering.target).element("world/physics")
    assert root is not None
    assert physics is not None
    edits: Replacements = ()
    for world in root.findall("world") if lowering.model.version >= WORLD_GRAVITY else ():
        moved = [each for each in world.findall("gravity", "magnetic_field") if each.tag in physics.children]
        text = "".join(element_source(document, each) for each in moved)
        engines = list(world.findall("physics"))
        for each in moved if engines else moved[1:]:
            edits += remove_element(document, each)
        for engine in engines if moved else ():
            edits += insert_child(document, engine, text)
        if moved and not engines:
            words = " and ".join(f"<{each.tag}>" for each in moved)
            why = f"until SDFormat 1.5 {words} belongs to <physics>, of which one is written"
            lowering.remark(moved[0], why, "", _PHYSICS)
            edits += replace_element(document, moved[0], f'<physics type="ode">{text}</physics>')
    return edits


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
        message = f"what is included from {source.name} uses SDFormat {format_version(version)} and is not converted"
        yield lowering.draft.note(model.elements[model.include_of(row) or 0], message)


def _lower_inertia(lowering: Lowering) -> Replacements:
    """Return the edit that writes inertia as numbers where the older version cannot compute it, or lacks a shape."""
    model = lowering.model
    older = table(lowering.target).element("model/link/collision/geometry")
    assert older is not None
    lost = SHAPES.keys() - older.children.keys()
    edits: Replacements = ()
    for row, element in enumerate(model.elements):
        inertial = element.find("inertial") if model.kinds[row] is Kind.LINK and model.sources[row] is None else None
        if inertial is None or element.tag != "link" or not parse_bool(inertial.attributes.get("auto", "")):
            continue
        used = {shape_of(model, part) for part in model.rows_in(row, Kind.COLLISION)}
        if lowering.target >= AUTO_INERTIA and used.isdisjoint(lost):
            continue
        computed = resolve_inertial(model, row)
        if computed is None:
            lowering.lose(
                inertial, f"the inertia of '{model.names[row]}' is computed from a mesh; write its numbers first"
            )
            continue
        for collision in element.findall("collision"):
            for child in collision.findall("density", "auto_inertia_params"):
                edits += remove_element(lowering.document, child)
        edits += replace_element(lowering.document, inertial, _inertial(indentation_step(lowering.document), computed))
    return edits


def _inertial(step: str, inertial: Inertial) -> str:
    """Return an ``<inertial>`` in numbers, each level indented by ``step``."""
    pose = format_pose([*inertial.center_of_mass.tolist(), 0.0, 0.0, 0.0])
    lines = [] if pose == format_pose(IDENTITY) else [f"{step}{pose}"]
    lines += [f"{step}<mass>{format_number(inertial.mass)}</mass>", f"{step}<inertia>"]
    for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        tag = "i" + "xyz"[i] + "xyz"[j]
        lines.append(f"{step}{step}<{tag}>{format_number(float(inertial.inertia[i, j]))}</{tag}>")
    lines.append(f"{step}</inertia>")
    return "\n".join(["<inertial>", *lines, "</inertial>"])


#: What determines where something is or how it moves: a file that cannot express it is refused.
_MOVING = frozenset({"mimic", "joint", "include", "frame", "link", "model", "pose", "relative_to", "attached_to"})
#: What libsdformat has always read in an include, whatever the table of the version says.
_OF_ANY_INCLUDE = frozenset({"name", "pose", "static", "plugin"})
#: Defaults that have changed: without the element an older program would take another value.
_CHANGED_DEFAULTS = ("sampling", "collide_bitmask", "frame")


def _lower_elements(lowering: Lowering) -> Replacements:
    """Return the edit that takes out what the older version does not know, translations left aside."""
    root = lowering.document.root
    assert root is not None
    own, older = table(lowering.model.version), table(lowering.target)
    return _lowered(lowering, root, own.root, older.root, ())


def _lowered(
    lowering: Lowering, element: Element, own: ElementDefinition, older: ElementDefinition, path: tuple[str, ...]
) -> Replacements:
    edits: Replacements = ()
    for name in element.attributes:
        if name in own.attributes and name not in older.attributes:
            lowering.lose(element, f"'{name}' of <{element.tag}> {_since(path, name)}; left out", name)
            edits += set_attribute(lowering.document, element, name, None)
    if own.allows_any_child:
        return edits
    for child in element.children:
        known, still = own.children.get(child.tag), older.children.get(child.tag)
        if known is None or (element.tag == "include" and child.tag in _OF_ANY_INCLUDE):
            continue
        inner = (*path, child.tag)
        if still is not None:
            edits += _lowered(lowering, child, known, still, inner)
        elif child.tag == "mimic" and lowering.allow_loss:
            lowering.lose(child, f"<mimic> of <{element.tag}> {_since(inner)}; left out, so the joint moves on its own")
            edits += remove_element(lowering.document, child)
        elif child.tag in _MOVING:
            instead = "choose a version that has it" + ", or allow losses" * (child.tag == "mimic")
            what = f"<{child.tag}> of <{element.tag}> {_since(inner)}, and motion depends on it"
            lowering.refuse(child, f"{what}; {instead}")
        elif element.tag == "geometry":
            lowering.lose(child, f"the shape <{child.tag}> {_since(inner)} and has no equivalent")
            edits += replace_element(lowering.document, child, "<empty/>")
        else:
            lowering.lose(child, f"<{child.tag}> of <{element.tag}> {_since(inner)}; left out")
            edits += remove_element(lowering.document, child)
    return edits + _changed_defaults(lowering, element, own, older)


def _changed_defaults(
    lowering: Lowering, element: Element, own: ElementDefinition, older: ElementDefinition
) -> Replacements:
    """Return the edit that writes a value which was another one by default."""
    edits: Replacements = ()
    for tag in _CHANGED_DEFAULTS:
        was, default = older.children.get(tag), own.children.get(tag)
        if was is None or default is None or was.default == default.default or element.find(tag) is not None:
            continue
        edits += insert_child(lowering.document, element, f"<{tag}>{default.default}</{tag}>")
    return edits


def _since(path: tuple[str, ...], attribute: str = "") -> str:
    """Return in words since when there is an element or attribute."""
    for version in VERSIONS:
        definition = table(version).element("/".join(path))
        if definition is not None and (not attribute or attribute in definition.attributes):
            return f"is new in SDFormat {format_version(version)}"
    return "does not exist in that version"


_PARTS = ("model_state", "link_state", "joint_state", "light_state")
#: Two vectors that were written as one pose of rates.
_PAIRS = {
    ("linear_velocity", "angular_velocity"): "velocity",
    ("linear_acceleration", "angular_acceleration"): "acceleration",
    ("force", "torque"): "wrench",
}
_VECTORS = frozenset(tag for tags in _PAIRS for tag in tags)


def _lower_states(lowering: Lowering) -> Replacements:
    """Return the edit of the states of all worlds."""
    edits: Replacements = ()
    root = lowering.document.root
    older = table(lowering.target).element("world/state")
    for world in root.findall("world") if root is not None and older is not None else ():
        for state in world.findall("state"):
            assert older is not None
            edits += _part(lowering, state, older)
    return edits


def _part(lowering: Lowering, part: Element, older: ElementDefinition) -> Replacements:
    """Return the edit of what is in a state or in a part of one."""
    edits: Replacements = ()
    for child in part.children:
        tag = child.tag.removesuffix("_state") if child.tag in _PARTS else child.tag
        definition = older.children.get(tag)
        if definition is not None:
            edits += set_tag(lowering.document, child, tag) + _part(lowering, child, definition)
        elif child.tag in ("axis_state", "axis2_state"):
            edits += _angle(lowering, part, child)
        elif child.tag in _VECTORS:
            continue
        elif ":" not in child.tag:
            lowering.lose(child, f"<{child.tag}> of a state does not exist before SDFormat 1.12; left out")
            edits += remove_element(lowering.document, child)
    for tags, together in _PAIRS.items():
        vectors = [part.find(tag) for tag in tags]
        written = [vector for vector in vectors if vector is not None]
        if written:
            numbers = [number for vector in vectors for number in _vector(vector)]
            xml = f"<{together}>{format_numbers(numbers)}</{together}>"
            edits += replace_element(lowering.document, written[0], xml)
            for other in written[1:]:
                edits += remove_element(lowering.document, other)
    return edits


def _angle(lowering: Lowering, joint: Element, axis: Element) -> Replacements:
    """Return the edit that makes the position of an axis an ``<angle>``."""
    position = axis.find("position")
    for child in axis.children:
        if child is not position:
            lowering.lose(child, f"<{child.tag}> of a joint's state does not exist before SDFormat 1.12; left out")
    numbers = parse_numbers(position.text) if position is not None else None
    if position is None or not numbers:
        return remove_element(lowering.document, axis)
    value = math.radians(numbers[0]) if parse_bool(position.attributes.get("degrees", "")) else numbers[0]
    number = 1 if axis.tag == "axis2_state" else 0
    return replace_element(lowering.document, axis, f'<angle axis="{number}">{format_number(value)}</angle>')


def _vector(element: Element | None) -> tuple[float, ...]:
    """Return three numbers in SI units, zero where nothing is written."""
    numbers = parse_numbers(element.text) if element is not None else None
    if element is None or numbers is None or len(numbers) != 3:
        return (0.0, 0.0, 0.0)
    return tuple(map(math.radians, numbers)) if parse_bool(element.attributes.get("degrees", "")) else numbers
