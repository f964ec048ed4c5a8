"""xacro as an entry of the registry: files are expanded, then built as URDF or SDFormat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document
from sdfviewer.formats.format import Capabilities, Format, root_of
from sdfviewer.formats.sdformat.format import SDFORMAT
from sdfviewer.formats.urdf.format import URDF
from sdfviewer.formats.xacro.expansion import XacroExpansion, is_xacro
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.validation import element_rules, format_rules
from sdfviewer.versions import NEWEST, Version, format_version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder


def _expand(builder: Builder, document: Document, source: Source) -> tuple[XacroExpansion | None, list[Finding]]:
    resolver = builder.resolver
    return builder.expander.expand(document, source, resolver.finder, resolver)


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    expanded, found = _expand(builder, document, None)
    findings += found
    scope = None if expanded is None else _build_expanded(builder, expanded, None, findings)
    if isinstance(scope, Finding):
        findings.append(scope)
    return (scope if isinstance(scope, Scope) else None), NEWEST


def _build_included(builder: Builder, document: Document, static: bool | None) -> Scope | Finding | None:
    expanded, found = _expand(builder, document, document)
    findings = list(found)
    if expanded is None:
        why = findings[0]
        return replace(why, related=(("in the included file", why.location), *why.related))
    scope = _build_expanded(builder, expanded, static, findings)
    if isinstance(scope, Scope):
        scope.findings += findings
    return scope


def _build_expanded(
    builder: Builder, expanded: XacroExpansion, static: bool | None, findings: list[Finding]
) -> Scope | Finding | None:
    """Return the scope of what an expansion is about; its rows are written in the expansion."""
    root = root_of(expanded)
    if root.tag == "robot" and root.find("link") is None and "name" not in root.attributes:
        rule = format_rules.xacro_macros_only
        findings.append(Finding(rule, ElementPart(expanded, root), rule.format()))
        return None
    if URDF.recognise(expanded):
        return URDF.build_included(builder, expanded, static)
    if SDFORMAT.recognise(expanded):
        world = root.find("world")
        if world is not None:
            return builder.build_world(world, Origin(expanded, NEWEST))
        return SDFORMAT.build_included(builder, expanded, static)
    rule = element_rules.not_sdformat
    findings.append(Finding(rule, ElementPart(expanded, root), rule.format(root.tag, "")))
    return None


def _describe(model: Model) -> str:
    expanded = model.document_of(0)
    if root_of(expanded).tag == "robot":
        return f"xacro ({URDF.title})"
    return f"xacro (SDFormat {format_version(model.version)})"


XACRO = Format(
    "xacro",
    "xacro",
    (".xacro",),
    is_xacro,
    _build,
    _build_included,
    _describe,
    SDFORMAT.contents,
    Capabilities(edits_structure=True, renames=True),
)
