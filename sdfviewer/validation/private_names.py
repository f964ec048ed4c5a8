"""References to private names of other models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.validation import name_rules as rules

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
