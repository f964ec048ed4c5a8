"""The extension for VS Code."""

from __future__ import annotations

import json
from pathlib import Path

EXTENSION = Path(__file__).parents[2] / "packaging" / "vscode"


def test_a_workspace_cannot_say_which_program_is_started() -> None:
    """Settings in ``.vscode/settings.json`` come with the files of a stranger."""
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    assert manifest["contributes"]["configuration"]["properties"]["sdfviewer.command"]["scope"] == "machine"
