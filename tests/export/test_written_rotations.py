"""Every writer writes a rotation by the simpler one of its two triples of angles."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.export.conversion import convert
from sdfviewer.formats.load import Loader
from sdfviewer.model.values import format_numbers
from sdfviewer.transforms import matrix_to_rpy, pose, rpy_to_matrix, written_numbers_of

ANGLES = ("0 2 0", "0.1 2 0.3", "0 -1.75 0", "0.4 0.5 0.6", "0 0 3", "3 0 0", "-0.25 2.5 -0.125")
MODEL = """<sdf version="1.11"><model name="m">
  <link name="a"/>
  <link name="b"><pose relative_to="j"/></link>
  <joint name="j" type="fixed"><pose relative_to="a">1 2 3 {angles}</pose><parent>a</parent><child>b</child></joint>
</model></sdf>"""


def converted(text: str, target: str) -> str:
    document = parse_document(text, Path("m.urdf" if "<robot" in text else "m.sdf"))
    loader = Loader()
    model = loader.load(document)
    assert model is not None
    conversion = convert(model, loader, target)
    assert conversion.faults == ()
    return conversion.document.text


@pytest.mark.parametrize("angles", ANGLES)
def test_angles_come_through_urdf_and_back(angles: str) -> None:
    urdf = converted(MODEL.format(angles=angles), "urdf")
    assert f'rpy="{angles}"' in urdf
    assert f"1 2 3 {angles}<" in converted(urdf, "1.11")


@pytest.mark.parametrize("angles", ANGLES)
def test_angles_come_through_the_forms(angles: str) -> None:
    text = MODEL.format(angles=angles).replace(' relative_to="a"', ' relative_to="__model__"')
    absolute = converted(text.replace('<pose relative_to="j"/>', ""), "model-absolute")
    assert "3.14159" not in absolute
    assert f"1 2 3 {angles}<" in converted(text, "element-relative")


@pytest.mark.parametrize("target", ["urdf", "1.7", "model-absolute", "element-relative", "flat"])
def test_the_identity_is_never_three_half_turns(target: str) -> None:
    text = MODEL.format(angles="3.141592653589793 0 0").replace(
        '<pose relative_to="j"/>', '<pose relative_to="a">1 2 3 3.141592653589793 0 0</pose>'
    )
    written = converted(text, target)
    assert not re.search(r"3\.14159\d* 3\.14159\d* 3\.14159", written)


def test_of_two_equal_triples_the_simpler_one_is_written() -> None:
    rng = np.random.default_rng(4)
    for angles in np.round(rng.uniform(-3, 3, (200, 3)), 2) * (rng.uniform(size=(200, 3)) < 0.7):
        R = rpy_to_matrix(angles)
        written = written_numbers_of(pose(R, np.zeros(3)))[3:]
        assert np.allclose(rpy_to_matrix(written), R, rtol=0, atol=1e-12)
        plain = matrix_to_rpy(R)
        assert sum(abs(each) < 1e-9 for each in written) >= sum(abs(each) < 1e-9 for each in plain)
        if abs(np.cos(angles[1])) > 1e-6:
            assert np.allclose(written, angles, rtol=0, atol=1e-9), angles


@pytest.mark.parametrize("from_upright", [None, 0.0, 1e-11, 1e-8, 1e-5, 1e-3])
def test_what_is_written_is_read_back_to_the_last_digit(from_upright: float | None) -> None:
    """Close to a pitch of 90° roll and yaw are known badly, and the rotation that they make well."""
    rng = np.random.default_rng(5)
    for angles in rng.uniform(-np.pi, np.pi, (300, 3)):
        if from_upright is not None:
            angles[1] = np.copysign(np.pi / 2 - from_upright, angles[1])
        R = rpy_to_matrix(angles)
        text = format_numbers(written_numbers_of(pose(R, np.zeros(3))))
        np.testing.assert_allclose(rpy_to_matrix([float(word) for word in text.split()[3:]]), R, rtol=0, atol=3e-12)
