"""What an export says about the parts of a model that it writes otherwise or leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sdfviewer.model.model import Model


class Obstacle(Enum):
    """An obstacle to copying something into another format."""

    REWRITTEN = "rewritten"
    RENAMED = "renamed"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class ExportNote:
    """Something about one row that another format cannot say in the same way.

    Attributes
    ----------
    obstacle
        Whether its numbers are rewritten, it gets another name, or it is lost.
    row
        The row concerned.
    message
        In words.
    """

    obstacle: Obstacle
    row: int
    message: str

    @property
    def is_loss(self) -> bool:
        """Whether something is not carried over."""
        return self.obstacle is Obstacle.LOST

    def sentence(self, model: Model, *, with_obstacle: bool = False) -> str:
        """Return a sentence that begins with file and line; on demand the obstacle follows in one word."""
        span = model.document_of(self.row).span(model.elements[self.row])
        obstacle = f"{self.obstacle.value}: " if with_obstacle else ""
        return f"{span.path}:{span.line}: {obstacle}{model.kinds[self.row]} '{model.names[self.row]}': {self.message}"
