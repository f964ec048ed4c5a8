"""Refactorings of the whole file as a table: what each is for, and the function that computes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.editing.composition.flatten import flatten
from sdfviewer.semantics.editing.composition.standalone import put_includes_in
from sdfviewer.semantics.editing.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.semantics.editing.tidy import remove_redundant, shorten_poses, write_defaults
from sdfviewer.semantics.editing.versions.changing import TARGETS, change_version
from sdfviewer.semantics.values import Version, format_version
from sdfviewer.session import Session


@dataclass(frozen=True)
class Refactoring:
    """One refactoring: the id of its action, what it is for, and what it does; all of them move no frame."""

    id: str
    note: str
    compute: Callable[[Session], Edit]


def _of_model(compute: Callable[[Model], Edit]) -> Callable[[Session], Edit]:
    def edit(session: Session) -> Edit:
        assert session.model is not None
        return compute(session.model)

    return edit


def _of_document(compute: Callable[[Document, Loader], Edit]) -> Callable[[Session], Edit]:
    return lambda session: compute(session.document, Loader(session.finder))


def _change_version(version: Version) -> Refactoring:
    written = format_version(version)
    return Refactoring(
        f"refactor.version_{written}",
        f"Says in SDFormat {written} what the file says in its own version; included files keep theirs. What "
        f"{written} has no words for is listed, and refused where frames or joints hang on it. No frame moves.",
        _of_document(partial(change_version, target=version)),
    )


REFACTORINGS = (
    Refactoring(
        "refactor.element_relative",
        "Measures each joint from its parent and each link from the joint that drives it, written out: the numbers "
        "of a URDF. No frame moves.",
        _of_model(to_element_relative_form),
    ),
    Refactoring(
        "refactor.model_absolute",
        "Measures links from their model and joints from their child, which is what SDFormat means where no "
        "relative_to is written. No frame moves.",
        _of_model(to_model_absolute_form),
    ),
    Refactoring(
        "refactor.write_defaults",
        "Writes every relative_to and attached_to that the file leaves to its default. No frame moves.",
        _of_model(write_defaults),
    ),
    Refactoring(
        "refactor.remove_redundant",
        "Takes out every relative_to, attached_to and pose that says only the default. No frame moves.",
        _of_model(remove_redundant),
    ),
    Refactoring(
        "refactor.shorten_poses",
        "Writes each number of each pose as short as it can be within a picometre and a picoradian.",
        _of_model(shorten_poses),
    ),
    Refactoring(
        "refactor.standalone",
        "Puts every included model where its include stands, so that the file stands alone. No frame moves.",
        _of_document(put_includes_in),
    ),
    Refactoring(
        "refactor.flatten",
        "Puts every included model in, and takes nested models apart: their links, joints and frames become those of "
        "the model around them, under longer names, and a frame stands where each model was. No frame moves.",
        _of_document(flatten),
    ),
    *map(_change_version, reversed(TARGETS)),
)
