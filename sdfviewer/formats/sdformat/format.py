"""SDFormat as an entry of the registry."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document
from sdfviewer.formats.format import Capabilities, Format, root_of
from sdfviewer.formats.sdformat.roots import build_included, build_root
from sdfviewer.model.findings import Finding
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Scope
from sdfviewer.versions import Version, format_version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder
    from sdfviewer.model.contents_reader import ContentsReader


def _recognise(document: Document) -> bool:
    return root_of(document).tag in ("sdf", "gazebo")


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    return build_root(builder, root_of(document), findings)


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
    build_included,
    _describe,
    _contents,
    Capabilities(is_self_contained=True, edits_structure=True, renames=True, names_frames=True, has_versions=True),
)
