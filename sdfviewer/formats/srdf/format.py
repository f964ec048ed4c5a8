"""SRDF as an entry of the registry: a file about a robot that is written elsewhere, which it brings like an include."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.formats.format import Capabilities, Format, root_of
from sdfviewer.formats.srdf import is_semantic
from sdfviewer.formats.urdf.format import URDF
from sdfviewer.formats.xacro.format import XACRO
from sdfviewer.model.findings import ElementPart, Finding, Findings
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Scope
from sdfviewer.validation.srdf_rules import srdf_robot_missing
from sdfviewer.versions import NEWEST, Version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    """Return the scope of the robot: its rows are those of its own file, except the robot itself."""
    from sdfviewer.files.dependents import robots_near  # noqa: PLC0415  # needed only for such files
    from sdfviewer.formats.srdf.semantics import check_semantics, read_semantics  # noqa: PLC0415

    root = root_of(document)
    name = root.attributes.get("name", "")
    here = ElementPart(None, root, "@name" if name else None)
    tried = [] if document.path is None else robots_near(document.path, name)
    scope = None
    for path in tried:
        answer = _robot(builder, path)
        if isinstance(answer, Scope) and answer.names[0] == name:
            scope = answer
            break
        if isinstance(answer, Finding):
            findings.append(replace(answer, location=here))
    if scope is None:
        findings.append(
            Finding(srdf_robot_missing, here, srdf_robot_missing.format(name), tried=tuple(map(str, tried)))
        )
        return None, NEWEST
    copy = replace(
        scope,
        elements=[root, *scope.elements[1:]],
        sources=[None, *scope.sources[1:]],
        included_models={0: ElementPart(scope.sources[0], scope.elements[0]), **scope.included_models},
        has_includes=True,
        findings=Findings(),  # the robot has its own, whatever MoveIt knows of it
    )
    copy.findings += check_semantics(read_semantics(document), copy)
    return copy, NEWEST


def _robot(builder: Builder, path: Path) -> Scope | Finding | None:
    """Return the scope of the robot in a file; None where it holds another one or cannot be read."""
    try:
        robot = builder.resolver.read(path)
    except UnreadableFileError:
        return None
    known = next((each for each in (XACRO, URDF) if robot.root is not None and each.recognise(robot)), None)
    return None if known is None or is_semantic(robot) else known.build_included(builder, robot, None)


def _describe(_model: Model) -> str:
    return "SRDF"


SRDF = Format(
    "srdf",
    "SRDF",
    (".srdf",),
    is_semantic,
    _build,
    lambda _builder, _document, _static: None,
    _describe,
    URDF.contents,
    Capabilities(names_materials=True),
)
