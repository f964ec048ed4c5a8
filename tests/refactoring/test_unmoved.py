"""What an edit of the whole file changes without saying so is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.topics import Announced, Aspect, Topic
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.whole import FORMS, split_off
from sdfviewer.refactoring.unmoved import edit_unmoved

SENTENCE = "robot.sdf:4: something is not kept"
TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a">
      <inertial><mass>2</mass></inertial>
    </link>
    <link name="b"><pose>1 0 0 0 0 0</pose></link>
    <frame name="f" attached_to="a"/>
  </model>
</sdf>
"""


def edit_of(document: Document, old: str, new: str, about: tuple[Announced, ...] = ()) -> Edit:
    start = document.text.index(old)
    edits = (Replacement(start, start + len(old), new),)
    return Edit("Change", document, edits, losses=tuple(each.sentence for each in about), about=about)


def faults(old: str, new: str, *about: Announced) -> tuple[str, ...]:
    document = parse_document(TEXT, Path("robot.sdf"))
    loader = Loader()
    model = loader.load(document)
    assert model is not None
    return edit_unmoved(model, edit_of(document, old, new, about), loader).faults


def test_a_mass_that_changes_without_a_word_is_an_error_of_the_program() -> None:
    assert faults("<mass>2<", "<mass>3<") == (
        "robot.sdf:4: error of sdfviewer: link 'm::a': mass is 2 here, 3 in what is written",
    )


def test_what_is_said_of_the_element_and_of_this_kind_announces_it() -> None:
    assert faults("<mass>2<", "<mass>3<", Announced("m::a", SENTENCE, (Topic(Aspect.MASS, "mass"),))) == ()


@pytest.mark.parametrize(
    "about",
    [
        Announced("m::b", SENTENCE, (Topic(Aspect.MASS),)),
        Announced("m::a", SENTENCE, (Topic(Aspect.PLUGIN),)),
        Announced("m::a", SENTENCE, (Topic(Aspect.MASS, "inertia"),)),
    ],
)
def test_what_is_said_of_another_element_or_of_another_kind_does_not(about: Announced) -> None:
    assert len(faults("<mass>2<", "<mass>3<", about)) == 1


def test_what_is_refused_after_it_is_an_error_of_the_program() -> None:
    assert faults("<mass>2<", "<mass>two<")[-1].startswith(
        "robot.sdf:1: error of sdfviewer: what is written is refused: "
    )


def test_nothing_is_written_where_a_frame_would_move() -> None:
    with pytest.raises(SdfViewerError, match="this would change m::b; nothing was written"):
        faults("1 0 0 0 0 0", "2 0 0 0 0 0")


def test_the_command_prints_it_and_its_exit_code_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(on: EditContext) -> Edit:
        return edit_of(on.document, "<mass>2<", "<mass>3<")

    monkeypatch.setitem(FORMS, "element-relative", replace(FORMS["element-relative"], make=faulty))
    file = tmp_path / "robot.sdf"
    file.write_text(TEXT, encoding="utf-8")
    assert main(["convert", "--to", "element-relative", "--allow-loss", str(file)]) == 1
    printed = capsys.readouterr()
    assert "<mass>3<" in printed.out
    assert printed.err.splitlines() == [
        f"{file}:4: error of sdfviewer: link 'm::a': mass is 2 here, 3 in what is written",
        f"sdfviewer: 1 thing differs from {file} by an error of sdfviewer; please report it with the file",
    ]


def test_a_path_that_leads_elsewhere_from_the_folder_of_a_part_is_an_error_of_the_program(tmp_path: Path) -> None:
    mesh = '<visual name="v"><geometry><mesh><uri>a.stl</uri></mesh></geometry></visual>'
    part = f'<model name="hand"><link name="palm">{mesh}</link></model>'
    file = tmp_path / "robot.sdf"
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="a"/>{part}</model></sdf>', encoding="utf-8")
    (tmp_path / "a.stl").write_text("solid\nendsolid\n", encoding="utf-8")
    (tmp_path / "parts").mkdir()
    document, loader = open_document(file), Loader()
    model = loader.load(document)
    assert model is not None
    on = EditContext(model, loader)
    for form, uri in ((None, "../a.stl"), ("copied", "a.stl")):
        arguments = {"model": "m::hand", "file": Path("parts/hand.sdf"), "uris": form}
        done = split_off.perform(on, arguments)
        (change,) = done.files
        assert f"<uri>{uri}</uri>" in change.after.text
        assert split_off.faults(on, arguments, done) == ()
        wrong = parse_document(change.after.text.replace(f">{uri}<", ">b.stl<"), change.after.path)
        (fault,) = split_off.faults(on, arguments, replace(done, files=(replace(change, after=wrong),)))
        assert "geometry.uri is a.stl here, b.stl in what is written" in fault
    (fault,) = split_off.faults(on, arguments, replace(done, copies=()))
    assert "geometry.uri is a.stl here, a.stl in what is written" in fault
