"""Rename an element and every reference to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, compress, repeat

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.references import find_mentions, find_references, set_name
from sdfviewer.refactoring.editable import RefactoringError, require_renamable


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

    @property
    def title(self) -> str:
        """What is renamed, among others of that name, and its new name."""
        return f"{self.model.distinct_name(self.row)} to {self.name}"


def rename(model: Model, row: int, name: str, *, in_plugins: bool = False) -> Edit:
    """Return the edit that renames a row with every reference to it.

    Parameters
    ----------
    row
        What is renamed.
    name
        Its new name.
    in_plugins
        Whether parameters of plugins that say the name, and may mean something else, follow too.

    Raises
    ------
    RefactoringError
        If the name is empty, reserved, holds ``::`` or is taken by a sibling, or if the old one is not written here.
    """
    require_renamable(model, row)
    document, element = model.document, model.elements[row]
    is_world = model.kinds[row] is Kind.WORLD  # which every reference calls "world", however it is named
    old = model.name if is_world else model.local_names[row]
    label = f"Rename {old if is_world else model.distinct_name(row)} to {name}"
    if name == old:
        return Edit(label, model.document, ())
    if why := why_invalid_name(name):
        raise RefactoringError(f"the name '{name}' {why}")
    scoped = model.names[row]
    new_scoped = scoped if is_world else scoped[: len(scoped) - len(old)] + name
    if row != 0 and new_scoped in model.rows_by_name:
        raise RefactoringError(f"a sibling is already called '{name}'")
    written = element.attributes.get("name", "")
    if "::" in written and written != old:
        raise RefactoringError(f"'{written}' was flattened by an older tool; rename it in the text")
    if written != old and model.kinds[row] in SHAPED:
        raise RefactoringError(f"'{old}' takes its name from its link; rename the link")
    if element.tag == "include" and model.kinds[row] is Kind.FRAME:
        raise RefactoringError(f"'{old}' takes its name from the merged model; rename that model")
    edits = set_name(document, element, name)
    if is_world:
        for state in element.findall("state"):
            if state.attributes.get("world_name") == old:
                edits += set_attribute(document, state, "world_name", name)
        return Edit(label, model.document, edits)
    known = format_of(document)
    follow = {} if known is None else known.names_that_follow(model, row, name)
    edits += rename_references(model, {row: name, **follow})
    edits += _rename_mentions(model, row, name) if in_plugins else ()
    prefix = scoped + "::"
    moved = [(scoped, new_scoped)]
    is_inside = [*map(str.startswith, model.names, repeat(prefix))]
    for each in sorted({*follow, *compress(range(len(model)), is_inside)}):
        other = model.names[each]
        now = other[: len(other) - len(model.local_names[each])] + follow[each] if each in follow else other
        if other.startswith(prefix):
            now = f"{new_scoped}::{now[len(prefix) :]}"
        if now != other:
            moved.append((other, now))
    return Edit(label, model.document, edits, tuple(moved))


def rename_material(model: Model, old: str, name: str) -> Edit:
    """Return the edit that renames a material in its definition and in all visuals that refer to it.

    Raises
    ------
    RefactoringError
        If the file has no such material, or the name is empty or taken.
    """
    require_renamable(model, 0)
    names = material_names(model)
    if old not in names:
        raise RefactoringError(f"there is no material '{old}'{did_you_mean(old, names)}")
    if name == old:
        return Edit(f"Rename {old}", model.document, ())
    if not name.strip():
        raise RefactoringError("the name of a material cannot be empty")
    if name in names:
        raise RefactoringError(f"a material is already called '{name}'")
    edits: Replacements = ()
    for element in names[old]:
        edits += set_attribute(model.document, element, "name", name)
    return Edit(f"Rename {old} to {name}", model.document, edits)


def material_names(model: Model) -> dict[str, list[Element]]:
    """Return the materials of the file with all elements that name them; empty where materials have no names."""
    known, root = format_of(model.document), model.document.root
    names: dict[str, list[Element]] = {}
    if root is not None and known is not None and known.capabilities.names_materials:
        for element in root.descendants():
            if element.tag == "material" and (name := element.attributes.get("name")):
                names.setdefault(name, []).append(element)
    return names


def _rename_mentions(model: Model, row: int, name: str) -> Replacements:
    text, old = model.document.text, model.local_names[row]
    return tuple(
        Replacement(start, end, "::".join(name if step == old else step for step in text[start:end].split("::")))
        for start, end in plugin_mentions(model, row)
    )


def plugin_lines(model: Model, row: int) -> list[int]:
    """Return the lines of the file where a plugin says the name of a row; see :func:`plugin_mentions`."""
    return list(dict.fromkeys(model.document.position(start)[0] for start, _ in plugin_mentions(model, row)))


def plugin_mentions(model: Model, row: int) -> list[tuple[int, int]]:
    """Return where in the text of the file a plugin says the name of a row, which may mean anything and so stays.

    Parameters that are known to name something are references, see :mod:`sdfviewer.model.plugin_catalogue`.
    """
    document, name = model.document, model.local_names[row]
    if not document.contains("<plugin"):
        return []
    # In the text: a large world has many more elements.
    found = (document.element_at(match.start()) for match in re.finditer("<plugin", document.text))
    plugins = (each for each in found if each is not None and each.tag == "plugin")
    followed = {id(each.element) for each in find_references(model) if each.steps(model)}
    return [
        document.offsets(parameter, "text")
        for plugin in plugins
        for parameter in plugin.descendants()
        if name in parameter.text.strip().split("::") and id(parameter) not in followed
    ]


def rename_references(model: Model, names: Mapping[int, str]) -> Replacements:
    """Return the edit of every place in the file itself that calls rows by their names.

    Parameters
    ----------
    names
        The new names of rows, without those of what they are in.
    """
    edits: Replacements = ()
    for reference in chain(find_references(model), find_mentions(model)):
        if (renamed := reference.renamed(model, names)) != reference.name:
            edits += reference.write(model.document, renamed)
    return edits
