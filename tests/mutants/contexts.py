"""A plugin of pytest that tells coverage which test runs: ``coverage run -m pytest -p tests.mutants.contexts``."""

from __future__ import annotations

from collections.abc import Iterator

import coverage
import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record what a test runs, its fixtures included, under its name."""
    measuring = coverage.Coverage.current()
    if measuring is None:
        raise pytest.UsageError("coverage does not run: coverage run -m pytest -p tests.mutants.contexts")
    measuring.switch_context(item.nodeid)
    try:
        yield
    finally:
        measuring.switch_context("")
