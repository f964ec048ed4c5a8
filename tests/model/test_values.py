"""Numbers that no geometry can have: told at their place, and read as if nothing were written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.formats.load import load_model

JOINT = '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>{}</xyz></axis></joint>'


@pytest.mark.parametrize("pose", ["nan 0 0 0 0 0", "0 inf 0 0 0 0", "0 0 0 0 0 -1e999", "1" * 400 + " 0 0 0 0 0"])
@pytest.mark.parametrize("axis", ["0 0 1", "inf 0 0", "0 nan 1"])
def test_what_is_not_finite_reaches_no_pose(
    pose: str, axis: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.sdf"
    links = f'<link name="a"><pose>{pose}</pose></link><link name="b"/>'
    path.write_text(f'<sdf version="1.11"><model name="m">{links}{JOINT.format(axis)}</model></sdf>', encoding="utf-8")
    said = [problem.rule.name for problem in sdfviewer.check(path)]
    assert said == ["bad-value"] * (1 if axis == "0 0 1" else 2)
    model = load_model(path)
    assert np.isfinite(model.X_RootF).all()
    np.testing.assert_array_equal(model.joints[0].axes[0].xyz, (0, 0, 1))
    assert main(["frames", "--json", "--joint", "j=1", str(path)]) == 1
    json.loads(capsys.readouterr().out, parse_constant=pytest.fail)  # RFC 8259 knows no NaN


def test_an_end_infinitely_far_on_the_wrong_side_is_no_limit() -> None:
    limit = "<limit><lower>inf</lower><upper>-1e999</upper></limit>"
    joint = JOINT.format("0 0 1").replace("</axis>", f"{limit}</axis>")
    model = load_model(f'<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/>{joint}</model></sdf>')
    (axis,) = model.joints[0].axes
    assert (axis.lower, axis.upper) == (-np.inf, np.inf)
