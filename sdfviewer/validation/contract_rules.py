"""Rules about contracts: what ``sdfviewer.toml`` says must stay true of a model."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


@rule("contract-broken", 901)
def contract_broken(what: str, why: str) -> str:
    """A contract of ``sdfviewer.toml`` that the model breaks.

    A ``[[contract]]`` says what must stay true of a model: where a frame is, what a number is elsewhere, a mass, a
    clearance, the centre of mass, or names that other programs rely on. The problem leads to both places.

    Bad: a link with a mass of 3 kg, and a ``[[contract]]`` with ``mass = { max = 2.5 }``.

    Use instead: a model that fulfils the contract, or another contract if the requirement has changed.

    Source: docs/pipelines.md, "Contracts".
    """
    return f"{what}: " + why if why else what


@rule("contract-unverified", 902, severity=Severity.WARNING)
def contract_unverified(what: str, why: str) -> str:
    """A contract that cannot be checked: a mesh or a mass is not known. An error where the settings have a mistake.

    Bad: ``clearance = { between = ["arm::palm", "arm::base"], min = 0.05 }`` where the palm has no collision.

    Use instead: a contract about what the model has.

    Source: docs/pipelines.md, "Contracts".
    """
    return f"{what}: " + why if why else what
