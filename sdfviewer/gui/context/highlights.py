"""What all views of one file highlight, and where the user is in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.session.session import Session

INTERVAL_MILLISECONDS = 180
"""Time between two steps of a flash."""
TIMES = 3
"""Number of times that a flash takes the highlight away."""


class Highlights(QObject):
    """What all views of one file highlight: the frame under the mouse, the selection, a chain.

    Parameters
    ----------
    session
        The open file.

    Attributes
    ----------
    hovered
        Scoped name of the frame under the mouse in any view, or None.
    caret_line
        The line of the file with the caret of the source view, None without a source view.
    chain_steps
        Scoped names of the steps of a chain that are shown, from the root on.
    """

    #: Scoped name of the frame under the mouse, empty if there is none.
    hover_changed = Signal(str)
    #: Another of the selected frames is shown without its highlight for a moment, or none: `selected`.
    flash_changed = Signal()
    #: Other steps of a chain are shown, or none: `chain_steps`.
    chain_steps_changed = Signal(tuple)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.hovered: str | None = None
        self.caret_line: int | None = None
        self.chain_steps: tuple[str, ...] = ()
        self._unlit: str | None = None
        self._flashing, self._steps_left = "", 0
        # Started again by each step: while the window is busy no step is left out.
        self._flash_timer = delayed(self, self._step_flash, INTERVAL_MILLISECONDS)

    def hover(self, name: str | None) -> None:
        """Highlight the frame under the mouse; None highlights no frame."""
        if name != self.hovered:
            self.hovered = name
            self.hover_changed.emit(name or "")

    def forget_missing(self) -> None:
        """Highlight no frame that the file does not have any more."""
        model = self._session.model
        if self.hovered and model is not None and self.hovered not in model.rows_by_name:
            self.hover(None)

    @property
    def selected(self) -> tuple[str, ...]:
        """Scoped names of the selected frames, without one that flashes and is not highlighted at the moment."""
        return tuple(name for name in self._session.selection if name != self._unlit)

    def flash(self, name: str) -> None:
        """Take the highlight from a selected frame and give it back a few times, once the views show its change."""
        self._put_out(None)
        self._flashing, self._steps_left = name, 2 * TIMES
        self._flash_timer.start()

    def _step_flash(self) -> None:
        self._steps_left -= 1
        self._put_out(self._flashing if self._steps_left % 2 else None)
        if self._steps_left > 0:
            self._flash_timer.start()

    def _put_out(self, name: str | None) -> None:
        if name != self._unlit:
            self._unlit = name
            self.flash_changed.emit()

    def show_chain(self, names: tuple[str, ...]) -> None:
        """Highlight the chain from the root to a frame in all views; no names end that."""
        if names != self.chain_steps:
            if not names and self.hovered == self.chain_steps[-1]:
                self.hover(None)
            self.chain_steps = names
            self.chain_steps_changed.emit(names)
