"""Every fault ever found, tried again with a bound of time and of memory."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.attack.budget import run_cli
from tests.attack.faults import FAULTS, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_known_fault_stays_fixed(fault: Fault, tmp_path: Path) -> None:
    fault.write(tmp_path)
    said = ""
    for command in fault.commands:
        done = run_cli(shlex.split(command), tmp_path)
        said += done.output
        assert "Traceback" not in done.output, f"{command}:\n{done.output[-2000:]}"
        assert done.code in (0, 1, 2), f"{command} ended with {done.code}:\n{done.output[-2000:]}"
    assert fault.says in said
