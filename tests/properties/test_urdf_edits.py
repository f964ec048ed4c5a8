"""What holds for every edit of every URDF: only what was meant changes, bytes come back, poses are as it says."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array, invert, pose_to_matrix
from tests.corpus import corpus_files

RELAXED = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
NUMBERS = st.sampled_from(["0", "0.0", "-1", "1.50", ".25", "3.14159", "1e-3", "+2", "-0.7071"])
FREE = st.floats(-3, 3).map(lambda number: round(number, 3))
#: What moving a joint or giving it another parent may write.
MAY_CHANGE = re.compile(r"""\s*<origin[^>]*/>|<parent link=(["']).*?\1\s*/>""")


@st.composite
def origins(draw: st.DrawFn) -> str:
    """Return an ``<origin>`` as people write it, or none."""
    attributes = {name: " ".join(draw(NUMBERS) for _ in range(3)) for name in draw(st.permutations(["xyz", "rpy"]))}
    chosen = draw(st.sets(st.sampled_from(["xyz", "rpy"])))
    quote = draw(st.sampled_from("\"'"))
    words = "".join(f" {name}={quote}{text}{quote}" for name, text in attributes.items() if name in chosen)
    return f"<origin{words}/>" if words or draw(st.booleans()) else ""


@st.composite
def robots(draw: st.DrawFn) -> str:
    """Return a small robot: a tree of links with origins, comments, line ends and quotes of any kind."""
    count, quote = draw(st.integers(2, 6)), draw(st.sampled_from("\"'"))
    lines = [f"<robot name={quote}r{quote}>", "  <!-- by hand -->", f"  <link name={quote}l0{quote}/>"]
    for number in range(1, count):
        parent = draw(st.integers(0, number - 1))
        kind = draw(st.sampled_from(["fixed", "continuous"]))
        lines += [
            f"  <joint type={quote}{kind}{quote} name={quote}j{number}{quote}>",
            f"    {draw(origins())}<parent link={quote}l{parent}{quote}/> <!-- {number} -->",
            f"    <child link={quote}l{number}{quote}/>",
            "  </joint>",
            f"  <link name={quote}l{number}{quote}>",
            f"    <visual>{draw(origins())}<geometry><sphere radius={quote}1{quote}/></geometry></visual>",
            "  </link>",
        ]
    return draw(st.sampled_from(["\n", "\r\n"])).join([*lines, "</robot>", ""])


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Return the model of a small robot, or of a URDF of the collection."""
    if draw(st.booleans()):
        return load_model(draw(robots()))
    path = draw(st.sampled_from([each for each in corpus_files(".urdf") if each.stat().st_size < 30_000]))
    model = Loader().load(open_document(path))
    assume(model is not None and any(kind is Kind.JOINT for kind in model.kinds))
    assert model is not None
    assume("__" not in model.document.text and not model.document.contains("<sdf"))
    return model


def poses_of(text: str) -> dict[str, Array]:
    """Return X_RootL (4, 4) of each link, read with nothing of this package but its rotations."""
    root = ElementTree.fromstring(text)
    joints = {}
    for joint in root.findall("joint"):
        origin, ends = joint.find("origin"), [joint.find(tag) for tag in ("parent", "child")]
        given = {} if origin is None else origin.attrib
        numbers = [float(word) for name in ("xyz", "rpy") for word in given.get(name, "0 0 0").split()]
        parent, child = ("" if end is None else end.get("link", "") for end in ends)
        joints[child] = parent, pose_to_matrix(numbers)
    names = [link.get("name", "") for link in root.findall("link")]

    def pose(link: str) -> Array:
        if link not in joints:
            return np.eye(4)
        parent, X_PL = joints[link]
        X: Array = pose(parent) @ X_PL
        return X

    return {name: pose(name) for name in names}


def applied(model: Model, operation: str, **arguments: object) -> Edit:
    return OPERATIONS[operation].perform(EditContext(model, Loader()), arguments).edit


def after(model: Model, edit: Edit) -> Model:
    """Return the model after an edit; undoing it must give every byte back."""
    document = model.document
    session = Session(document)
    session.apply(edit)
    text = session.document.text
    session.go_to(0)
    assert session.document.to_bytes() == document.to_bytes()
    read = Loader().load(parse_document(text, document.path))
    assert read is not None
    return read


def joints_of(model: Model) -> list[int]:
    """Return the joints of URDF whose link is in the file."""
    return [
        row
        for row, kind in enumerate(model.kinds)
        if kind is Kind.JOINT
        and (parent := model.elements[row].find("parent")) is not None
        and "link" in parent.attributes
        and int(model.attached_to[row]) > 0
        and int(model.relative_to[int(model.attached_to[row])]) == row
        and np.isfinite(model.X_RootF[row]).all()
    ]


@RELAXED
@given(model=models(), data=st.data())
def test_a_moved_joint_is_where_it_was_asked_to_be_and_nothing_else_is_written(
    model: Model, data: st.DataObject
) -> None:
    assume(joints := joints_of(model))
    joint = data.draw(st.sampled_from(joints))
    link, alone = int(model.attached_to[joint]), data.draw(st.booleans())
    X_RootJ = pose_to_matrix([data.draw(FREE) for _ in range(6)])
    frame = model.names[data.draw(st.sampled_from([joint, link]))]
    moved = after(model, applied(model, "move", frame=frame, to=X_RootJ, alone=alone))
    assert np.allclose(moved.X_RootF[[joint, link]], X_RootJ, rtol=0, atol=1e-9)
    D = X_RootJ @ invert(model.X_RootF[joint])
    for row in range(len(model)):
        follows = joint in _chain(model, row)
        expected = model.X_RootF[row] if (alone or not follows) and row not in (joint, link) else D @ model.X_RootF[row]
        assert np.allclose(moved.X_RootF[row], expected, rtol=0, atol=1e-9, equal_nan=True), model.names[row]
    if model.document.path is None:
        expected_poses = poses_of(moved.document.text)
        for name, X in expected_poses.items():
            assert np.allclose(moved.X_RootF[moved.row(f"r::{name}")], X, rtol=0, atol=1e-9)
        assert MAY_CHANGE.sub("", moved.document.text) == MAY_CHANGE.sub("", model.document.text)
        assert moved.document.text.count("<!--") == model.document.text.count("<!--")


def _chain(model: Model, row: int) -> list[int]:
    rows: list[int] = []
    while row >= 0 and len(rows) <= len(model):
        rows.append(row)
        row = int(model.relative_to[row])
    return rows


@RELAXED
@given(model=models(), data=st.data())
def test_a_joint_with_another_parent_stays_with_all_that_it_carries(model: Model, data: st.DataObject) -> None:
    assume(joints := joints_of(model))
    joint = data.draw(st.sampled_from(joints))
    links = [
        row
        for row, kind in enumerate(model.kinds)
        if kind is Kind.LINK and int(model.scopes[row]) == 0 and joint not in _chain(model, row)
    ]
    assume(links)
    parent = data.draw(st.sampled_from(links))
    assume(np.isfinite(model.X_RootF[parent]).all())
    edit = applied(model, "set_parent", joint=model.names[joint], parent=model.local_names[parent])
    moved = after(model, edit)
    assert int(moved.relative_to[joint]) == parent
    assert np.allclose(moved.X_RootF, model.X_RootF, rtol=0, atol=1e-9, equal_nan=True)
    if model.document.path is None:
        assert MAY_CHANGE.sub("", moved.document.text) == MAY_CHANGE.sub("", model.document.text)


@RELAXED
@given(text=robots(), data=st.data())
def test_numbers_that_stay_are_written_as_they_were(text: str, data: st.DataObject) -> None:
    model = load_model(text)
    joint = data.draw(st.sampled_from(joints_of(model)))
    edit = applied(model, "set_pose", frame=model.names[joint], xyz=tuple(model.raw_poses[joint][:3, 3]))
    assert edit.replacements == ()


def test_the_collection_has_urdf_files() -> None:
    assert [path for path in corpus_files(".urdf") if Path(path).stat().st_size < 30_000]
