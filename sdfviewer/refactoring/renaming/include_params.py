"""Rename in ``<experimental:params>`` of includes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.load import Loader
from sdfviewer.formats.sdformat.params import find_include, included_model, read_changes


def rename_in_params(loader: Loader, document: Document, renamed: Element, old: str, name: str) -> Replacements:
    """Return the edit of a document whose includes change something that gets another name.

    Parameters
    ----------
    loader
        Opens what the document includes, with the old name in it.
    document
        The document.
    renamed
        The element, of another document, that is renamed.
    old, name
        Its names.
    """
    edits: Replacements = ()
    for include in document.root.descendants() if document.root is not None else ():
        changes = read_changes(include, document, None) if include.tag == "include" else []
        included = loader.open_included([document], include) if changes else None
        if included is None:
            continue
        for change in changes:
            path = change.path or ()
            steps = _walk(loader, [document, included], path)
            if renamed in steps:
                components = [name if step is renamed else each for step, each in zip(steps, path, strict=False)]
                new_path = "::".join((*components, *path[len(steps) :]))
                edits += set_attribute(document, change.element, "element_id", new_path)
            target = steps[-1] if steps else included_model(included)
            if target is not None and len(steps) == len(path):
                for element in _stand_ins(change.element, target, renamed):
                    if element.attributes.get("name") == old:
                        edits += set_attribute(document, element, "name", name)
    return edits


def _walk(loader: Loader, including: Sequence[Document], path: Sequence[str]) -> list[Element]:
    """Return the elements that names lead to, one by one from the last document's model on, as far as there are any."""
    steps: list[Element] = []
    element = included_model(including[-1])
    for number, name in enumerate(path):
        children = element.children if element is not None else ()
        found = next((child for child in children if child.attributes.get("name") == name), None)
        if found is None and number == 0 and (include := find_include(element, name)) is not None:
            inner = loader.open_included(including, include)
            return [include, *(_walk(loader, [*including, inner], path[1:]) if inner is not None else ())]
        if found is None:
            break
        steps.append(found)
        element = found
    return steps


def _stand_ins(change: Element, target: Element, renamed: Element) -> Iterator[Element]:
    """Yield the elements, a change itself or in it, that say what becomes of the renamed one."""
    if change.attributes.get("action") == "add":  # then the target is what it is added to
        return
    if target is renamed:
        yield change
    for inner in change.children:
        name = inner.attributes.get("name")
        for child in target.findall(inner.tag):
            if name and child.attributes.get("name") == name:
                yield from _stand_ins(inner, child, renamed)
                break
