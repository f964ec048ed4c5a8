"""File → Export: a folder for other programs, losses listed before it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import PlacedSentence, Span
from sdfviewer.export import urdf_parts
from sdfviewer.export.conversion import OPTIONS
from sdfviewer.export.page import PageModel, WebPage
from sdfviewer.export.verification import Verification
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.gui.operations.certificate_page import CertificatePage, LossList
from sdfviewer.gui.shell.files import export_bundle
from sdfviewer.gui.shell.files.export_bundle import TARGETS, ExportDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.model.values import format_number
from tests.patience import PATIENCE_MILLISECONDS


def test_a_model_without_losses_is_written_once_its_page_is_accepted(
    qtbot: QtBot, examples: Path, tmp_path: Path
) -> None:
    said: list[tuple[str, Path]] = []
    folder = tmp_path / "pendulum"
    model = load_model(examples / "double_pendulum.sdf")
    dialog = ExportDialog(
        model, Loader(), "double_pendulum.sdf", lambda *about: said.append(about), choose=lambda: str(folder)
    )
    qtbot.addWidget(dialog)
    dialog.target.setCurrentText("MuJoCo (MJCF)")
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    assert not folder.exists()
    assert dialog.page is not None
    assert "Everything can be converted" in dialog.state.text()
    assert titles(dialog.page)[-1].endswith(" kept")
    with qtbot.waitSignal(dialog.finished):
        dialog.write.click()
    assert (folder / "double_pendulum.xml").is_file()
    assert said == [(f"Exported 1 file into {folder}", folder)]


@pytest.mark.parametrize("has_mesh", [False, True])
def test_only_what_the_format_and_the_model_have_is_asked(qtbot: QtBot, has_mesh: bool) -> None:
    """For MuJoCo it asked how URIs are written, and a model without meshes how these are."""
    shape = "<mesh><uri>a.obj</uri></mesh>" if has_mesh else "<sphere><radius>1</radius></sphere>"
    visual = f"<visual name='v'><geometry>{shape}</geometry></visual>"
    model = load_model(f"<sdf version='1.11'><model name='m'><link name='l'>{visual}</link></model></sdf>")
    dialog = ExportDialog(model, Loader(), "m.sdf", lambda *_: None)
    qtbot.addWidget(dialog)
    for target in ("URDF", "MuJoCo (MJCF)"):
        dialog.target.setCurrentText(target)
        assert dialog.uris.isHidden() is dialog.found_by.isHidden() is not (has_mesh and target == "URDF")
        assert dialog.meshes.isHidden() is not has_mesh


@pytest.mark.parametrize("manifest", ["package.xml", "model.config", ""])
def test_meshes_of_a_ros_package_are_named_as_ros_finds_them(qtbot: QtBot, tmp_path: Path, manifest: str) -> None:
    """The first choice was a relative path, of which the dialog says that RViz does not find it."""
    path = tmp_path / "urdf" / "m.urdf"
    path.parent.mkdir()
    path.write_text("<robot name='m'><link name='l'/></robot>", encoding="utf-8")
    if manifest:
        (tmp_path / manifest).touch()
    dialog = ExportDialog(load_model(path), Loader(), "m.urdf", lambda *_: None)
    qtbot.addWidget(dialog)
    assert dialog.uris.currentData() == ("package" if manifest == "package.xml" else "relative")


def test_every_option_of_its_target_is_asked(qtbot: QtBot, tmp_path: Path) -> None:
    model = load_model('<robot name="r"><link name="a"/></robot>')
    dialog = ExportDialog(model, Loader(), "r.urdf", lambda *_: None, choose=lambda: str(tmp_path / "new"))
    qtbot.addWidget(dialog)
    for text, target in TARGETS.items():
        dialog.target.setCurrentText(text)
        for name, option in OPTIONS.items():
            assert dialog.options[name].isHidden() is not option.is_for(target, model.document)
    dialog.target.setCurrentText("URDF")
    field = dialog.options["urdf_version"]
    assert isinstance(field, QComboBox)
    field.setCurrentText("1.2")
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    dialog.write.click()
    assert 'version="1.2"' in (tmp_path / "new" / "r.urdf").read_text(encoding="utf-8")


def titles(page: CertificatePage) -> list[str]:
    return [page.topLevelItem(number).text(0) for number in range(page.topLevelItemCount())]


def test_a_line_of_the_page_leads_to_its_element_and_its_place(
    window: MainWindow, qtbot: QtBot, examples: Path, tmp_path: Path
) -> None:
    window.files.open([examples / "arm.sdf"])
    file = window.current
    assert file is not None
    window.actions_by_id["file.export"].trigger()
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    dialog.choose = lambda: str(tmp_path / "arm")
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    page = dialog.page
    assert page is not None
    places: list[Span] = []
    file.context.requests.place.connect(places.append)
    said = page.topLevelItem(1).child(0)
    assert said.text(0).startswith("Line 126: visual 'arm::upper_arm::beam': its capsule is written as a cylinder")
    found = said.child(0)
    assert [found.text(column) for column in range(3)] == [
        "geometry",
        "capsule, radius 0.057, length 0.36",
        "cylinder, radius 0.057, length 0.36",
    ]
    page.setCurrentItem(found)
    assert [span.line for span in places] == [126]
    assert file.session.selection == ("arm::upper_arm::beam",)
    dialog.back.click()
    assert dialog.page is None
    assert dialog.write.text() == "Choose Folder…"
    dialog.reject()


def test_the_folder_is_asked_for_beside_the_file(arm: OpenFile, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(_parent: object, _title: str, start: str) -> tuple[str, str]:
        asked.append(start)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    assert arm.session.model is not None
    dialog = ExportDialog(arm.session.model, Loader(), "arm.sdf", lambda _text, _folder: None, context=arm.context)
    dialog.write.click()
    assert asked == [str(arm.session.folder / "arm")]
    assert arm.session.path is not None
    assert arm.session.folder == arm.session.path.parent
    dialog.deleteLater()


def test_an_error_of_this_program_is_shown_as_such(
    qtbot: QtBot, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(urdf_parts, "format_number", lambda value: format_number(value * 2))
    model = load_model(examples / "double_pendulum.sdf")
    dialog = ExportDialog(model, Loader(), "d.sdf", lambda _text, _folder: None, choose=lambda: str(tmp_path / "new"))
    qtbot.addWidget(dialog)
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    assert dialog.page is not None
    assert "errors of sdfviewer: please report them with the file" in titles(dialog.page)[0]
    assert "error of sdfviewer" in dialog.page.topLevelItem(0).child(0).text(0)


@pytest.mark.parametrize("agrees", [True, False])
def test_another_program_verifies_what_would_be_written(
    qtbot: QtBot, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    asked: list[tuple[str, bool]] = []

    def verify(program: str, file: Path, *_more: object) -> Verification:
        asked.append((program, file.is_file()))
        return Verification(program, "4.0", links=3, differences=() if agrees else ("2 kg of mass",))

    monkeypatch.setattr(export_bundle, "is_installed", lambda program: program == "mujoco")
    monkeypatch.setattr(export_bundle, "verify_steps", verify)
    folder = tmp_path / "new"
    model = load_model(examples / "double_pendulum.sdf")
    dialog = ExportDialog(model, Loader(), "d.sdf", lambda _text, _folder: None, choose=lambda: str(folder))
    qtbot.addWidget(dialog)
    assert [button.text() for button in dialog.programs.values()] == ["Verify with MuJoCo"]
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    dialog.programs["mujoco"].click()
    qtbot.waitUntil(dialog.programs["mujoco"].isEnabled)
    assert asked == [("mujoco", True)]
    assert ("2 kg of mass" in dialog.verified.text()) is not agrees
    assert not folder.exists()


def test_a_world_is_not_offered_as_urdf(qtbot: QtBot, examples: Path) -> None:
    dialog = ExportDialog(load_model(examples / "world_frames.sdf"), Loader(), "w.sdf", lambda _text, _folder: None)
    qtbot.addWidget(dialog)
    assert dialog.target.currentText() == "MuJoCo (MJCF)"
    enabled = {
        dialog.target.itemText(k): bool(dialog.target.model().index(k, 0).flags() & Qt.ItemFlag.ItemIsEnabled)
        for k in range(dialog.target.count())
    }
    assert not any(on for text, on in enabled.items() if text.startswith("URDF"))
    assert all(on for text, on in enabled.items() if not text.startswith("URDF"))


@pytest.mark.parametrize(
    ("target", "name", "written"),
    [
        ("SDFormat 1.9", "double_pendulum.sdf", '<sdf version="1.9">'),
        ("SDFormat 1.7", "double_pendulum.sdf", '<sdf version="1.7">'),
    ],
)
def test_every_version_can_be_chosen(
    qtbot: QtBot, examples: Path, tmp_path: Path, target: str, name: str, written: str
) -> None:
    folder = tmp_path / "new"
    dialog = ExportDialog(
        load_model(examples / "double_pendulum.sdf"),
        Loader(),
        "double_pendulum.sdf",
        lambda _text, _folder: None,
        choose=lambda: str(folder),
    )
    qtbot.addWidget(dialog)
    dialog.target.setCurrentText(target)
    assert dialog.target.currentText() == target
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    dialog.write.click()
    assert written in (folder / name).read_text()


def test_losses_are_listed_before_anything_is_written(qtbot: QtBot, examples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "arm"
    model = load_model(examples / "arm.sdf")
    dialog = ExportDialog(model, Loader(), "arm.sdf", lambda _text, _folder: None, choose=lambda: str(folder))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.page is not None)
    assert not folder.exists()
    assert dialog.page is not None
    assert titles(dialog.page) == ["1 lost", "3 changed or written otherwise", "4 added by the format", "76 kept"]
    assert "when you click Write" in dialog.state.text()
    assert dialog.write.text() == "Write"
    assert dialog.write.isDefault()
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert (folder / "arm.urdf").is_file()


def test_a_loss_is_at_its_line_of_the_open_file_or_of_another(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "robot.sdf"
    sentences = [PlacedSentence(str(file), 3, "lost"), PlacedSentence(str(tmp_path / "leg.sdf"), 4, "lost too")]
    losses = LossList([*sentences, "nothing else"], str(file))
    qtbot.addWidget(losses)
    texts = [losses.item(row).text() for row in range(3)]
    assert texts == ["Line 3: lost", "leg.sdf, line 4: lost too", "Nothing else"]


def test_the_action_opens_the_dialog(window: MainWindow, examples: Path) -> None:
    window.files.open([examples / "arm.sdf"])
    window.actions_by_id["file.export"].trigger()
    assert isinstance(window.findChild(ExportDialog), ExportDialog)
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    dialog.close()


def test_a_web_page_is_written(
    window: MainWindow, qtbot: QtBot, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is written in the background; a notice says so, and opens the page or its folder."""
    window.files.open([examples / "two_links_orthogonal.sdf"])
    target = tmp_path / "page.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(target), ""))
    window.actions_by_id["file.page"].trigger()
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))

    def answers() -> dict[str, QPushButton]:
        notice = window.findChild(QWidget, f"notice_written {target}")
        return {each.text(): each for each in notice.findChildren(QPushButton)} if notice is not None else {}

    qtbot.waitUntil(lambda: bool(answers()), timeout=PATIENCE_MILLISECONDS)
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(answers()) == ["Open", "Open Folder"]
    answers()["Open Folder"].click()
    assert opened == [str(tmp_path)]


def test_a_cancelled_web_page_is_not_written(
    window: MainWindow, qtbot: QtBot, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the window can be used: a notice says how far the page is, and cancels it."""
    window.files.open([examples / "two_links_orthogonal.sdf"])
    target, goes_on, ended = tmp_path / "page.html", Event(), Event()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(target), ""))

    def write(subject: PageModel, finder: Finder, *, tell: Callable[[int, int], object]) -> WebPage:
        try:
            tell(1, 4)
            goes_on.wait(PATIENCE_MILLISECONDS / 1000)
            tell(2, 4)
            return WebPage("", 0, ())
        finally:
            ended.set()

    monkeypatch.setattr(export_bundle, "write_page", write)
    window.actions_by_id["file.page"].trigger()

    def notice() -> QWidget | None:
        return next((each for each in window.notices.findChildren(QWidget) if "page" in each.objectName()), None)

    def text() -> str:
        shown = notice()
        return "" if shown is None else " ".join(each.text() for each in shown.findChildren(QLabel))

    qtbot.waitUntil(lambda: "Writing page.html: 25 %" in text(), timeout=PATIENCE_MILLISECONDS)
    shown = notice()
    assert shown is not None
    (cancel,) = (each for each in shown.findChildren(QPushButton) if each.text() == "Cancel")
    cancel.click()
    assert window.status.message == "Nothing was written."
    assert not any("page" in topic for topic in window.notices.topics)
    goes_on.set()
    assert ended.wait(PATIENCE_MILLISECONDS / 1000)
    assert not target.exists()
