"""Every text about installing works before the program is published, and after it."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from sdfviewer.extras import EXTRAS, install_command

REPOSITORY = Path(__file__).parents[2]


class Installed:
    """What importlib.metadata knows of a program that was installed from somewhere."""

    def __init__(self, direct_url: dict[str, object] | None) -> None:
        self.direct_url = direct_url

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.direct_url is None else json.dumps(self.direct_url)


WHEEL = "file:///tmp/sdfviewer-0.3.0-py3-none-any.whl"
GIT = "https://git.example/robots/sdfviewer"


@pytest.mark.parametrize(
    ("direct_url", "command"),
    [
        (None, 'pip install "sdfviewer[fuel]"'),
        ({"url": "file:///home/me/sdf%20viewer", "dir_info": {}}, 'pip install "/home/me/sdf viewer[fuel]"'),
        (
            {"url": "file:///home/me/clone", "dir_info": {"editable": True}},
            'pip install --editable "/home/me/clone[fuel]"',
        ),
        ({"url": WHEEL, "archive_info": {}}, f'pip install "sdfviewer[fuel] @ {WHEEL}"'),
        (
            {"url": GIT, "vcs_info": {"vcs": "git", "commit_id": "1a2b"}},
            f'pip install "sdfviewer[fuel] @ git+{GIT}@1a2b"',
        ),
    ],
)
def test_the_command_installs_from_where_the_program_came(
    direct_url: dict[str, object] | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed(direct_url))
    monkeypatch.setattr("urllib.request.url2pathname", lambda path: path.replace("%20", " "))
    assert install_command("fuel") == command


def test_a_clone_that_is_run_as_it_is_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Installed:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", missing)
    assert install_command("gui") == f'pip install "{REPOSITORY}[gui]"'


def test_a_bundle_says_that_nothing_can_be_added_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert "bundle" in install_command("video")


def test_one_page_says_how_to_install_and_names_every_extra() -> None:
    page = (REPOSITORY / "docs" / "start.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert named == {*EXTRAS.values(), "all"}


def test_no_other_text_names_an_index_that_may_not_have_it() -> None:
    texts = [REPOSITORY / "README.md", *(REPOSITORY / "packaging" / "vscode").glob("*.*")]
    texts += [*(REPOSITORY / "docs").rglob("*.md"), *(REPOSITORY / "sdfviewer").rglob("*.py")]
    wrong = [
        text
        for text in texts
        if text.name not in ("start.md", "extras.py", "changelog.md")
        and re.search(r"pip install ['\"]?sdfviewer", text.read_text(encoding="utf-8"))
    ]
    assert not wrong
