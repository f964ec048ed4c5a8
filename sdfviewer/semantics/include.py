"""Included models: which file, which model in it, and what the include changes about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.document.document import UnreadableFileError, open_document
from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.semantics.members import Origin
from sdfviewer.semantics.rules import files as rules
from sdfviewer.semantics.scope import Finding, Place, Scope
from sdfviewer.semantics.values import NEWEST, parse_bool, parse_version, read_pose

if TYPE_CHECKING:
    from sdfviewer.semantics.build import Builder


@dataclass(slots=True)
class Inclusion:
    """What an ``<include>`` brings: a scope and the name it is known by, or only findings."""

    name: str = ""
    scope: Scope | None = None
    findings: list[Finding] = field(default_factory=list)


class Library:
    """Opens the files that includes name, each once.

    Parameters
    ----------
    finder
        Finds files by URI.
    path
        The file being loaded, None for text without a file.
    """

    def __init__(self, finder: Finder, path: Path | None) -> None:
        self._finder = finder
        self._path = path
        self._open: list[Path] = [] if path is None else [path.resolve()]
        self._scopes: dict[Path, Scope | str] = {}

    def include(self, builder: Builder, element: Element, origin: Origin) -> Inclusion:
        """Return what an ``<include>`` element brings."""
        result = Inclusion()
        place = Place(origin.source, element)
        uri_element = element.find("uri")
        uri = uri_element.text.strip() if uri_element is not None else ""
        if uri_element is None or not uri:
            message = rules.include_without_uri.format()
            result.findings.append(Finding(rules.include_without_uri, place, message))
            return result
        place = Place(origin.source, uri_element, "text")
        including = self._path if origin.source is None else origin.source.path
        found = self._finder.find(uri, including)
        file, tried = found.path, list(found.tried)
        if file is not None and file.is_dir():
            found = self._finder.model_file(file)
            file, tried = found.path, [*tried, *found.tried]
        if file is None:
            result.findings.append(Finding(rules.uri_not_found, place, rules.uri_not_found.format(uri, tried)))
            return result
        file = file.resolve()
        if file in self._open:
            chain = [*self._open[self._open.index(file) :], file]
            result.findings.append(Finding(rules.include_recursion, place, rules.include_recursion.format(chain)))
            return result
        scope = self._read(builder, file)
        if isinstance(scope, str):
            message = rules.include_unreadable.format(uri, scope)
            result.findings.append(Finding(rules.include_unreadable, place, message))
            return result
        result.name = element.text_of("name") or scope.names[0]
        result.scope = self._placed(scope, element, origin)
        return result

    def _read(self, builder: Builder, file: Path) -> Scope | str:
        """Return the scope of the model in a file, or why there is none."""
        known = self._scopes.get(file)
        if known is not None:
            return known
        self._open.append(file)
        try:
            answer = self._read_new(builder, file)
        finally:
            self._open.pop()
        self._scopes[file] = answer
        return answer

    def _read_new(self, builder: Builder, file: Path) -> Scope | str:
        try:
            document = open_document(file)
        except UnreadableFileError as error:
            return str(error)
        if document.root is None:
            return document.diagnostics[0].message
        model = document.root.find("model")
        if document.root.tag != "sdf" or model is None:
            return f"{file.name} holds no model"
        version = parse_version(document.root.attributes.get("version", "")) or NEWEST
        return builder.build_model(model, Origin(document, version))

    def _placed(self, scope: Scope, element: Element, origin: Origin) -> Scope:
        """Return a copy of an included model's scope with what the ``<include>`` overrides."""
        from sdfviewer.semantics.build import place_by_frame, set_static  # noqa: PLC0415  # the builder includes us

        copy = replace(
            scope,
            elements=[element, *scope.elements[1:]],
            sources=[origin.source, *scope.sources[1:]],
            raw_poses=list(scope.raw_poses),
            exact_poses=dict(scope.exact_poses),
            placement_frames=dict(scope.placement_frames),
            relative_to_written=list(scope.relative_to_written),
            attached_to=list(scope.attached_to),
            findings=[
                replace(finding, related=(*finding.related, ("included from here", Place(origin.source, element))))
                for finding in scope.findings
            ],
        )
        if element.find("pose") is not None:
            pose = read_pose(element, origin.version)
            copy.raw_poses[0] = pose.raw
            copy.relative_to_written[0] = pose.relative_to
            copy.exact_poses.pop(0, None)
            if pose.exact is not None:
                copy.exact_poses[0] = pose.exact
            placement_frame = element.find("placement_frame")
            if placement_frame is not None:
                copy.placement_frame = placement_frame.text.strip() or None
                place_by_frame(copy, Place(origin.source, placement_frame, "text"))
        static = element.find("static")
        if static is not None:
            set_static(copy, parse_bool(static.text))
        return copy
