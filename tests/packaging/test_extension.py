"""The extension for VS Code."""

from __future__ import annotations

import json
import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
EXTENSION = REPOSITORY / "packaging" / "vscode"


def properties() -> dict[str, dict[str, object]]:
    """Return the settings of the extension by their names."""
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    found: dict[str, dict[str, object]] = manifest["contributes"]["configuration"]["properties"]
    return found


def test_a_workspace_cannot_say_which_program_is_started() -> None:
    """Settings in ``.vscode/settings.json`` come with the files of a stranger."""
    assert properties()["sdfviewer.command"]["scope"] == "machine"


def test_each_option_of_the_server_is_a_setting_that_the_extension_hands_on() -> None:
    """The options are those of the table in the documentation."""
    page = (REPOSITORY / "docs" / "editors.md").read_text("utf-8")
    options = re.findall(r"^\| `(\w+)` \|", page.partition("| initialization option |")[2], re.MULTILINE)
    assert "rulePages" in options
    settings = {name.split(".")[1] for name in properties()} - {"command"}
    assert settings == set(options)
    program = (EXTENSION / "extension.js").read_text("utf-8")
    for name in properties():
        assert f'get("{name.removeprefix("sdfviewer.")}")' in program
