"""Refactorings of the whole file as a table: what each is for, and the function that computes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdfviewer.document.edits import Edit
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.editing.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.semantics.editing.standalone import put_includes_in
from sdfviewer.semantics.editing.tidy import remove_redundant, shorten_poses, write_defaults
from sdfviewer.semantics.editing.upgrade import raise_version
from sdfviewer.session import Session


@dataclass(frozen=True)
class Proposal:
    """An edit, and what it could not do, in sentences."""

    edit: Edit
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refactoring:
    """One refactoring: the id of its action, what it is for, and the edit; all of them move no frame."""

    id: str
    note: str
    compute: Callable[[Session], Proposal]


def _of_model(compute: Callable[[Model], Edit]) -> Callable[[Session], Proposal]:
    def propose(session: Session) -> Proposal:
        assert session.model is not None
        return Proposal(compute(session.model))

    return propose


def _put_includes_in(session: Session) -> Proposal:
    rewriting = put_includes_in(session.document, Loader(session.finder))
    return Proposal(rewriting.edit, rewriting.notes)


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
        "refactor.flatten",
        "Puts every included model where its include stands, so that the file stands alone. No frame moves.",
        _put_includes_in,
    ),
    Refactoring(
        "refactor.raise_version",
        "Says in the newest version of SDFormat what the file says in its own: frames of axes, limits, states. "
        "No frame moves.",
        _of_model(raise_version),
    ),
)
