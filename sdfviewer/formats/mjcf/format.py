"""MJCF as an entry of the registry: files are written in SDFormat, and that is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.diagnostics import PlacedSentence
from sdfviewer.document.document import Document
from sdfviewer.document.tables import OTHER_ROOTS, ElementDefinition
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.format import Format, root_of
from sdfviewer.formats.sdformat.format import SDFORMAT
from sdfviewer.model.findings import Finding, Findings, Source
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Scope
from sdfviewer.validation.format_rules import mjcf_not_converted, mjcf_not_read
from sdfviewer.versions import NEWEST, Version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder


class MjcfExpansion(ExpandedDocument):
    """An MJCF file in SDFormat.

    Attributes
    ----------
    links, joints, sites
        The names of links, joints and frames by MuJoCo's numbers of bodies, joints and sites; that of the world is
        empty where nothing is on it.
    """

    language = "MJCF"
    links: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


def expand(builder: Builder, document: Document, source: Source) -> tuple[MjcfExpansion, Findings]:
    """Return an MJCF file in SDFormat, and what is wrong with it.

    Parameters
    ----------
    builder
        Reads the files that it includes.
    document, source
        The file, and how findings call it: None where it is the file being loaded.
    """
    from sdfviewer.formats.mjcf.bodies import BodyReader  # noqa: PLC0415  # needed only for such files
    from sdfviewer.formats.mjcf.geoms import GeomReader  # noqa: PLC0415
    from sdfviewer.formats.mjcf.nodes import (  # noqa: PLC0415
        FileReader,
        Reporter,
        check_tree,
    )
    from sdfviewer.formats.mjcf.spec import Spec  # noqa: PLC0415
    from sdfviewer.formats.mjcf.writing import SdformatWriter  # noqa: PLC0415

    report = Reporter(document, source)
    files = FileReader(builder.resolver.read, report)
    root = files.tree(document)
    check_tree(root, report)
    reader = BodyReader(Spec(root, report), files)
    geoms = GeomReader(None if document.path is None else document.path.absolute().parent)
    with np.errstate(all="ignore"):  # what is not finite where the file's numbers are is reported, or left out
        writer = SdformatWriter(reader, geoms, report)
        writer.write()
    output = writer.output
    expanded = MjcfExpansion.written(
        document,
        "".join(output.pieces),
        ((node.document, node.element) for node in output.origins),
        (node.callers for node in output.origins),
        tuple(dict.fromkeys(files.documents)),
    )
    expanded.links, expanded.joints, expanded.sites = map(tuple, (writer.links, writer.joints, writer.sites))
    return expanded, report.findings


def lost_in_reading(model: Model) -> tuple[str, ...]:
    """Return in sentences that begin with file and line what an MJCF file says that its model does not hold."""
    lost = [each for each in model.diagnostics if each.rule in (mjcf_not_read, mjcf_not_converted)]
    return tuple(PlacedSentence.at(each.span, each.message) for each in lost if each.span is not None)


def _recognise(document: Document) -> bool:
    return root_of(document).tag == "mujoco"


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    expanded, found = expand(builder, document, None)
    findings += found
    scope = SDFORMAT.build_included(builder, expanded, None)
    if isinstance(scope, Finding):
        findings.append(scope)
    return (scope if isinstance(scope, Scope) else None), NEWEST


def _build_included(builder: Builder, document: Document, static: bool | None) -> Scope | Finding | None:
    expanded, findings = expand(builder, document, document)
    scope = SDFORMAT.build_included(builder, expanded, static)
    if isinstance(scope, Scope):
        scope.findings += findings
    return scope


def _describe(model: Model) -> str:
    return "MJCF"


def _definition() -> ElementDefinition:
    from sdfviewer.formats.mjcf.nodes import root_definition  # noqa: PLC0415  # not needed for loading

    return root_definition()


OTHER_ROOTS["mujoco"] = _definition
MJCF = Format("mjcf", "MJCF", (".mjcf",), _recognise, _build, _build_included, _describe, SDFORMAT.contents)
