"""Checks of mimic constraints."""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding
from sdfviewer.model.kinematics.followers import mimic_cycles
from sdfviewer.model.model import Model
from sdfviewer.validation import kinematics_rules as rules
from sdfviewer.validation.graph_check import names_on_cycle


def check_mimics(model: Model) -> Iterator[Finding]:
    """Yield a finding for each circle of joints that mimic each other."""
    for cycle in mimic_cycles(model):
        places, edges = [], []
        for (row, number), (leader, _) in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            axis = model.joints_by_row[row].axes[number].element
            places.append(ElementPart(model.sources[row], axis.find("mimic") or axis))
            edges.append(FaultyEdge(row, "mimic", leader, axis.tag))
        called = names_on_cycle(model, [row for row, _ in cycle])
        names = [called[row] for row, _ in cycle]
        followed = [*names[1:], names[0]]
        sentences = [f"'{name}' mimics '{leader}'" for name, leader in zip(names, followed, strict=True)]
        rows = tuple(row for row, _ in cycle)
        related = tuple(zip(sentences, places, strict=True))
        yield Finding(rules.mimic_cycle, places[0], rules.mimic_cycle.format(names), rows, related, edges=tuple(edges))
