"""Contracts in a code editor: a broken one is a problem at the model, with the place of the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types

from tests.contracts.test_contracts import ARM
from tests.lsp.editor import Editor, edit


@pytest.mark.parametrize("name", ["sdfviewer.toml", "arm.contracts.toml"])
def test_a_broken_contract_follows_the_model_and_the_settings(tmp_path: Path, name: str) -> None:
    arm, settings = tmp_path / "arm.sdf", tmp_path / name
    arm.write_text(ARM, encoding="utf-8")
    contract = '[[contract]]\nfile = "arm.sdf"\nframe = "tool0"\npose = [0.4, 0, {}, 0, 0, 0]\n'
    settings.write_text(contract.format(0.9), encoding="utf-8")

    async def scenario(editor: Editor) -> list[list[types.Diagnostic]]:
        editor.open(arm)
        found = [await editor.diagnostics(arm)]
        at = ARM.index("0.4 0 0.7")
        editor.type(arm, at, at + len("0.4"), "0.5")
        found.append(await editor.diagnostics(arm))
        settings.write_text(contract.format(0.9).replace("0.4", "0.5"), encoding="utf-8")
        event = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
        del editor.published[arm.as_uri()]
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        found.append(await editor.diagnostics(arm))
        return found

    before, broken, mended = edit(scenario, tmp_path)
    assert (before, mended) == ([], [])
    (problem,) = broken
    assert problem.code == "contract-broken"
    assert problem.range.start.line == 21
    assert problem.related_information is not None
    (place,) = problem.related_information
    assert (place.location.uri, place.location.range.start.line) == (settings.as_uri(), 3)
    assert place.message == "the contract"
