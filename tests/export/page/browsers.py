"""Browsers that tests open pages in, where they are installed."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_SECONDS


def _first(*names: str) -> str | None:
    return next((found for name in names if (found := shutil.which(name))), None)


CHROMIUM = _first("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOX = _first("firefox-esr", "firefox")
_CHROMIUM_OPTIONS = (
    "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--no-first-run",
)  # fmt: skip


def _command(browser: str, profile: Path) -> list[str]:
    if browser == "chromium":
        return [str(CHROMIUM), *_CHROMIUM_OPTIONS, f"--user-data-dir={profile}"]
    return [str(FIREFOX), "--headless", "--no-remote", "--profile", str(profile)]


#: Parameters of tests that run in each browser.
BROWSERS = [
    pytest.param(name, marks=pytest.mark.skipif(path is None, reason=f"{name} is not installed"))
    for name, path in (("chromium", CHROMIUM), ("firefox", FIREFOX))
]


class _Handler(BaseHTTPRequestHandler):
    """Serves one document, and takes what its script posts."""

    text: str
    answers: queue.Queue[Any]

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.text.encode("utf-8") if self.path == "/" else b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.answers.put(json.loads(body))

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _served(text: str) -> Iterator[tuple[str, queue.Queue[Any]]]:
    """Serve a document; yield its address and where the answers of its script arrive."""
    answers: queue.Queue[Any] = queue.Queue()
    handler = type("Handler", (_Handler,), {"text": text, "answers": answers})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", answers
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


_AROUND = """<!DOCTYPE html><meta charset="utf-8"><body><script type="module">
const page = {page};
const answer = (value) => fetch("/", {{ method: "POST", body: JSON.stringify(value) }});
const sleep = () => new Promise((done) => setTimeout(done, 20));
/** Returns what a function gives as soon as that is true; the test gives up, not this. */
const until = async (find) => {{ for (;;) {{ const found = find(); if (found) return found; await sleep(); }} }};
try {{
  answer(await (async () => {{ {script} }})());
}} catch (error) {{
  answer({{ error: String(error), stack: error.stack }});
}}
</script>"""


def in_script(text: str) -> str:
    """Return a text as JavaScript writes it, in a script of an HTML page."""
    return json.dumps(text).replace("</", "<\\/")


def drive(browser: str, page: str, script: str, profile: Path, size: tuple[int, int] = (1366, 768)) -> Any:
    """Run a script in a browser beside a page, and return what it returns.

    Parameters
    ----------
    browser
        One of :data:`BROWSERS`.
    page
        HTML, which the script has as the text ``page``.
    script
        The body of an asynchronous function in JavaScript, with ``until(function)`` at hand.
    profile
        A folder for the browser.
    size
        Of the window, in pixels.
    """
    profile.mkdir(exist_ok=True)
    text = _AROUND.format(page=in_script(page), script=script)
    with _served(text) as (address, answers):
        width, height = size
        words = [*_command(browser, profile), f"--window-size={width},{height}", address]
        if browser == "firefox":
            words[-2:] = ["--width", str(width), "--height", str(height), address]
        process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "HOME": str(profile)},
        )  # fmt: skip
        try:
            answer = answers.get(timeout=PATIENCE_SECONDS)
        except queue.Empty:
            pytest.fail(f"{browser} has not answered")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert not isinstance(answer, dict) or "error" not in answer, answer
    return answer
