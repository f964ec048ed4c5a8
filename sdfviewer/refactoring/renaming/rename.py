"""Rename an element and every reference to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.formats.sdformat.members import is_valid_member_name
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_mentions, find_references, set_name
from sdfviewer.refactoring.editable import RefactoringError, require_editable


@dataclass(frozen=True, slots=True)
class Renaming:
    """A rename that was made in one file.

    Attributes
    ----------
    model
        What the file meant before it.
    row, name
        What was renamed, and its new name.
    renamed
        Its new scoped name.
    """

    model: Model
    row: int
    name: str
    renamed: str

    @property
    def old(self) -> str:
        """The name before."""
        return self.model.local_names[self.row]


def rename(model: Model, row: int, name: str) -> Edit:
    """Return the edit that renames a row with every reference to it.

    Raises
    ------
    RefactoringError
        If the name is empty, reserved, holds ``::`` or is taken by a sibling, or if the old one is not written here.
    """
    require_editable(model, row)
    document, element = model.document, model.elements[row]
    is_world = model.kinds[row] is Kind.WORLD  # which every reference calls "world", however it is named
    old = model.name if is_world else model.local_names[row]
    if name == old:
        return Edit(f"Rename {old}", model.document, ())
    if not is_valid_member_name(name):
        raise RefactoringError(f"'{name}' is not a valid name: it is empty, reserved or contains '::'")
    scoped = model.names[row]
    new_scoped = scoped if is_world else scoped[: len(scoped) - len(old)] + name
    if row != 0 and new_scoped in model.rows_by_name:
        raise RefactoringError(f"a sibling is already called '{name}'")
    written = element.attributes.get("name", "")
    if "::" in written and written != old:
        raise RefactoringError(f"'{written}' was flattened by an older tool; rename it in the text")
    if element.tag == "include" and model.kinds[row] is Kind.FRAME:
        raise RefactoringError(f"'{old}' takes its name from the merged model; rename that model")
    edits = set_name(document, element, name)
    if is_world:
        for state in element.findall("state"):
            if state.attributes.get("world_name") == old:
                edits += set_attribute(document, state, "world_name", name)
        return Edit(f"Rename {old} to {name}", model.document, edits)
    edits += rename_references(model, {row: name})
    prefix = scoped + "::"
    moved = [(scoped, new_scoped)]
    moved += [(each, new_scoped + each[len(scoped) :]) for each in model.names if each.startswith(prefix)]
    return Edit(f"Rename {old} to {name}", model.document, edits, tuple(moved))


def plugin_lines(model: Model, row: int) -> list[int]:
    """Return the lines of the file where a plugin says the name of a row, which may mean anything and so stays."""
    document, name = model.document, model.local_names[row]
    plugins = (
        (each for each in document.root.descendants() if each.tag == "plugin") if document.root is not None else ()
    )
    lines = (
        document.span(parameter, "text").line
        for plugin in plugins
        for parameter in plugin.descendants()
        if name in parameter.text.strip().split("::")
    )
    return list(dict.fromkeys(lines))


def rename_references(model: Model, names: Mapping[int, str]) -> Replacements:
    """Return the edit of every place in the file itself that calls rows by their names.

    Parameters
    ----------
    names
        The new names of rows, without those of what they are in.
    """
    edits: Replacements = ()
    for reference in chain(find_references(model), find_mentions(model)):
        steps = reference.steps(model)
        if names.keys().isdisjoint(steps):
            continue
        components = reference.name.split("::")
        for number, row in enumerate(steps):
            components[number] = names.get(row, components[number])
        edits += reference.write(model.document, "::".join(components))
    return edits
