"""New files are valid, move as they should, and read as if a careful person had written them."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.mass import link_bodies, links_of
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.refactoring.inertia import explain_inertia
from sdfviewer.refactoring.templates import TEMPLATES
from tests.frames import frame_in


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_a_new_file_has_no_problem(name: str) -> None:
    document = parse_document(TEMPLATES[name].text("thing"))
    model, diagnostics = Loader().load_with_diagnostics(document)
    assert not diagnostics
    assert model is not None
    assert model.names[0] in ("thing", "world")
    assert "\t" not in document.text
    assert max(len(line) for line in document.text.splitlines()) <= 100


@pytest.mark.parametrize(("name", "dofs", "mass"), [("arm", 2, 7.0), ("rover", 5, 9.4)])
def test_a_robot_moves_and_has_plausible_inertia(name: str, dofs: int, mass: float) -> None:
    model = load_model(TEMPLATES[name].text())
    assert len(Kinematics(model).dofs) == dofs
    links = links_of(model, [0])
    assert link_bodies(model, links).total(model.X_RootF)[0].mass == pytest.approx(mass)
    for link in links:
        assert explain_inertia(model, link) is None
    assert Comparison(model).equal, "it means the same in URDF"


def test_the_wheels_touch_the_ground() -> None:
    model = load_model(TEMPLATES["rover"].text())
    heights = [
        frame_in(model, f"rover::{wheel}").pose[2, 3] - radius
        for wheel, radius in (("left_wheel", 0.1), ("right_wheel", 0.1), ("caster", 0.05))
    ]
    np.testing.assert_allclose(heights, heights[0], atol=1e-9)
