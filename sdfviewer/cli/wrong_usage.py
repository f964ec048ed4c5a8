"""What to write instead of a command or an option that does not exist."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Collection, Sequence

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.near_names import NearNames, did_you_mean

#: What other programs call the commands.
_OTHER_NAMES = {
    "check": "validate lint verify test",
    "frames": "info print list ls tree pose poses links joints stats mass show-frames",
    "open": "view show gui viewer",
    "convert": "export to-urdf to-sdf urdf sdf",
    "diff": "compare",
    "edit": "rename fix set",
    "screenshot": "render picture image snapshot",
    "assets": "resources meshes files",
    "fetch": "download",
    "lsp": "server language-server",
    "mcp": "assistant agent",
    "explain": "rules rule",
    "--version": "version",
    "--help": "help",
}


def refuse_unknown_command(words: Sequence[str], commands: Collection[str]) -> None:
    """Raise an error for words that open the window, although they were meant as a command.

    Raises
    ------
    SdfViewerError
        If the first word is neither a file nor a command, or if a command follows its options.
    """
    first = words[0] if words else ""
    if re.fullmatch(r"[a-z]+(-[a-z]+)*", first) and not os.path.exists(first):
        right = next((right for right, names in _OTHER_NAMES.items() if first in names.split()), None)
        hint = f"; use 'sdfviewer {right}'" if right else did_you_mean(first, commands)
        raise SdfViewerError(f"there is no command and no file '{first}'{hint}")
    if first.startswith("-"):
        command = next((word for word in words if word in commands and not os.path.exists(word)), None)
        if command is not None:
            raise SdfViewerError(f"write the command before its options: sdfviewer {command} ...")


def refuse_unknown_words(command: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """End the program with the usage of a command, for words that it does not know."""
    options = NearNames(sorted(set(re.findall(r"--[a-z-]+", command.format_help()))))
    unknown = [word.partition("=")[0] for word in words]
    hint = next(filter(None, (did_you_mean(word, options) for word in unknown if word.startswith("--"))), "")
    command.error(f"unrecognized arguments: {' '.join(words)}{hint}")
