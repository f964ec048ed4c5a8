"""An open file: session, context, views and recovery file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import indentation_step
from sdfviewer.faults import log_fault
from sdfviewer.files.paths import short_name
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.joints.panel import JointsPanel
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.safe_text import made_plain
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.tree.panel import ModelTree
from sdfviewer.gui.view3d.scene_feed import PreparedScene
from sdfviewer.gui.view3d.view3d import View3D
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_mentions, find_references
from sdfviewer.session.saved_state import SavedView
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.unsaved_work import UnsavedText, UnsavedWork

if TYPE_CHECKING:
    from sdfviewer.gui.compare.history import HistoryPanel
    from sdfviewer.gui.compare.panel import ComparePanel
    from sdfviewer.gui.problems.panel import ProblemsPanel
    from sdfviewer.gui.source import SourceView

_Panel = TypeVar("_Panel", bound=QWidget)

KEEP_MILLISECONDS = 500
"""How long after an edit or a key unsaved work is written down. With the writing itself, no second of work is lost."""

#: The panels of a file in the order in which they are made: the id of their dock, and what each is called meanwhile.
PANELS = {spec.id: spec.name.lower() for spec in DOCKS}

#: The modules and classes of those that need no more than the context of the file.
_CLASSES = {spec.id: spec.panel.split(":") for spec in DOCKS if spec.panel}

#: What a panel imports when it is made, since no file has to wait for it: each module in a pass of its own.
_IMPORTED_LATER = {
    **{id: (module,) for id, (module, _) in _CLASSES.items()},
    "source": ("sdfviewer.language.completion", "sdfviewer.language.actions", "sdfviewer.gui.source"),
    "compare": ("sdfviewer.gui.compare.panel",),
}

#: Dialogs that are imported when all panels are there, so that they open at once the first time, too.
_DIALOGS_IMPORTED_LAST = (
    "sdfviewer.gui.operations.add_link",
    "sdfviewer.gui.operations.rename_dialog",
    "sdfviewer.gui.operations.remove",
    "sdfviewer.gui.operations.preview_dialog",
    "sdfviewer.gui.help.manual",
    "sdfviewer.gui.help.shortcuts",
)


class PreparedViews:
    """What the views of a session show first, computed in any thread.

    Attributes
    ----------
    session
        Whose views are prepared.
    scene
        The first scene, None where there is no model.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        model, document = session.model, session.document
        self.scene = None if model is None else self._prepare_scene(model)
        if model is not None:
            model.rows_by_name  # noqa: B018  # the model remembers it
            for _ in chain(find_references(model), find_mentions(model)):
                pass  # the document remembers the words that it does not contain
        if document.root is not None:
            indentation_step(document)  # the document remembers the places of its elements

    def _prepare_scene(self, model: Model) -> PreparedScene | None:
        """Return the first scene, None where making it fails: the view tries again, and reports that."""
        try:
            return PreparedScene(model, self.session.finder)
        except Exception as error:
            log_fault(f"draw {model.document.name}", error)
            return None


class OpenFile(QObject):
    """One open file in the window: its views, each made when it is first requested.

    The modules of the panels that are folded at first are imported with them.

    Attributes
    ----------
    load_seconds
        How long it took to read the file.
    number
        Tells new files from each other until they are saved.
    offers_conversion
        Whether an edit that the format refuses offers to convert the file.
    """

    #: Title, dirty mark or counts may have changed.
    state_changed = Signal()
    #: A panel is there: the id of its dock.
    panel_made = Signal(str)
    # Emitted in the thread that writes, received in the window's.
    _kept_failed = Signal(str)

    def __init__(
        self,
        session: Session,
        settings: Settings,
        load_seconds: float,
        parent: QObject | None = None,
        prepared: PreparedViews | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.load_seconds = load_seconds
        self.number = 1
        self.offers_conversion = True
        self.context = DocumentContext(session, self)
        #: The panels that are made, by the id of their dock.
        self.panels: dict[str, QWidget] = {}
        #: Returns what a panel is made in, by the id of its dock: what gets there later is styled again.
        self.place_of: Callable[[str], QWidget | None] = lambda _id: None
        self._settings, self._prepared = settings, prepared
        self._unfinished: Iterator[str] = iter(())
        self._saved_view = SavedView(session, settings)
        self._unsaved_work = UnsavedWork()
        self._kept_failed.connect(self._refuse_to_keep)
        self._keep_soon = delayed(self, self._keep_in_background, KEEP_MILLISECONDS)

    # --- views -------------------------------------------------------------------------------------------------

    def build(self, panels: Collection[str] = tuple(PANELS)) -> Iterator[str]:
        """Make the 3D view and some panels one after the other; `build_others` makes the others.

        Yields
        ------
        str
            The name of each before it is made, and again between its parts.
        """
        yield "3D view"
        self.view  # noqa: B018  # made by this
        first = [id for id in PANELS if id in panels]
        for id in first:
            self.blockSignals(True)
            yield from self._build_panel(id)
            self.blockSignals(False)
            yield PANELS[id]  # who takes the panel does so in a pass of its own
            self.panel_made.emit(id)
        self.context.changed.connect(self._follow)
        others = [id for id in PANELS if id not in panels]
        self._unfinished = chain(*map(self._build_panel, others), _imports(_DIALOGS_IMPORTED_LAST, "dialogs"))
        yield PANELS[first[-1]] if first else "3D view"  # the window takes the file in a pass of its own

    def _build_panel(self, id: str) -> Iterator[str]:
        yield PANELS[id]
        yield from _imports(_IMPORTED_LATER.get(id, ()), PANELS[id])
        if id == "source":
            self._unloaded_source  # noqa: B018  # made by this
            yield PANELS[id]
            for _ in self._source_loading:
                yield PANELS[id]
        self.make(id)

    def make(self, id: str) -> QWidget:
        """Return a panel, made when it is first requested."""
        if id in self.panels:
            return self.panels[id]
        if id not in _CLASSES:
            panel: QWidget = getattr(self, id)
            return panel
        module, name = _CLASSES[id]
        make: Callable[..., QWidget] = getattr(import_module(module), name)
        return self._make(id, partial(make, self.context))

    def build_others(self) -> None:
        """Make the panels that are not there yet in later passes of the event loop."""
        self.context.later.do(self._build_another)

    def _build_another(self) -> None:
        """Make a panel that is not in sight, or a part of it."""
        name = next(self._unfinished, None)
        if name is not None:
            self.build_others()

    def _make(self, id: str, make: Callable[[QWidget | None], _Panel]) -> _Panel:
        return self._add(id, self._unseen(id, make))

    def _unseen(self, id: str, make: Callable[[QWidget | None], _Panel]) -> _Panel:
        """Return a panel that does not come into sight with its place before it is taken."""
        panel = made_plain(lambda: make(self.place_of(id)))
        panel.hide()
        return panel

    def _add(self, id: str, panel: _Panel) -> _Panel:
        # The property knows it only when this returns, but who hears of it asks for it.
        self.panels[id] = self.__dict__[id] = panel
        self.panel_made.emit(id)
        return panel

    @cached_property
    def view(self) -> View3D:
        """The 3D view."""
        prepared, self._prepared = self._prepared, None
        scene = None if prepared is None else prepared.scene
        finder = self.session.finder
        return self._unseen("view", lambda place: View3D(self.context, self._settings, finder, place, scene))

    @cached_property
    def tree(self) -> ModelTree:
        """The model tree."""
        return self._make("tree", lambda place: ModelTree(self.context, self._settings, place))

    @cached_property
    def properties(self) -> PropertiesPanel:
        """The properties of the selected frame."""
        return self._make("properties", lambda place: PropertiesPanel(self.context, self._settings, place))

    @cached_property
    def joints(self) -> JointsPanel:
        """The sliders of the joints."""
        return self._make("joints", lambda place: JointsPanel(self.context, self._settings, place))

    @cached_property
    def graphs(self) -> GraphPanes:
        """The frame graphs."""
        return self._make("graphs", lambda place: GraphPanes(self.context, self._settings, place))

    @property
    def problems(self) -> ProblemsPanel:
        """The problems of the file."""
        return cast("ProblemsPanel", self.make("problems"))

    @cached_property
    def source(self) -> SourceView:
        """The text, loaded to its end."""
        for _ in self._source_loading:
            pass
        return self._add("source", self._unloaded_source)

    @cached_property
    def _unloaded_source(self) -> SourceView:
        from sdfviewer.gui.source import SourceView

        source = self._unseen("source", lambda place: SourceView(self.context, place, loaded=False))
        source.typed.connect(self._keep_in_time)
        return source

    @cached_property
    def _source_loading(self) -> Iterator[None]:
        return self._unloaded_source.load()

    @cached_property
    def compare(self) -> ComparePanel:
        """The differences between the two conventions."""
        from sdfviewer.gui.compare.panel import ComparePanel

        return self._make("compare", lambda place: ComparePanel(self.context, self._settings, place))

    @property
    def history(self) -> HistoryPanel:
        """The history of edits."""
        return cast("HistoryPanel", self.make("history"))

    def discard(self) -> None:
        """Give up a file whose views are not all made."""
        self.context.close()
        made = [self.__dict__.get("view"), self.__dict__.get("_unloaded_source"), *self.panels.values()]
        for widget in made:
            if isinstance(widget, View3D):
                widget.stop()
            if isinstance(widget, QWidget):
                widget.deleteLater()
        self.deleteLater()

    @property
    def name(self) -> str:
        """The name of the file in tabs and titles."""
        path = self.session.path
        if path is None:
            return "untitled" if self.number == 1 else f"untitled-{self.number}"
        return short_name(path)

    def decline_conversion(self) -> None:
        """Offer the conversion no more."""
        self.offers_conversion = False

    def _follow(self, change: SessionChange) -> None:
        self._saved_view.follow(change)
        if change.document:
            self._keep_in_time()
        if change.document or change.saved or change.problems:
            self.state_changed.emit()
        if change.saved:
            self.keep_unsaved_work()

    def flush(self) -> None:
        """Make what is being typed an edit. A view that fails to show it keeps no text from being saved."""
        if "source" not in self.panels:
            return
        try:
            self.source.flush()
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)

    # --- unsaved work ------------------------------------------------------------------------------------------

    def _keep_in_time(self) -> None:
        # Not delayed by further edits: the user may type for an hour without a pause.
        if not self._keep_soon.isActive():
            self._keep_soon.start()

    def _unsaved_text(self) -> UnsavedText | None:
        """Return the text with all that has been typed, None where that is saved."""
        document = self.session.document
        text = self.source.text() if "source" in self.panels else document.text
        if not self.session.dirty and text == document.text:
            return None
        others = dict(self.session.others)
        return UnsavedText(document.path, text, document.encoding, document.fingerprint, others)

    def _keep_in_background(self) -> None:
        job = self._unsaved_work.keep(self._unsaved_text())
        job.add_done_callback(lambda job: self._kept_failed.emit(str(error)) if (error := job.exception()) else None)

    def _refuse_to_keep(self, why: str) -> None:
        self.context.messages.refuse(f"Unsaved work cannot be recovered after a crash: {why}")

    def keep_unsaved_work(self) -> bool:
        """Write unsaved work to its recovery file, or remove that file if there is none; return whether it worked."""
        self._keep_soon.stop()
        try:
            self._unsaved_work.keep(self._unsaved_text()).result()
        except SdfViewerError as error:
            self._refuse_to_keep(str(error))
            return False
        return True

    def close(self) -> None:
        """Stop listening and give up unsaved work."""
        self._keep_soon.stop()
        self.context.close()
        if "joints" in self.panels:
            self.joints.close_threads()
        self.view.stop()
        try:
            self._unsaved_work.close()
        except SdfViewerError as error:
            self._refuse_to_keep(str(error))


def _imports(modules: Collection[str], name: str) -> Iterator[str]:
    """Import modules one after the other; yield the name of what needs them after each."""
    for module in modules:
        import_module(module)
        yield name
