"""Tests of the outline as a list."""

from __future__ import annotations

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.language.outline import SymbolReader, flat_symbols


def test_symbols_in_a_list_have_the_scoped_name_around_them() -> None:
    document = parse_document('<sdf><model name="m"><link name="l"><visual name="v"/></link></model></sdf>')
    listed = [(each.symbol.name, each.around) for each in flat_symbols(SymbolReader().read(document))]
    assert listed == [("m", ""), ("l", "m"), ("v", "m::l")]


def test_a_long_name_is_not_repeated_in_each_symbol_of_a_list() -> None:
    frames = '<frame name="f"/>' * 100
    document = parse_document(f'<sdf><model name="{"n" * 100_000}m">{frames}</model></sdf>')
    scopes = [each.around for each in flat_symbols(SymbolReader().read(document))]
    assert max(map(len, scopes)) < 2000
    assert scopes[-1].endswith("nm")


def test_what_an_edit_leaves_as_it_was_is_not_read_again() -> None:
    models = "".join(f'<model name="m{n}"><link name="l"/></model>' for n in range(3))
    document = parse_document(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    reader = SymbolReader()
    ((before, world),) = reader.read(document)
    at = document.text.index("m1")
    edited = document.edited((Replacement(at, at + 2, "another"),))
    ((after, changed),) = reader.read(edited)
    assert before == after
    assert [symbol.name for _, symbol in changed.children] == ["m0", "another", "m2"]
    for number in (0, 2):
        assert changed.children[number][1] is world.children[number][1]
    assert [each.range for each in flat_symbols(reader.read(edited))] == [
        each.range for each in flat_symbols(SymbolReader().read(edited))
    ]
