"""Join another robot to a URDF, as elements with names of their own, or in a xacro file as a call of its macro."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    format_attribute,
    in_steps,
    insert_child,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.files.uris import relative_uri, uri_of
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.registry import format_of, writing_of
from sdfviewer.formats.urdf.elements import NAMED_IN_GAZEBO, origin_xml
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import set_name
from sdfviewer.model.targets import is_in_tree
from sdfviewer.model.values import parse_numbers
from sdfviewer.number_text import counted
from sdfviewer.refactoring.adding import free_name, is_robot, require_free_name
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.new_elements import element_lines
from sdfviewer.refactoring.renaming import material_names, rename_references

_PREFIXES = ("prefix", "tf_prefix")
#: How macros call the link that they are mounted on.
_PARENTS = ("parent", "parent_link", "connected_to", "parent_frame")


@dataclass(frozen=True)
class XacroMacro:
    """A macro: its name, and its parameters with whether they need a value; blocks begin with ``*``."""

    name: str
    parameters: Mapping[str, bool]

    @property
    def blocks(self) -> list[str]:
        """The parameters that are elements."""
        return [name for name in self.parameters if name.startswith("*")]


def macro_of(document: Document) -> XacroMacro | None:
    """Return the macro that a xacro file is about: the one called as the file, or the last; None without any."""
    macros = [] if document.root is None else [_read(each) for each in document.root.findall("xacro:macro")]
    stem = "" if document.path is None else document.path.name.partition(".")[0]
    return next((each for each in macros if each.name == stem), macros[-1] if macros else None)


def _read(macro: Element) -> XacroMacro:
    parameters: dict[str, bool] = {}
    for word in macro.attributes.get("params", "").split():
        name, default, _ = word.partition("=")
        parameters[name.removesuffix(":")] = not default
    return XacroMacro(macro.attributes.get("name", "").removeprefix("xacro:"), parameters)


def join_macro(
    model: Model, link: int, source: Document, other: Document, loader: Loader, prefix: str | None, pose: str
) -> Edit:
    """Return the edit of a xacro file that includes another one, calls its macro, and fixes what that writes on a link.

    Parameters
    ----------
    model, link
        What the xacro file writes, and the row of the link that carries the other robot.
    source
        The xacro file.
    other
        The file with the macro.
    loader
        Evaluates the file with the call, to see what it writes.
    prefix
        The value of the parameter `prefix` of the macro, if it has one.
    pose
        Six numbers, where the macro's root is in the link; empty at its origin.

    Raises
    ------
    RefactoringError
        If the macro needs more than a prefix, a parent and an origin, or if the file could not be evaluated with it.
    """
    macro = macro_of(other)
    assert macro is not None
    assert source.root is not None
    assert other.path is not None
    numbers = parse_numbers(pose) or (0.0,) * 6
    parent = model.local_names[link]
    call = _call(macro, parent, prefix, numbers)
    uri = uri_of(other.path, source.path, loader.finder, "package")
    package, _, inside = uri.removeprefix("package://").partition("/")
    filename = f"$(find {package})/{inside}" if uri.startswith("package://") else uri
    includes = {each.attributes.get("filename") for each in source.root.findall("xacro:include")}
    lines = [] if filename in includes else [f"<xacro:include {format_attribute('filename', filename)}/>"]
    added = [*lines, call]
    after, roots = _evaluated(model, source, added, loader)
    if not any(name in macro.parameters for name in _PARENTS):
        if len(roots) != 1:
            raise RefactoringError(
                f"macro '{macro.name}' writes {len(roots)} root links; one can be fixed on '{parent}'"
            )
        joint = free_name(after, 0, f"{roots[0]}_joint")
        ends = f"<parent {format_attribute('link', parent)}/>\n  <child {format_attribute('link', roots[0])}/>"
        origin = "" if macro.blocks else f"  {origin_xml(numbers)}\n"
        added.append(f'<joint {format_attribute("name", joint)} type="fixed">\n{origin}  {ends}\n</joint>')
        after, roots = _evaluated(model, source, added, loader)
    if roots:
        raise RefactoringError(f"macro '{macro.name}' does not fix its link '{roots[0]}' on '{parent}'")
    note = f"{other.path.name} is included, and its macro '{macro.name}' is called"
    return Edit(f"Join {macro.name} to {parent}", source, _inserted(source, added), notes=(note,))


def _call(macro: XacroMacro, parent: str, prefix: str | None, numbers: Sequence[float]) -> str:
    given = {name: prefix or "" for name in _PREFIXES if name in macro.parameters}
    given |= {name: parent for name in _PARENTS if name in macro.parameters}
    if "name" in macro.parameters:
        given["name"] = (prefix or "") + macro.name
    missing = [name for name, needed in macro.parameters.items() if needed and name not in given and name[0] != "*"]
    if missing or len(macro.blocks) > 1:
        what = ", ".join([*missing, *macro.blocks[1:]])
        raise RefactoringError(f"macro '{macro.name}' also needs {what}: call it in the source")
    start = " ".join([f"xacro:{macro.name}", *(format_attribute(name, value) for name, value in given.items())])
    return f"<{start}>\n  {origin_xml(numbers)}\n</xacro:{macro.name}>" if macro.blocks else f"<{start}/>"


def _inserted(source: Document, added: Sequence[str]) -> Replacements:
    assert source.root is not None
    return insert_child(source, source.root, "\n".join(added))


def _evaluated(model: Model, source: Document, added: Sequence[str], loader: Loader) -> tuple[Model, list[str]]:
    """Return what a file writes with more elements, and which of its new links no joint carries."""
    after, diagnostics = Loader(loader.finder, loader.instead, loader.expander).load_with_diagnostics(
        source.edited(_inserted(source, added))
    )
    if after is None:
        raise RefactoringError(f"the file could not be evaluated then: {why_not_loaded(diagnostics)}")
    lost = [name for name in model.local_names if name not in set(after.local_names)]
    if lost:
        raise RefactoringError(f"'{lost[0]}' would no longer be written; give another prefix")
    repeated = next((each for each in diagnostics if each.rule.name == "urdf-duplicate-name"), None)
    if repeated is not None:
        raise RefactoringError(f"{repeated.what}; give another prefix")
    known = set(model.local_names)
    carried = {joint.child for joint in after.scope.joints}
    links = [row for row, kind in enumerate(after.kinds) if kind is Kind.LINK and row not in carried]
    return after, [after.local_names[row] for row in links if after.local_names[row] not in known]


_MOST_NAMED = 4
"""Maximum number of names that clash in a message."""


def join_robot(model: Model, link: int, other: Model, prefix: str | None = None, pose: str = "") -> Edit:
    """Return the edit that writes all of another robot into a URDF and fixes its root on a link.

    Parameters
    ----------
    model, link
        The robot, and the row of the link that carries the other one.
    other
        The other robot.
    prefix
        What its names begin with here; by default nothing, or the name of the robot where names clash.
    pose
        Six numbers: where its root link is in the link; empty at its origin.

    Raises
    ------
    RefactoringError
        If one of them is no URDF, if the other one has not one root, or if names clash.
    """
    require_editable(model, link)
    if not is_robot(model, link) or model.kinds[link] is not Kind.LINK:
        raise RefactoringError("choose a link of a URDF that carries the other robot")
    root = _root_of(other)
    rows = [row for row in range(1, len(other)) if other.owners[row] == 0 and is_in_tree(other, row)]
    clashing_note = None
    if prefix is None:
        prefix = _free_prefix(model, other, rows)
        if prefix:
            both = _listed(_clashing(model, [other.local_names[row] for row in rows]))
            clashing_note = f"names that both robots have: {both}; those of the other one begin with '{prefix}' here"
    names = {row: prefix + other.local_names[row] for row in rows}
    clashing = _clashing(model, names.values())
    if clashing:
        what = f"{counted(len(clashing), 'name')} would be there twice: {_listed(clashing)}"
        raise RefactoringError(f"{what}; give another prefix")
    joint = free_name(model, 0, f"{names[root]}_joint")
    if joint in names.values():
        joint = free_name(model, 0, f"{names[root]}_mount")
    for name in (*names.values(), joint):
        require_free_name(model, 0, name)
    notes: list[str] = [] if clashing_note is None else [clashing_note]
    changes = _changes(model, other, names, prefix, notes)
    ends = {"parent": model.local_names[link], "child": names[root]}
    lines = element_lines(model, 0, "joint", {"name": joint, "type": "fixed", "pose": pose, **ends})
    merged = merged_materials(model, other)
    document, around = other.document, other.elements[0]
    parts = [in_steps(model.document, lines)]
    for child in around.children:
        if child not in merged:
            start, end = document.offsets(child, "element")
            inside = tuple(each for each in changes if start <= each.start and each.end <= end)
            parts.append(element_source(document, child, inside))
    edits = insert_child(model.document, model.elements[0], "\n".join(parts))
    added = tuple(model.member_prefix(0) + name for name in (names[root], joint))
    label = f"Join {other.local_names[0]} to {model.distinct_name(link)}"
    return Edit(label, model.document, edits, added=added, notes=tuple(notes))


def _root_of(other: Model) -> int:
    """Return the row of the root link of another robot."""
    if len(other) == 0 or not is_robot(other, 0) or other.sources[0] is not None:
        raise RefactoringError("the other file is no URDF")
    links = [row for row, kind in enumerate(other.kinds) if kind is Kind.LINK and is_in_tree(other, row)]
    roots = [row for row in links if writing_of(other, row).why_fixed(other, row) is not None]
    if len(roots) != 1:
        found = ", ".join(other.local_names[row] for row in roots[:_MOST_NAMED]) or "none"
        raise RefactoringError(f"the other robot needs one root link; it has {found}")
    return roots[0]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")


def _clashing(model: Model, names: Iterable[str]) -> list[str]:
    prefix = model.member_prefix(0)
    return [name for name in names if prefix + name in model.rows_by_name]


def _free_prefix(model: Model, other: Model, rows: list[int]) -> str:
    """Return no prefix where no name clashes, else the name of the other robot, with a number where it is needed."""
    own = [other.local_names[row] for row in rows]
    for number in range(100):
        prefix = "" if number == 0 else f"{other.local_names[0]}_" + (f"{number}_" if number > 1 else "")
        if not _clashing(model, [prefix + name for name in own]):
            return prefix
    raise RefactoringError("all prefixes are taken; give one")


def _changes(model: Model, other: Model, names: Mapping[int, str], prefix: str, notes: list[str]) -> Replacements:
    """Return the edit of the other robot: its new names, materials that clash, and paths of its files."""
    document, known = other.document, format_of(other.document)
    edits: Replacements = ()
    followed = dict(names)
    for row, name in names.items():
        edits += set_name(document, other.elements[row], name)
        followed.update({} if known is None else known.names_that_follow(other, row, name))
    edits += rename_references(other, followed)
    for name, elements in clashing_materials(model, other).items():
        new = f"{prefix or other.local_names[0] + '_'}{name}"
        notes.append(f"material '{name}' of the other robot differs from that of this file; it is called '{new}' here")
        for element in elements:
            edits += set_attribute(document, element, "name", new)
    for element in other.elements[0].descendants():
        if element.tag in ("mesh", "texture") and (uri := element.attributes.get("filename", "")):
            edits += set_attribute(document, element, "filename", _moved_uri(uri, document, model.document))
    for extension in other.elements[0].findall("gazebo") if prefix else ():
        for element in extension.findall(*NAMED_IN_GAZEBO):
            edits += set_attribute(document, element, "name", prefix + element.attributes.get("name", ""))
    if any(child.tag == "gazebo" and "reference" not in child.attributes for child in other.elements[0].children):
        notes.append("the other robot has a <gazebo> for the whole robot, which holds for all of this file now")
    return edits


def _moved_uri(uri: str, before: Document, after: Document) -> str:
    """Return a path of a file that is relative to one document as it is relative to another.

    Unlike :func:`.moved_uris` also that of a missing file: the robot may be joined before its meshes are there.
    """
    if "://" in uri or Path(uri).is_absolute() or before.path is None or after.path is None:
        return uri
    return relative_uri(before.path.absolute().parent / uri, after.path.absolute().parent)


def _defined(model: Model) -> Iterator[tuple[str, Element]]:
    for element in model.elements[0].findall("material"):
        yield element.attributes.get("name", ""), element


def _colour(element: Element) -> tuple[dict[str, str], ...]:
    return tuple(child.attributes for child in element.children)


def merged_materials(model: Model, other: Model) -> list[Element]:
    """Return the materials of the other robot that this file defines in the same way."""
    known = dict(_defined(model))
    return [element for name, element in _defined(other) if name in known and _colour(known[name]) == _colour(element)]


def clashing_materials(model: Model, other: Model) -> dict[str, list[Element]]:
    """Return the materials that both define differently, with all elements of the other robot that name them."""
    known, merged = dict(_defined(model)), merged_materials(model, other)
    differs = {name for name, element in _defined(other) if name in known and element not in merged}
    return {name: elements for name, elements in material_names(other).items() if name in differs}
