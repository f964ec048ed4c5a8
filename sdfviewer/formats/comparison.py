"""The comparison of two models of any formats, with what is written in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sdfviewer.formats import contents
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.registry import format_of
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.model.comparison.values import same_file
from sdfviewer.model.contents import CollisionContents, ContentsReader, Inertial, VisualContents
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array


class RowContents:
    """Reads the rows of each model by the format of their file."""

    def reader_of(self, model: Model, row: int) -> ContentsReader:
        """Return the reader of a row."""
        return contents.contents_of(model, row)

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row."""
        return contents.read_visual(model, row)

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row."""
        return contents.read_collision(model, row)

    def same_file(self, a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
        """Return whether a URI of A and one of B in their folders name one file."""
        return same_file(a, b, folder_a, folder_b)

    def inertial(self, model: Model, row: int) -> Inertial | None:
        """Return the inertial of a link, automatic inertia computed; None where it cannot be."""
        return resolve_inertial(model, row)

    def of_world(self, model: Model) -> tuple[object, ...]:
        """Return records of gravity, scene and physics; none for a model file."""
        if model.kinds[0] is not Kind.WORLD:
            return ()
        return contents.read_environment(model), contents.read_scene(model), *contents.read_physics(model)

    def is_self_contained(self, model: Model, row: int) -> bool:
        """Return whether all that is read of a row is written in its element."""
        known = format_of(model.document_of(row))
        return known is not None and known.capabilities.is_self_contained


def compare(
    a: Model,
    b: Model,
    renamed: Sequence[tuple[str, str]] = (),
    *,
    rows: Mapping[int, int] | None = None,
    by_row: bool = False,
    X_AB: Array | None = None,
    contents: RowContents | None = None,
) -> ModelComparison:
    """Return the comparison of two models A and B; see `ModelComparison` for the parameters."""
    return ModelComparison(a, b, contents or RowContents(), renamed, rows=rows, by_row=by_row, X_AB=X_AB)
