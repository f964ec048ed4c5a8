"""What the parameters of includes change in the included models: each with what it was, to be edited and taken out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sdfviewer.document.edits import Edit, Replacements, remove_element, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.formats.sdformat.params import OWN_ATTRIBUTES, included_model
from sdfviewer.formats.written_rows import IncludedDocument, in_included_file
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.refactoring.composition.overriding import PARAMS, find_named
from sdfviewer.refactoring.editable import RefactoringError


@dataclass(frozen=True)
class Override:
    """One thing that the parameters of an include change.

    Attributes
    ----------
    include
        The row of the include.
    row
        The row of what is changed, the nearest one around it; that of the include where there is none.
    element
        Names that lead to the element from the included model.
    path
        Tags below it, ``@name`` at the end for an attribute; empty for the element itself.
    action
        ``modify``, ``add``, ``remove`` or ``replace``.
    before
        The value in the included file, None where it has none or holds other elements.
    after
        The value that counts here, None where that is none or holds other elements.
    written
        Where it is said.
    """

    include: int
    row: int
    element: str
    path: str
    action: str
    before: str | None
    after: str | None
    written: Element

    @property
    def name(self) -> str:
        """How it is called in its include: ``left::tool/pose``."""
        return "/".join(filter(None, (self.element, self.path)))

    @property
    def is_value(self) -> bool:
        """Whether it is a value that can be typed."""
        return self.after is not None


def overrides_of(model: Model, include: int) -> list[Override]:
    """Return what the parameters of an include that is written in the file change, in the order of the file."""
    params = model.elements[include].find(PARAMS) if model.sources[include] is None else None
    found: list[Override] = []
    for change in params.children if params is not None else ():
        element = change.attributes.get("element_id", "")
        action = change.attributes.get("action", "")
        if action == "add":
            element = "::".join(filter(None, (element, change.attributes.get("name", ""))))
        row = _row_of(model, include, element, change.tag)
        target = None if row == include else _as_in_its_file(model, row)
        if action and action != "modify":
            found.append(Override(include, row, element, "", action, None, None, change))
            continue
        for path, done, written in _parts(change, action):
            before = _value(target, path)
            is_value = done != "remove" and ("@" in path or not written.children)
            after = _own_value(written, path) if is_value else None
            found.append(Override(include, row, element, path, done, before, after, written))
    return found


def overridden_rows(model: Model) -> Mapping[int, list[Override]]:
    """Return what includes of the file change, by the rows of what is changed."""
    rows: dict[int, list[Override]] = {}
    if model.document.contains(PARAMS):
        for include, element in enumerate(model.elements):
            if element.tag == "include":
                for each in overrides_of(model, include):
                    rows.setdefault(each.row, []).append(each)
    return rows


def set_override(model: Model, include: int, name: str, value: str | None) -> Edit:
    """Return the edit that gives what an include changes another value, or (None) takes the change out.

    Parameters
    ----------
    name
        See :attr:`Override.name`.

    Raises
    ------
    RefactoringError
        If the include does not change that, or it has no value.
    """
    known = {each.name: each for each in overrides_of(model, include)}
    if (override := known.get(name)) is None:
        raise RefactoringError(f"the include does not change '{name}'{did_you_mean(name, known)}")
    document, written = model.document, override.written
    if value is None:
        return Edit(f"Take out {name} in the include", document, _without(model, override))
    if not override.is_value:
        raise RefactoringError(f"'{name}' is no value; edit its text")
    attribute = override.path.rpartition("@")[2] if "@" in override.path else ""
    edits = set_attribute(document, written, attribute, value) if attribute else set_text(document, written, value)
    return Edit(f"Set {name} in the include to {value}", document, edits)


def _without(model: Model, override: Override) -> Replacements:
    """Return the edit that takes a change out, with what would be empty around it."""
    document, element = model.document, override.written
    attribute = override.path.rpartition("@")[2] if "@" in override.path else ""
    others = [name for name in element.attributes if name not in (*OWN_ATTRIBUTES, attribute)]
    if attribute and (others or element.children or element.value):
        return set_attribute(document, element, attribute, None)
    around, include = document.parent(element), model.elements[override.include]
    while around is not None and around is not include and len(around.children) == 1 and not _says(around):
        element, around = around, document.parent(around)
    return remove_element(document, element)


def _says(element: Element) -> bool:
    """Return whether an element changes attributes, besides what is in it."""
    return any(name not in OWN_ATTRIBUTES and not name.startswith("xmlns") for name in element.attributes)


def _parts(element: Element, action: str, path: str = "") -> Iterator[tuple[str, str, Element]]:
    """Yield path, action and element of what a change says: values, attributes, and what comes or goes as a whole."""
    start = f"{path}/" if path else ""
    if action:
        names = (name for name in element.attributes if name not in OWN_ATTRIBUTES and name != "name")
        yield from ((f"{start}@{name}", action, element) for name in names)
    for inner in element.children:
        done = inner.attributes.get("action", action)
        if done == "modify":
            yield from _parts(inner, done, f"{start}{inner.tag}")
        else:
            yield f"{start}{inner.tag}", done, inner
    if path and not element.children:
        yield path, action, element


def _own_value(written: Element, path: str) -> str:
    return written.attributes.get(path.rpartition("@")[2], "") if "@" in path else written.value


def _value(element: Element | None, path: str) -> str | None:
    """Return the value at a path below an element, None where there is none."""
    tags, at, attribute = path.partition("@")
    found = element.find(tags.rstrip("/")) if element is not None and tags else element
    if found is None:
        return None
    return found.attributes.get(attribute) if at else found.value if not found.children else None


def _row_of(model: Model, include: int, element: str, tag: str) -> int:
    """Return the row of an element of an included model, the nearest around it, else that of the include."""
    holder = include if model.kinds[include] is Kind.MODEL else int(model.owners[include])
    names = element.split("::") if element else []
    while names:
        row = model.find(holder, "::".join(names))
        if row is not None and row in model.inside(holder):
            return row
        names.pop()
    return include


def _as_in_its_file(model: Model, row: int) -> Element | None:
    """Return the element of something that is included as its own file has it."""
    seen = in_included_file(model, [row])
    if seen is None or not isinstance(document := seen.document, IncludedDocument):
        return None
    around = document.include
    holder = around if model.kinds[around] is Kind.MODEL else int(model.owners[around])
    path = model.names[row].removeprefix(model.member_prefix(holder)).split("::")
    return find_named(included_model(document.original), path, model.elements[row].tag)
