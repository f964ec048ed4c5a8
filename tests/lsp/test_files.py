"""Open files of the language server: any changes give what a fresh load of the same text gives."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from hypothesis import given, settings
from hypothesis import strategies as st

from sdfviewer.diagnostics import RULES, Diagnostic
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.outline import Symbol
from sdfviewer.language.text_map import Positions, Unit
from sdfviewer.lsp import presentation
from sdfviewer.lsp.files import Edited, ServerFile
from sdfviewer.lsp.presentation import folds, symbol_tree
from sdfviewer.lsp.protocol import Ranges, RulePages, path_of, symbol_kind
from sdfviewer.model.model import Model
from tests.patience import PATIENCE_SECONDS

START = """<sdf version="1.9">\r
  <model name="m"><!-- é 𝔘 -->
    <link name="a"/>
    <link name="b"><pose relative_to="a">1 0 0 0 0 0</pose></link>
    <frame name="F" attached_to="b"/>
  </model>
</sdf>
"""
PIECES = ["<link name='c'/>", "<", ">", "/", '"', "a", "b", "\n", "\r\n", "𝔘", "<!--", "-->", " ", "1", "</link>", ""]
CHANGES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 60), st.integers(0, 2), st.integers(0, 12), st.sampled_from(PIECES)),
    max_size=8,
)


def open_file(unit: Unit) -> ServerFile:
    unsaved: dict[Path, Document] = {}
    return ServerFile("untitled:1", None, START, 1, Finder(), unsaved, unit, Expander())


@given(st.sampled_from(list(Unit)), CHANGES)
def test_random_changes_mean_what_a_fresh_load_means(unit: Unit, changes: list[tuple[int, int, int, int, str]]) -> None:
    file, text = open_file(unit), START
    for version, (line, character, more_lines, more_characters, piece) in enumerate(changes, 2):
        start, end = (line, character), (line + more_lines, character + more_characters)
        positions = Positions(text, unit)
        first, last = positions.offset(*start), positions.offset(*end)
        text = text[:first] + piece + text[max(first, last) :]
        file.change([Edited(start, end, piece)], version)
    assert file.snapshot.document.text == text
    fresh = Loader().load_with_diagnostics(parse_document(text))
    meaning = file.meaning(file.snapshot)
    assert [str(each.message) for each in meaning.diagnostics] == [str(each.message) for each in fresh[1]]
    if file.snapshot.shown is not file.snapshot.document:
        return  # what is no XML shows what it had before, see test_while_typing
    assert (meaning.model is None) == (fresh[0] is None)
    if meaning.model is not None and fresh[0] is not None:
        assert meaning.model.names == fresh[0].names


def written(symbols: Sequence[tuple[int, Symbol]], positions: Positions, offset: int = 0) -> list[dict[str, Any]]:
    """Return symbols as the protocol writes them."""

    def between(start: int, end: int) -> dict[str, Any]:
        places = zip(("start", "end"), map(positions.position, (start, end)), strict=True)
        return {name: {"line": line, "character": character} for name, (line, character) in places}

    return [
        {
            "name": each.name,
            "kind": symbol_kind(each.tag).value,
            "range": between(offset + at, offset + at + each.length),
            "selectionRange": between(*(offset + at + end for end in each.selected)),
            **({"detail": each.detail} if each.detail else {}),
            **({"children": written(each.children, positions, offset + at)} if each.children else {}),
        }
        for at, each in symbols
    ]


@settings(max_examples=25)
@given(st.sampled_from(list(Unit)), st.sampled_from(["a", "100 %d", "𝔘"]), CHANGES)
def test_the_outline_after_each_change_is_that_of_a_fresh_load(
    unit: Unit, name: str, changes: list[tuple[int, int, int, int, str]]
) -> None:
    links = "".join(
        f'    <link name="{name} {n}">\n<pose>\n0 0 0 0 0 0</pose></link><link name="{n}"/>' for n in range(60)
    )
    text = START.replace("  </model>", f"{links}  </model>")

    def answers(file: ServerFile) -> tuple[Any, Any]:
        snapshot = file.snapshot
        ranges = Ranges(unit, snapshot, RulePages())
        return json.loads(symbol_tree(snapshot, ranges)), json.loads(folds(snapshot, ranges))

    file = ServerFile("untitled:1", None, text, 1, Finder(), {}, unit, Expander())
    answers(file)
    for version, (line, character, more_lines, more_characters, piece) in enumerate(changes, 2):
        file.change([Edited((line, character), (line + more_lines, character + more_characters), piece)], version)
        fresh = ServerFile("untitled:1", None, file.snapshot.text, 1, Finder(), {}, unit, Expander())
        if file.snapshot.shown is file.snapshot.document:
            assert answers(file) == answers(fresh)
        assert answers(file)[0] == written(file.snapshot.symbols, file.snapshot.positions)


def test_symbols_beyond_a_limit_are_not_listed_and_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    links = "".join(f'<link name="link_{number}"><visual name="v"/></link>' for number in range(500))
    text = f'<sdf version="1.9"><model name="m">{links}</model><model name="n"/></sdf>'
    file = ServerFile("untitled:1", None, text, 1, Finder(), {}, Unit.UTF16, Expander())
    snapshot = file.snapshot
    ranges = Ranges(Unit.UTF16, snapshot, RulePages())
    monkeypatch.setattr(presentation, "_MOST_SYMBOLS", 100)
    (model,) = json.loads(symbol_tree(snapshot, ranges))
    names = [each["name"] for each in model["children"]]
    assert names == [f"link_{number}" for number in range(50)]
    assert [each["name"] for each in model["children"][-1]["children"]] == ["… more are not listed"]
    flat = json.loads(presentation.symbol_list(snapshot, ranges))
    assert [each["name"] for each in flat[-2:]] == ["link_49", "… more are not listed"]
    assert len(flat) == 101


def test_the_text_of_nested_symbols_is_kept_once() -> None:
    depth = 60
    opened = "".join(f'<model name="m{number}">' for number in range(depth))
    text = f'<sdf version="1.9">{opened}<link name="l"/>{"</model>" * depth}</sdf>'
    file = ServerFile("untitled:1", None, text, 1, Finder(), {}, Unit.UTF16, Expander())
    answer = symbol_tree(file.snapshot, Ranges(Unit.UTF16, file.snapshot, RulePages()))
    kept = [each.text for each in file.snapshot.reader.symbols.values()]
    assert 0 < sum(map(len, kept)) <= len(answer)


def test_what_is_typed_while_the_text_is_read_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    file, load = open_file(Unit.UTF16), Loader.load_with_diagnostics

    def load_slowly(self: Loader, document: Document) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        answer = load(self, document)
        file.change([Edited((0, 0), (0, 0), "<!-- typed -->")], 2)
        return answer

    monkeypatch.setattr(Loader, "load_with_diagnostics", load_slowly)
    file.meaning(file.snapshot)
    assert file.snapshot.text == "<!-- typed -->" + START
    assert file.snapshot.version == 2


def test_what_was_read_before_an_included_file_changed_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    file, load = open_file(Unit.UTF16), Loader.load_with_diagnostics
    loads: list[Document] = []

    def load_slowly(self: Loader, document: Document) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        loads.append(document)
        answer = load(self, document)
        if len(loads) == 1:
            file.forget()
        return answer

    monkeypatch.setattr(Loader, "load_with_diagnostics", load_slowly)
    file.meaning(file.snapshot)
    file.meaning(file.snapshot)
    file.meaning(file.snapshot)
    assert len(loads) == 2


@given(st.sampled_from(list(Unit)), st.text(st.sampled_from("a\n\ré𝔘\u2028\ud800 "), max_size=30))
def test_positions_and_offsets_are_inverse(unit: Unit, text: str) -> None:
    positions = Positions(text, unit)
    for offset in range(len(text) + 1):
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        if not inside_line_end:
            assert positions.offset(*positions.position(offset)) == offset


@given(st.sampled_from(list(Unit)), st.text(st.sampled_from("a\n\ré𝔘\u2028\ud800 "), max_size=30))
def test_many_positions_are_those_of_each_offset(unit: Unit, text: str) -> None:
    positions, offsets = Positions(text, unit), range(len(text) + 1)
    each = [positions.position(offset) for offset in offsets]
    assert positions.positions(offsets) == each
    assert [positions.line(offset) for offset in offsets] == [line for line, _ in each]


def test_a_page_that_is_being_written_when_the_editor_ends_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may still be read in another thread: its problems link to pages."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pages, first, second = RulePages(), *list(RULES.values())[:2]
    remove, started = shutil.rmtree, list[Future[str]]()

    def removing(folder: Path, **named: Any) -> None:
        started.append(other.submit(pages.address_of, second))
        wait(started, timeout=0.1)
        remove(folder, **named)

    monkeypatch.setattr(shutil, "rmtree", removing)
    with ThreadPoolExecutor(1) as other:
        assert pages.address_of(first).endswith(".md")
        pages.close()
        assert started[0].result(PATIENCE_SECONDS) == ""
    assert list(tmp_path.iterdir()) == []


def test_pages_are_removed_where_nobody_closes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pages = RulePages()
    page = path_of(pages.address_of(next(iter(RULES.values()))))
    assert page is not None
    assert page.is_file()
    del pages
    assert list(tmp_path.iterdir()) == []
