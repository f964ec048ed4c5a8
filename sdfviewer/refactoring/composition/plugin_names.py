"""What plugins name in the model that they are in, where that is called otherwise after an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sdfviewer.document.edits import Replacements, set_text
from sdfviewer.document.element import Element
from sdfviewer.model.graph import ROOT
from sdfviewer.model.model import Model
from sdfviewer.model.plugin_catalogue import named_kinds
from sdfviewer.refactoring.composition.dissolving import walk

#: Returns how a row is called afterwards by a plugin that looks it up in a model or world; None where it cannot.
NameAfter = Callable[[int, Element, int], "str | None"]


def plugin_edits(
    model: Model, name_after: NameAfter, scoped_after: Callable[[int], str]
) -> Iterator[tuple[int, Element, Replacements]]:
    """Yield each plugin with the row of the model or world it is in, and the edit of the names in it.

    Parameters
    ----------
    name_after
        Returns a new name from the row of a scope, the plugin, and the row that is named.
    scoped_after
        Returns the new name of a row from the root of the file.
    """
    for scope, plugin in walk(model):
        if plugin.tag != "plugin":
            continue
        edits: Replacements = ()
        for parameter in plugin.descendants():
            text = parameter.text.strip()
            if not text:
                continue
            name = _renamed(model, scope, plugin, parameter.tag, text, name_after, scoped_after)
            if name is not None and name != text:
                edits += set_text(model.document, parameter, name)
        yield scope, plugin, edits


def _renamed(
    model: Model,
    scope: int,
    plugin: Element,
    tag: str,
    text: str,
    name_after: NameAfter,
    scoped_after: Callable[[int], str],
) -> str | None:
    """Return the new text of a parameter; a path may begin in the plugin's own model or in anything around it."""
    if "::" not in text:
        row = model.find(scope, text)
        if (
            row is None
            or row == scope
            or model.kinds[row] not in named_kinds(plugin.attributes.get("filename", ""), tag)
        ):
            return None
        return name_after(scope, plugin, row)
    while scope != ROOT:
        row = model.find(scope, text)
        if row is not None:
            return name_after(scope, plugin, row)
        scope = int(model.owners[scope])
    row = model.rows_by_name.get(text)  # from the root of a model file, its own name first
    return None if row is None else scoped_after(row)
