"""The manual pages of the rules, to which the codes of diagnostics link."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pygls import uris

from sdfviewer.diagnostics import Rule


class RulePages:
    """Addresses of rule pages.

    Parameters
    ----------
    address
        Of a site with a page for each rule. Without one the pages are written into a folder on this computer, each when
        it is first linked to.
    """

    def __init__(self, address: str = "") -> None:
        self._address = address
        self._folder: Path | None = None
        self._known: dict[str, str] = {}

    def address_of(self, rule: Rule) -> str:
        """Return the address of a rule's page, empty where it could not be written."""
        known = self._known.get(rule.name)
        if known is None:
            known = self._known[rule.name] = f"{self._address}/{rule.name}.html" if self._address else self._write(rule)
        return known

    def _write(self, rule: Rule) -> str:
        heading = f"# {rule.name}\n\n*{rule.code}, {rule.severity.value}*\n\n"
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="sdfviewer-rules-"))
            path = self._folder / f"{rule.name}.md"
            path.write_text(heading + rule.page.replace("``", "`") + "\n", encoding="utf-8")
        except OSError:
            return ""
        return uris.from_fs_path(str(path)) or ""

    def close(self) -> None:
        """Remove the pages."""
        if self._folder is not None:
            for page in self._folder.glob("*.md"):
                page.unlink(missing_ok=True)
            self._folder.rmdir()
            self._folder = None
