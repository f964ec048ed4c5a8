"""Contracts: what must stay true of a model, as ``sdfviewer.toml`` or a file beside the model says.

Poses, distances and clearances, masses and their centre, names, and numbers that are the same in another file. A
contract that is broken is a finding like those of the rules, at the place in the model and at that of the contract.
Knows models and what is written of them; must not know who asks.
"""

from sdfviewer.contracts.check import ContractCheck

__all__ = ["ContractCheck"]
