"""A missing optional dependency names the extra that brings it."""

from __future__ import annotations

import pytest

from sdfviewer.extras import MissingExtraError, required_extras


def test_a_missing_optional_package_names_its_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install .*\[render\]"), required_extras():
        raise ModuleNotFoundError("No module named 'lxml.etree'", name="lxml.etree")


def test_another_missing_module_stays_what_it_is() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing") as raised, required_extras():
        raise ModuleNotFoundError("No module named 'nothing'", name="nothing")
    assert not isinstance(raised.value, MissingExtraError)
