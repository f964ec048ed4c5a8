"""Operations on the SRDF of a robot: what MoveIt does not test for collisions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.srdf import is_semantic
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    FileChange,
    MenuEntry,
    Outcome,
    Parameter,
    operation,
)
from sdfviewer.operations.parameters import ChoiceType, FramesType
from sdfviewer.refactoring.editable import EditError

_REASONS = {
    "User": "You know that the links may touch, or never do.",
    "Adjacent": "A joint connects the links.",
    "Never": "The links never collide in any configuration.",
    "Default": "The links collide where all joints are at zero.",
    "Always": "The links collide in every configuration.",
}


def _too_few_links(model: Model, rows: Sequence[int]) -> str | None:
    if sum(model.kinds[row] is Kind.LINK for row in rows) < 2:
        return "select two links or more"
    return None if model.document.path is not None else "save the document first: its SRDF is written beside it"


@operation(
    "Disable collisions of links",
    Parameter("links", FramesType((Kind.LINK,)), "the links; each two of them are not tested"),
    Parameter("reason", ChoiceType(tuple(_REASONS), _REASONS), "why they need no test", default="User"),
    refusal=_too_few_links,
    moves_nothing=True,
    verb="Disable",
    menu=MenuEntry(
        "refactor.disable_collisions",
        "Refactor",
        "Disable Collisions…",
        "Ctrl+K, Shift+D",
        "mdi6.shield-off-outline",
        words="srdf moveit self collision matrix acm allowed ignore pair",
    ),
    command=EditOption("disable-collisions", "A,B,...=REASON", ("links", "reason")),
)
def disable_collisions(on: EditContext, links: Sequence[int], reason: str) -> Outcome:
    """Write into the SRDF of a robot that MoveIt need not test some links for collisions with each other.

    The SRDF is the open file, or the one of this robot beside it or in the packages beside its own; without one a new
    file is written beside the robot. It is saved with the robot. What is written in it stays. File › MoveIt… finds the
    pairs that never collide.
    """
    from sdfviewer.files.dependents import semantic_files_near  # few edits are of an SRDF
    from sdfviewer.refactoring import disabling

    model = on.model
    names = list(dict.fromkeys(model.local_names[row] for row in links))
    if len(names) < 2:
        raise EditError("name two links or more")
    pairs = [(first, second, reason) for first, second in combinations(names, 2)]
    if is_semantic(on.source):
        return Outcome(disabling.disable_collisions(on.source, pairs))
    path = on.source.path
    if path is None:
        raise EditError("save the document first: its SRDF is written beside it")
    near = [each for each in map(on.present, semantic_files_near(path)) if each is not None]
    found = [each for each in near if _is_of(each, model.local_names[0])]
    if len(found) > 1:
        listed = ", ".join(each.name for each in found)
        raise EditError(f"several SRDF files are about this robot ({listed}): open the one to be changed")
    before = found[0] if found else None
    new = path.with_name(f"{path.name.partition('.')[0]}.srdf")
    if before is None and new.exists():
        raise EditError(f"{new} is there already, and is about another robot: rename it, or the robot")
    document = before or disabling.new_semantics(model.local_names[0], new)
    edit = disabling.disable_collisions(document, pairs)
    # It is in the history of the robot, whose text stays.
    changes = (FileChange(before, document.edited(edit.replacements)),) if edit.replacements else ()
    return Outcome(Edit(edit.label, on.source, ()), changes)


def _is_of(document: Document, robot: str) -> bool:
    """Return whether a file is an SRDF of a robot."""
    root = document.root if is_semantic(document) else None
    return root is not None and root.attributes.get("name") == robot
