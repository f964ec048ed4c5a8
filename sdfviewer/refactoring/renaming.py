"""Rename an element and every reference to it, also in the files that include it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, compress, repeat
from pathlib import Path

from sdfviewer.diagnostics import Diagnostic, Replacement, new_problems
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.document.text_rules import internal_error
from sdfviewer.faults import InternalError, faults_as_errors
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.formats.sdformat.params import find_include, included_model, read_changes
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.model.comparison.frames import FrameComparison
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.references import find_mentions, find_references, set_name
from sdfviewer.refactoring.editable import RefactoringError, require_renamable


@dataclass(frozen=True, slots=True)
class Renaming:
    """A rename that was made in one file.

    Attributes
    ----------
    model
        What the file meant before it.
    row, name
        What was renamed, and its new name.
    renamed
        Its new scoped name.
    """

    model: Model
    row: int
    name: str
    renamed: str

    @property
    def old(self) -> str:
        """The name before."""
        return self.model.local_names[self.row]

    @property
    def title(self) -> str:
        """What is renamed, among others of that name, and its new name."""
        return f"{self.model.distinct_name(self.row)} to {self.name}"


def rename(model: Model, row: int, name: str, *, in_plugins: bool = False) -> Edit:
    """Return the edit that renames a row with every reference to it.

    Parameters
    ----------
    row
        What is renamed.
    name
        Its new name.
    in_plugins
        Whether parameters of plugins that say the name, and may mean something else, follow too.

    Raises
    ------
    RefactoringError
        If the name is empty, reserved, holds ``::`` or is taken by a sibling, or if the old one is not written here.
    """
    require_renamable(model, row)
    document, element = model.document, model.elements[row]
    is_world = model.kinds[row] is Kind.WORLD  # which every reference calls "world", however it is named
    old = model.name if is_world else model.local_names[row]
    label = f"Rename {old if is_world else model.distinct_name(row)} to {name}"
    if name == old:
        return Edit(label, model.document, ())
    if why := why_invalid_name(name):
        raise RefactoringError(f"the name '{name}' {why}")
    scoped = model.names[row]
    new_scoped = scoped if is_world else scoped[: len(scoped) - len(old)] + name
    if row != 0 and new_scoped in model.rows_by_name:
        raise RefactoringError(f"a sibling is already called '{name}'")
    written = element.attributes.get("name", "")
    if "::" in written and written != old:
        raise RefactoringError(f"'{written}' was flattened by an older tool; rename it in the text")
    if written != old and model.kinds[row] in SHAPED:
        raise RefactoringError(f"'{old}' takes its name from its link; rename the link")
    if element.tag == "include" and model.kinds[row] is Kind.FRAME:
        raise RefactoringError(f"'{old}' takes its name from the merged model; rename that model")
    edits = set_name(document, element, name)
    if is_world:
        for state in element.findall("state"):
            if state.attributes.get("world_name") == old:
                edits += set_attribute(document, state, "world_name", name)
        return Edit(label, model.document, edits)
    known = format_of(document)
    follow = {} if known is None else known.names_that_follow(model, row, name)
    edits += rename_references(model, {row: name, **follow})
    edits += _rename_mentions(model, row, name) if in_plugins else ()
    prefix = scoped + "::"
    moved = [(scoped, new_scoped)]
    is_inside = [*map(str.startswith, model.names, repeat(prefix))]
    for each in sorted({*follow, *compress(range(len(model)), is_inside)}):
        other = model.names[each]
        now = other[: len(other) - len(model.local_names[each])] + follow[each] if each in follow else other
        if other.startswith(prefix):
            now = f"{new_scoped}::{now[len(prefix) :]}"
        if now != other:
            moved.append((other, now))
    return Edit(label, model.document, edits, tuple(moved))


def rename_material(model: Model, old: str, name: str) -> Edit:
    """Return the edit that renames a material in its definition and in all visuals that refer to it.

    Raises
    ------
    RefactoringError
        If the file has no such material, or the name is empty or taken.
    """
    require_renamable(model, 0)
    names = material_names(model)
    if old not in names:
        raise RefactoringError(f"there is no material '{old}'{did_you_mean(old, names)}")
    if name == old:
        return Edit(f"Rename {old}", model.document, ())
    if not name.strip():
        raise RefactoringError("the name of a material cannot be empty")
    if name in names:
        raise RefactoringError(f"a material is already called '{name}'")
    edits: Replacements = ()
    for element in names[old]:
        edits += set_attribute(model.document, element, "name", name)
    return Edit(f"Rename {old} to {name}", model.document, edits)


def material_names(model: Model) -> dict[str, list[Element]]:
    """Return the materials of the file with all elements that name them; empty where materials have no names."""
    known, root = format_of(model.document), model.document.root
    names: dict[str, list[Element]] = {}
    if root is not None and known is not None and known.capabilities.names_materials:
        for element in root.descendants():
            if element.tag == "material" and (name := element.attributes.get("name")):
                names.setdefault(name, []).append(element)
    return names


def _rename_mentions(model: Model, row: int, name: str) -> Replacements:
    text, old = model.document.text, model.local_names[row]
    return tuple(
        Replacement(start, end, "::".join(name if step == old else step for step in text[start:end].split("::")))
        for start, end in plugin_mentions(model, row)
    )


def plugin_lines(model: Model, row: int) -> list[int]:
    """Return the lines of the file where a plugin says the name of a row; see :func:`plugin_mentions`."""
    return list(dict.fromkeys(model.document.position(start)[0] for start, _ in plugin_mentions(model, row)))


def plugin_mentions(model: Model, row: int) -> list[tuple[int, int]]:
    """Return where in the text of the file a plugin says the name of a row, which may mean anything and so stays.

    Parameters that are known to name something are references, see :mod:`sdfviewer.model.plugin_catalogue`.
    """
    document, name = model.document, model.local_names[row]
    if not document.contains("<plugin"):
        return []
    # In the text: a large world has many more elements.
    found = (document.element_at(match.start()) for match in re.finditer("<plugin", document.text))
    plugins = (each for each in found if each is not None and each.tag == "plugin")
    followed = {id(each.element) for each in find_references(model) if each.steps(model)}
    return [
        document.offsets(parameter, "text")
        for plugin in plugins
        for parameter in plugin.descendants()
        if name in parameter.text.strip().split("::") and id(parameter) not in followed
    ]


def rename_references(model: Model, names: Mapping[int, str]) -> Replacements:
    """Return the edit of every place in the file itself that calls rows by their names.

    Parameters
    ----------
    names
        The new names of rows, without those of what they are in.
    """
    edits: Replacements = ()
    for reference in chain(find_references(model), find_mentions(model)):
        if (renamed := reference.renamed(model, names)) != reference.name:
            edits += reference.write(model.document, renamed)
    return edits


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
