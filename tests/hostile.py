"""A folder of a stranger, with everything in it that a process started there could run by mistake."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

#: What processes of this program import.
MODULES = ("sdfviewer", "numpy", "xacro", "yaml", "networkx", "lxml", "pygls", "PySide6", "sitecustomize", "json")
#: What they start.
PROGRAMS = ("git", "Xvfb", "ssh", "git-remote-ext")


@dataclass(frozen=True)
class HostileFolder:
    """Such a folder; each of its files adds its name to ``marker`` where it runs."""

    path: Path
    marker: Path

    @property
    def ran(self) -> list[str]:
        """What of it has run."""
        return self.marker.read_text(encoding="utf-8").split() if self.marker.exists() else []


def make_hostile(path: Path, *, without: tuple[str, ...] = ()) -> HostileFolder:
    """Make such a folder, without some of its modules."""
    path.mkdir(parents=True, exist_ok=True)
    marker = path.parent / "ran"
    for name in (each for each in MODULES if each not in without):
        code = f"with open({str(marker)!r}, 'a', encoding='utf-8') as file:\n    file.write({name!r} + ' ')\n"
        (path / f"{name}.py").write_text(code, encoding="utf-8")
    if sys.platform != "win32":
        for name in PROGRAMS:
            program = path / name
            program.write_text(f"#!/bin/sh\nprintf '{name} ' >> '{marker}'\n", encoding="utf-8")
            program.chmod(0o755)
    return HostileFolder(path, marker)


#: Paths as people have them after ``export PATH=$PATH:``; an empty part is the working folder.
CARELESS = {"PATH": f".{os.pathsep}{os.environ.get('PATH', '')}", "PYTHONPATH": f"{os.pathsep}."}
#: Settings of a repository that name a program.
GIT_PROGRAMS = (
    "alias.cat-file",
    "alias.rev-parse",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.external",
    "diff.x.command",
    "diff.x.textconv",
    "filter.x.clean",
    "filter.x.process",
    "filter.x.smudge",
    "gpg.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.ssh.program",
    "gpg.x509.program",
    "interactive.diffFilter",
    "merge.x.driver",
    "pager.cat-file",
    "pager.rev-parse",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "sequence.editor",
    "uploadpack.packObjectsHook",
)
