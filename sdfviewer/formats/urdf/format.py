"""URDF as an entry of the registry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.document.tables import OTHER_ROOTS, ElementDefinition
from sdfviewer.formats.format import Capabilities, Format, root_of
from sdfviewer.formats.sdformat.settings import set_static
from sdfviewer.model.findings import Finding
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.versions import NEWEST, Version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder
    from sdfviewer.formats.writing import Writing
    from sdfviewer.model.contents import ContentsReader


def robot_of(document: Document) -> Element | None:
    """Return the ``<robot>`` of a document, None where it is not a URDF."""
    return document.root if document.root is not None and document.root.tag == "robot" else None


def _recognise(document: Document) -> bool:
    return robot_of(document) is not None


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    from sdfviewer.formats.urdf.build import build_robot  # noqa: PLC0415  # needed only for such files

    return build_robot(builder, root_of(document), Origin(None, NEWEST)), NEWEST


def _build_included(builder: Builder, document: Document, static: bool | None) -> Scope | None:
    from sdfviewer.formats.urdf.build import build_robot  # noqa: PLC0415  # needed only for such files

    scope = build_robot(builder, root_of(document), Origin(document, NEWEST))
    if static:
        set_static(scope)
    return scope


def _describe(model: Model) -> str:
    written = root_of(model.document).word("version")
    return f"URDF {written}" if written else "URDF"


@cache
def _contents() -> ContentsReader:
    from sdfviewer.formats.urdf.contents import UrdfContents  # noqa: PLC0415  # not needed for loading

    return UrdfContents()


def _names_that_follow(model: Model, row: int, name: str) -> Mapping[int, str]:
    from sdfviewer.formats.urdf.editing import names_that_follow  # noqa: PLC0415  # not needed for loading

    return names_that_follow(model, row, name)


def _writing(model: Model, row: int) -> Writing | None:
    from sdfviewer.formats.urdf.editing import writing  # noqa: PLC0415  # not needed for loading

    return writing(model, row)


def _definition() -> ElementDefinition:
    from sdfviewer.formats.urdf.elements import definition_of_robot  # noqa: PLC0415  # not needed for loading
    from sdfviewer.formats.urdf.values import URDF_VERSIONS  # noqa: PLC0415

    return definition_of_robot(URDF_VERSIONS[-1])


OTHER_ROOTS["robot"] = _definition
URDF = Format(
    "urdf",
    "URDF",
    (".urdf",),
    _recognise,
    _build,
    _build_included,
    _describe,
    _contents,
    Capabilities(edits_structure=True, renames=True, names_materials=True),
    _names_that_follow,
    _writing,
)
