"""Everything that writes a model, and what of what it writes differs without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.export.bundle import make_bundle
from sdfviewer.export.conversion import ConversionOptions, convert, rewritten
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.files.uris import UriForm
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import format_of, has_versions
from sdfviewer.formats.srdf import SRDF
from sdfviewer.formats.urdf.values import URDF_VERSIONS
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations import arranging, whole
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.refactoring.composition.moved_text import moved_text
from sdfviewer.refactoring.unmoved import MovesFramesError
from sdfviewer.scene.copied_files import write_copies
from sdfviewer.versions import TARGETS, format_version
from tests.corpus import corpus_files, model_folders
from tests.refactoring.rewritten import is_certain

MODELS = Path(__file__).parent / "models"
#: How many nested models or limbs of a file are written again.
MOST_PARTS = 3


@dataclass(frozen=True)
class Source:
    """A file that means one thing."""

    file: Path
    document: Document
    loader: Loader
    model: Model

    @property
    def is_urdf(self) -> bool:
        return not has_versions(self.document)


#: Returns the differences that nothing announces; raises `SdfViewerError` where a file cannot be written that way.
Writer: TypeAlias = Callable[[Source], tuple[str, ...]]


def source_files() -> list[Path]:
    """Return the models that have something of everything, then the files of the corpus."""
    return [*sorted(MODELS.glob("everything.*")), *corpus_files(".sdf", ".world", ".urdf")]


@cache  # each file is written by many writers, none of which changes what it is given
def read_source(file: Path) -> Source | None:
    """Return a file without errors that means one thing; None for another."""
    document = open_document(file)
    loader = Loader(Finder([] if file.parent == MODELS else model_folders(file)))
    model = loader.load(document)
    if model is None or not is_certain(model) or any(each.is_error for each in model.diagnostics):
        return None
    return Source(file, document, loader, model)


def _converted(source: Source, target: str, options: ConversionOptions | None = None) -> tuple[str, ...]:
    conversion = convert(source.model, source.loader, target, options)
    return conversion.faults


def _operation(source: Source, operation: Operation) -> tuple[str, ...]:
    if source.is_urdf:
        raise SdfViewerError("it is edited as text")
    edit = operation.perform(EditContext(source.model, source.loader), {}).edit
    return rewritten(source.model, edit, source.loader)[0].faults


def _of_urdf(source: Source, target: str, options: ConversionOptions | None = None) -> tuple[str, ...]:
    if not source.is_urdf:
        raise SdfViewerError("it is SDFormat")
    return _converted(source, target, options)


def _split_off(source: Source) -> tuple[str, ...]:
    """Split off each nested model of the file that can be, into another folder, so that relative paths change."""
    if source.is_urdf:
        raise SdfViewerError("it is edited as text")
    rows = [row for row, kind in enumerate(source.model.kinds) if kind is Kind.MODEL and row > 0]
    rows = [row for row in rows if whole.split_off.refusal(source.model, [row]) is None][:MOST_PARTS]
    if not rows:
        raise SdfViewerError("it has no nested model of its own")
    with TemporaryDirectory() as folder:
        file = Path(folder, "split_off.sdf")
        return _performed(source, whole.split_off, [{"model": row, "file": file} for row in rows])


def _mirrored(source: Source) -> tuple[str, ...]:
    """Mirror the first limbs of the file that can be."""
    model = source.model
    links = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK and row > 0]
    return _performed(source, arranging.mirror, [{"link": row} for row in links])


def _performed(source: Source, operation: Operation, choices: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    on, done = EditContext(source.model, source.loader), 0
    faults: tuple[str, ...] = ()
    for arguments in choices:
        try:
            outcome = operation.perform(on, arguments)
        except SdfViewerError:
            continue
        faults += operation.faults(on, arguments, outcome)
        done += 1
        if done == MOST_PARTS:
            break
    if not done:
        raise SdfViewerError("nothing in it can be edited that way")
    return faults


def _saved_elsewhere(source: Source, uris: UriForm | None) -> tuple[str, ...]:
    """Write the file in another folder, and read it there."""
    if format_of(source.document) is SRDF:
        raise SdfViewerError("it is about a robot that stays where it is")
    with TemporaryDirectory() as folder:
        moved = moved_text(source.document, Path(folder) / source.file.name, source.loader.finder, uris)
        assert moved.document.path is not None
        moved.document.path.write_bytes(moved.document.to_bytes())
        write_copies(moved.copies, source.loader.finder)
        differences = moved.differences(source.model, source.loader.load(moved.document), source.loader.finder)
        return differences.missing + differences.faults


def _bundled(source: Source, target: str, uris: UriForm) -> tuple[str, ...]:
    bundle = make_bundle(source.model, source.loader, target, Path("/bundle"), uris, "keep")
    return tuple(each for step in bundle.steps for each in step.faults)


WRITERS: Mapping[str, Writer] = {
    **{
        f"urdf-{major}.{minor}": partial(_converted, target="urdf", options=ConversionOptions(f"{major}.{minor}"))
        for major, minor in URDF_VERSIONS
    },
    **{name: partial(_operation, operation=form) for name, form in whole.FORMS.items()},
    **{
        operation.name: partial(_operation, operation=operation)
        for operation in (whole.write_defaults, whole.remove_redundant, whole.shorten_poses)
    },
    **{
        version: partial(_converted, target=version, options=ConversionOptions(allow_loss=True))
        for version in map(format_version, TARGETS)
    },
    "split-off": _split_off,
    "mirror": _mirrored,
    "save-as": partial(_saved_elsewhere, uris=None),
    "save-as-copied": partial(_saved_elsewhere, uris="copied"),
    "mjcf": partial(_converted, target="mjcf"),
    "bundle-mjcf": partial(_bundled, target="mjcf", uris="relative"),
    "bundle-urdf": partial(_bundled, target="urdf", uris="relative"),
    "bundle-sdformat": partial(_bundled, target=format_version(TARGETS[-1]), uris="package"),
    "merge-fixed": partial(_of_urdf, target=format_version(TARGETS[-1]), options=ConversionOptions(merge_fixed=True)),
}


def faults(source: Source, name: str) -> list[str] | None:
    """Return what a writer changes without a word, None where it refuses the file."""
    try:
        return [f"{name}: {each}" for each in WRITERS[name](source)]
    except MovesFramesError as error:
        return [f"{name}: {source.file}: {error}"]
    except SdfViewerError:
        return None
