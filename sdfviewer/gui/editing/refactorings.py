"""Refactorings of the whole file as a table: what each is for, and the function that computes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdfviewer.document.edits import Edit
from sdfviewer.semantics import Model
from sdfviewer.semantics.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.semantics.tidy import remove_redundant, shorten_poses, write_defaults


@dataclass(frozen=True)
class Refactoring:
    """One refactoring: the id of its action, what it is for, and the edit; all of them move no frame."""

    id: str
    note: str
    compute: Callable[[Model], Edit]


REFACTORINGS = (
    Refactoring(
        "refactor.element_relative",
        "Measures each joint from its parent and each link from the joint that drives it, written out: the numbers "
        "of a URDF. No frame moves.",
        to_element_relative_form,
    ),
    Refactoring(
        "refactor.model_absolute",
        "Measures links from their model and joints from their child, which is what SDFormat means where no "
        "relative_to is written. No frame moves.",
        to_model_absolute_form,
    ),
    Refactoring(
        "refactor.write_defaults",
        "Writes every relative_to and attached_to that the file leaves to its default. No frame moves.",
        write_defaults,
    ),
    Refactoring(
        "refactor.remove_redundant",
        "Takes out every relative_to, attached_to and pose that says only the default. No frame moves.",
        remove_redundant,
    ),
    Refactoring(
        "refactor.shorten_poses",
        "Writes each number of each pose as short as it can be within a picometre and a picoradian.",
        shorten_poses,
    ),
)
