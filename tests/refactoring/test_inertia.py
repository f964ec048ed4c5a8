"""Inertials from shapes: against closed forms, and against what other libraries say of the file."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sdfviewer.formats.contents import read_inertial
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.inertia import (
    computed_body,
    explain_inertia,
    link_shapes,
    set_inertial,
    set_inertials,
    suggested_density,
)

TEXT = """<sdf version="1.9"><model name="m">
  <link name="rod">
    <collision name="c"><pose>0 0 0.5 0 0 0</pose>
      <geometry><cylinder><radius>0.1</radius><length>1</length></cylinder></geometry></collision>
  </link>
  <link name="pair">
    <inertial><mass>7</mass></inertial>
    <collision name="l"><pose>-1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
    <collision name="r"><pose>1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
    <collision name="ground"><geometry><plane/></geometry></collision>
  </link>
  <link name="ball"><visual name="v"><geometry><sphere><radius>0.5</radius></sphere></geometry></visual></link>
  <link name="empty"/>
</model></sdf>"""


@pytest.fixture
def model() -> Model:
    return load_model(TEXT)


def edited(model: Model, edit: object) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))  # type: ignore[attr-defined]
    assert result is not None
    assert not [each for each in result.diagnostics if each.is_error]
    return result


def test_a_rod_about_its_middle(model: Model) -> None:
    body = computed_body(model, model.row("m::rod"), density=1000)
    mass = 1000 * math.pi * 0.01
    assert body.mass == pytest.approx(mass)
    np.testing.assert_allclose(body.p_FB, [0, 0, 0.5])
    across = mass * (3 * 0.01 + 1) / 12
    np.testing.assert_allclose(body.I_B, np.diag([across, across, mass * 0.01 / 2]), atol=1e-12)


def test_two_boxes_by_the_parallel_axis_theorem_and_a_plane_that_has_no_volume(model: Model) -> None:
    row = model.row("m::pair")
    body = computed_body(model, row, mass=2)
    np.testing.assert_allclose(body.I_B, np.diag([1 / 3, 1 / 3 + 2, 1 / 3 + 2]), atol=1e-12)
    assert [model.local_names[each] for each in link_shapes(model, row).unknown] == ["ground"]


AUTOMATIC = """<sdf version="1.11"><model name="m">
  <link name="bob"><inertial auto="true"><density>7800</density></inertial>
    <collision name="ball"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>
    <collision name="rod"><density>2700</density><pose>0 0 0.3 0 0 0</pose>
      <geometry><cylinder><radius>0.01</radius><length>0.5</length></cylinder></geometry></collision>
  </link>
</model></sdf>"""


def test_automatic_inertia_is_written_out_as_it_is_computed() -> None:
    """Collisions keep their own densities; Drake and sdformat have the same numbers."""
    model = load_model(AUTOMATIC)
    row = model.row("m::bob")
    expected = resolve_inertial(model, row)
    assert expected is not None
    after = edited(model, set_inertials(model, [row], suggested_density(model, [row])))
    inertial = read_inertial(after, row)
    assert not inertial.auto
    assert inertial.mass == pytest.approx(expected.mass, rel=1e-6) == pytest.approx(33.0967, rel=1e-5)
    np.testing.assert_allclose(inertial.inertia_in_link, expected.inertia_in_link, rtol=1e-6, atol=1e-12)
    half = computed_body(model, row, 7800, mass=expected.mass / 2)
    np.testing.assert_allclose(half.p_FB, expected.X_LI[:3, 3], atol=1e-12)


def test_visuals_count_where_there_is_no_collision(model: Model) -> None:
    body = computed_body(model, model.row("m::ball"), density=2)
    assert body.mass == pytest.approx(2 * 4 / 3 * math.pi * 0.125)


def test_what_is_written_is_what_was_computed_and_changes_nothing_else(model: Model) -> None:
    for name in ("m::rod", "m::pair"):
        row = model.row(name)
        body = computed_body(model, row)
        after = edited(model, set_inertial(model, row, body))
        inertial = read_inertial(after, row)
        assert inertial.mass == pytest.approx(body.mass, rel=1e-6)
        np.testing.assert_allclose(inertial.inertia, body.I_B, rtol=1e-6)
        np.testing.assert_allclose(inertial.X_LI[:3, 3], body.p_FB, atol=1e-6)
        assert after.document.text.count("<inertial>") == (2 if name == "m::rod" else 1)
        assert "<ixy>" not in after.document.text


def test_a_model_gets_its_total_mass(model: Model) -> None:
    links = [model.row(f"m::{name}") for name in ("rod", "pair", "ball", "empty")]
    after = edited(model, set_inertials(model, links, total_mass=10))
    masses = [read_inertial(after, row).mass for row in links[:3]]
    assert sum(masses) == pytest.approx(10, rel=1e-6)
    assert after.elements[links[3]].find("inertial") is None


@pytest.mark.parametrize("radius", ["1e308", "1e120", "1e-120"])
def test_shapes_of_any_size_leave_an_inertia_as_it_is(radius: str) -> None:
    sphere = f"<sphere><radius>{radius}</radius></sphere>"
    text = IMPLAUSIBLE.format(mass=1, ixx=1, iyy=1, izz=1).replace("<box><size>0.1 0.1 0.1</size></box>", sphere)
    model = load_model(text)
    assert explain_inertia(model, 1) is None
    with pytest.raises(RefactoringError):
        computed_body(model, 1)
    computed = resolve_inertial(load_model(text.replace("<inertial>", '<inertial auto="true">')), 1)
    assert computed is None


@pytest.mark.parametrize(("name", "density"), [("m::empty", 1000.0), ("m::rod", 0.0), ("m::rod", math.nan)])
def test_what_cannot_be_computed_is_refused(model: Model, name: str, density: float) -> None:
    with pytest.raises(RefactoringError):
        computed_body(model, model.row(name), density)


IMPLAUSIBLE = """<sdf version="1.9"><model name="m"><link name="l">
  <inertial><mass>{mass}</mass><inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz></inertia></inertial>
  <collision name="c"><geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision>
</link></model></sdf>"""


@pytest.mark.parametrize(
    ("mass", "moments", "message"),
    [
        (1, (1 / 600,) * 3, ""),
        (1, (0.01, 0.01, 0.03), "none may be larger than the sum of the other two"),
        (1, (1000 / 600,) * 3, "1e+03 times those of its solid shapes"),
        (1, (1e-6,) * 3, "times smaller"),
        (1, (0.0,) * 3, "are 0, as of a point"),
        (1000, (1000 / 600,) * 3, "denser than any metal"),
        (0.001, (0.001 / 600,) * 3, "lighter than foam"),
    ],
)
def test_what_is_implausible_is_explained_and_can_be_computed(
    mass: float, moments: tuple[float, float, float], message: str
) -> None:
    ixx, iyy, izz = moments
    model = load_model(IMPLAUSIBLE.format(mass=mass, ixx=ixx, iyy=iyy, izz=izz))
    problem = explain_inertia(model, 1)
    if not message:
        assert problem is None
        return
    assert problem is not None
    assert message in problem.message
    assert problem.fix is not None
    after = edited(model, problem.fix)
    inertial = read_inertial(after, 1)
    assert inertial.mass == pytest.approx(mass)
    np.testing.assert_allclose(inertial.inertia, np.eye(3) * mass / 600, rtol=1e-6)
