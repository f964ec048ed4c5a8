"""Runs the tests in an order of chance, to find those that depend on the tests before them.

``packaging/test.sh -p tests.random_order --order 7 -m "gui and not nightly"`` shuffles the modules, and the tests of
each. The same number gives the same order.
"""

from __future__ import annotations

import random
from itertools import groupby

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the number of the order."""
    parser.addoption("--order", type=int, default=0, metavar="NUMBER", help="the number of the order of the tests")


def pytest_report_header(config: pytest.Config) -> str:
    """Name the order, so that it can be had again."""
    return f"order: {config.getoption('--order')}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the modules, and the tests of each, which share what is made once for a module."""
    chance = random.Random(config.getoption("--order"))
    modules = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    chance.shuffle(modules)
    for tests in modules:
        chance.shuffle(tests)
    items[:] = [test for tests in modules for test in tests]
