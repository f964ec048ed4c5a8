"""Check the contracts of a file, as one more check of the loader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import Severity, Span
from sdfviewer.files.configuration import ConfigurationError, FilePattern, WrittenContract, find_contracts
from sdfviewer.files.finder import Finder
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.model import Model
from sdfviewer.validation.file_rules import contract_broken, contract_unverified

if TYPE_CHECKING:
    from sdfviewer.contracts.subject import ContractError, ContractSubject, ModelState

#: What checks each key of a contract, in the order of the schema: a module, imported at its first use, and a function.
_CHECKS = {
    "frame": ("geometry", "check_pose"),
    "distance": ("geometry", "check_distance"),
    "clearance": ("links", "check_clearance"),
    "mass": ("links", "check_mass"),
    "center_of_mass": ("links", "check_center_of_mass"),
    "names": ("geometry", "check_names"),
    "value": ("geometry", "check_value"),
}


class ContractCheck:
    """Yields the contracts of a model that are broken; one of the :attr:`.Loader.extra_checks`.

    Parameters
    ----------
    finder
        Finds the meshes of the model.
    sweeps
        Whether clearances are checked, which may take a second; else :meth:`has_sweeps` says whether there are any.
        It may change.
    """

    def __init__(self, finder: Finder, *, sweeps: bool = True) -> None:
        self._finder, self.sweeps = finder, sweeps

    def __call__(self, model: Model) -> Iterator[Finding]:
        """Yield a finding for each contract that does not hold, at the place in the model."""
        try:
            contracts = contracts_of(model.document.path)
        except ConfigurationError as error:
            # An error, as in a sdfviewer.toml: a mistake there must not let a pipeline pass.
            message, root = contract_unverified.format(str(error), ""), ElementPart(None, model.elements[0])
            yield Finding(contract_unverified, root, message, severity=Severity.ERROR)
            return
        if not contracts:
            return
        from sdfviewer.contracts.subject import ModelState  # noqa: PLC0415  # few files have contracts

        state = ModelState(model, self._finder)
        for written in contracts:
            for broken in _errors(state, written, sweeps=self.sweeps):
                yield _finding(model, written, broken)

    def has_sweeps(self, model: Model) -> bool:
        """Return whether a model has contracts about clearances."""
        try:
            return any("clearance" in each.content for each in contracts_of(model.document.path))
        except ConfigurationError:
            return False  # checking it reports that


def broken_in(model: Model, written: WrittenContract, finder: Finder) -> list[str]:
    """Return what a contract finds broken in a model, in words; what cannot be verified is not broken."""
    from sdfviewer.contracts.subject import ModelState  # noqa: PLC0415  # few files have contracts

    return [each.message for each in _errors(ModelState(model, finder), written) if not each.is_unverified]


def _errors(state: ModelState, written: WrittenContract, *, sweeps: bool = True) -> Iterator[ContractError]:
    """Yield where a model breaks a contract."""
    from sdfviewer.contracts.subject import ContractError, ContractSubject  # noqa: PLC0415

    subject = ContractSubject(state, written)
    for key in (key for key in _CHECKS if key in written.content and (sweeps or key != "clearance")):
        try:
            yield from _check(key)(subject)
        except ContractError as error:
            yield error


def contracts_of(path: Path | None) -> list[WrittenContract]:
    """Return the contracts about a file, those of the settings above it and of the file beside it.

    Raises
    ------
    ConfigurationError
        If these cannot be read, or a contract asks for nothing.
    """
    if path is None:
        return []
    found = [each for each in find_contracts(path) if _is_about(each, path)]
    for each in found:
        if not any(key in each.content for key in _CHECKS):
            raise ConfigurationError(f"{_where(each)}: the contract asks for nothing; use {', '.join(_CHECKS)}")
    return found


def _is_about(written: WrittenContract, path: Path) -> bool:
    """Return whether a contract is about a file: by its pattern, or since it is in the file beside it."""
    pattern = written.content.get("file")
    return pattern is None or FilePattern(written.file.parent, pattern).fits(path)


def _where(written: WrittenContract, *keys: str | int) -> str:
    place = written.place(*keys)
    return str(written.file) if place is None else f"{place.path}:{place.line}:{place.column}"


def _check(key: str) -> Callable[[ContractSubject], Iterator[ContractError]]:
    module, name = _CHECKS[key]
    check: Callable[[ContractSubject], Iterator[ContractError]] = getattr(
        import_module(f"sdfviewer.contracts.{module}"), name
    )
    return check


def _finding(model: Model, written: WrittenContract, error: ContractError) -> Finding:
    rule = contract_unverified if error.is_unverified else contract_broken
    source, element = model.sources[error.row], model.elements[error.row]
    place: Span | None = written.place(*error.keys)
    places = (*([("the contract", place)] if place is not None else []), *error.places)
    message = rule.format(error.message, written.content.get("why", ""))
    inner = None if error.part is None else element.find(error.part)
    return Finding(rule, ElementPart(source, inner or element), message, (error.row,), places=places)
