"""References that are newer than the SDFormat version of their file: resolved, but reported."""

from __future__ import annotations

from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.kinds import Kind
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.validation import element_rules
from sdfviewer.versions import FRAME_SEMANTICS, SCOPED_REFERENCES, format_version


def note_newer_reference(scope: Scope, origin: Origin, row: int, location: ElementPart, name: str, target: int) -> None:
    """Report a reference that the file's own version does not allow yet, though it is read.

    Parameters
    ----------
    row, target
        The frame that refers, and the one that it refers to.
    location, name
        Where the reference is written, and what it says.

    Notes
    -----
    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model"; model composition
    proposal, "1.2.2 //joint/parent and //joint/child refer to frames, not just links" and "1.3.3 Model Frame
    References".
    """
    version = origin.version
    if version >= SCOPED_REFERENCES:
        return
    is_joint_end = location.element.tag in ("parent", "child")
    is_included = scope.sources[target] is not origin.source or scope.elements[target].tag == "include"
    if name.rpartition("::")[2] == "__model__" and version < FRAME_SEMANTICS:
        what, since = "the name '__model__'", "1.7"
    elif is_joint_end and scope.kinds[target] is not Kind.LINK and not scope.is_world:
        what, since = f"a {scope.kinds[target]} at an end of a joint", "1.8"
    elif "::" in name and not is_joint_end and not is_included and not scope.prefix:
        what, since = f"a name below a nested model, '{name}',", "1.8"
    else:
        return
    rule = element_rules.newer_reference
    message = rule.format(what, since, format_version(version))
    scope.findings.append(Finding(rule, location, message, (row,)))
