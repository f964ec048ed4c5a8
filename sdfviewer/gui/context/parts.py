"""Whether edits of visuals and collisions keep together what is one part."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from sdfviewer.formats.contents import read_shape
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.solids import Body
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange


class Parts(QObject):
    """The choice between editing all that is one part, and one shape alone.

    Another selection and each edit end that choice: after an edit of one shape alone there is no part any more.

    The bodies of the meshes of a link are read in the background once it is selected: whether its inertial follows, and
    with which numbers, is known when it is edited.
    """

    #: The user has chosen otherwise.
    changed = Signal()
    #: The bodies of more meshes are known.
    weighed = Signal()

    def __init__(self, session: Session, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._latest = Latest(background)
        self._separate = False

    @property
    def together(self) -> bool:
        """Whether the others of a part change too."""
        return not self._separate

    def separate(self, on: bool) -> None:
        """Let the next edit change only the selected shape, or its whole part."""
        if on != self._separate:
            self._separate = on
            self.changed.emit()

    def follow(self, change: SessionChange) -> None:
        """Keep parts together again after another selection and after an edit."""
        if change.document or change.selection:
            self.separate(False)
            self._weigh()

    def mesh_body(self, model: Model, row: int, geometry: Geometry, density: float) -> Body | None:
        """Return the body of a mesh, None where it is not known, or not known yet: see `refactoring.inertia`."""
        from sdfviewer.scene.mesh_body import mesh_bodies  # noqa: PLC0415  # with the first shape that is selected

        return mesh_bodies(self._session.finder, reads=False)(model, row, geometry, density)

    def _weigh(self) -> None:
        """Read the meshes of the selected links in the background where that was not done before."""
        model, finder = self._session.model, self._session.finder
        rows = [] if model is None else self._session.selected_rows
        if model is None or not rows:
            return
        from sdfviewer.scene.mesh_body import is_mesh_read, mesh_bodies  # noqa: PLC0415

        around = {row if model.kinds[row] is Kind.LINK else int(model.owners[row]) for row in rows}
        links = [each for each in around if each >= 0 and model.kinds[each] is Kind.LINK]
        # After each edit: no table of what is in each row is made for one link.
        shaped = [each for link in links for each in model.inside(link) if model.kinds[each] in SHAPED]
        unread = [shape for shape in (read_shape(model, each) for each in shaped) if not is_mesh_read(finder, shape)]
        if not unread:
            return
        body = mesh_bodies(finder)

        def read() -> None:
            for shape in unread:
                if not self._latest.is_cancelled:
                    body(model, rows[0], shape, 1.0)

        self._latest.run(read, lambda _none: self.weighed.emit())
