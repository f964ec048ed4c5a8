"""Download Missing Models: listed first, downloaded when somebody agrees, cancelled by closing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Message
from sdfviewer.files.fuel import FuelError, FuelOffer
from sdfviewer.files.installed import FuelModel
from sdfviewer.gui.context.settings import DOWNLOADS, Settings
from sdfviewer.gui.help.preferences import Preferences
from sdfviewer.gui.shell.files.missing_models import DownloadDialog
from sdfviewer.gui.shell.window import MainWindow

MODELS = [FuelModel("https://fuel.gazebosim.org", "o", "models", name) for name in ("Box", "Lost")]


class Client:
    """Stands for a server that has one of two models."""

    cache = Path("cache")

    def __init__(self) -> None:
        self.downloaded: list[str] = []
        self.is_closed = False

    def describe(self, model: FuelModel) -> FuelOffer:
        if model.name == "Lost":
            raise FuelError("the server answered 404")
        return FuelOffer(model, 1, 2_000_000, "CC BY 4.0")

    def download(self, offer: FuelOffer, progress: Callable[[int], bool]) -> Path:
        if not progress(1_000_000):
            raise FuelError("cancelled")
        self.downloaded.append(offer.model.name)
        return self.cache

    def close(self) -> None:
        self.is_closed = True


def test_models_are_listed_and_downloaded_on_request(qtbot: QtBot) -> None:
    client, arrived = Client(), []
    dialog = DownloadDialog(MODELS, client, lambda: arrived.append(True))  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    qtbot.waitUntil(dialog.download.isEnabled)
    rows = [[dialog.list.topLevelItem(row).text(column) for column in (0, 2, 3)] for row in range(2)]
    assert rows == [["o/Box", "2.0 MB", "CC BY 4.0"], ["o/Lost", "not available", ""]]
    assert client.downloaded == []
    with qtbot.waitSignal(dialog.finished):
        dialog.download.click()
    assert client.downloaded == ["Box"]
    assert arrived == [True]
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert client.is_closed


class UnreachableClient(Client):
    """Stands for servers without a network."""

    def describe(self, model: FuelModel) -> FuelOffer:
        raise FuelError(f"{model}: " + Message("[Errno -3] Temporary failure in name resolution"))


def test_without_a_network_the_reason_is_in_sight_once(qtbot: QtBot) -> None:
    dialog = DownloadDialog(MODELS, UnreachableClient(), lambda: None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not dialog.state.text().startswith("Contacting"))
    first, second = dialog.state.text().splitlines()
    assert first == "None of these models can be downloaded now. If you have them in a folder, locate it."
    assert second == "2 models not available: fuel.gazebosim.org: Temporary failure in name resolution."
    assert not dialog.download.isEnabled()


def test_what_is_not_checked_is_not_downloaded(qtbot: QtBot) -> None:
    client = ManyClient()
    models = [FuelModel("https://fuel.gazebosim.org", "o", "models", name) for name in ("Box", "Ball")]
    dialog = DownloadDialog(models, client, lambda: None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    qtbot.waitUntil(dialog.download.isEnabled)
    assert dialog.state.text() == "2 models, 4.0 MB, will be saved in cache."
    box, ball = (dialog.list.topLevelItem(row) for row in range(2))
    assert box is not None
    assert ball is not None
    for item in (box, ball):
        item.setCheckState(0, Qt.CheckState.Unchecked)
    assert not dialog.download.isEnabled()
    ball.setCheckState(0, Qt.CheckState.Checked)
    assert dialog.state.text() == "1 model, 2.0 MB, will be saved in cache."
    with qtbot.waitSignal(dialog.finished):
        dialog.download.click()
    assert client.downloaded == ["Ball"]


class ManyClient(Client):
    """Stands for a server that has every model."""

    def describe(self, model: FuelModel) -> FuelOffer:
        return FuelOffer(model, 1, 2_000_000, "CC BY 4.0")


class FailingClient(Client):
    """Stands for a server that lies about sizes, and breaks off the first of two downloads."""

    def describe(self, model: FuelModel) -> FuelOffer:
        return FuelOffer(model, 1, 10**15, "CC BY 4.0")

    def download(self, offer: FuelOffer, progress: Callable[[int], bool]) -> Path:
        if offer.model.name == "Box":
            raise FuelError("it breaks off")
        return super().download(offer, progress)


def test_failures_stay_in_sight(qtbot: QtBot) -> None:
    client, arrived = FailingClient(), []
    dialog = DownloadDialog(MODELS, client, lambda: arrived.append(True))  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    qtbot.waitUntil(dialog.download.isEnabled)
    dialog.download.click()
    qtbot.waitUntil(lambda: arrived == [True])
    items = [dialog.list.topLevelItem(row) for row in range(2)]
    assert [item.text(2) for item in items if item is not None] == ["failed", "downloaded"]
    assert dialog.state.text() == "o/Box: it breaks off"
    assert dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).text() == "Close"
    assert dialog.result() != QDialog.DialogCode.Accepted


def test_closing_ends_it(qtbot: QtBot) -> None:
    client = Client()
    dialog = DownloadDialog(MODELS[:1], client, lambda: None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    dialog.reject()
    assert client.is_closed
    assert client.downloaded == []


def test_the_preferences_forbid_downloads(window: MainWindow, settings: Settings, tmp_path: Path, qtbot: QtBot) -> None:
    world = tmp_path / "w.sdf"
    uri = "https://fuel.gazebosim.org/1.0/nobody/models/nothing"
    world.write_text(f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>')
    window.files.open([world])
    window.actions_by_id["edit.preferences"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, Preferences)
    dialog.downloads.setChecked(False)
    dialog.close()
    window.actions_by_id["file.fetch"].trigger()
    assert not window.findChildren(DownloadDialog)
    assert "do not allow downloads" in window.status.message


def test_a_file_whose_models_are_missing_offers_to_download_them(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "world.sdf"
    uri = "https://fuel.gazebosim.org/1.0/nobody/models/NotThere"
    path.write_text(f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>')
    window.files.open([path])
    (text,) = [each.text() for each in window.notices.findChildren(QLabel) if each.text()]
    assert text.startswith("world.sdf has 1 error: 1 model is not downloaded.")
    answers = (each for each in window.notices.findChildren(QPushButton) if each is not window.notices.more)
    buttons = {each.text(): each for each in answers}
    assert list(buttons) == ["Locate…", "Download…", "Debug"], "what is on a server may lie in a folder, too"
    window.settings.set_flag(DOWNLOADS, False)
    buttons["Download…"].click()
    assert "do not allow downloads" in window.status.message
