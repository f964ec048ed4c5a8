"""What is read without being asked for: settings of a project, unsaved work, decisions, addresses of windows.

A project's ``sdfviewer.toml`` and ``pyproject.toml`` may be a stranger's; the others are the user's own, but a disk may
have lost a part of them. The settings of the window are attacked by starting windows.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import sdfviewer
from sdfviewer.document.document import parse_document
from sdfviewer.files.configuration import Configuration, ConfigurationError, find_configuration
from sdfviewer.files.recovery import recoveries, write_recovery
from sdfviewer.files.saving import SaveError
from sdfviewer.formats.xacro.decisions import Answer, Decisions, DecisionStore
from sdfviewer.session.live_link import decode, endpoints, prepare_folder
from tests.attack.mutation import mutate

_TOML = (
    b'paths = ["models"]\nignore = ["unknown-*"]\nselect = ["*"]\n\n[per-file-ignores]\n"tests/*" = ["*"]\n',
    b'[tool.sdfviewer]\nignore = ["unknown-element"]\n[tool.other.a.b]\nx = 1\n[[tool.list]]\ny = {a = {b = [1, 2]}}\n',
    b'exclude = ["a*"]\nstrict = true\n[[contract]]\nfile = "**/*.sdf"\nframe = "m"\npose = [0, 0, 0, 0, 0, 0]\n'
    b'[[contract]]\nfile = "*"\nvalue = "a/pose/x"\nequals = { file = "m.sdf", pattern = "(x+)*" }\nwhy = "?"\n'
    b'[[contract]]\nfile = "a/b/m.sdf"\nmass = { min = 1, of = "a" }\ncenter_of_mass = { above = ["a"] }\n'
    b'names = ["a", "b"]\nclearance = { between = ["a", "b"], min = 0.1, sweep = "all", samples = 3 }\n',
    b'ignore = ["""a\nb""", \'\'\'c\'\'\', "\\u00e9"]\n# comment\nselect = [\n  "a",\n]\n',
)
_TOML_WORDS: tuple[Callable[[random.Random], bytes], ...] = (
    lambda rng: b"[" * rng.choice((1, 90, 5_000, 300_000)),
    lambda rng: b"{a=" * rng.choice((1, 90, 50_000)),
    lambda rng: b"a." * rng.choice((1, 90, 50_000)) + b"a = 1\n",
    lambda rng: b"".join(b"[a%d]\n" % number for number in range(rng.choice((10, 20_000)))),
    lambda rng: b"".join(b"[[a]]\n" for _ in range(rng.choice((10, 50_000)))),
    lambda rng: b'"""' + b"x" * rng.choice((10, 500_000)),
    lambda rng: b"x = " + b"9" * rng.choice((10, 5_000, 400_000)) + b"\n",
    lambda rng: b"x = 1979-13-45T99:99:99\n",
    lambda rng: b"x = 0x" + b"f" * 100_000 + b"\n",
    lambda rng: b'"' + b"\\u0000" * 50 + b'" = 1\n',
    lambda rng: b"ignore = [" + b'"*a*a*a*a*a*a*a*a*a*a*b", ' * 1_000 + b"]\n",
    lambda rng: b"# " + b"x" * 900_000,
    lambda rng: b"ignore = 3\n",
    lambda rng: b'paths = ["/dev/zero", "\\u0000", "../../..", "//server/x"]\n',
    lambda rng: b"\xff\xfe",
    lambda rng: b"\r\n\r",
)
_VALUES = ("null", "[]", "{}", "1e400", "-1", '"x"', '"\\ud800"', "9" * 500, "NaN", "[" * 2_000, '"\\u0000"', "true")
_MODEL = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'


def attack(seed: int) -> None:
    """Break a file that is kept, and read it as the program does."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rng.choice((_settings, _settings, _unsaved, _decisions, _announced))(folder, rng)


def _settings(folder: Path, rng: random.Random) -> None:
    data = rng.choice(_TOML)
    if rng.random() < 0.5:
        data = mutate(data, _TOML, rng)
    if rng.random() < 0.5:
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice(_TOML_WORDS)(rng) + data[at:]
    (folder / rng.choice(("sdfviewer.toml", "pyproject.toml"))).write_bytes(data)
    place = folder / "a" / "b" / "m.sdf"
    place.parent.mkdir(parents=True)
    try:
        found = find_configuration(place)
    except ConfigurationError as error:
        why = str(error)
        assert str(folder) in why
        assert len(why) < 10_000
        return
    assert isinstance(found, Configuration)
    found.reports("unknown-element", "SDF101", place)
    found.reports("a" * 200, "a" * 200, folder / ("a" * 100))
    found.excludes(place)
    place.write_bytes(_MODEL.encode())
    assert all(each.rule.name != "internal-error" for each in sdfviewer.check(place))


def _unsaved(folder: Path, rng: random.Random) -> None:
    kept = folder / "recovery"
    for number in range(rng.choice((1, 3))):
        with suppress(SaveError):
            write_recovery(folder / f"{number}.sdf", _MODEL.encode(), None, kept)
    for file in kept.glob("*.recovery"):
        data = file.read_bytes()
        if rng.random() < 0.3:
            file.write_bytes(data[: rng.randrange(len(data))])
        elif rng.random() < 0.6:
            magic, header, rest = data.split(b"\n", 2)
            fields = json.loads(header)
            written = {each: json.dumps(value) for each, value in fields.items()}
            written[rng.choice([*written])] = rng.choice(_VALUES)
            header = b"{" + b",".join(b'"%s":%s' % (k.encode(), v.encode()) for k, v in written.items()) + b"}"
            file.write_bytes(b"\n".join((magic, header, rest)))
        else:
            file.write_bytes(mutate(data, [data], rng))
    for found in recoveries(kept):
        assert found.text is not None
        assert found.path is None or "\0" not in str(found.path)
        assert not found.is_abandoned, "this run has written it"


def _decisions(folder: Path, rng: random.Random) -> None:
    document = parse_document(_MODEL, folder / "a.xacro")
    file = folder / "xacro.json"
    DecisionStore(file)
    answer = rng.choice([*Answer])
    Decisions("", DecisionStore(file)).decide([document], answer)
    data = file.read_bytes()
    file.write_bytes(mutate(data, [data, *(each.encode() for each in _VALUES)], rng))
    other = parse_document(_MODEL.replace("l", "k"), folder / "elsewhere" / "b.xacro")
    decided = Decisions("", DecisionStore(file))
    decided.may_evaluate(document)
    allowed = decided.may_evaluate(other)
    assert answer is Answer.FOLDER or not allowed, "a file was allowed that nobody has decided about"
    decided.decide([document], Answer.NEVER)
    assert not decided.may_evaluate(document)


def _announced(folder: Path, rng: random.Random) -> None:
    place = folder / "runtime"
    assert prepare_folder(place)
    message = b'{"type": "show", "path": "/a.sdf", "text": "<sdf/>", "frame": "m::a"}\n'
    announced = b'{"process": 7, "address": "/nowhere/a.socket"}'
    for number in range(3):
        (place / f"window-{number}.json").write_bytes(mutate(announced, [announced, message], rng))
    assert all(isinstance(each.address, str) for each in endpoints(place))
    found = decode(mutate(message, [message, *(each.encode() for each in _VALUES)], rng))
    assert found is None or isinstance(found["type"], str)
