"""What is written as MJCF is read again: what differs and nothing has announced is an error of this program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sdfviewer.export.conversion import convert
from sdfviewer.export.mjcf import MjcfExport, export_mjcf
from sdfviewer.export.read_back import read_mjcf_back
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model

ARM = """<sdf version="1.11"><model name="m"><pose>1 2 3 0 0 1</pose>
<link name="a"><inertial><mass>2</mass></inertial><collision name="c"><pose>0 0 0.1 0 0 0</pose>
<geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision></link>
<link name="b"><pose>0 0 1 0.1 0.2 0.3</pose><inertial><pose>0 0.1 0 0 0 0</pose><mass>3</mass></inertial>
<visual name="v"><geometry><capsule><radius>0.1</radius><length>0.4</length></capsule></geometry></visual></link>
<frame name="tool" attached_to="b"><pose>0.1 0 0 0 0 1</pose></frame>
<joint name="j" type="revolute"><pose>0 0 0.2 0.3 0 0</pose><parent>a</parent><child>b</child>
<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit><dynamics><damping>0.5</damping></dynamics></axis>
</joint></model></sdf>"""


@pytest.fixture(scope="module")
def written() -> tuple[Model, MjcfExport]:
    model = load_model(ARM)
    return model, export_mjcf(model, Finder(), lambda _: "there are no meshes")


def test_what_is_written_right_differs_in_nothing(written: tuple[Model, MjcfExport]) -> None:
    assert read_mjcf_back(*written).faults == ()


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("0.95533648912", "0.5", "axis"),
        ('range="-1.0 2.0"', 'range="-1.0 2.5"', "upper"),
        ('damping="0.5"', 'damping="0.05"', "damping"),
        ('mass="3.0"', 'mass="3.1"', "mass"),
        ('size="0.05 0.1 0.15"', 'size="0.05 0.1 0.3"', "size"),
        ('size="0.1 0.2"', 'size="0.1 0.4"', "length"),
        ('<site name="tool" pos="0.1', '<site name="tool" pos="0.2', "moved"),
        ('pos="0.0 0.0 0.1"', 'pos="0.0 0.0 0.11"', "moved"),
        ('type="hinge"', 'type="slide"', "type"),
        ('type="hinge"', 'type="hing"', "the MJCF is wrong"),
    ],
)
def test_a_fault_of_the_writer_is_found(written: tuple[Model, MjcfExport], right: str, wrong: str, said: str) -> None:
    model, export = written
    assert right in export.text
    faults = read_mjcf_back(model, replace(export, text=export.text.replace(right, wrong))).faults
    assert any(said in fault for fault in faults), faults


def test_a_limit_of_velocity_is_announced(tmp_path: Path) -> None:
    model = load_model(ARM.replace("<upper>2</upper>", "<upper>2</upper><velocity>3</velocity>"))
    conversion = convert(model, Loader(), "mjcf")
    assert conversion.faults == ()
    assert any("no limit of velocity" in note for note in conversion.notes)


def test_a_joint_that_cannot_move_stays_so() -> None:
    model = load_model(ARM.replace("<lower>-1</lower><upper>2</upper>", "<lower>0</lower><upper>0</upper>"))
    conversion = convert(model, Loader(), "mjcf")
    assert 'range="0.0 1e-06"' in conversion.document.text
    assert conversion.faults == ()
