"""Find out what the text of a session means: at once, or beside the caller's thread where that takes long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.document.text_rules import internal_error
from sdfviewer.formats.load import Loader
from sdfviewer.language.text_map import difference
from sdfviewer.model.model import Model
from sdfviewer.validation.xacro_rules import xacro_failed, xacro_not_evaluated

_Answer = TypeVar("_Answer")


class RunInBackground(Protocol):
    """Does a job beside the caller's thread, and hands what it returns to ``then`` in the caller's thread."""

    def __call__(self, job: Callable[[], _Answer], then: Callable[[_Answer], object]) -> None:
        """Do a job."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """What a text means.

    Attributes
    ----------
    model
        Its model, None if there is none; of a text that is not XML that of the elements that it has all the same.
    diagnostics
        Its problems.
    is_readable
        Whether the text could be read; else the last model stays in sight.
    failed_sources
        Files that were read although there is no model that says so.
    refused
        The xacro files among what it is made of that may not be evaluated.
    """

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    is_readable: bool = True
    failed_sources: tuple[Document, ...] = ()
    refused: tuple[Document, ...] = ()


def read_text(loader: Loader, document: Document) -> ReadText:
    """Return the model of a document; a failure in reading becomes a diagnostic.

    Parameters
    ----------
    loader
        Reads it.
    document
        The document.

    Raises
    ------
    EvaluationPendingError
        If a xacro file must be evaluated first and the loader's expander does not wait.
    """
    model, diagnostics = loader.load_recovered(document)
    has_failed = model is None and any(
        each.rule in (xacro_failed, xacro_not_evaluated, internal_error) for each in diagnostics
    )
    is_readable = document.root is not None and not has_failed
    expander = loader.expander
    return ReadText(model, diagnostics, is_readable, tuple(expander.failed_sources), tuple(expander.refused))


class BackgroundReading:
    """One reading beside the caller's thread, which can be given up.

    Parameters
    ----------
    loader
        Reads the text; it is not shared.
    document
        The text.
    run
        Does it.
    prepare
        Does more with the model in the other thread.
    then
        Takes the answer, unless it was given up.
    """

    def __init__(
        self,
        loader: Loader,
        document: Document,
        run: RunInBackground,
        prepare: Callable[[Model], object],
        then: Callable[[ReadText], object],
    ) -> None:
        self._expander = loader.expander
        self._is_wanted = True

        def job() -> ReadText | None:
            # During fast typing only the latest text is read.
            answer = read_text(loader, document) if self._is_wanted else None
            if answer is not None and answer.model is not None:
                prepare(answer.model)
            return answer

        run(job, lambda answer: then(answer) if answer is not None and self._is_wanted else None)

    def abandon(self) -> None:
        """End it without an answer."""
        self._is_wanted = False
        self._expander.abandon()

    def cancel(self) -> None:
        """End it soon; the answer says that it was cancelled."""
        self._expander.cancel()


def moved_diagnostics(diagnostics: tuple[Diagnostic, ...], before: Document, after: Document) -> list[Diagnostic]:
    """Return the problems of a text where they are in another one; those in what has changed are left out.

    They have no fixes, which were computed for the text before.
    """
    change = difference(before.text, after.text)
    start, end = (0, 0) if change is None else (change.start, change.end)
    shift = len(after.text) - len(before.text)
    found: list[Diagnostic] = []
    for each in diagnostics:
        span = each.span
        if span is not None and span.path == before.name:
            if span.start < end and span.end > start:
                continue
            by = shift if span.start >= end else 0
            span = after.span_between(span.start + by, span.end + by)
        found.append(replace(each, span=span, related=(), fixes=()))
    return found
