"""The conversion to an older version of SDFormat: notes, obstacles, and frames that can be named."""

from __future__ import annotations

from collections.abc import Callable

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Announced, Topic
from sdfviewer.model.comparison.difference import row_and_path, topics_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.draft import Draft
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.versions import SCOPED_REFERENCES, Version, format_version

#: Maximum number of reported reasons why a file cannot be lowered.
_MOST_TOLD = 5


class Lowering:
    """A file that becomes one of an older version, part by part.

    Parameters
    ----------
    draft
        The file.
    target
        The older version.
    load
        Says what the text means after each part.
    allow_loss
        Whether motion that the older version cannot express may be left out.

    Attributes
    ----------
    model
        What the present text means.
    losses, remarks
        What is left out, and what else is to be said, in sentences with their place.
    renamed
        Old and new scoped names.
    about
        What losses and remarks are about, and what may differ there.
    """

    def __init__(
        self, draft: Draft, target: Version, load: Callable[[Document], Model], *, allow_loss: bool = False
    ) -> None:
        self.draft = draft
        self.target = target
        self.allow_loss = allow_loss
        self._load = load
        self.model = load(draft.document)
        self.losses: list[str] = []
        self.remarks: list[str] = []
        self.renamed: list[tuple[str, str]] = []
        self.about: list[Announced] = []
        self._obstacles: list[str] = []

    @property
    def document(self) -> Document:
        """The present text."""
        return self.draft.document

    @property
    def version(self) -> str:
        """The older version as it is written."""
        return format_version(self.target)

    def lose(self, element: Element, message: str, attribute: str = "") -> None:
        """Note that an element is left out, or an attribute of it."""
        self.losses.append(self.draft.note(element, message))
        self._announce(element, attribute, self.losses[-1])

    def remark(self, element: Element, message: str, attribute: str = "", *more: Topic) -> None:
        """Note that an element or an attribute of it is written otherwise, and what else may differ of its row."""
        self.remarks.append(self.draft.note(element, message))
        self._announce(element, attribute, self.remarks[-1], *more)

    def _announce(self, element: Element, attribute: str, sentence: str, *more: Topic) -> None:
        row, path = row_and_path(self.model, element)
        if row >= 0:
            path += (f"@{attribute}",) if attribute else ()
            self.about.append(
                Announced(self.model.names[row], sentence, (*topics_of(self.model.kinds[row], path), *more))
            )

    def refuse(self, element: Element, message: str) -> None:
        """Say what keeps the file from being lowered: frames or joints hang on it."""
        self._obstacles.append(self.draft.note(element, message))

    def make(self, *parts: Callable[[Lowering], Replacements]) -> None:
        """Make the edits of some parts, which do not touch the same elements.

        Raises
        ------
        RefactoringError
            If one of them has refused the file, with the reasons.
        """
        edits: Replacements = ()
        for part in parts:
            edits += part(self)
        if self._obstacles:
            more = len(self._obstacles) - _MOST_TOLD
            shown = [*self._obstacles[:_MOST_TOLD], *([f"and {more} more"] if more > 0 else [])]
            raise RefactoringError(*shown)
        if edits:
            self.draft.edit(edits)
            self.model = self._load(self.draft.document)

    def name_in(self, scope: int, row: int) -> str | None:
        """Return how the members of a model or world can call a row in the older version, None where they cannot.

        Until 1.7 there were no paths with ``::``, and a model in a model had no frame that could be named.
        """
        model = self.model
        if self.target < SCOPED_REFERENCES and row != scope:
            is_hidden = model.kinds[row] is Kind.MODEL and model.kinds[scope] is not Kind.WORLD
            if int(model.owners[row]) != scope or is_hidden:
                return None
        return model.name_in(scope, row)
