"""Update the dependent files after a rename."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.diagnostics import Diagnostic, new_problems
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.document.text_rules import internal_error
from sdfviewer.faults import InternalError, faults_as_errors
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.formats.sdformat.params import find_include, included_model, read_changes
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.model.comparison.frames import FrameComparison
from sdfviewer.model.model import Model
from sdfviewer.refactoring.renaming.rename import rename, rename_references


@dataclass(frozen=True, slots=True)
class DependentEdit:
    """The edit by which a file follows a rename in a file that it includes.

    Attributes
    ----------
    document
        The file as it is now.
    edit
        Its references, renamed; without replacements where it names nothing that changes.
    faults
        What would be wrong in it that is not wrong now, even with the edit.
    """

    document: Document
    edit: Edit
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def has_failed(self) -> bool:
        """Whether the program failed: then nobody knows what the file includes."""
        return self.model is None and any(each.rule is internal_error for each in self.diagnostics)


class DependentFiles:
    """The files that include a file, read with one another's unsaved text.

    Parameters
    ----------
    model
        What the file means.
    others
        Files that may include it, at once or through others.
    finder
        Finds the files that are included.
    stopped
        Whether to give up: then files may be missing.
    concerns
        Whether a rename can concern a file, judged by its text: all others are not read.
    expander
        Evaluates xacro files; without one, none is.

    Attributes
    ----------
    documents
        Those that do include it, or whose text cannot be read.
    """

    def __init__(
        self,
        model: Model,
        others: Iterable[Document],
        finder: Finder,
        stopped: Callable[[], bool] = lambda: False,
        concerns: Callable[[Document], bool] = lambda document: True,
        *,
        expander: Expander | None = None,
    ) -> None:
        self._model = model
        self._file = _file(model.document)
        self._instead: dict[Path, Document] = {}
        self._loader = Loader(finder, self._instead, expander or Expander(), keeps_all=True)
        self._stopped = stopped
        possible = {other: other for other in others if _file(other) != self._file}
        self._stand_in(possible)
        readings = self._read({other: other for other in possible if concerns(other)}, model.document)
        self._readings = {
            other: reading
            for other, reading in readings.items()
            if other.root is None or reading.has_failed or self._includes(reading)
        }
        self.documents = tuple(self._readings)

    def _read(self, documents: Mapping[Document, Document], renamed: Document) -> dict[Document, _Reading]:
        """Return the models of later states of documents, with their text and the file's instead of the disk's."""
        self._stand_in((renamed, *documents.values()))
        return {
            key: _Reading(*self._loader.load_with_diagnostics(document))
            for key, document in documents.items()
            if not self._stopped()
        }

    def _stand_in(self, documents: Iterable[Document]) -> None:
        self._instead |= {file: document for document in documents if (file := _file(document)) is not None}

    def edits_for(self, row: int, name: str) -> list[DependentEdit]:
        """Return the updates of a rename for each dependent file that it affects.

        Raises
        ------
        RefactoringError
            If the name cannot be given in the file itself.
        """
        model = self._model
        old = model.local_names[row]
        renamed = model.document.edited(rename(model, row, name).replacements)
        self._stand_in((model.document, *self.documents))
        failed: dict[Document, str] = {}
        edits: dict[Document, Replacements] = dict.fromkeys(self.documents, ())
        for other in self.documents:
            with _noting_faults(other, failed):
                edits[other] = _rename_in_params(self._loader, other, model.elements[row], old, name)
        # With the new names in its included files, each file has the new names of its frames, in the same rows.
        for other, reading in self._read(_edited(edits), renamed).items():
            pair = _aligned(self._readings[other], reading)
            if pair is not None:
                before, after = pair
                names = enumerate(zip(before.local_names, after.local_names, strict=True))
                with _noting_faults(other, failed):
                    edits[other] += rename_references(before, {row: new for row, (old, new) in names if old != new})
        dependents = []
        for other, reading in self._read(_edited(edits), renamed).items():
            faults: tuple[str, ...] = ()
            with _noting_faults(other, failed):
                faults = _faults(other, self._readings[other], reading)
            if other in failed:
                dependents.append(DependentEdit(other, Edit(f"Rename {old} to {name}", other, ()), (failed[other],)))
            elif edits[other] or faults:
                edit = Edit(f"Rename {old} to {name}", other, edits[other], _new_names(self._readings[other], reading))
                dependents.append(DependentEdit(other, edit, faults))
        return dependents

    def _includes(self, reading: _Reading) -> bool:
        return reading.model is not None and self._file in _included_files(reading.model)


@contextmanager
def _noting_faults(document: Document, failed: dict[Document, str]) -> Iterator[None]:
    """Note that a file cannot follow where the program fails: the others still can."""
    try:
        with faults_as_errors(f"update {document.name}"):
            yield
    except InternalError as error:
        failed.setdefault(document, str(error))


def _file(document: Document) -> Path | None:
    return None if document.path is None else real_path(document.path)


def _included_files(model: Model) -> set[Path | None]:
    return set(map(_file, model.included_documents))


def _edited(edits: Mapping[Document, Replacements]) -> dict[Document, Document]:
    return {document: document.edited(edit) for document, edit in edits.items()}


def _aligned(before: _Reading, after: _Reading) -> tuple[Model, Model] | None:
    """Return both models where they have the same rows, however these are called."""
    if before.model is None or after.model is None or before.model.kinds != after.model.kinds:
        return None
    return before.model, after.model


def _new_names(before: _Reading, after: _Reading) -> tuple[tuple[str, str], ...]:
    pair = _aligned(before, after)
    return () if pair is None else tuple((a, b) for a, b in zip(pair[0].names, pair[1].names, strict=True) if a != b)


def _faults(document: Document, before: _Reading, after: _Reading) -> tuple[str, ...]:
    """Return the diagnostics of a document that an edit would add."""
    if before.has_failed:
        return tuple(each.message for each in before.diagnostics if each.rule is internal_error)
    if before.model is None:
        return ("it is not well-formed XML; fix that first",)
    new = new_problems(after.diagnostics, before.diagnostics, renames=True)
    if not new and not (after.model and FrameComparison(before.model, after.model, by_row=True).keeps_meaning):
        return ("its frames would move",)
    # Problems of a file between the two are reported there.
    return tuple(each.message for each in new if each.span is None or each.span.path == document.name)


def _rename_in_params(loader: Loader, document: Document, renamed: Element, old: str, name: str) -> Replacements:
    """Return the edit of a document whose includes change something that gets another name.

    Parameters
    ----------
    loader
        Opens what the document includes, with the old name in it.
    document
        The document.
    renamed
        The element, of another document, that is renamed.
    old, name
        Its names.
    """
    edits: Replacements = ()
    for include in document.root.descendants() if document.root is not None else ():
        changes = read_changes(include, document, None) if include.tag == "include" else []
        included = loader.open_included([document], include) if changes else None
        if included is None:
            continue
        for change in changes:
            path = change.path or ()
            steps = _walk(loader, [document, included], path)
            if renamed in steps:
                components = [name if step is renamed else each for step, each in zip(steps, path, strict=False)]
                new_path = "::".join((*components, *path[len(steps) :]))
                edits += set_attribute(document, change.element, "element_id", new_path)
            target = steps[-1] if steps else included_model(included)
            if target is not None and len(steps) == len(path):
                for element in _stand_ins(change.element, target, renamed):
                    if element.attributes.get("name") == old:
                        edits += set_attribute(document, element, "name", name)
    return edits


def _walk(loader: Loader, including: Sequence[Document], path: Sequence[str]) -> list[Element]:
    """Return the elements that names lead to, one by one from the last document's model on, as far as there are any."""

    def opened(_document: Document, include: Element) -> Document | None:
        return loader.open_included(including, include)

    steps: list[Element] = []
    element = included_model(including[-1])
    for number, name in enumerate(path):
        children = element.children if element is not None else ()
        found = next((child for child in children if child.attributes.get("name") == name), None)
        if (
            found is None
            and number == 0
            and (brought := find_include(including[-1], element, path, opened)) is not None
        ):
            include, named = brought
            inner = loader.open_included(including, include)
            further = _walk(loader, [*including, inner], path[named:]) if inner is not None else []
            return [include, *further] if named else further
        if found is None:
            break
        steps.append(found)
        element = found
    return steps


def _stand_ins(change: Element, target: Element, renamed: Element) -> Iterator[Element]:
    """Yield the elements, a change itself or in it, that say what becomes of the renamed one."""
    if change.attributes.get("action") == "add":  # then the target is what it is added to
        return
    if target is renamed:
        yield change
    for inner in change.children:
        name = inner.attributes.get("name")
        for child in target.findall(inner.tag):
            if name and child.attributes.get("name") == name:
                yield from _stand_ins(inner, child, renamed)
                break
