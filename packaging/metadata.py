"""What hatch asks when it builds the package: README as others read it, the addresses, the pictures of the manual.

pyproject.toml names the address of the project; SDFVIEWER_ADDRESS overrides it, for a fork or a rehearsal.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)")


class ProjectMetadata(MetadataHookInterface):
    """Fills in ``readme`` and ``urls`` when the package is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the metadata. Without an address README's links stay relative, and there are no URLs."""
        address = (os.environ.get("SDFVIEWER_ADDRESS") or self.config["address"]).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        if address:
            version = metadata["version"]
            text = absolute_links(text, address, f"v{version}")
            metadata["urls"] = {
                "Documentation": f"{address}#readme",
                "Repository": address,
                "Issues": f"{address}/issues",
                "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
            }
        else:
            metadata["urls"] = {}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute_links(text: str, address: str, revision: str) -> str:
    """Return Markdown whose relative links lead to a revision at an address, pictures to their bytes."""

    def absolute(match: re.Match[str]) -> str:
        picture, label, target = match.groups()
        return f"{picture}{label}({address}/{'raw' if picture else 'blob'}/{revision}/{target})"

    return _LINK.sub(absolute, text)


class ManualPictures(BuildHookInterface[Any]):
    """Adds the pictures to the wheel, except where it is built from a source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folder, where it is there."""
        pictures = Path(self.root) / "screenshots"
        if pictures.is_dir():
            build_data["force_include"][str(pictures)] = "sdfviewer/resources/documentation/screenshots"
