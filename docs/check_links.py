"""Check that each link of the built site leads to a page and a place in it that are there: check_links.py FOLDER."""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The links of a page, and the places in it that links may lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is not None and name in ("href", "src"):
                self.links.append(value)
            elif value is not None and name in ("id", "name"):
                self.places.add(value)


@cache
def _read(path: Path) -> _Page:
    return _Page(path.read_text(encoding="utf-8"))


def broken_links(site: Path) -> list[str]:
    """Return the links that lead nowhere, each with the page that it is on."""
    broken = []
    for page in sorted(site.rglob("*.html")):
        for link in _read(page).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:  # other sites are not asked
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            place = unquote(parts.fragment)
            is_there = target.is_file() and (
                not place or target.suffix != ".html" or place in _read(target).places or place == "top"
            )
            if not is_there:
                broken.append(f"{page.relative_to(site)}: {link}")
    return broken


if __name__ == "__main__":
    found = broken_links(Path(sys.argv[1]))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)
