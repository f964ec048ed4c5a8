"""Join a robot that is a macro of xacro to a robot that xacro writes: by an include and a call of the macro."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, format_attribute, insert_child
from sdfviewer.document.element import Element
from sdfviewer.files.uris import uri_of
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.urdf.new_elements import origin_xml
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_numbers
from sdfviewer.refactoring.adding import free_name
from sdfviewer.refactoring.editable import RefactoringError

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
        raise RefactoringError(f"{repeated.message}: give another prefix")
    known = set(model.local_names)
    carried = {joint.child for joint in after.scope.joints}
    links = [row for row, kind in enumerate(after.kinds) if kind is Kind.LINK and row not in carried]
    return after, [after.local_names[row] for row in links if after.local_names[row] not in known]
