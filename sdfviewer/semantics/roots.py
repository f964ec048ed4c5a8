"""What stands at the top of a file: worlds, or one model, light or actor; an SDFormat file or a URDF."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.semantics.build import Builder
from sdfviewer.semantics.include import check_root_pose
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.members import Origin, add_posed
from sdfviewer.semantics.names import did_you_mean, is_reserved
from sdfviewer.semantics.rules import names as name_rules
from sdfviewer.semantics.rules import schema as rules
from sdfviewer.semantics.schema import check_root, check_schema
from sdfviewer.semantics.scope import Finding, Place, Scope, Source
from sdfviewer.semantics.values import NEWEST, VERSIONS, Version, format_version, parse_version

_ROOTS = ("world", "model", "light", "actor")
#: What files of other first elements are that people take for models.
_OTHERS = {
    "COLLADA": "; this is a mesh: a <mesh> in a model names it in its <uri>",
    "mujoco": "; this is a model of MuJoCo: convert it first",
    "launch": "; this is a launch file: open the model that it names",
    "package": "; this describes a ROS package: open a model in it",
}


def build_root(
    builder: Builder, document: Document, root: Element, findings: list[Finding]
) -> tuple[Scope | None, Version]:
    """Return the scope of what a file is about, None where there is nothing, and the file's version.

    A file is about its first world, or else its model, light or actor. Everything else is checked all the same, as
    libsdformat loads it all.

    Parameters
    ----------
    builder
        Builds models and worlds.
    document, root
        The file and its first element.
    findings
        Takes what is wrong at the top of the file and in what the file is not about.

    Notes
    -----
    Source: libsdformat, ``readFileInternal`` in src/parser.cc and ``Root::Load``.
    """
    if root.tag == "robot":
        origin = Origin(None, NEWEST)
        return build_other_root(document, root, origin), NEWEST
    if root.tag not in ("sdf", "gazebo"):
        hint = _OTHERS.get(root.tag) or did_you_mean(root.tag, ("sdf", "robot"))
        message = rules.not_sdformat.format(root.tag, hint)
        findings.append(Finding(rules.not_sdformat, Place(None, root), message))
        return None, NEWEST
    if root.tag == "gazebo":
        findings.append(Finding(rules.gazebo_root, Place(None, root), rules.gazebo_root.format()))
    version = read_version(root, None, findings)
    origin = Origin(None, version)
    findings += check_root(root, origin)
    tops = _build_tops(builder, root, origin, findings)
    if not tops:
        if not any(child.tag == "include" for child in root.children):
            findings.append(Finding(rules.no_root, Place(None, root), rules.no_root.format(root.tag)))
        return None, version
    _check_tops(tops, findings)
    for other in tops[1:]:
        for finding in other.scope.findings:
            findings.append(Finding(finding.rule, finding.place, finding.message, (), finding.related, finding.fixes))
    return tops[0].scope, version


def build_other_root(document: Document, root: Element, origin: Origin) -> Scope | None:
    """Return the scope of a URDF ``<robot>``."""
    from sdfviewer.semantics.urdf.build import build_robot  # noqa: PLC0415  # needed only for such files

    return build_robot(document, root, origin)


def read_version(root: Element, source: Source, findings: list[Finding]) -> Version:
    """Return the version of an ``<sdf>`` element; the newest where it names none that exists."""
    written = root.attributes.get("version")
    if written is None:
        findings.append(Finding(rules.version_missing, Place(source, root), rules.version_missing.format()))
        return NEWEST
    version = parse_version(written)
    known = version is not None and format_version(version) in VERSIONS
    if not known or written not in VERSIONS:  # "1.4.1" is read as 1.4, though libsdformat cannot convert it
        message = rules.version_unsupported.format(written)
        findings.append(Finding(rules.version_unsupported, Place(source, root, "@version"), message))
    return version if known and version is not None else NEWEST


@dataclass(frozen=True, slots=True)
class _Top:
    """Something at the top of a file; ``element`` may be the ``<include>`` that brings it."""

    element: Element
    tag: str
    name: str
    scope: Scope


def _build_tops(builder: Builder, root: Element, origin: Origin, findings: list[Finding]) -> list[_Top]:
    """Return everything at the top of a file, what it is about first."""
    tops: list[_Top] = []
    first_model = root.find("model")
    for child in root.children:
        if child.tag == "include":
            inclusion = builder.library.include(builder, child, origin, is_world=False)
            findings += inclusion.findings
            if inclusion.scope is not None:
                scope = inclusion.scope
                scope.names[0] = inclusion.name
                tops.append(_Top(child, str(scope.kinds[0]), inclusion.name, scope))
        elif child.tag in _ROOTS:
            if child is first_model:
                findings += check_root_pose(child, origin)
            scope = _build_top(builder, child, origin, findings)
            tops.append(_Top(child, child.tag, child.word("name"), scope))
    return sorted(tops, key=lambda top: _ROOTS.index(top.tag))


def _build_top(builder: Builder, top: Element, origin: Origin, findings: list[Finding]) -> Scope:
    name = top.word("name")
    if "name" in top.attributes and top.tag in ("world", "model"):
        place = Place(origin.source, top, "@name")
        if not name:
            findings.append(Finding(name_rules.empty_name, place, name_rules.empty_name.format(top.tag)))
        elif is_reserved(name):
            findings.append(Finding(name_rules.reserved_name, place, name_rules.reserved_name.format(top.tag, name)))
        elif "::" in name and origin.version >= (1, 8):
            message = name_rules.separator_in_name.format(top.tag, name)
            findings.append(Finding(name_rules.separator_in_name, place, message))
    if top.tag == "world":
        return builder.build_world(top, origin)
    if top.tag == "model":
        return builder.build_model(top, origin)
    scope = Scope()
    add_posed(scope, origin, Kind(top.tag), name, top, -1)
    findings += check_schema(top, top.tag, origin).findings
    return scope


def _check_tops(tops: list[_Top], findings: list[Finding]) -> None:
    """Report names given twice, and a second model, light or actor: a file holds one of them, whatever its version."""
    holders: dict[str, _Top] = {}
    first: _Top | None = None
    for top in tops:
        holder = holders.setdefault(top.name, top)
        if holder is not top and top.name:
            rule = name_rules.duplicate_name if holder.tag == top.tag else name_rules.shared_name
            related = ((f"'{top.name}' is first used here", Place(None, holder.element, "@name")),)
            message = rule.format(top.tag, top.name, holder.tag)
            findings.append(Finding(rule, Place(None, top.element, "@name"), message, related=related))
            if holder.tag == top.tag:
                continue
        if top.tag == "world":
            continue
        if first is not None:
            related = ((f"the first <{first.tag}>", Place(None, first.element)),)
            message = rules.several_roots.format(top.tag)
            findings.append(Finding(rules.several_roots, Place(None, top.element), message, related=related))
        first = first or top
