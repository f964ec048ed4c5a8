"""Names of links and joints in the parameters of plugins.

A plugin may mean anything by its parameters. A text that is the path of something in the file, ``arm::gripper::tip``,
can hardly mean anything else; a bare name is taken for one where its element says so, ``<joint_name>tip</joint_name>``.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.document.edits import Replacements, set_text
from sdfviewer.document.element import Element
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.composition.dissolving import Dissolution, walk

#: What the tag of a parameter holds that names something, and what that is.
_WORDS = {
    "joint": (Kind.JOINT,),
    "link": (Kind.LINK,),
    "body": (Kind.LINK,),
    "frame": (Kind.FRAME, Kind.LINK, Kind.MODEL),
}


def plugin_edits(dissolution: Dissolution) -> Iterator[tuple[int, Element, Replacements]]:
    """Yield each plugin with the row of the model or world it is in, and the edit of the names in it."""
    document = dissolution.model.document
    for scope, plugin in walk(dissolution.model):
        if plugin.tag != "plugin":
            continue
        edits: Replacements = ()
        for parameter in plugin.descendants():
            text = parameter.text.strip()
            name = _renamed(dissolution, scope, parameter.tag.lower(), text) if text else text
            if name != text:
                edits += set_text(document, parameter, name)
        yield scope, plugin, edits


def _renamed(dissolution: Dissolution, scope: int, tag: str, text: str) -> str:
    """Return the new text of a parameter."""
    if "::" in text:
        return _renamed_path(dissolution, scope, text)
    if scope not in dissolution.frames:
        return text
    row = dissolution.lookup(scope, text)
    kinds = [kind for word, kinds in _WORDS.items() if word in tag for kind in kinds]
    if row is None or row == scope or dissolution.model.kinds[row] not in kinds:
        return text
    return dissolution.name_in(dissolution.holder(scope), row)


def _renamed_path(dissolution: Dissolution, scope: int, text: str) -> str:
    """Return a path afterwards; it may begin in the plugin's own model or in anything around it."""
    model = dissolution.model
    while scope != ROOT:
        row = model.rows_by_name.get(model.member_prefix(scope) + text)
        if row is not None:
            return dissolution.name_in(dissolution.holder(scope), row)
        scope = int(model.owners[scope])
    row = model.rows_by_name.get(text)  # from the root of a model file, its own name first
    return text if row is None else dissolution.scoped_name(row)
