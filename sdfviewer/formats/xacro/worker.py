"""The process that evaluates xacro files within limits of time and memory.

It reads requests as lines of JSON from standard input and answers on standard output; :mod:`.evaluation` is at the
other end. JSON rather than pickle: what comes out of this process can do nothing but be text.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any

from sdfviewer.extras import MissingExtraError
from sdfviewer.formats.xacro import engine

#: Bytes of memory that this process may use, where the platform can limit it.
MOST_MEMORY = 1 << 30


def main() -> None:
    """Answer requests until standard input ends."""
    _limit_memory()
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what an expression prints is no answer

    def send(answer: dict[str, object]) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    def ask(question: dict[str, object]) -> Any:
        send(question)
        return json.loads(requests.readline())

    def read(path: str) -> str:
        answer = ask({"read": path})
        if "error" in answer:
            raise engine.UnreadableSourceError(answer["error"])
        return str(answer["text"])

    def find_package(name: str) -> str | None:
        found = ask({"package": name})["path"]
        return None if found is None else str(found)

    while line := requests.readline():
        send(_answer(json.loads(line), read, find_package))


def _answer(request: dict[str, Any], read: Any, find_package: Any) -> dict[str, object]:
    try:
        os.environ.clear()
        os.environ.update(request["environment"])
        if request["folder"]:
            os.chdir(request["folder"])
        output = engine.evaluate(
            request["text"], request["path"], request["arguments"], read, find_package, request["most_elements"]
        )
    except engine.EvaluationError as error:
        return {"error": Exception.__str__(error), "origin": error.origin, "calls": error.calls}
    except MissingExtraError:
        return {"missing": True}
    except MemoryError:
        return {"error": "the file needs too much memory", "origin": None, "calls": ()}
    return {"text": output.text, "origins": output.origins, "calls": output.calls, "warnings": output.warnings}


def _limit_memory() -> None:
    """Limit the memory of this process; where the platform cannot, the counts of the engine are the bound."""
    with suppress(ImportError):  # not on Windows
        import resource  # noqa: PLC0415

        with suppress(ValueError, OSError):  # refused by macOS
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
