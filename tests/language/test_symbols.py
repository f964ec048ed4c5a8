"""Tests of the outline as a list."""

from __future__ import annotations

from sdfviewer.document.document import parse_document
from sdfviewer.language.symbols import document_symbols, flat_symbols


def test_symbols_in_a_list_have_the_scoped_name_around_them() -> None:
    document = parse_document('<sdf><model name="m"><link name="l"><visual name="v"/></link></model></sdf>')
    listed = [(symbol.name, around) for symbol, around in flat_symbols(document_symbols(document))]
    assert listed == [("m", ""), ("l", "m"), ("v", "m::l")]


def test_a_long_name_is_not_repeated_in_each_symbol_of_a_list() -> None:
    frames = '<frame name="f"/>' * 100
    document = parse_document(f'<sdf><model name="{"n" * 100_000}m">{frames}</model></sdf>')
    scopes = [around for _, around in flat_symbols(document_symbols(document))]
    assert max(map(len, scopes)) < 2000
    assert scopes[-1].endswith("nm")
