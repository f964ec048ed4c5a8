"""Hidden and transparent rows of the 3D view; not stored in the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.graph import with_contents
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array


@dataclass(frozen=True)
class Visibility:
    """Hidden and see-through rows of a model, by their scoped names; what is written in them follows.

    Attributes
    ----------
    hidden
        Scoped names of what is hidden.
    opacities
        Opacity from 0 to 1 by scoped name, of what is not drawn in full.
    only
        Scoped names of what is isolated, until something else is shown again.
    """

    hidden: frozenset[str] = frozenset()
    opacities: Mapping[str, float] = field(default_factory=dict)
    only: tuple[str, ...] = ()

    @property
    def is_default(self) -> bool:
        """Whether everything is drawn in full."""
        return not self.hidden and not self.opacities

    # --- questions -------------------------------------------------------------------------------------------------

    def hidden_rows(self, model: Model) -> NDArray[np.bool_]:
        """Return the mask (n,) of hidden rows: those hidden themselves, and all that is written in them."""
        mask = np.zeros(len(model), bool)
        if not self.hidden:
            return mask
        mask[_rows(model, self.hidden)] = True
        return with_contents(model.owners, mask)

    def frameless_rows(self, model: Model) -> NDArray[np.bool_]:
        """Return the mask (n,) of rows that are not hidden only because what is isolated is written in them.

        Their own frames are left out of the 3D view.
        """
        chosen = _rows(model, self.only)
        mask = np.zeros(len(model), bool)
        mask[[each for row in chosen for each in model.around(row)]] = True
        mask[chosen] = False
        return mask

    def row_opacities(self, model: Model) -> Array:
        """Return the opacity of each row (n,); opacities of things that are in each other multiply."""
        result = np.ones(len(model))
        for name, opacity in self.opacities.items():
            mask = np.zeros(len(model), bool)
            mask[_rows(model, (name,))] = True
            result[with_contents(model.owners, mask)] *= opacity
        return result

    # --- changes ---------------------------------------------------------------------------------------------------

    def hide(self, names: Iterable[str]) -> Visibility:
        """Return this with some more hidden."""
        hidden = self.hidden | frozenset(names)
        return replace(self, hidden=hidden, only=tuple(name for name in self.only if name not in hidden))

    def show(self, model: Model, names: Iterable[str]) -> Visibility:
        """Return this with some shown, wherever they are written: what hides them hides only the rest of itself."""
        hidden = set(self.hidden)
        for row in _rows(model, names):
            above = list(model.around(row))
            # From the outside in: the contents of a shown element stay hidden, except those that contain the row.
            for outer in reversed(above[1:]):
                if model.names[outer] in hidden:
                    hidden.remove(model.names[outer])
                    hidden |= {model.names[each] for each in model.rows_in(outer)}
            hidden.discard(model.names[row])
        is_as_before = hidden == self.hidden
        return replace(self, hidden=frozenset(hidden), only=self.only if is_as_before else ())

    def toggle(self, model: Model, name: str) -> Visibility:
        """Return this with one thing hidden if it is in sight, else shown."""
        rows = _rows(model, (name,))
        is_hidden = bool(rows) and bool(self.hidden_rows(model)[rows[0]])
        return self.show(model, (name,)) if is_hidden else self.hide((name,))

    def isolate(self, model: Model, names: Iterable[str]) -> Visibility:
        """Return this with nothing in sight but some things, what is written in them, and what they are written in."""
        chosen = _rows(model, names)
        if not chosen:
            return self
        inside = np.zeros(len(model), bool)
        inside[chosen] = True
        kept = with_contents(model.owners, inside)
        way = {each for row in chosen for each in model.around(row)}
        kept[list(way)] = True
        # Hide the outermost elements only: their contents follow.
        outermost = [
            row for row in np.nonzero(~kept)[0].tolist() if model.owners[row] < 0 or int(model.owners[row]) in way
        ]
        hidden = frozenset(model.names[row] for row in outermost)
        return replace(self, hidden=hidden, only=tuple(model.names[row] for row in chosen) if hidden else ())

    def show_all(self) -> Visibility:
        """Return this with nothing hidden; what is see-through stays so."""
        return replace(self, hidden=frozenset(), only=())

    def with_opacity(self, names: Iterable[str], opacity: float) -> Visibility:
        """Return this with some things drawn at an opacity from 0 to 1."""
        chosen = dict.fromkeys(names, opacity)
        opacities = {name: value for name, value in {**self.opacities, **chosen}.items() if value < 1}
        return replace(self, opacities=opacities)

    def renamed(self, names: Mapping[str, str]) -> Visibility:
        """Return this after some things, by their former names, have got others."""
        return Visibility(
            frozenset(names.get(name, name) for name in self.hidden),
            {names.get(name, name): opacity for name, opacity in self.opacities.items()},
            tuple(names.get(name, name) for name in self.only),
        )


def _rows(model: Model, names: Iterable[str]) -> list[int]:
    return [model.rows_by_name[name] for name in names if name in model.rows_by_name]
