"""The reports of ``check`` for pipelines: what their formats require, on every system."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from sdfviewer.cli import main
from sdfviewer.cli.outputs.report import as_uri, with_slashes
from sdfviewer.files.json_schema import first_violation

#: An error with another place, warnings, and a problem with a fix.
PROBLEMS = """<sdf version="1.9">
  <model name="m">
    <link name="a"/>
    <link name="a"/>
    <frame name="F" attached_to="aa"/>
    <frame name="G" relative_to="H"/>
    <frame name="H" relative_to="G"/>
    <colour>red &lt; green</colour>
  </model>
</sdf>
"""
WARNING = '<sdf version="1.9"><model name="m"><link name="a"/><colour>red</colour></model></sdf>'


def _closed(required: list[str], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that holds these properties and no others."""
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_NUMBER = {"type": "integer", "minimum": 1}
_MESSAGE = _closed(["text"], text=_TEXT, markdown=_TEXT)
_ARTIFACT = _closed(["uri"], uri=_TEXT)
_LEVEL = {"type": "string", "enum": ["none", "note", "warning", "error"]}
_REGION = _closed(
    ["startLine", "startColumn", "endLine", "endColumn", "charOffset", "charLength"],
    **dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), _NUMBER),
    **dict.fromkeys(("charOffset", "charLength"), _COUNT),
)
_PLACE = _closed(["artifactLocation"], artifactLocation=_ARTIFACT, region=_REGION)
_LOCATION = _closed(["physicalLocation"], physicalLocation=_PLACE, id=_COUNT, message=_MESSAGE)
_BAG = {"type": "object"}


def _list(items: dict[str, Any], fewest: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": fewest}


_REPLACEMENT = _closed(
    ["deletedRegion"],
    deletedRegion=_closed(["charOffset", "charLength"], charOffset=_COUNT, charLength=_COUNT),
    insertedContent=_closed(["text"], text=_TEXT),
)
_CHANGE = _closed(["artifactLocation", "replacements"], artifactLocation=_ARTIFACT, replacements=_list(_REPLACEMENT, 1))
_FIX = _closed(["artifactChanges"], description=_MESSAGE, artifactChanges=_list(_CHANGE, 1))
_RESULT = _closed(
    ["ruleId", "ruleIndex", "level", "message", "locations"],
    **{"ruleId": _TEXT, "ruleIndex": _COUNT, "level": _LEVEL, "message": _MESSAGE, "properties": _BAG},
    **{"locations": _list(_LOCATION), "relatedLocations": _list(_LOCATION), "fixes": _list(_FIX)},
)
_RULE = _closed(
    ["id"],
    **{"id": _TEXT, "name": _TEXT, "shortDescription": _MESSAGE, "fullDescription": _MESSAGE, "help": _MESSAGE},
    **{"defaultConfiguration": _closed(["level"], level=_LEVEL), "properties": _BAG},
)
_NOTIFICATION = _closed(["message"], level=_LEVEL, message=_MESSAGE, locations=_list(_LOCATION))
_INVOCATION = _closed(
    ["executionSuccessful"],
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(_NOTIFICATION),
)
_TOOL = _closed(["driver"], driver=_closed(["name"], name=_TEXT, version=_TEXT, rules=_list(_RULE)))
_RUN = _closed(
    ["tool", "results"],
    **{"tool": _TOOL, "results": _list(_RESULT), "invocations": _list(_INVOCATION)},
    columnKind={"type": "string", "enum": ["utf16CodeUnits", "unicodeCodePoints"]},
)
#: What the schema of SARIF 2.1.0 requires of all that is written, and no property beside those that are.
SARIF = _closed(["version", "runs"], **{"$schema": _TEXT, "version": {"const": "2.1.0"}, "runs": _list(_RUN, 1)})
#: The report format of GitLab's documentation of "Code Quality".
GITLAB = _list(
    _closed(
        ["description", "check_name", "fingerprint", "severity", "location"],
        **dict.fromkeys(("description", "check_name", "fingerprint"), _TEXT),
        severity={"type": "string", "enum": ["info", "minor", "major", "critical", "blocker"]},
        location=_closed(["path", "lines"], path=_TEXT, lines=_closed(["begin"], begin=_NUMBER)),
    )
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my robots").mkdir()
    (tmp_path / "my robots" / "ä#1.sdf").write_text(PROBLEMS, encoding="utf-8")
    (tmp_path / "my robots" / "b.sdf").write_text(WARNING, encoding="utf-8")
    (tmp_path / "c.sdf").write_bytes(b"")
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], form: str, *words: str) -> str:
    main(["check", "--output-format", form, "my robots", "missing.sdf", *words])
    return capsys.readouterr().out


def test_sarif_is_valid(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = json.loads(report(capsys, "sarif"))
    assert first_violation(log, SARIF) is None
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"] for place in each["locations"]
    }
    assert uris == {"my%20robots/%C3%A4%231.sdf", "my%20robots/b.sdf"}
    assert any(each.get("relatedLocations") for each in run["results"])
    assert any(each.get("fixes") for each in run["results"])
    assert run["invocations"][0]["toolExecutionNotifications"]


def test_the_schema_of_sarif_refuses_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = json.loads(report(capsys, "sarif"))
    log["runs"][0]["results"][0]["level"] = "fatal"
    violation = first_violation(log, SARIF)
    assert violation is not None
    assert violation.path == ("runs", 0, "results", 0, "level")


def test_the_report_for_gitlab_is_valid(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = json.loads(report(capsys, "gitlab"))
    assert first_violation(entries, GITLAB) is None
    assert {each["location"]["path"] for each in entries} == {"my robots/ä#1.sdf", "my robots/b.sdf"}
    main(["check", "--output-format", "gitlab", str(folder / "my robots")])
    assert json.loads(capsys.readouterr().out) == entries  # relative to the working folder, with the same fingerprints


def check_junit(suite: ElementTree.Element) -> None:
    """Check a report against the schema of Jenkins' plugin, ``junit-10.xsd``, as far as it is used."""
    assert suite.tag == "testsuite"
    assert set(suite.attrib) == {"name", "tests", "failures", "errors"}
    assert [each.tag for each in suite] == ["testcase"] * int(suite.attrib["tests"])
    allowed: dict[str, set[str]] = {"failure": {"type", "message"}, "error": {"message"}, "system-out": set()}
    for case in suite:
        assert set(case.attrib) == {"classname", "name"}
        for each in case:
            assert set(each.attrib) == allowed[each.tag]
            assert not list(each)
    assert int(suite.attrib["failures"]) == sum(case.find("failure") is not None for case in suite)
    assert int(suite.attrib["errors"]) == sum(case.find("error") is not None for case in suite)


def test_warnings_are_no_failures_of_junit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = ElementTree.fromstring(report(capsys, "junit"))
    check_junit(suite)
    assert (suite.attrib["failures"], suite.attrib["errors"]) == ("1", "1")
    case = next(each for each in suite if each.attrib["name"] == "my robots/b.sdf")
    assert case.find("failure") is None
    assert "warning" in (case.findtext("system-out") or "")
    strict = ElementTree.fromstring(report(capsys, "junit", "--strict"))
    check_junit(strict)
    assert strict.attrib["failures"] == "2"


def test_paths_of_windows_have_slashes_in_reports() -> None:
    assert with_slashes("models\\arm 1.sdf", PureWindowsPath) == "models/arm 1.sdf"
    assert with_slashes("-", PureWindowsPath) == "-"
    assert as_uri("models\\arm 1#.sdf", quote, PureWindowsPath) == "models/arm%201%23.sdf"
    assert as_uri("C:\\models\\arm 1.sdf", quote, PureWindowsPath) == "file:///C:/models/arm%201.sdf"
    assert as_uri("a\\b:c.sdf", quote, PurePosixPath) == "a%5Cb%3Ac.sdf"  # a name on other systems


def test_annotations_of_github_name_files_with_slashes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line in report(capsys, "github").splitlines() if line.startswith("::")]
    assert all("file=my robots/" in line for line in lines)
