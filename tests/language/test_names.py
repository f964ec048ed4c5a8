"""Which rows an edit has changed, as undo selects them."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.language.names import rows_changed
from sdfviewer.session.session import Session

J = """    <joint name='j' type='revolute'>
      <parent>a</parent>
      <child>b</child>
    </joint>
"""
WITHOUT = """<sdf version='1.9'>
  <model name='m'>
    <link name='a'/>
    <link name='b'/>
    <joint name='k' type='fixed'>
      <parent>a</parent>
      <child>b</child>
    </joint>
  </model>
</sdf>
"""
WITH = WITHOUT.replace("    <joint name='k'", J + "    <joint name='k'")


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (WITHOUT, WITH, ["m::j"]),  # both joints begin alike
        (WITH, WITHOUT, []),
        (WITH, WITH.replace("'revolute'", "'prismatic'"), ["m::j"]),
        (WITH, WITH.replace("'a'/>", "'a'><pose>1 0 0 0 0 0</pose></link>").replace("'k'", "'l'"), ["m::a", "m::l"]),
        (WITH, WITH, []),
    ],
)
def test_only_what_is_different_has_changed(before: str, after: str, names: list[str]) -> None:
    model = Session(parse_document(after)).model
    assert model is not None
    assert [model.names[row] for row in rows_changed(model, before)] == names
