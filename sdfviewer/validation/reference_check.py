"""Check the names that nobody resolves while a file is read, and those that lead to private names of other models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import NearNames, offer_names
from sdfviewer.model.references import Reference, find_loose_references, find_references
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.validation import name_rules as rules
from sdfviewer.validation.name_rules import name_not_found

#: How the frames begin that stand for merged models; libsdformat gives them their names.
_MERGED = "_merged__"


def check_private_names(model: Model) -> Iterator[Finding]:
    """Yield a finding for each reference in the file that leads through or to a private name of a nested model."""
    if not model.document.contains("::_"):
        return
    for reference in find_references(model):
        components = reference.name.split("::")
        for holder, name in pairwise(components):
            if name.startswith("_") and not name.startswith(("__", _MERGED)):
                rule = rules.private_name
                location = ElementPart(None, reference.element, reference.part)
                yield Finding(rule, location, rule.format(name, holder), (reference.row,))


#: Between the names of links that libsdformat merges, in those of their collisions.
_LUMP = "_fixed_joint_lump__"


def check_references(model: Model) -> Iterator[Finding]:
    """Yield a finding for each name in an extension, a gearbox, a gripper or a contact sensor that nothing has."""
    known: dict[tuple[int, Attribute], NearNames] = {}
    for reference in find_loose_references(model):
        if len(reference.steps(model)) == len(reference.name.split("::")) or _LUMP in reference.name:
            continue
        attribute = reference.attribute
        assert attribute is not None, "what is in no state has a kind of name"
        targets = ReferenceTargets(model, reference.row, attribute)
        names = known.setdefault((targets.scope, attribute), NearNames(name for name, _ in targets.names))
        near = names.nearest(reference.name)
        what = " or ".join(kind.value for kind in targets.kinds)
        message = name_not_found.format(_where(reference), what, reference.name, offer_names(near))
        location = ElementPart(model.sources[reference.row], reference.element, reference.part)
        yield Finding(name_not_found, location, message, (reference.row,), meant=tuple(near))


def _where(reference: Reference) -> str:
    """Return how a message calls the place of a reference."""
    tag, part = reference.element.tag, reference.part
    return f"<{tag}>" if part in ("text", "@name") else f"the {part[1:]} of <{tag}>"
