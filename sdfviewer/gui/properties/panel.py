"""The properties panel: of a frame why it is where it is and what can be edited, without a selection the robot."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import NO_NAME, as_sentence
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.labels import ElidedLabel, LinkLabel, YieldingLabel
from sdfviewer.gui.kit.safe_text import markup, set_rich_text
from sdfviewer.gui.kit.theme import on_theme_change
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_style_property, styled
from sdfviewer.gui.properties.details import DetailsSection
from sdfviewer.gui.properties.fields import RevertingLine
from sdfviewer.gui.properties.origins import BlameSection, OverridesSection, XacroSection
from sdfviewer.gui.properties.plugin_section import PluginSection
from sdfviewer.gui.properties.pose_sections import PoseSection, ResolvedSection
from sdfviewer.gui.properties.reference_field import ReferenceSection
from sdfviewer.gui.properties.robot import MassSection, RobotPage
from sdfviewer.gui.properties.section import PartSection, PropertySection
from sdfviewer.gui.properties.sentence import ChainBar, WhySentence
from sdfviewer.gui.properties.several import RedundantSection, SeveralSection, describe_several
from sdfviewer.gui.properties.why import WhyView
from sdfviewer.model.explanation import explain_settings
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations.properties import why_not_overridden
from sdfviewer.refactoring.editable import ReadOnlyKind, is_renamable
from sdfviewer.refactoring.pose_moving import Move
from sdfviewer.refactoring.properties.catalogue import catalogue_key
from sdfviewer.session.read_only import why_read_only
from sdfviewer.session.session_change import SessionChange

_AROUND_NAME, _WIDE_NAME = 24, 200
"""Pixels of the field beside the name, and how wide it is at least for a long one."""


class NameSection(PropertySection):
    """The name as the heading; a new one is written wherever the old one was referred to."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.field = named(RevertingLine(self._revert), "Name", "The name; every reference to it is updated (F2)")
        self.fault = styled(QLabel(wordWrap=True), "error")
        self.fault.hide()
        self.field.setProperty("role", "title")
        self.field.setPlaceholderText(NO_NAME.strip())
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.addRow(self.field)
        self.form.addRow(self.fault)
        self.field.textEdited.connect(lambda _text: self._show_fault(""))
        self.field.editingFinished.connect(self._commit)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        self.field.setReadOnly(not (self.context.session.is_current and is_renamable(model, row)))
        self._revert()

    def _revert(self) -> None:
        """Show the name that is written in place of what was typed."""
        name = self.model.local_names[self.row] if self.row >= 0 else ""
        # It needs its room more than what is said beside it.
        self.field.setMinimumWidth(min(self.field.fontMetrics().horizontalAdvance(name) + _AROUND_NAME, _WIDE_NAME))
        self.field.setText(name)
        self.field.setModified(False)
        self.field.setCursorPosition(0)
        self._show_fault("")

    def _commit(self) -> None:
        if not self.field.isModified() or self.row < 0:
            return
        self.field.setModified(False)
        name = self.field.text().strip()
        if name == self.model.local_names[self.row]:
            return
        try:
            self.context.edits.rename(self.row, name, self)
        except SdfViewerError as error:
            self._show_fault(str(error))

    def _show_fault(self, reason: str) -> None:
        self.fault.setText(as_sentence(reason))
        self.fault.setVisible(bool(reason))
        set_style_property(self.field, "invalid", bool(reason))


_LINKS = {
    "convert": '<a href="convert">Convert to SDFormat</a>',
    "source": '<a href="source">Show in Source</a>',
    "edit.override_pose": '<a href="edit.override_pose">Override Here</a>',
    "edit.add_frame": '<a href="edit.add_frame">Add a Frame of This File</a>',
}
#: Why something cannot be edited here, but can be where it is written.
_WRITTEN_SOMEWHERE = (ReadOnlyKind.INCLUDED, ReadOnlyKind.XACRO, ReadOnlyKind.FORMAT)

WIDEST = 640
"""Pixels of the widest form: in a maximized panel a number would be far from its label."""


class PropertiesPanel(QWidget):
    """Everything about the frame that was selected last.

    Attributes
    ----------
    note
        Why the frame is read-only.
    """

    #: The user wants the file in SDFormat, where all of it can be edited.
    conversion_wanted = Signal()
    #: The user wants to see where the frame is written, in the file that it is written in.
    source_wanted = Signal()
    #: The user wants what an action does, which is given by its id.
    action_wanted = Signal(str)
    #: Without a selection: see `RobotPage.wanted`.
    list_wanted = Signal(str)

    def __init__(self, context: DocumentContext, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme_change(self._show)
        self.context = context
        self.name = NameSection(context, settings)
        self.pose = PoseSection(context, settings)
        self.relative_to = ReferenceSection(context, settings, "relative_to")
        self.attached_to = ReferenceSection(context, settings, "attached_to")
        self.resolved = ResolvedSection(context, settings)
        self.several = SeveralSection(context, settings)
        self.mass = MassSection(context, settings)
        self.details = DetailsSection(context, settings)
        self.plugins = PluginSection(context, settings)
        self.part = PartSection(context, settings)
        self.overrides = OverridesSection(context, settings)
        self.xacro = XacroSection(context, settings)
        self.sections = (
            self.name,
            self.several,
            self.relative_to,
            RedundantSection(context, settings),
            self.part,
            self.overrides,
            self.pose,
            self.attached_to,
            self.details,
            self.plugins,
            self.resolved,
            self.xacro,
            self.mass,
        )
        self.why = WhyView(context, settings)
        self.sentence = WhySentence(context, settings)
        self.robot = RobotPage(context)
        self.robot.wanted.connect(self.list_wanted)
        self._rules: dict[QWidget, QFrame] = {}
        self._shown = ""
        #: Whether an answer of the git history has yet to be brought into view.
        self._follows_answer = False
        self._sign = QLabel()
        self._title = styled(ElidedLabel(), "title")
        self._kind = styled(YieldingLabel(), "muted")
        self._fault = styled(QLabel(wordWrap=True), "error")
        self.note = LinkLabel()
        self.note.linkActivated.connect(self._follow_link)
        self.note.setProperty("role", "muted")
        self._build()
        context.changed.connect(self._follow)
        context.parts.weighed.connect(self._show)
        context.messages.refused.connect(self._show_fault)
        context.motion.moved.connect(self._show_move)
        self.resolved.reference_changed.connect(self._show_why)
        self._show()

    def _build(self) -> None:
        # From the outside in: what is put into another widget is styled again with all that is in it.
        self._area = QScrollArea(widgetResizable=True)
        # The fields in it have the keyboard.
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.robot)
        self._pages.addWidget(self._area)
        page = QWidget()
        self._area.setWidget(page)
        # Never wider than the panel: there is no horizontal scrolling.
        page.setMinimumWidth(1)
        page.setMaximumWidth(WIDEST)
        column = column_of(parent=page, margins=(0, 8, 0, 8), spacing=4)
        header = row_of(self._sign, (self._title, 1), (self.name, 1), self._kind, margins=(8, 0, 8, 4), spacing=8)
        column.addLayout(header)
        for label in (self._fault, self.note):
            label.setContentsMargins(8, 0, 8, 4)
            label.hide()
            column.addWidget(label)
        column.addWidget(self.sentence)
        for section in self.sections[1:-2]:
            if section in (self.resolved, self.relative_to, self.details, self.plugins, self.overrides):
                self._add_rule(column, section)
            column.addWidget(section)
        self._column = column
        self._why = QWidget()
        why = column_of(_rule(), parent=self._why, margins=0, spacing=4)
        self.chain_bar = ChainBar(self.why)
        why.addWidget(self.chain_bar)
        why.addWidget(self.why)
        self.blame = BlameSection(self.context)
        # The answer is higher than the question, and has its place only when the page has become higher.
        self.blame.answered.connect(self._await_answer)
        self._area.verticalScrollBar().rangeChanged.connect(self._follow_answer)
        why.addWidget(self.blame)
        column.addWidget(self._why)
        for below in self.sections[-2:]:
            self._add_rule(column, below)
            column.addWidget(below)
        column.addStretch(1)

    def show_who_moved(self) -> None:
        """Ask who moved the selected frame, and bring the answer into view."""
        self._scroll_to_blame()
        self.blame.ask()

    def _scroll_to_blame(self) -> None:
        """Show the beginning of the answer; it is below the chain, often below the edge of the panel."""
        self._area.verticalScrollBar().setValue(self._why.y() + self.blame.y())

    def _await_answer(self) -> None:
        self._follows_answer = True

    def _follow_answer(self) -> None:
        if self._follows_answer:
            self._scroll_to_blame()
            self._follows_answer = self._area.verticalScrollBar().value() < self._why.y() + self.blame.y()

    def _put_details(self, first: bool) -> None:
        """Put the properties of a kind before the pose, as of a joint, or behind it, before the plugins."""
        column, rule = self._column, self._rules[self.details]
        before = self._rules[self.relative_to if first else self.plugins]
        if column.indexOf(self.details) + 1 == column.indexOf(before):
            return
        for widget in (rule, self.details):
            column.removeWidget(widget)
        at = column.indexOf(before)
        column.insertWidget(at, rule)
        column.insertWidget(at + 1, self.details)

    def _add_rule(self, column: QVBoxLayout, section: QWidget) -> None:
        """Add a line that is shown with the section below it."""
        self._rules[section] = _rule()
        column.addWidget(self._rules[section])

    def _follow(self, change: SessionChange) -> None:
        if change.document or change.selection:
            self._fault.hide()
            self._follows_answer = False
            self._show()
        elif change.problems and self.context.session.selected_row is None:
            self.robot.show_robot()
        elif change.joints and self.resolved.isVisible():
            self.resolved.show_pose()
            self._follow_joints()
            self.mass.show_masses()

    def _show_move(self, move: Move | None) -> None:
        for section in self.sections:
            if section.row >= 0:
                section.show_move(move)
        if self._why.isVisible():
            self._show_why()

    def _show_fault(self, reason: str) -> None:
        """Show why something is refused that was done here; the status bar shows what is refused anywhere."""
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus):
            return
        self._fault.setText(as_sentence(reason))
        self._fault.setVisible(bool(reason))

    def _show(self) -> None:
        session = self.context.session
        model, row = session.model, session.selected_row
        if model is None or row is None:
            self.robot.show_robot()
            self._pages.setCurrentIndex(0)
            for section in self.sections:
                section.row = -1
            return
        kind = model.kinds[row].value
        picture = kind_icon(kind).pixmap(QSize(18, 18), self.devicePixelRatio())
        self._sign.setPixmap(picture)
        self._kind.set_full_text(_describe_kind(model, row))
        self._kind.setToolTip("\n".join((self._kind.full_text, *explain_settings(model, row))))
        rows = [model.rows_by_name[name] for name in session.selection if name in model.rows_by_name]
        several = len(rows) > 1
        shown = "several" if several else catalogue_key(model, row)
        if shown != self._shown:  # what stood at this height is elsewhere now, or nowhere
            self._shown = shown
            self._area.verticalScrollBar().setValue(0)
        if several:
            self._title.set_full_text(describe_several(model, rows))
            self._title.setToolTip("\n".join(model.names[each] for each in rows))
            self._kind.set_full_text("")
            self._kind.setToolTip("")
        self._title.setVisible(several)
        self._put_details(first=kind == Kind.JOINT.value)
        self._show_note(model, row)
        for section in self.sections:
            applies = section.applies(model, row)
            if section is self.several:
                applies = several
            elif several:
                same = len({catalogue_key(model, each) for each in rows}) == 1
                applies = applies and section.for_several and same
            section.setVisible(applies)
            if section in self._rules:
                self._rules[section].setVisible(applies)
            if applies:
                section.show_rows(model, rows if several else [row])
            else:
                section.row = -1
        self._why.setVisible(not several and self.resolved.applies(model, row))
        self.sentence.setVisible(not several)
        if not several:
            self._show_why()
        focus = QApplication.focusWidget()
        if focus is not None and self.robot.isAncestorOf(focus):
            self._area.setFocus()  # Qt would give the focus to the name, and the next letters would change it
        self._pages.setCurrentIndex(1)

    def _show_note(self, model: Model, row: int) -> None:
        """Say why the row is read-only, with links to what helps."""
        reason = why_read_only(self.context.session, row)
        self.note.setVisible(reason is not None)
        self.note.setToolTip(model.document_of(row).name if model.sources[row] is not None else "")
        if reason is not None:
            links = [_LINKS["source"]] if reason.kind in _WRITTEN_SOMEWHERE else []
            links += [_LINKS["convert"]] if reason.converts else []
            if reason.kind is ReadOnlyKind.INCLUDED:
                links += [_LINKS["edit.override_pose"]] if why_not_overridden(model, [row]) is None else []
                links.append(_LINKS["edit.add_frame"])
            # The links to the text and to SDFormat say what helps.
            text = as_sentence(reason.cause) if reason.kind is ReadOnlyKind.FORMAT else reason.sentence
            if reason.kind is ReadOnlyKind.INCLUDED and self.pose.is_editable(row):
                text = f"{as_sentence(reason.cause)} Where an edit goes is asked when it is made."
            set_rich_text(self.note, markup("{reason} " + " · ".join(links), reason=text))

    def _follow_link(self, link: str) -> None:
        if "." in link:
            self.action_wanted.emit(link)
        else:
            (self.conversion_wanted if link == "convert" else self.source_wanted).emit()

    def _show_why(self) -> None:
        """Show the chain, measured from the frame that the resolved pose is shown in."""
        model, row = self.context.session.model, self.context.session.selected_row
        if model is not None and row is not None:
            name = self.resolved.reference
            reference = 0 if name is None else model.rows_by_name.get(name, 0)
            self.why.show_row(model, row, reference, self.context.motion.X_RootF, self.context.motion.move)
            step = self.why.written_step
            self.sentence.show_row(model, row, step, self.why.place_of(step))

    def _follow_joints(self) -> None:
        """Update the chain if the joints move its frame, or no longer do."""
        session = self.context.session
        model, row = session.model, session.selected_row
        if model is None or row is None:
            return
        reference = 0 if self.resolved.reference is None else model.rows_by_name.get(self.resolved.reference, 0)
        rows = [row, reference]
        is_moved = not np.allclose(session.X_RootF[rows], model.X_RootF[rows], equal_nan=True)
        if self.why.follows_joints or is_moved:
            self._show_why()

    @property
    def read_only_reason(self) -> str:
        """Why the selected row cannot be edited here, empty where it can."""
        session = self.context.session
        row = session.selected_row
        reason = None if session.model is None or row is None else why_read_only(session, row)
        return "" if reason is None else reason.sentence


def _describe_kind(model: Model, row: int) -> str:
    """Return the kind of a row in words, and the model around it unless that is the root: ``static joint of arm``."""
    words = [model.kinds[row].value.replace("_", " ")]
    if model.elements[row].tag == "include":
        words.insert(0, "missing" if row in model.failed_includes else "included")
    if model.static[row] and model.kinds[row] is not Kind.WORLD:
        words.insert(0, "static")
    scope = (
        model.names[row].removeprefix(model.member_prefix(0)).removesuffix(model.local_names[row]).removesuffix("::")
    )
    return " ".join([*words, "of", scope] if scope and row else words)


def _rule() -> QFrame:
    line = styled(QFrame(), "rule")
    line.setFixedHeight(9)
    line.setStyleSheet("margin: 4px 8px;")
    return line
