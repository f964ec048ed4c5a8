"""Tests of web pages in Chromium, where it is installed."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.resources import resource
from tests.patience import PATIENCE_SECONDS

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_BROWSER = next((found for name in _NAMES if (found := shutil.which(name))), None)
_OPTIONS = (
    "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--virtual-time-budget=20000",
)  # fmt: skip

pytestmark = pytest.mark.skipif(_BROWSER is None, reason="Chromium is not installed")


def shown(path: Path, profile: Path) -> str:
    """Return the document of a page after its scripts ran."""
    assert _BROWSER is not None
    words = [_BROWSER, *_OPTIONS, f"--user-data-dir={profile}", "--dump-dom", path.as_uri()]
    done = subprocess.run(words, capture_output=True, check=True, timeout=PATIENCE_SECONDS, encoding="utf-8")
    return done.stdout


@pytest.mark.parametrize("name", ["arm.sdf", "parity_legacy_numbers.sdf"])
def test_the_page_has_the_poses_of_the_library(name: str, tmp_path: Path) -> None:
    """At random positions of the joints, in each convention."""
    document = sdfviewer.load(resource("examples", name))
    kinematics = document._state.kinematics
    rng = np.random.default_rng(3)
    q = kinematics.follow(rng.uniform(-1, 1, (4, len(kinematics.dofs))))
    # The same program and data without the policy of the page, which would refuse the script of this test.
    page = document.to_html()
    data = re.search(r'id="data">([^<]*)<', page)
    assert data is not None
    program = gzip.decompress(resource("page", "page.js.gz").read_bytes()).decode("utf-8")
    block = base64.b64encode(gzip.decompress(base64.b64decode(data[1]))).decode("ascii")
    script = f"""
      const bytes = Uint8Array.from(atob("{block}"), (letter) => letter.charCodeAt(0));
      showModel(bytes.buffer).then(() => {{
        const page = globalThis.sdfviewerPage;
        const found = {json.dumps(q.tolist())}.map((q) => {{
          page.q = Float64Array.from(q);
          return [...page.states[0].poses()];
        }});
        const answer = document.createElement("pre");
        answer.id = "answer";
        answer.textContent = JSON.stringify(found);
        document.body.append(answer);
      }});
    """
    test = tmp_path / "test.html"
    test.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><main id="page"></main>'
        f"<script>{program}</script><script>{script}</script>",
        encoding="utf-8",
    )
    answer = re.search(r'<pre id="answer">([^<]*)</pre>', shown(test, tmp_path / "profile"))
    assert answer is not None
    found = np.array(json.loads(answer[1]), float).reshape(4, -1, 4, 4)
    np.testing.assert_allclose(found, kinematics.poses(q), atol=1e-9)


def test_a_page_opens_from_the_disk_under_its_own_policy(tmp_path: Path) -> None:
    """The tree, the sliders, the graph and the problems are there, and hostile names are text."""
    path = tmp_path / "robot.sdf"
    name = "&lt;img src=x onerror=document.title=1&gt;"
    path.write_text(
        f'<sdf version="1.10"><model name="m"><link name="{name}"/><link name="b"/>'
        '<frame name="f" attached_to="nothing"/>'
        f'<joint name="j" type="revolute"><parent>{name}</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
        "</model></sdf>",
        encoding="utf-8",
    )
    page = tmp_path / "robot.html"
    sdfviewer.load(path).to_html(page)
    document = shown(page, tmp_path / "profile")
    assert 'role="treeitem"' in document
    assert 'id="loading"' not in document
    assert "&lt;img src=x onerror" in document
    assert "<img" not in document
    assert "<title>robot.sdf</title>" in document
    assert 'aria-label="m::j"' in document
    assert "Problems (" in document
    assert "<svg" in document
