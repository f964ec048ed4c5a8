"""What the properties panel shows without a selection: the robot, or the world, as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.files.paths import short_name
from sdfviewer.formats.mass import link_bodies, links_by_default, links_of
from sdfviewer.formats.registry import describe_format
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.missing import Missing
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.labels import ElidedLabel, LinkLabel
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import STRETCH, column_of, row_of
from sdfviewer.gui.properties.mass_section import MANY_LINKS
from sdfviewer.gui.properties.section import make_caption, make_form
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted, format_shown
from sdfviewer.session.read_only import describe_absence
from sdfviewer.session.session import Session
from sdfviewer.validation.joint_rules import loose_parts

_DIGITS = 5
_MOST_NAMES = 3
_LINK = '<a href="{target}">{text}</a>'
#: Kinds that are counted, in this order; the first two also where there are none.
_COUNTED = (Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL)


_HINT = "Select a frame in the tree, in the 3D view or in a graph to see where it is and why."


class RobotPage(QWidget):
    """The name, file, counts, mass and problems of what is open, with links to what lists them."""

    #: What the user wants to see: the name of a kind, ``problems`` or ``resources``.
    wanted = Signal(str)

    def __init__(self, context: DocumentContext) -> None:
        super().__init__()
        self._context = context
        self._weighed: Model | None = None
        self._sign, self._kind = QLabel(), QLabel()
        self._kind.setProperty("role", "muted")
        self.title = ElidedLabel()
        self.title.setProperty("role", "title")
        self._form_widget = QWidget()
        self._form = make_form(self._form_widget)
        self._form.setContentsMargins(8, 0, 8, 0)
        self.values: dict[str, LinkLabel] = {}
        self.hint = QLabel(wordWrap=True)
        self.hint.setProperty("role", "muted")
        self.hint.setContentsMargins(8, 8, 8, 0)
        header = row_of(self._sign, (self.title, 1), self._kind, margins=(8, 0, 8, 4), spacing=8)
        column_of(header, self._form_widget, self.hint, STRETCH, parent=self, margins=(0, 8, 0, 8), spacing=4)

    def show_robot(self) -> None:
        """Show the session as it is now."""
        session = self._context.session
        model = session.model
        self._form_widget.setVisible(model is not None)
        self.hint.setText(_HINT if model is not None else describe_absence(session))
        if model is None:
            self.title.set_full_text("")
            self._kind.clear()
            self._sign.clear()
            return
        kind = model.kinds[0].value
        self._sign.setPixmap(kind_icon(kind, tokens(self.palette())).pixmap(QSize(18, 18), self.devicePixelRatio()))
        self.title.set_full_text(model.local_names[0])
        self._kind.setText(kind)
        shown = dict(self._facts(session, model))
        for name, text in shown.items():
            if name not in self.values:
                self.values[name] = label = LinkLabel()
                label.setAccessibleName(name)
                label.linkActivated.connect(self._follow_link)
                self._form.addRow(make_caption(name), label)
            set_rich_text(self.values[name], text)
        for name, label in self.values.items():
            self._form.setRowVisible(label, name in shown)

    def _facts(self, session: Session, model: Model) -> Iterator[tuple[str, Markup]]:
        """Yield the name and the text of each row."""
        path = session.path
        file = "not saved" if path is None else short_name(path)
        yield "file", markup("{file} · {format}", file=file, format=describe_format(model))
        for kind in _COUNTED:
            # The model or world itself is not one of those in it.
            count = int(model.kinds_are(kind).sum()) - (model.kinds[0] is kind)
            if not count and kind not in _COUNTED[:2]:
                continue
            text = markup(_LINK, target=kind.value, text=count) if count else markup("none")
            if kind is Kind.JOINT and 0 < count <= MANY_LINKS and (kinematics := session.kinematics) is not None:
                text = joined(" · ", (text, f"{kinematics.degrees_of_freedom} DoF"))
            yield f"{kind.value}s", text
        yield "mass", self._mass(session, model)
        if model.joints and int(model.kinds_are(Kind.LINK).sum()) <= MANY_LINKS and (parts := loose_parts(model)):
            names = ", ".join(model.local_names[part[0]] for part in parts[:_MOST_NAMES])
            more = f" and {len(parts) - _MOST_NAMES} more" if len(parts) > _MOST_NAMES else ""
            yield "not joined", markup("{names}{more}", names=names, more=more)
        yield "problems", self._problems(session)
        missing = Missing.of_problems(session.diagnostics)
        if missing:
            words = [f"{missing.words} not found"] if missing.words else []
            words += [f"{len(missing.downloads)} not downloaded"] if missing.downloads else []
            yield "missing", markup(_LINK, target="resources", text=", ".join(words))

    def _problems(self, session: Session) -> Markup:
        found = session.diagnostics
        of_severity = [sum(each.severity is severity for each in found) for severity in Severity]
        nouns = [severity.value for severity in Severity]
        parts = [counted(number, noun) for number, noun in zip(of_severity, nouns, strict=True) if number]
        return markup(_LINK, target="problems", text=", ".join(parts)) if parts else markup("none")

    def _mass(self, session: Session, model: Model) -> Markup:
        if int(model.kinds_are(Kind.LINK).sum()) > MANY_LINKS and self._weighed is not model:
            return markup(_LINK, target="weigh", text="Calculate")
        bodies = link_bodies(model, links_of(model, [0]))
        mass = bodies.total(session.X_RootF)[0].mass
        unknown = f", without {counted(len(bodies.unknown), 'link')} of unknown mass" if bodies.unknown else ""
        given = len(links_by_default(model))
        by_default = f", {counted(given, 'link')} with 1 kg by default" if given else ""
        return markup("{mass} kg{more}", mass=format_shown(mass, _DIGITS), more=unknown + by_default)

    def _follow_link(self, target: str) -> None:
        if target == "weigh":
            self._weighed = self._context.session.model
            self.show_robot()
        else:
            self.wanted.emit(target)
