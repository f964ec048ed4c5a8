"""Included models: which file, which model in it, and what the include changes about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import Rule, Severity
from sdfviewer.document.document import Document, UnreadableFileError, open_document
from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.semantics.interface import ModelParser, NestedInclude, load_parsers, to_scope
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.members import Origin, add_posed
from sdfviewer.semantics.params import Change, apply_params, read_changes
from sdfviewer.semantics.placement import place_by_frame, set_static
from sdfviewer.semantics.rules import files as rules
from sdfviewer.semantics.rules import relative_to as relative_to_rules
from sdfviewer.semantics.scope import Finding, Place, Scope, Source
from sdfviewer.semantics.values import NEWEST, parse_bool, read_pose

if TYPE_CHECKING:
    from sdfviewer.semantics.build import Builder

#: Includes of includes go no deeper than this.
MAX_INCLUDE_DEPTH = 50


@dataclass(slots=True)
class Inclusion:
    """What an ``<include>`` brings.

    Attributes
    ----------
    name
        The name that it is known by; a guess where nothing could be included.
    scope
        The model, or the light or actor as a scope of one row; None where nothing could be included.
    is_merged
        Whether the members of the model become members of the scope around.
    findings
        What is wrong with the include itself.
    """

    name: str = ""
    scope: Scope | None = None
    is_merged: bool = False
    findings: list[Finding] = field(default_factory=list)


class Shelf:
    """Included documents, read again only when their file has changed.

    Parameters
    ----------
    instead
        Documents, by the resolved path of their file, that are taken instead of what lies on the disk.
    """

    def __init__(self, instead: Mapping[Path, Document]) -> None:
        self._instead = instead
        self._documents: dict[Path, tuple[tuple[int, int], Document]] = {}

    def open(self, path: Path) -> Document:
        """Return the document of a file.

        Raises
        ------
        UnreadableFileError
            If it cannot be read.
        """
        if path in self._instead:
            return self._instead[path]
        try:
            state = path.stat()
        except OSError as error:
            raise UnreadableFileError(f"cannot read {path}: {error.strerror or error}") from error
        signature = state.st_mtime_ns, state.st_size
        known = self._documents.get(path)
        if known is None or known[0] != signature:
            known = self._documents[path] = signature, open_document(path)
        return known[1]


class Library:
    """Opens the files that includes name for one load.

    Parameters
    ----------
    finder
        Finds files by URI.
    shelf
        Keeps documents from load to load.
    document
        The file being loaded.
    including
        Files that lead to it, where it is loaded as if they included it: files are looked for beside them too.
    """

    def __init__(self, finder: Finder, shelf: Shelf, document: Document, including: Sequence[Document] = ()) -> None:
        self._finder = finder
        self._shelf = shelf
        self._document = document
        self._parsers: tuple[ModelParser, ...] | None = None
        self._open: list[Path] = [each.path.resolve() for each in (*including, document) if each.path is not None]
        self._scopes: dict[tuple[Path, bool | None], Scope | Finding] = {}
        self._changes: dict[int, list[Change]] = {}
        self._changed = 0  # how many of the open files are changed by params: what is in them is not kept

    def include(self, builder: Builder, element: Element, origin: Origin, is_world: bool) -> Inclusion:
        """Return what an ``<include>`` element brings into a model or a world."""
        uri_element = element.find("uri")
        uri = uri_element.text.strip() if uri_element is not None else ""
        name = element.text_of("name")
        result = Inclusion(name or uri.rstrip("/").rpartition("/")[2].removesuffix(".sdf"))
        result.is_merged = parse_bool(element.attributes.get("merge", ""))
        if uri_element is None or not uri:
            result.findings.append(_finding(rules.include_without_uri, origin.source, element))
            return result
        place = Place(origin.source, uri_element, "text")
        found = self._find(uri, origin)
        if isinstance(found, Finding):
            result.findings.append(replace(found, place=place))
            return result
        static = element.find("static")
        override = None if static is None else parse_bool(static.text)
        answer = self._parse_elsewhere(found, uri, element, origin, result)
        if answer is None:
            answer = self._read(builder, found, override, element, origin, uri)
        if isinstance(answer, Finding):
            result.findings.append(replace(answer, place=place))
            return result
        result.name = name or answer.names[0]
        result.scope = self._placed(answer, element, origin, override, result.findings)
        if result.is_merged:
            self._check_merge(result, place, is_world)
        return result

    def look_up(self, element: Element, origin: Origin) -> list[Finding]:
        """Return what keeps an ``<include>`` from being found, of one that stands where it brings nothing."""
        uri_element = element.find("uri")
        uri = uri_element.text.strip() if uri_element is not None else ""
        if uri_element is None or not uri:
            return [_finding(rules.include_without_uri, origin.source, element)]
        found = self._find(uri, origin)
        return [replace(found, place=Place(origin.source, uri_element, "text"))] if isinstance(found, Finding) else []

    # --- files -------------------------------------------------------------------------------------------------

    def open(self, include: Element, through: Sequence[Document]) -> Document | None:
        """Return the document that an ``<include>`` leads to, None where there is none.

        Parameters
        ----------
        include
            An element of the last of ``through``, or else of the file being loaded.
        through
            The files that lead from the one being loaded to it, each included by the one before.
        """
        self._open += [document.path.resolve() for document in through if document.path is not None]
        found = self._find(include.text_of("uri"), Origin(through[-1] if through else None, NEWEST))
        if isinstance(found, Finding):
            return None
        try:
            return self._shelf.open(found)
        except UnreadableFileError:
            return None  # loading the file says so

    def _find(self, uri: str, origin: Origin) -> Path | Finding:
        """Return the file that a URI leads to, beside the including file or any file that led to it."""
        including = self._document.path if origin.source is None else origin.source.path
        tried: list[object] = []
        file: Path | None = None
        problem = ""
        for beside in dict.fromkeys((including, *reversed(self._open))):
            found = self._finder.find(uri, beside)
            tried += [path for path in found.tried if path not in tried]
            problem = problem or found.problem
            if found.path is not None:
                file = found.path
                break
        if file is not None and file.is_dir():
            found = self._finder.model_file(file)
            tried += found.tried
            problem, file = found.problem, found.path
        place = Place(None, self._document.root or _NOWHERE)
        if file is None:
            message = rules.uri_not_found.format(uri, tried, problem)
            return Finding(rules.uri_not_found, place, message)
        file = file.resolve()
        if file in self._open:
            chain = [*self._open[self._open.index(file) :], file]
            return Finding(rules.include_recursion, place, rules.include_recursion.format(chain))
        if len(self._open) > MAX_INCLUDE_DEPTH:
            return Finding(rules.include_recursion, place, rules.include_recursion.format(self._open))
        return file

    def _parse_elsewhere(
        self, file: Path, uri: str, element: Element, origin: Origin, result: Inclusion
    ) -> Scope | Finding | None:
        """Return what a registered parser makes of a file that is not SDFormat, None where none wants it."""
        if file.suffix.lower() in (".sdf", ".world"):
            return None
        if self._parsers is None:
            self._parsers = load_parsers()
        for parse in self._parsers:
            static = element.find("static")
            request = NestedInclude(
                uri, file, result.name, element, None if static is None else parse_bool(static.text), result.is_merged
            )
            try:
                model = parse(request)
            except Exception as error:  # foreign code: whatever it raises is the file's diagnostic
                message = rules.include_unreadable.format(uri, f"{type(error).__name__}: {error}")
                return Finding(rules.include_unreadable, Place(origin.source, element), message)
            if model is not None:
                return to_scope(model, element, origin)
        return None

    def _read(
        self, builder: Builder, file: Path, static: bool | None, element: Element, origin: Origin, uri: str
    ) -> Scope | Finding:
        """Return the scope of the model in a file, or why there is none."""
        including = self._document if origin.source is None else origin.source
        changes = read_changes(element, including, origin.source) + self._changes.pop(id(element), [])
        key = (file, static)
        known = None if changes else self._scopes.get(key)
        if known is not None:
            return known
        self._open.append(file)
        try:
            answer = self._read_new(builder, file, static, changes, uri)
        finally:
            self._open.pop()
        if not changes and not self._changed:
            self._scopes[key] = answer
        return answer

    def _read_new(
        self, builder: Builder, file: Path, static: bool | None, changes: list[Change], uri: str
    ) -> Scope | Finding:
        place = Place(None, self._document.root or _NOWHERE)
        try:
            document = self._shelf.open(file)
        except UnreadableFileError as error:
            return Finding(rules.include_unreadable, place, rules.include_unreadable.format(uri, str(error)))
        faults: list[Finding] = []
        is_changed = bool(changes) and document.root is not None
        if is_changed:
            document, faults, further = apply_params(document, changes)
            self._changes.update(further)
            self._changed += 1
        root = document.root
        if root is None:
            why = document.diagnostics[0].message if document.diagnostics else "it is not well-formed"
            return Finding(rules.include_unreadable, place, rules.include_unreadable.format(uri, why))
        scope = self._build(builder, document, root, static)
        if is_changed:
            self._changed -= 1
        if scope is None:
            if root.tag == "sdf":
                return Finding(rules.include_without_root, place, rules.include_without_root.format(uri))
            why = f"its first element is <{root.tag}>"
            return Finding(rules.include_unreadable, place, rules.include_unreadable.format(uri, why))
        scope.findings += faults
        return scope

    def _build(self, builder: Builder, document: Document, root: Element, static: bool | None) -> Scope | None:
        """Return the scope of the first model, else actor, else light of an included file."""
        from sdfviewer.semantics.roots import build_other_root, read_version  # noqa: PLC0415  # roots build on us

        if root.tag == "robot":
            scope = build_other_root(document, root, Origin(document, NEWEST))
            if scope is not None and static:
                set_static(scope)
            return scope
        if root.tag != "sdf":
            return None
        findings: list[Finding] = []
        version = read_version(root, document, findings)
        origin = Origin(document, version)
        tops = [child for tag in ("model", "actor", "light") for child in root.findall(tag)]
        if not tops:
            return None
        top = tops[0]
        for other in tops[1:]:
            rule = rules.include_several_roots
            findings.append(Finding(rule, Place(document, other), rule.format(other.tag, top.tag)))
        if top.tag == "model":
            findings += check_root_pose(top, origin)
            scope = builder.build_model(top, origin, static)
        else:
            scope = Scope()
            add_posed(scope, origin, Kind(top.tag), top.word("name"), top, -1)
        scope.findings += findings
        return scope

    # --- what the include says ---------------------------------------------------------------------------------

    def _placed(
        self, scope: Scope, element: Element, origin: Origin, static: bool | None, findings: list[Finding]
    ) -> Scope:
        """Return a copy of an included model's scope with what the ``<include>`` overrides."""
        is_model = scope.kinds[0] is Kind.MODEL
        copy = replace(
            scope,
            elements=[element, *scope.elements[1:]] if is_model else scope.elements,
            sources=[origin.source, *scope.sources[1:]] if is_model else scope.sources,
            raw_poses=list(scope.raw_poses),
            exact_poses=dict(scope.exact_poses),
            placement_frames=dict(scope.placement_frames),
            relative_to_written=list(scope.relative_to_written),
            attached_to=list(scope.attached_to),
            findings=_from_here(scope.findings, Place(origin.source, element)),
        )
        placement_frame = element.find("placement_frame")
        if element.find("pose") is not None:
            pose = read_pose(element, origin.version)
            copy.raw_poses[0] = pose.raw
            copy.relative_to_written[0] = pose.relative_to
            copy.exact_poses.pop(0, None)
            copy.placement_frames.pop(0, None)
            if pose.exact is not None:
                copy.exact_poses[0] = pose.exact
            place = Place(origin.source, element)
            if placement_frame is not None and is_model:
                copy.placement_frame = placement_frame.text.strip() or None
                place = Place(origin.source, placement_frame, "text")
            before = len(copy.findings)
            place_by_frame(copy, place)
            findings += copy.findings[before:]
            del copy.findings[before:]
        elif placement_frame is not None and is_model:
            rule = relative_to_rules.placement_frame_without_pose
            findings.append(_finding(rule, origin.source, placement_frame))
        if static and is_model:
            set_static(copy)
        return copy

    @staticmethod
    def _check_merge(result: Inclusion, place: Place, is_world: bool) -> None:
        """Report what cannot be merged: anything but a model, and links in a world."""
        scope = result.scope
        assert scope is not None
        if scope.kinds[0] is not Kind.MODEL:
            what = f"a <{scope.kinds[0]}>"
        elif is_world and any(
            kind is Kind.LINK and owner == 0 for kind, owner in zip(scope.kinds, scope.owners, strict=True)
        ):
            what = "links into a world; put them into a model that is nested in the merged one"
        else:
            return
        result.findings.append(Finding(rules.merge_unsupported, place, rules.merge_unsupported.format(what)))
        if scope.kinds[0] is Kind.MODEL:
            result.is_merged = False


def check_root_pose(model: Element, origin: Origin) -> Iterable[Finding]:
    """Yield a finding if the pose of a file's top model is relative to a frame: there is none around it."""
    pose = model.find("pose")
    written = read_pose(model, origin.version).relative_to
    if pose is not None and written:
        part = "@relative_to" if "relative_to" in pose.attributes else "@frame"
        rule = relative_to_rules.root_pose_relative
        yield Finding(rule, Place(origin.source, pose, part), rule.format(written))


def _finding(rule: Rule, source: Source, element: Element) -> Finding:
    return Finding(rule, Place(source, element), rule.format())


def _from_here(findings: Iterable[Finding], place: Place) -> list[Finding]:
    """Return findings of an included file with the include among their places; only errors are of interest outside."""
    return [
        replace(finding, related=(*finding.related, ("included from here", place)))
        for finding in findings
        if (finding.severity or finding.rule.severity) is Severity.ERROR
    ]


_NOWHERE = Element("sdf", None, "", (), (), 0, 0, 0)
