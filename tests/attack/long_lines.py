"""Files of one long line, or of a few: everything in a file that has a thousand lines, and none of the line breaks."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import gettempdir

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit, indentation_step
from sdfviewer.document.xml.encoding import EncodingError, decode
from sdfviewer.files.finder import Finder
from sdfviewer.language.line_commands import break_lines
from sdfviewer.language.text_map import LONGEST_LINE, TextMap, long_lines
from sdfviewer.session.session import Session
from tests.attack.mutation import mutate, text_seeds

#: The longest line, in characters: what an exporter writes of a world of a thousand models.
_LONGEST = 300_000
_WORDS: tuple[Callable[[int], str], ...] = (
    lambda length: f"<!-- {'x' * length} -->",
    lambda length: f"<!-- {'<a/>' * (length // 4)} -->",
    lambda length: f"<a b='{'y' * length}'/>",
    lambda length: f"<a>{'z ' * (length // 2)}</a>",
    lambda length: f"<![CDATA[{'>' * length}]]>",
    lambda length: "<frame name='f'/>" * (length // 17),
    lambda length: "".join(f"<frame name='f{number}'/>" for number in range(length // 25)),
    lambda length: "".join(f"<a{number}>" for number in range(min(length // 8, 400))),
    lambda length: "&amp;" * (length // 5),
    lambda length: "😀" * (length // 2),
    lambda length: "\t" * length,
    lambda length: "</a>" * (length // 4),
    lambda length: "<" * min(length, 50_000),
    lambda length: "<a " + "".join(f'b{number}="c" ' for number in range(length // 12)) + "/>",
)


@cache
def _texts() -> list[bytes]:
    return text_seeds()


def make_text(rng: random.Random) -> str:
    """Return the text of a file with a line of more than :data:`LONGEST_LINE` characters."""
    data = rng.choice(_texts())
    if rng.random() < 0.3:
        data = mutate(data, _texts(), rng)
    try:
        text = decode(data).text
    except EncodingError:
        text = ""
    if rng.random() < 0.9:
        text = text.replace("\r", "").replace("\n", rng.choice((" ", "", "  ")))
    length = rng.choice((LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 40_000, _LONGEST))
    at = rng.choice([0, len(text), *(place for place in range(len(text)) if text[place] == "<")][:400])
    return text[:at] + rng.choice(_WORDS)(length) + text[at:]


def attack(seed: int) -> None:
    """Read it, map it to what an editor shows and back, edit it, break its lines, and undo that."""
    rng = random.Random(seed)
    text = make_text(rng)
    session = Session(parse_document(text, Path("long.sdf")), Finder(environ={}, cwd=Path(gettempdir())))
    for _ in range(3):
        _look(session.document, rng)
        start = rng.randrange(len(session.document.text) + 1)
        end = min(len(session.document.text), start + rng.choice((0, 0, 1, 9)))
        typed = rng.choice(("", " ", "<", "a", '"', "\n", "<!--", "0.5"))
        session.apply(Edit("Type", session.document, (Replacement(start, end, typed),)))
        assert not any(each.rule.name == "internal-error" for each in session.diagnostics), session.diagnostics
    _break(session)
    while session.can_undo:
        session.undo()
    assert session.document.text == text, "undo gives another text"


def _look(document: Document, rng: random.Random) -> None:
    """Each offset of a file is somewhere in the editor, and leads back."""
    shown = TextMap(document.text, LONGEST_LINE)
    assert shown.is_cut == any(True for _ in long_lines(document.text))
    assert max(map(len, shown.shown.split("\n"))) <= LONGEST_LINE
    for _ in range(20):
        offset = rng.randrange(len(document.text) + 1)
        back = shown.to_offset(shown.to_position(offset))
        assert back == offset or document.text[min(back, offset) : max(back, offset)] in ("\r", "\n"), (back, offset)


def _break(session: Session) -> None:
    """Breaking the lines changes nothing but blanks between elements."""
    document = session.document
    if not document.is_well_formed:
        return
    breaks = sorted(break_lines(document.text, indentation_step(document)), key=lambda each: each.start)
    assert all(not document.text[each.start : each.end].strip() and not each.text.strip() for each in breaks)
    if breaks:
        names = session.model.names if session.model is not None else None
        try:
            session.apply(Edit("Break Lines", document, tuple(breaks)))
        except SdfViewerError:
            return  # refused, with a reason
        assert names == (session.model.names if session.model is not None else None), "other names"
