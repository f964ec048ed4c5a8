"""A server of Fuel on this machine, whose answers are what a test says: good ones, slow, broken, huge and hostile."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sdfviewer.files.installed import FuelModel, parse_fuel_uri

MODEL = '<sdf version="1.9"><model name="box"><link name="a"/></model></sdf>'
CONFIG = '<model><name>box</name><sdf version="1.9">model.sdf</sdf></model>'
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
#: Where the server describes a model, and where its archive is.
BOX = "/1.0/Open%20Robotics/models/Box"
ZIP = f"{BOX}/3/Box.zip"


def archive(files: dict[str, str], change: Callable[[zipfile.ZipInfo], None] = lambda entry: None) -> bytes:
    """Return an archive of some files, each entry changed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            change(entry)
            opened.writestr(entry, text)
    return buffer.getvalue()


GOOD = archive({"model.config": CONFIG, "model.sdf": MODEL})
ABOUT = json.dumps({"name": "Box", "version": 3, "filesize": 123, "license_name": "CC BY 4.0"}).encode()


@dataclass
class Server:
    """Answers of a Fuel server by path: status, headers and body.

    The header ``X-Hang`` makes it say nothing, ``X-Slowly`` send a byte now and then, and ``X-Raw`` send the body as
    the whole answer.
    """

    base: str
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    hang: threading.Event = field(default_factory=threading.Event)

    def offer(self, about: bytes = ABOUT, data: bytes = GOOD) -> FuelModel:
        """Offer a model, and return it."""
        self.answers[BOX] = 200, {}, about
        self.answers[ZIP] = 200, {}, data
        model = parse_fuel_uri(f"{self.base}{BOX}")
        assert model is not None
        return model


@contextmanager
def fuel_server() -> Iterator[Server]:
    """Let such a server run."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known.asked.append(self.path)
            status, headers, body = known.answers.get(self.path, (404, {}, b""))
            if headers.get("X-Hang"):
                known.hang.wait(10)
                return
            if slowly := headers.get("X-Slowly"):
                start = {
                    "headers": b"HTTP/1.0 200 OK\r\nX: ",
                    "sizes": CHUNKED + b"1;",
                    "body": b"HTTP/1.0 200 OK\r\n\r\n",
                }
                self.wfile.write(start[slowly])
                for _ in range(500):
                    if known.hang.wait(0.02):
                        return
                    self.wfile.write(b"1")
                    self.wfile.flush()
                return
            if not headers.get("X-Raw"):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
            self.wfile.write(body)

        def handle(self) -> None:
            with suppress(ConnectionError):  # who has asked has heard enough
                super().handle()

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known = Server(f"http://127.0.0.1:{http.server_port}")
    # It looks for the end that often: of the half a second that it waits by default a test would wait the rest.
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield known
    finally:
        known.hang.set()
        http.shutdown()
        http.server_close()
        thread.join()
