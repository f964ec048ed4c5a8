"""*Who moved this?* below the chain of frames: the commits of the git history that changed each of its steps last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.labels import BreakingLabel
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.blame import Blame
    from sdfviewer.formats.load import Loader

#: Commits that moved the frame which are listed.
_MOST_MOVES = 5


class BlameSection(BreakingLabel):
    """A link, and once it is followed what the history says; it is read in the background."""

    #: The answer, or why there is none, is shown.
    answered = Signal()

    def __init__(self, context: DocumentContext) -> None:
        super().__init__()
        self.context = context
        self.setContentsMargins(8, 0, 8, 4)
        self.setAccessibleName("Who moved this?")
        self._background: Background | None = None
        #: The number of the question whose answer is shown; earlier ones are no longer needed.
        self._question = 0
        self._is_offered = False
        self.linkActivated.connect(self.ask)
        context.changed.connect(self._follow)
        self._offer()

    def _follow(self, change: SessionChange) -> None:
        if change.document or change.selection:
            self._offer()

    def _offer(self) -> None:
        self.setVisible(self.context.session.path is not None)
        if self._is_offered:
            return
        self._is_offered = True
        self._question += 1
        self.setToolTip("Show which commits of the git history moved this frame, and how far")
        set_rich_text(self, markup('<a href="ask">Who moved this?</a>'))

    def ask(self) -> None:
        """Read the history of the file on disk, and show who moved the selected frame."""
        session = self.context.session
        model, row, path = session.model, session.selected_row, session.path
        if model is None or row is None or path is None:
            return
        self._is_offered = False
        self._question += 1
        question, frame, expander = self._question, model.names[row], session.expander
        folders = session.finder.model_folders
        set_rich_text(self, markup("Reading the git history…"))

        def job() -> Blame:
            from sdfviewer.blame import ModelHistory, blame_frame  # noqa: PLC0415  # few ask
            from sdfviewer.files.finder import Finder  # noqa: PLC0415
            from sdfviewer.formats.load import Loader  # noqa: PLC0415
            from sdfviewer.formats.xacro.decisions import NamedFiles  # noqa: PLC0415

            def make_loader(file: Path, paths: Iterable[Path]) -> Loader:
                fork = expander.fork()
                # Whoever asks for the history of a file that may be evaluated names its versions.
                fork.permission = NamedFiles([file], "add it to the files that may be evaluated")
                return Loader(Finder(paths, replaces_fuel=True), expander=fork)

            with ModelHistory(path, make_loader, folders, lambda: question != self._question) as history:
                return blame_frame(history, frame)

        def show(blame: Blame) -> None:
            if question == self._question:
                set_rich_text(self, joined("", _parts(blame)))
                self.answered.emit()

        def refuse(error: SdfViewerError) -> None:
            if question == self._question:
                set_rich_text(self, markup("{why}", why=as_sentence(str(error))))
                self.answered.emit()

        self._background = self._background or Background(self)
        self._background.run(job, show, refuse)


def _parts(blame: Blame) -> Iterator[Markup]:
    """Yield a paragraph for each step, then one for each commit that moved the frame."""
    from sdfviewer.blame.walk import describe_commit, describe_move  # noqa: PLC0415

    yield markup("<p style='margin:0 0 4px 0'><b>Last changes of the steps</b></p>")
    for step in blame.steps:
        what, commit = describe_move(step.last), describe_commit(step.last.commit)
        yield markup(
            "<p style='margin:0 0 4px 0'>{name}: {what}<br>{commit}</p>", name=step.frame, what=what, commit=commit
        )
    yield markup("<p style='margin:4px 0 4px 0'><b>Moved in {base}</b></p>", base=blame.base)
    for move in blame.way[:_MOST_MOVES]:
        what, commit = describe_move(move), describe_commit(move.commit)
        yield markup("<p style='margin:0 0 4px 0'>{what}<br>{commit}</p>", what=what, commit=commit)
    if len(blame.way) > _MOST_MOVES:
        yield markup("<p style='margin:0'>and {more} earlier commits</p>", more=len(blame.way) - _MOST_MOVES)
    if blame.unread:
        yield markup("<p style='margin:0'>{unread}</p>", unread=as_sentence(blame.unread))
