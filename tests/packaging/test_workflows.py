"""What runs on GitHub: files that follow their schemas, and steps that call the scripts that developers call."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
SCHEMAS = {
    "github-workflows": WORKFLOWS,
    "github-actions": [REPOSITORY / "packaging" / "action" / "action.yml"],
    "dependabot": [REPOSITORY / ".github" / "dependabot.yml"],
    "github-issue-config": [REPOSITORY / ".github" / "ISSUE_TEMPLATE" / "config.yml"],
    "github-issue-forms": [REPOSITORY / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml" for name in ("wrong", "wish")],
    "citation-file-format": [REPOSITORY / "CITATION.cff"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schema(schema: str) -> None:
    pytest.importorskip("check_jsonschema")
    files = map(str, SCHEMAS[schema])
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def commands() -> list[str]:
    """Return every command of every job, once for each entry of a matrix that names it."""
    found = []
    for workflow in WORKFLOWS:
        jobs: dict[str, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
        for job in jobs.values():
            entries = job.get("strategy", {}).get("matrix", {}).get("include", [])
            for step in job.get("steps", []):
                if step.get("run") == "${{ matrix.command }}":
                    found += [entry["command"] for entry in entries]
                elif "run" in step:
                    found.append(step["run"])
    return found


@pytest.mark.parametrize("command", commands())
def test_a_step_calls_a_script_that_is_there(command: str) -> None:
    subprocess.run(["bash", "-n", "-c", command], check=True)
    scripts = re.findall(r"(?:^|&& |-File )([\w./-]+\.(?:sh|ps1)|\.ci/run)", command)
    assert scripts, "a step has shell of its own"
    for script in scripts:
        assert (REPOSITORY / script).is_file()
        assert script.endswith(".ps1") or (REPOSITORY / script).stat().st_mode & 0o100


def test_every_version_of_python_is_tried() -> None:
    tests = yaml.safe_load((REPOSITORY / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    metadata = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    promised = re.findall(r"Python :: (3\.\d+)", metadata)
    assert tests["jobs"]["tests"]["strategy"]["matrix"]["python"] == promised


def test_the_version_is_one() -> None:
    """packaging/release.sh compares these before it builds; here they are found while they change."""
    import sdfviewer

    extension = (REPOSITORY / "packaging" / "vscode" / "package.json").read_text(encoding="utf-8")
    assert f'"version": "{sdfviewer.__version__}"' in extension
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == sdfviewer.__version__
