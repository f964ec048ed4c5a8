"""An edit leaves nothing to collect, and nothing that stays for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.session.session import Session
from tests.leaks import what_is_left

pytestmark = pytest.mark.usefixtures("others_set_aside")

EDITS = 136
#: With problems that have fixes of each kind: names, references, cycles, values, words.
FAULTY = """<sdf version="1.9">
  <model name="m">
    <link name="base"><pose>1 2 3 0 0 0</pose></link>
    <link name="base"/>
    <link name="tool"><pose relative_to="bsae"/><visaul name="v"/></link>
    <frame name="f" attached_to="g"/>
    <frame name="g" attached_to="f"/>
    <joint name="j" type="revolute">
      <parent>base</parent><child>tol</child>
      <axis><xyz>0 0 1</xyz><limit><lower>1</lower><upper>-1</upper></limit></axis>
    </joint>
  </model>
</sdf>
"""
ROBOT = """<robot name="r">
  <link name="base"/><link name="arm"/>
  <joint name="j" type="revolute">
    <parent link="bse"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="2" upper="-2" effort="1" velocity="1"/>
    <mimic joint="jj"/>
  </joint>
  <link name="lonely"/>
</robot>
"""
#: Typed where the first link ends, key by key: the text is no XML for most of them.
TYPED = '<frame name="x"/>'


def opened(folder: Path, text: str) -> Session:
    path = folder / "file.xml"
    path.write_text(text, encoding="utf-8")
    return Session.open(path)


def type_keys(session: Session, keys: int) -> None:
    """Type and delete the same text over and over, a key each time."""
    first = session.document.text.index("<link") if "<link" in session.document.text else 0
    for number in range(keys):
        place, is_back = number % len(TYPED), number // len(TYPED) % 2
        if is_back:
            at = first + len(TYPED) - 1 - place
            change = Replacement(at, at + 1, "")
        else:
            change = Replacement(first + place, first + place, TYPED[place])
        session.apply(Edit("Type", session.document, (change,)), merge=True)
        if number % 20 == 0:
            session.differences  # noqa: B018  # as views ask for it


@pytest.mark.parametrize("text", [FAULTY, ROBOT], ids=["SDFormat", "URDF"])
def test_hundreds_of_edits_leave_nothing_to_collect(tmp_path: Path, text: str) -> None:
    session = opened(tmp_path, text)
    type_keys(session, 2 * len(TYPED))
    assert any(each.may_have_fixes for each in session.diagnostics)
    with what_is_left() as left:
        type_keys(session, EDITS // (2 * len(TYPED)) * 2 * len(TYPED))
    assert left.unreachable == 0
    assert left.grown < EDITS * 3 // 4, "something stays for each edit"


def test_what_is_computed_for_a_text_goes_with_it(tmp_path: Path) -> None:
    """Its fixes, and where it is undone."""
    session = opened(tmp_path, FAULTY)

    def work() -> None:
        type_keys(session, len(TYPED))
        for diagnostic in session.diagnostics:
            assert all(fix.label for fix in diagnostic.fixes)
        while session.can_undo:
            session.undo()

    work()
    with what_is_left() as left:
        for _ in range(4):
            work()
    assert left.unreachable == 0


def test_a_session_that_ends_leaves_nothing_to_collect(tmp_path: Path) -> None:
    opened(tmp_path, FAULTY)
    with what_is_left() as left:
        for _ in range(20):
            session = opened(tmp_path, FAULTY)
            type_keys(session, 5)
            del session
    assert left.unreachable == 0
    assert left.grown < 20
