"""What is allowed in nested models and refused in one flat model is renamed, or named with its line as a loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main

GROUPS = """<sdf version="1.9">
  <model name="m">
    <model name="a"><link name="l"/><x:group xmlns:x="u" name="g"/></model>
    <model name="b"><link name="l"/>
      <x:group xmlns:x="u" name="g"/>
      <x:part xmlns:x="u" name="a_l"/></model>
  </model>
</sdf>
"""
NESTED = """  <model name="n">
    <link name="b"/>
    <frame name="f" attached_to="b"/>
    <joint name="j" type="fixed"><parent>f</parent><child>b</child></joint>
  </model>
"""
JOINT = f'<sdf version="1.9">\n<model name="m"><link name="a"/>\n{NESTED}</model>\n</sdf>\n'
IN_WORLD = f'<sdf version="1.9"><world name="w">\n<model name="m"><link name="a"/>\n{NESTED}</model>\n</world></sdf>\n'
INCLUDED = f'<sdf version="1.9">\n{NESTED}</sdf>\n'
INCLUDING = """<sdf version="1.9">
  <model name="m"><link name="a"/>
    <include><uri>n.sdf</uri></include>
  </model>
</sdf>
"""


def flat(folder: Path, text: str, *options: str) -> int:
    file = folder / "m.sdf"
    file.write_text(text, encoding="utf-8")
    return main(["convert", "--to", "flat", *options, str(file), "-o", str(folder / "flat.sdf")])


def test_elements_of_other_namespaces_get_free_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert flat(tmp_path, GROUPS) == 0
    assert "m.sdf:4: model 'm::b': its <x:group> 'g' is called 'b_g' now, as that name is taken" in (
        capsys.readouterr().err
    )
    text = (tmp_path / "flat.sdf").read_text(encoding="utf-8")
    assert text.count('<x:group xmlns:x="u" name="g"/>') == 1
    assert '<x:group xmlns:x="u" name="b_g"/>' in text
    assert '<x:part xmlns:x="u" name="b_a_l"/>' in text
    assert main(["check", str(tmp_path / "flat.sdf")]) == 0


@pytest.mark.parametrize(("text", "place"), [(JOINT, "m.sdf:6"), (IN_WORLD, "m.sdf:6"), (INCLUDING, "n.sdf:5")])
def test_a_joint_that_a_top_model_may_not_have_is_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str
) -> None:
    (tmp_path / "n.sdf").write_text(INCLUDED, encoding="utf-8")
    assert flat(tmp_path, text) == 1
    said = capsys.readouterr().err
    assert f"{place}: joint 'm::n::j': parent 'f' and child 'b' of this joint are both fixed to" in said
    assert "sdfviewer: 1 thing could not be converted" in said
    assert "error of sdfviewer" not in said
    assert flat(tmp_path, text, "--allow-loss") == 0
    assert "error of sdfviewer" not in capsys.readouterr().err
