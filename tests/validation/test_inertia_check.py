"""Which inertias a body can have, as gz-math judges them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.validation.kinematics_rules import impossibility, principal_moments

SIZES = st.floats(0.01, 10)


@given(st.floats(0.001, 1e4), SIZES, SIZES, SIZES, st.integers(0, 2**32 - 1))
def test_a_turned_box_is_possible(mass: float, x: float, y: float, z: float, seed: int) -> None:
    moments = np.array([y * y + z * z, x * x + z * z, x * x + y * y]) * mass / 12
    R = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    matrix = R @ np.diag(moments) @ R.T
    ixx, iyy, izz, ixy, ixz, iyz = matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist()
    computed = sorted(principal_moments((ixx, iyy, izz, ixy, ixz, iyz)))
    np.testing.assert_allclose(computed, sorted(moments), rtol=1e-5, atol=1e-5 * max(moments))
    assert impossibility(mass, (ixx, iyy, izz, ixy, ixz, iyz)) == ""


@pytest.mark.parametrize(
    ("mass", "moments", "why"),
    [
        (-1.0, (1, 1, 1, 0, 0, 0), "negative"),
        (1.0, (-1, 1, 1, 0, 0, 0), "not positive"),
        (1.0, (1, 1, 3, 0, 0, 0), "larger than the sum"),
        (1.0, (1, 1, 1, 2, 0, 0), "not positive"),
        (1.0, (float("nan"), 1, 1, 0, 0, 0), "not finite"),
        (0.0, (0, 0, 0, 0, 0, 0), ""),
        (1.0, (1, 1, 2, 0, 0, 0), ""),
        (1.0, (1, 1, 1, 0, 0, 1e120), "not positive"),
        (1.0, (1e308, 1e308, 1e308, 0, 0, 0), ""),
        (1.0, (1e308, 1e308, 1e308, 1e307, 1e307, 1e307), ""),
        (1.0, (1e307, 1e307, 1e308, 0, 0, 0), "1e+307, 1e+307 and 1e+308"),
        (1.0, (1e-320, 1e-320, 1e-320, 0, 0, 0), ""),
        (1.0, (3e-310, 3e-310, 3e-310, 5e-311, 5e-311, 5e-311), ""),
        (1.0, (1e-320, 1e-320, 1e-319, 0, 0, 0), "larger than the sum"),
        (1.0, (0, 0, 0, 1e-320, 0, 0), "not positive"),
    ],
)
def test_why_an_inertia_is_impossible(mass: float, moments: tuple[float, ...], why: str) -> None:
    told = impossibility(mass, tuple(map(float, moments)))  # type: ignore[arg-type]
    assert why in told
    assert bool(told) is bool(why)
