"""One contract and the model that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.files.configuration import WrittenContract
from sdfviewer.files.finder import Finder
from sdfviewer.files.toml_places import KeyPath
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert


class ContractError(SdfViewerError):
    """A contract does not hold, or cannot be checked.

    Parameters
    ----------
    message
        What is wrong, with the values.
    keys
        Where the contract says otherwise.
    row, part
        Where the model says it: the row, and a part of its element, see :meth:`.Document.offsets`.
    places
        Other places that take part.
    is_unverified
        Whether it is not known to be broken, since something to check it with is missing.
    """

    def __init__(
        self,
        message: str,
        *keys: str | int,
        row: int = 0,
        part: str | None = None,
        places: tuple[tuple[str, Span], ...] = (),
        is_unverified: bool = False,
    ) -> None:
        super().__init__(message)
        self.message, self.keys, self.row, self.part = message, keys, row, part
        self.places, self.is_unverified = places, is_unverified


@dataclass(eq=False)
class ModelState:
    """A model and what several contracts ask of it.

    Attributes
    ----------
    model
        The model.
    finder
        Finds its meshes.
    """

    model: Model
    finder: Finder

    @cached_property
    def kinematics(self) -> Kinematics:
        """The kinematics."""
        return Kinematics(self.model)


@dataclass(eq=False)
class ContractSubject:
    """One contract and the model that it is about.

    Attributes
    ----------
    state
        The model.
    written
        The contract.
    """

    state: ModelState
    written: WrittenContract = field(repr=False)

    @property
    def model(self) -> Model:
        """The model."""
        return self.state.model

    @property
    def content(self) -> Mapping[str, Any]:
        """The keys and values of the contract."""
        return self.written.content

    def row(self, name: str, *keys: str | int) -> int:
        """Return the row of a name that is written in the contract.

        Raises
        ------
        ContractError
            If nothing has that name; ``keys`` lead to it.
        """
        try:
            return self.model.row(name)
        except SdfViewerError as error:
            raise ContractError(str(error), *keys) from None

    @cached_property
    def q(self) -> Array:
        """The positions (m,) at which the contract holds."""
        kinematics, positions = self.state.kinematics, {}
        for name, value in self.content.get("joints", {}).items():
            keys: KeyPath = ("joints", name)
            row = self.row(name, *keys)
            values = value if isinstance(value, list) else [value]
            try:
                kinematics.dofs_to_set(row, name, len(values))
            except SdfViewerError as error:
                raise ContractError(str(error), *keys) from None
            positions[self.model.names[row]] = values
        return kinematics.positions(positions)

    @cached_property
    def X_RootF(self) -> Array:
        """The poses (n, 4, 4) of all rows at these positions."""
        X: Array = self.state.kinematics.poses(self.q) if "joints" in self.content else self.model.X_RootF
        return X

    def pose(self, row: int, name: str, *keys: str | int) -> Array:
        """Return the pose X_RootF (4, 4) of a row.

        Raises
        ------
        ContractError
            If it is undefined.
        """
        X: Array = self.X_RootF[row]
        if not np.isfinite(X).all():
            raise ContractError(f"the pose of '{name}' is undefined", *keys, row=row)
        return X

    @cached_property
    def base(self) -> tuple[str, Array]:
        """The frame in which it measures, by its name and its pose X_RootB (4, 4)."""
        name = self.content.get("relative_to", "")
        row = self.row(name, "relative_to") if name else 0
        name = name or self.model.shown_name(0)
        return name, self.pose(row, name, "relative_to")

    def in_base(self, X_RootF: Array) -> Array:
        """Return a pose in the frame in which it measures."""
        X_BF: Array = invert(self.base[1]) @ X_RootF
        return X_BF
