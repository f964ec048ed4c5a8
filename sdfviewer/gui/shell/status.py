"""The status bar: the last message, and the counts of the file."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QStatusBar, QToolButton, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.display_text import as_sentence
from sdfviewer.formats.registry import describe_format
from sdfviewer.gui.kit.commands import tooltip
from sdfviewer.gui.kit.icons import icon, severity_icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.safe_text import escaped, markup, rich_tip
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import leave_gone, named, row_of, set_style_property
from sdfviewer.gui.shell.docks import DOCKS, Docks
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.model.kinds import Kind
from sdfviewer.number_text import counted


class PanelStrip(QWidget):
    """Shows the folded panels; a click on one shows it."""

    #: The id of a panel that should be shown.
    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        row = row_of(parent=self, margins=0, spacing=0)
        # A layout hides all panels before it shows those that it has.
        self._soon = delayed(self, self._show)
        self._docks: dict[str, QDockWidget] = {}
        self.buttons: dict[str, QToolButton] = {}
        for spec in DOCKS:
            if spec.id in ("problems", "compare"):
                continue  # the count of problems beside the strip shows them, and the workspace what is compared
            button = named(QToolButton(), spec.name, tooltip(f"Show {spec.description}", spec.shortcut))
            button.setText(spec.name)
            button.setAutoRaise(True)
            button.clicked.connect(lambda _=False, id=spec.id: self.wanted.emit(id))
            button.hide()
            row.addWidget(button)
            self.buttons[spec.id] = button

    def follow(self, docks: Docks) -> None:
        """Show buttons for the docks that are hidden, from now on."""
        self._docks = docks.docks
        for dock in self._docks.values():
            dock.toggleViewAction().toggled.connect(lambda _on: self._soon.start())
        self._show()

    def _show(self) -> None:
        for id, button in self.buttons.items():
            # Not whether it is visible: a panel behind another tab is not folded.
            button.setVisible(self._docks[id].isHidden())
        leave_gone(self)  # buttons move below a resting mouse when a key shows or hides a panel


MESSAGE_MILLISECONDS = 6000
#: The least room that a message has beside the folded panels, in pixels.
_LEAST_MESSAGE = 320


class StatusBar(QStatusBar):
    """Message, folded panels, file, version, counts, problems.

    Attributes
    ----------
    strip
        The folded panels.
    problems
        Says how many problems there are, and shows them.
    """

    #: The kind of frame that the user wants listed.
    kind_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._message = named(ElidedLabel(elide=Qt.TextElideMode.ElideRight), "Message")
        #: The message, the role of its text, and what an action under the mouse does, which hides the message.
        self._text = self._role = self._tip = ""
        self._clear = delayed(self, self.clear_message, MESSAGE_MILLISECONDS)
        # Runs until the end of the turn in which a message was given.
        self._just_said = QTimer(self, singleShot=True, interval=0)
        self.addWidget(self._message, 1)
        self._facts = named(QLabel(), "File")
        self._facts.setTextFormat(Qt.TextFormat.RichText)  # Qt does not see it where the text begins plain
        self._facts.setProperty("role", "muted")
        # The window must be allowed to become narrower than what is shown now.
        self._facts.setMinimumWidth(1)
        self._facts.linkActivated.connect(self.kind_wanted)
        self.strip = PanelStrip()
        keys = next(spec.shortcut for spec in DOCKS if spec.id == "problems")
        self.problems = named(
            QToolButton(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon),
            "Problems",
            tooltip("Show the problems", keys),
        )
        #: What the file holds, in fewer and fewer words.
        self._forms: tuple[str, ...] = ()
        # A message takes the room of the facts: what can be clicked stays where it is, at the end.
        self.addPermanentWidget(self._facts)
        self.addPermanentWidget(self.strip)
        self.addPermanentWidget(self.problems)
        self.problems.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say less of what the file holds where there is little room for it."""
        self._make_room()
        super().resizeEvent(event)

    def _make_room(self) -> None:
        """Say less of the file while a message needs its room; leave out the panels where hardly any would be left."""
        wanted = self._message.fontMetrics().horizontalAdvance(self._text)
        room = max(120, self.width() - self.problems.sizeHint().width() - 48)
        strip = self.strip.sizeHint().width()
        self.strip.setVisible(min(wanted, _LEAST_MESSAGE) <= room - strip)
        for form in self._forms:
            self._facts.setText(form)
            if wanted <= room - strip - self._facts.sizeHint().width():
                break
        else:
            self._facts.clear()
        self._facts.setVisible(bool(self._facts.text()))

    def clear_message(self) -> None:
        """Remove a message that is no longer about what is shown."""
        self._clear.stop()
        self._set(text="", role="")

    def clear_earlier_message(self) -> None:
        """Remove a message that was given before the present change; messages about the change itself stay."""
        if not self._just_said.isActive():
            self.clear_message()

    def show_message(self, text: str) -> None:
        """Show a message for a few seconds."""
        self._show(text, "")

    def refuse(self, text: str) -> None:
        """Show why something was not done, as a sentence."""
        self._show(as_sentence(text), "error")

    def _show(self, text: str, role: str) -> None:
        self._set(text=text, role=role)
        self._clear.start()
        self._just_said.start()

    def _set(self, *, text: str, role: str) -> None:
        self._text, self._role = text, role
        self._message.setToolTip(text)
        self._make_room()
        self._show_text()

    def show_tip(self, text: str) -> None:
        """Show what the action under the mouse does in the room that is left; an empty text ends that.

        The file and the panels stay: they would come and go with the mouse.
        """
        self._tip = text
        self._show_text()

    def _show_text(self) -> None:
        set_style_property(self._message, "role", "" if self._tip else self._role)
        self._message.set_full_text(self._tip or self._text)

    @property
    def message(self) -> str:
        """The message shown at present, in full."""
        return self._text

    def show_file(self, file: OpenFile | None) -> None:
        """Show what the current file holds."""
        self.problems.setVisible(file is not None)
        if file is None:
            self._forms = ()
            self._facts.setToolTip("")
            self._make_room()
            return
        session = file.session
        colours = tokens(self.palette())
        facts: list[str] = [escaped(file.name)]
        if session.model is not None:
            of_kind = session.model.kinds_are
            facts.append(escaped(describe_format(session.model)))
            style = f"color: {colours.muted}; text-decoration: none"
            facts += [
                f'<a href="{kind.value}" style="{style}">{counted(int(of_kind(kind).sum()), kind.value)}</a>'
                for kind in (Kind.LINK, Kind.JOINT, Kind.FRAME)
            ]
        # The window says the name, too; what the file is matters more than how much is in it.
        self._forms = tuple(map(" · ".join, (facts, facts[1:], facts[1:2]))) if facts[1:] else (facts[0],)
        tip = markup("{path}<br>loaded in {ms} ms", path=session.path or "", ms=round(file.load_seconds * 1000))
        self._facts.setToolTip(rich_tip(tip))
        counts = Counter(problem.severity for problem in session.diagnostics)
        # Beside errors and warnings, what is only worth knowing would take their room.
        named = [each for each in Severity if counts[each]]
        named = [each for each in named if each is not Severity.INFO] or named
        self.problems.setText(", ".join(counted(counts[each], each.value) for each in named) or "no problems")
        if named:
            self.problems.setIcon(severity_icon(named[0]))
        else:
            self.problems.setIcon(icon("mdi6.check-circle-outline", "success"))
        self._make_room()
