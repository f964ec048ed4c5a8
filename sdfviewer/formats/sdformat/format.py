"""SDFormat as an entry of the registry."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.formats.format import Capabilities, Format, root_of
from sdfviewer.formats.sdformat.build import MAX_TOPS, Builder
from sdfviewer.formats.sdformat.include import check_root_pose
from sdfviewer.formats.sdformat.members import add_posed
from sdfviewer.formats.sdformat.params import models_to_include
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import is_reserved
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.validation import element_rules as rules
from sdfviewer.validation import file_rules, name_rules
from sdfviewer.validation.element_check import check_root, check_schema
from sdfviewer.versions import (
    NEWEST,
    SCOPED_REFERENCES,
    VERSIONS,
    WRITTEN_VERSIONS,
    Version,
    format_version,
    parse_version,
)

if TYPE_CHECKING:
    from sdfviewer.model.contents import ContentsReader


_ROOTS = ("world", "model", "light", "actor")


def _build_root(builder: Builder, root: Element, findings: list[Finding]) -> tuple[Scope | None, Version]:
    """Return the scope of what a file is about, None where there is nothing, and the file's version.

    A file is about its first world, or else its model, light or actor. Everything else is checked all the same, as
    libsdformat loads it all.

    Parameters
    ----------
    builder
        Builds models and worlds.
    root
        The first element of the file.
    findings
        Takes what is wrong at the top of the file and in what the file is not about.

    Notes
    -----
    Source: libsdformat, ``readFileInternal`` in src/parser.cc and ``Root::Load``.
    """
    if root.tag == "gazebo":
        findings.append(Finding(rules.gazebo_root, ElementPart(None, root), rules.gazebo_root.format()))
    version = _read_version(root, None, findings)
    origin = Origin(None, version)
    findings += check_root(root, origin)
    tops = _build_tops(builder, root, origin, findings)
    if not tops:
        if not any(child.tag == "include" for child in root.children):
            findings.append(Finding(rules.no_root, ElementPart(None, root), rules.no_root.format(root.tag)))
        return None, version
    _check_tops(tops, findings)
    for other in tops[1:]:
        findings += other.scope.findings.mapped(_without_rows)
    return tops[0].scope, version


def _without_rows(finding: Finding) -> Finding:
    return Finding(finding.rule, finding.location, finding.message, (), finding.related, finding.fixes)


def _build_included(builder: Builder, document: Document, static: bool | None) -> Scope | None:
    """Return the scope of the first model, else actor, else light of an included file, None if there is none.

    Parameters
    ----------
    builder
        Builds models.
    document
        The included file.
    static
        What the include says in place of the model's own ``<static>``, None if it says nothing.
    """
    root = document.root
    if root is None or root.tag != "sdf":
        return None
    findings: list[Finding] = []
    version = _read_version(root, document, findings)
    origin = Origin(document, version)
    tops = models_to_include(document)
    if not tops:
        return None
    top = tops[0]
    for other in tops[1:]:
        rule = file_rules.include_several_roots
        findings.append(Finding(rule, ElementPart(document, other), rule.format(other.tag, top.tag)))
    if top.tag == "model":
        findings += check_root_pose(top, origin)
        scope = builder.build_model(top, origin, static)
    else:
        scope = Scope()
        add_posed(scope, origin, Kind(top.tag), top.word("name"), top, -1)
    scope.findings += findings
    return scope


def _read_version(root: Element, source: Source, findings: list[Finding]) -> Version:
    """Return the version of an ``<sdf>`` element; the newest where it names none that exists."""
    written = root.attributes.get("version")
    if written is None:
        findings.append(Finding(rules.version_missing, ElementPart(source, root), rules.version_missing.format()))
        return NEWEST
    version = parse_version(written)
    known = version in VERSIONS
    # "1.4.1" is read as 1.4 and 1.0 as itself, though libsdformat cannot convert them.
    if not known or written not in WRITTEN_VERSIONS or version == VERSIONS[0]:
        message = rules.version_unsupported.format(written)
        findings.append(Finding(rules.version_unsupported, ElementPart(source, root, "@version"), message))
    return version if known and version is not None else NEWEST


class _Top(NamedTuple):
    """A top-level entity of a file; ``element`` may be the ``<include>`` that adds it."""

    element: Element
    tag: str
    name: str
    scope: Scope


def _build_tops(builder: Builder, root: Element, origin: Origin, findings: list[Finding]) -> list[_Top]:
    """Return all top-level entities of a file, its main one first."""
    tops: list[_Top] = []
    first_model = root.find("model")
    for child in root.children:
        if child.tag == "include":
            inclusion = builder.resolver.include(builder, child, origin, is_world=False)
            findings += inclusion.findings
            if inclusion.scope is not None:
                scope = inclusion.scope
                scope.rename(inclusion.name)
                tops.append(_Top(child, str(scope.kinds[0]), inclusion.name, scope))
        elif child.tag in _ROOTS:
            if len(tops) >= MAX_TOPS:
                rule = file_rules.too_large
                message = rule.format(child.tag, child.word("name"), f"{MAX_TOPS} worlds and models beside each other")
                findings.append(Finding(rule, ElementPart(origin.source, child), message))
                break
            if child is first_model:
                findings += check_root_pose(child, origin)
            scope = _build_top(builder, child, origin, findings)
            tops.append(_Top(child, child.tag, child.word("name"), scope))
    return sorted(tops, key=lambda top: _ROOTS.index(top.tag))


def _build_top(builder: Builder, top: Element, origin: Origin, findings: list[Finding]) -> Scope:
    name = top.word("name")
    if "name" in top.attributes and top.tag in ("world", "model"):
        location = ElementPart(origin.source, top, "@name")
        if not name:
            findings.append(Finding(name_rules.empty_name, location, name_rules.empty_name.format(top.tag)))
        elif is_reserved(name):
            findings.append(Finding(name_rules.reserved_name, location, name_rules.reserved_name.format(top.tag, name)))
        elif "::" in name and origin.version >= SCOPED_REFERENCES:
            message = name_rules.separator_in_name.format(top.tag, name)
            findings.append(Finding(name_rules.separator_in_name, location, message))
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
            related = ((f"'{top.name}' is first defined here", ElementPart(None, holder.element, "@name")),)
            message = rule.format(top.tag, top.name, holder.tag)
            findings.append(Finding(rule, ElementPart(None, top.element, "@name"), message, related=related))
            if holder.tag == top.tag:
                continue
        if top.tag == "world":
            continue
        if first is not None:
            related = ((f"the first <{first.tag}>", ElementPart(None, first.element)),)
            message = rules.several_roots.format(top.tag)
            findings.append(Finding(rules.several_roots, ElementPart(None, top.element), message, related=related))
        first = first or top


def _recognise(document: Document) -> bool:
    return root_of(document).tag in ("sdf", "gazebo")


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    return _build_root(builder, root_of(document), findings)


def _describe(model: Model) -> str:
    return f"SDFormat {format_version(model.version)}"


@cache
def _contents() -> ContentsReader:
    from sdfviewer.formats.sdformat.contents import SdformatContents  # noqa: PLC0415  # not needed for loading

    return SdformatContents()


SDFORMAT = Format(
    "sdformat",
    "SDFormat",
    (".sdf", ".world", ".model"),
    _recognise,
    _build,
    _build_included,
    _describe,
    _contents,
    Capabilities(
        is_self_contained=True,
        edits_structure=True,
        renames=True,
        names_frames=True,
        has_versions=True,
        keeps_parts=True,
    ),
)
