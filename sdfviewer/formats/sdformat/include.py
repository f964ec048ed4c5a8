"""Included models: resolve the file, select the model, apply the changes of the include."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from sdfviewer.diagnostics import Message, Rule, Severity, message_of
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.document.element import Element
from sdfviewer.faults import FOREIGN_ERRORS, describe_error
from sdfviewer.files.finder import Finder, shown_from
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import Stamp, real_path, stamp_of
from sdfviewer.files.uris import relative_uri
from sdfviewer.formats.sdformat.params import ParameterChange, apply_params, read_changes
from sdfviewer.formats.sdformat.settings import place_by_frame, set_static
from sdfviewer.model.findings import ElementPart, Finding, Findings, Source
from sdfviewer.model.kinds import Kind
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.model.values import parse_bool, parse_optional_bool, read_pose
from sdfviewer.validation import file_rules as rules
from sdfviewer.validation import frame_rules
from sdfviewer.versions import NEWEST

if TYPE_CHECKING:  # imported where an include is not SDFormat, which few are
    from sdfviewer.formats.interface import ModelParser, NestedInclude


class Including(Protocol):
    """Builds the model or world that contains an include.

    Attributes
    ----------
    path
        The names of the models that are being built, from the top model of the file down.
    included_as
        The name that an include gives the model that is built next, empty where it gives none.
    """

    path: list[str]
    included_as: str


#: Builds what an included file brings, for whoever includes it; the last argument is what the include says in place of
#: ``<static>``.
BuildIncluded: TypeAlias = Callable[[Any, Document, "bool | None"], "Scope | Finding | None"]

#: Files that are XML, so that what is wrong with them is of interest rather than who could read them.
_XML_SUFFIXES = frozenset({".sdf", ".world", ".urdf", ".xml", ".xacro", ".mjcf"})
#: Includes of includes go no deeper than this.
MAX_INCLUDE_DEPTH = 50
#: What it takes to read and build a file once more, in rows; see :attr:`Scope.composed`.
_COST_OF_A_BUILD = 100


@dataclass(slots=True)
class Inclusion:
    """The scope that an ``<include>`` adds.

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


class DocumentCache:
    """Included documents, read again only when their file has changed.

    Parameters
    ----------
    instead
        Documents that are used instead of their files, by the resolved path of the file.
    """

    def __init__(self, instead: Mapping[Path, Document]) -> None:
        self._instead = instead
        self._documents: dict[Path, tuple[Stamp | None, Document]] = {}

    def with_instead(self, path: Path, document: Document) -> DocumentCache:
        """Return a cache that shares what is read here, with another document in the place of one file's."""
        cache = DocumentCache({**self._instead, real_path(path): document})
        cache._documents = self._documents
        return cache

    def stands_in(self, path: Path) -> bool:
        """Return whether there is a document for a file, which need not be on the disk yet."""
        try:
            return bool(self._instead) and real_path(path) in self._instead
        except (OSError, ValueError):  # a NUL in its name
            return False

    def unsaved(self, path: Path) -> Document | None:
        """Return the document that is used instead of a file, None where the file is read."""
        return self._instead[real_path(path)] if self.stands_in(path) else None

    def open(self, path: Path) -> Document:
        """Return the document of a file.

        Raises
        ------
        UnreadableFileError
            If it cannot be read.
        """
        if path in self._instead:
            return self._instead[path]
        stamp, known = stamp_of(path), self._documents.get(path)
        if known is None or stamp is None or known[0] != stamp:
            known = self._documents[path] = stamp, open_document(path)
        return known[1]


class IncludeResolver:
    """Opens the files that includes name for one load.

    Parameters
    ----------
    finder
        Finds files by URI.
    cache
        Keeps documents from load to load.
    build_included
        Builds the scope of an included file of any format; a finding or None if the file has none.
    document
        The file being loaded.
    including
        Files that lead to it, where it is loaded as if they included it: files are looked for beside them too.
    parsers
        Read included files that are not SDFormat, asked before those of installed packages, the last one first.
    """

    def __init__(
        self,
        finder: Finder,
        cache: DocumentCache,
        build_included: BuildIncluded,
        document: Document,
        including: Sequence[Document] = (),
        parsers: Sequence[ModelParser] = (),
    ) -> None:
        self._build_included = build_included
        self._finder = finder
        self._document_cache = cache
        self._document = document
        self._parsers = parsers
        self._asked = 0  # how often a parser was asked: each include is a question of its own
        self._including = including
        self._scopes: dict[tuple[Path, bool | None], Scope | Finding] = {}
        self._changes: dict[int, list[ParameterChange]] = {}
        self._changed = 0  # how many of the open files are changed by params: what is in them is not kept

    @cached_property
    def _open(self) -> list[Path]:
        """The files that are being read, each included by the one before; most files include none."""
        return [real_path(each.path) for each in (*self._including, self._document) if each.path is not None]

    def include(self, builder: Including, element: Element, origin: Origin, is_world: bool) -> Inclusion:
        """Return the scope that an ``<include>`` adds to a model or a world."""
        uri_element = element.find("uri")
        uri = uri_element.text.strip() if uri_element is not None else ""
        name = element.text_of("name")
        result = Inclusion(element.included_name)
        result.is_merged = parse_bool(element.attributes.get("merge", ""))
        if uri_element is None or not uri:
            result.findings.append(_finding(rules.include_without_uri, origin.source, element))
            return result
        location = ElementPart(origin.source, uri_element, "text")
        faults: list[Finding] = []
        found = self._find(uri, origin, faults)
        result.findings += [replace(fault, location=location) for fault in faults]
        if isinstance(found, Finding):
            result.findings.append(replace(found, location=location))
            return result
        static = element.find("static")
        override = None if static is None else parse_optional_bool(static.text)
        answer = None
        if found.suffix.lower() not in (".sdf", ".world"):
            from sdfviewer.formats.interface import NestedInclude  # noqa: PLC0415

            request = NestedInclude(
                uri, found, result.name, element, override, result.is_merged, "::".join([*builder.path, result.name])
            )
            answer = self._ask_parsers(request, origin, result.findings)
        if answer is None:
            builder.included_as = name
            answer = self._read(builder, found, override, element, origin, uri)
            builder.included_as = ""
        if isinstance(answer, Finding):
            result.findings.append(replace(answer, location=location))
            return result
        result.name = name or answer.names[0]
        result.scope = self._placed(answer, element, origin, override, result.findings)
        if result.is_merged:
            self._check_merge(result, location, is_world)
        return result

    def look_up(self, element: Element, origin: Origin) -> list[Finding]:
        """Return the fault of an ``<include>`` in a place where it is ignored."""
        uri_element = element.find("uri")
        uri = uri_element.text.strip() if uri_element is not None else ""
        if uri_element is None or not uri:
            return [_finding(rules.include_without_uri, origin.source, element)]
        found = self._find(uri, origin, [])
        return (
            [replace(found, location=ElementPart(origin.source, uri_element, "text"))]
            if isinstance(found, Finding)
            else []
        )

    @property
    def finder(self) -> Finder:
        """Finds files by URI."""
        return self._finder

    def read(self, path: Path) -> Document:
        """Return the document of a file, the unsaved one where there is one.

        Raises
        ------
        UnreadableFileError
            If it cannot be read.
        """
        return self._document_cache.open(real_path(path))

    def unsaved(self, path: Path) -> Document | None:
        """Return the unsaved document of a file, None where there is none."""
        return self._document_cache.unsaved(path)

    # --- files -------------------------------------------------------------------------------------------------

    def open(self, include: Element, through: Sequence[Document]) -> Document | None:
        """Return the document that an ``<include>`` names, None if there is none.

        Parameters
        ----------
        include
            An element of the last of ``through``, or else of the file being loaded.
        through
            The files that lead from the one being loaded to it, each included by the one before.
        """
        self._open += [real_path(document.path) for document in through if document.path is not None]
        return self._open_inside(through[-1] if through else self._document, include)

    def _open_inside(self, document: Document, include: Element) -> Document | None:
        """Return the document that an ``<include>`` of an included document names, None if there is none."""
        found = self._find(include.text_of("uri"), Origin(document, NEWEST), [])
        try:
            return None if isinstance(found, Finding) else self._document_cache.open(found)
        except UnreadableFileError:
            return None  # loading it says so

    def _find(self, uri: str, origin: Origin, faults: list[Finding]) -> Path | Finding:
        """Return the file that a URI names, searched beside the including file and the files that include that one.

        ``faults`` takes what is wrong with the folder of the model all the same.
        """
        including = self._document.path if origin.source is None else origin.source.path
        tried: list[object] = []
        file: Path | None = None
        problem = ""
        folders = dict.fromkeys((including, *reversed(self._open)))
        for beside in folders:
            found = self._finder.find(uri, beside)
            tried += [path for path in found.tried if path not in tried]
            problem = problem or found.problem
            file = found.path or next((path for path in found.tried if self._document_cache.stands_in(path)), None)
            if file is not None:
                break
        if found.working_directory is not None and file is not None:
            faults += self._found_in_working_directory(uri, file, including, folders)
        if file is not None and file.is_dir():
            found = self._finder.model_file(file)
            tried += found.tried
            problem, file = found.problem, found.path
        location = ElementPart(None, self._document.root or _NOWHERE)
        if found.lacks_version:
            message = rules.config_without_version.format(found.config)
            faults.append(Finding(rules.config_without_version, location, message))
        if file is None and found.config is not None and not problem:
            message = rules.model_file_missing.format(uri, found.config, found.tried[-1])
            return Finding(rules.model_file_missing, location, message)
        if file is None:
            folder = None if including is None else self._finder.folder_to_add(uri, including)
            near = "" if folder is None or including is None else shown_from(folder, including.absolute().parent)
            message = rules.uri_not_found.format(uri, problem, near)
            found_in = "" if folder is None else str(folder)
            places = tuple(map(str, tried))
            return Finding(
                rules.uri_not_found,
                location,
                message,
                tried=places,
                found_in=found_in,
                missing_uri=uri,
                is_remote=found.is_remote,
            )
        file = real_path(file)
        if file in self._open:
            chain = [*self._open[self._open.index(file) :], file]
            return Finding(rules.include_recursion, location, rules.include_recursion.format(chain))
        if len(self._open) > MAX_INCLUDE_DEPTH:
            return Finding(rules.include_recursion, location, rules.include_recursion.format(self._open))
        return file

    def _found_in_working_directory(
        self, uri: str, file: Path, including: Path | None, besides: Iterable[Path | None]
    ) -> Iterator[Finding]:
        """Yield the finding of a file that nothing but the working directory leads to."""
        answers = [self._finder.find(uri, beside) for beside in besides]
        if any(each.path == file and each.working_directory is None for each in answers):
            return
        rule, location = rules.found_in_working_directory, ElementPart(None, self._document.root or _NOWHERE)
        better = file.as_posix() if including is None else relative_uri(file, including.absolute().parent)
        message = rule.format(uri, answers[0].working_directory, including is not None)
        yield Finding(rule, location, message, meant=(better,))

    def _ask_parsers(self, request: NestedInclude, origin: Origin, findings: list[Finding]) -> Scope | Finding | None:
        """Return the scope that a parser builds of a file that is not SDFormat, None where no parser reads it."""
        from sdfviewer.formats.interface import (  # noqa: PLC0415
            load_parsers,
            name_of_parser,
            to_scope,
        )

        self._asked += 1
        location = ElementPart(origin.source, request.element)
        rule = rules.plugin_failed
        for parser in self._all_parsers():
            try:
                model = parser(request)
                if model is not None:
                    return to_scope(model, request.element, origin)
            except FOREIGN_ERRORS as error:
                message = rule.format(name_of_parser(parser), f"fails: {describe_error(error)}")
                return Finding(rule, location, message, severity=Severity.ERROR)
        for failure in load_parsers().failures:
            findings.append(Finding(rule, location, rule.format(failure)))
        return None

    def _all_parsers(self) -> Sequence[ModelParser]:
        """Return all parsers: those that were passed first; otherwise the last registered one first."""
        from sdfviewer.formats.interface import load_parsers  # noqa: PLC0415

        return (*reversed(self._parsers), *load_parsers().parsers)

    def _read(
        self, builder: Including, file: Path, static: bool | None, element: Element, origin: Origin, uri: str
    ) -> Scope | Finding:
        """Return the scope of the model in a file, or why there is none."""
        including = self._document if origin.source is None else origin.source
        changes = read_changes(element, including, origin.source) + self._changes.pop(id(element), [])
        key = (file, static)
        known = None if changes else self._scopes.get(key)
        if known is not None:
            return known
        self._open.append(file)
        asked = self._asked
        try:
            answer = self._read_new(builder, file, static, changes, uri)
        finally:
            self._open.pop()
        if not changes and not self._changed and self._asked == asked:
            self._scopes[key] = answer
        return answer

    def _read_new(
        self, builder: Including, file: Path, static: bool | None, changes: list[ParameterChange], uri: str
    ) -> Scope | Finding:
        location = ElementPart(None, self._document.root or _NOWHERE)
        try:
            document = self._document_cache.open(file)
        except UnreadableFileError as error:
            return Finding(rules.include_unreadable, location, rules.include_unreadable.format(uri, message_of(error)))
        faults: list[Finding] = []
        is_changed = bool(changes) and document.root is not None
        if is_changed:
            document, faults, further = apply_params(document, changes, self._open_inside)
            self._changes.update(further)
            self._changed += 1
        root = document.root
        if root is None:
            why = document.diagnostics[0].message if document.diagnostics else "it is not well-formed"
            if file.suffix.lower() not in _XML_SUFFIXES:
                from sdfviewer.formats.interface import name_of_parser  # noqa: PLC0415

                names = ", ".join(map(name_of_parser, self._all_parsers()))
                asked = f"no registered parser accepted it (tried: {names})"
                why = asked if names else "it is not XML, and no parser is registered for this file type"
            return Finding(rules.include_unreadable, location, rules.include_unreadable.format(uri, why))
        scope = self._build_included(builder, document, static)
        if is_changed:
            self._changed -= 1
        if isinstance(scope, Finding):
            return scope
        if scope is None:
            if root.tag == "sdf":
                return Finding(rules.include_without_root, location, rules.include_without_root.format(uri))
            why = f"its first element is <{root.tag}>"
            return Finding(rules.include_unreadable, location, rules.include_unreadable.format(uri, why))
        scope.findings += faults
        if is_changed:  # it was built for this include alone
            scope.composed += len(scope) + _COST_OF_A_BUILD
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
            included_models=(
                {0: ElementPart(scope.sources[0], scope.elements[0]), **scope.included_models}
                if is_model
                else scope.included_models
            ),
            relative_to_written=list(scope.relative_to_written),
            attached_to=scope.attached_to[:],
            findings=_from_here(scope.findings, ElementPart(origin.source, element)),
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
            location = ElementPart(origin.source, element)
            if placement_frame is not None and is_model:
                copy.placement_frame = placement_frame.value or None
                location = ElementPart(origin.source, placement_frame, "text")
            inside, copy.findings = copy.findings, Findings()
            place_by_frame(copy, location)
            findings += copy.findings
            copy.findings = inside
        elif placement_frame is not None and is_model:
            rule = frame_rules.placement_frame_without_pose
            findings.append(_finding(rule, origin.source, placement_frame))
        if static and is_model:
            set_static(copy)
        return copy

    @staticmethod
    def _check_merge(result: Inclusion, location: ElementPart, is_world: bool) -> None:
        """Report what cannot be merged: anything but a model, and links in a world."""
        scope = result.scope
        assert scope is not None
        if scope.kinds[0] is not Kind.MODEL:
            what = f"a <{scope.kinds[0]}>"
        elif is_world and any(
            kind is Kind.LINK and owner == 0 for kind, owner in zip(scope.kinds, scope.owners, strict=True)
        ):
            what = Message("links into a world", "put them into a model that is nested in the merged one")
        else:
            return
        result.findings.append(Finding(rules.merge_unsupported, location, rules.merge_unsupported.format(what)))
        if scope.kinds[0] is Kind.MODEL:
            result.is_merged = False


def check_root_pose(model: Element, origin: Origin) -> Iterable[Finding]:
    """Yield a finding if the pose of a file's top model is relative to a frame: there is no scope around it."""
    pose = model.find("pose")
    written = read_pose(model, origin.version).relative_to
    if pose is not None and written:
        part = "@relative_to" if "relative_to" in pose.attributes else "@frame"
        rule = frame_rules.root_pose_relative
        yield Finding(rule, ElementPart(origin.source, pose, part), rule.format(written))


def _finding(rule: Rule, source: Source, element: Element) -> Finding:
    return Finding(rule, ElementPart(source, element), rule.format())


def _from_here(findings: Iterable[Finding], location: ElementPart) -> Findings:
    """Return findings of an included file with the include among their places.

    Of interest outside are errors, and names that find nothing, which mean the same wherever a model is.
    """
    return Findings(
        replace(finding, related=(*finding.related, ("included from here", location)))
        for finding in findings
        if finding.reference or (finding.severity or finding.rule.severity) is Severity.ERROR
    )


_NOWHERE = Element("sdf", None, "", (), (), 0, 0, 0)
