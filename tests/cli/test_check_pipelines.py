"""``check`` in pipelines: formats, configuration, ignored rules, baselines, quick fixes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.files.configuration import fingerprint

TWO_PROBLEMS = """<sdf version="1.9">
  <model name="m">
    <link name="a"/>
    <frame name="F" attached_to="nowhere"/>
    <colour>red</colour>
  </model>
</sdf>
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "broken.sdf"
    path.write_text(TWO_PROBLEMS, encoding="utf-8")
    return path


def rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(["check", "--json", *arguments])
    answer = json.loads(capsys.readouterr().out)
    return [each["rule"] for each in answer["diagnostics"]]


def test_rules_are_selected_and_ignored(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(rules(capsys, str(broken))) == {"attached-to-invalid", "unknown-element"}
    assert rules(capsys, "--select", "attached-*", str(broken)) == ["attached-to-invalid"]
    assert rules(capsys, "--ignore", "E401", str(broken)) == ["unknown-element"]
    assert rules(capsys, "--ignore", "E401,unknown-element", str(broken)) == []
    assert main(["check", "--ignore", "e401", str(broken)]) == 0


@pytest.mark.parametrize("name", ["sdfviewer.toml", "pyproject.toml"])
def test_a_project_is_configured(broken: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    table = "[tool.sdfviewer]\n" if name == "pyproject.toml" else ""
    section = "tool.sdfviewer.per-file-ignores" if table else "per-file-ignores"
    text = f'{table}ignore = ["unknown-element"]\n[{section}]\n"old/*" = ["*"]\n'
    (broken.parent / name).write_text(text, encoding="utf-8")
    assert rules(capsys, str(broken)) == ["attached-to-invalid"]
    old = broken.parent / "old" / "a.sdf"
    old.parent.mkdir()
    old.write_text(TWO_PROBLEMS, encoding="utf-8")
    assert rules(capsys, str(old)) == []
    assert len(rules(capsys, "--no-config", str(old))) == 2


@pytest.mark.parametrize("text", ["ignore = 3", "nonsense = []", "[", "select = [1]", "per-file-ignores = []"])
def test_a_wrong_configuration_is_named(broken: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (broken.parent / "sdfviewer.toml").write_text(text, encoding="utf-8")
    assert main(["check", str(broken)]) == 2
    assert "sdfviewer.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ignore = " + "[" * 100_000, "more than 100 levels"),
        ("ignore = " + "{a=" * 10_000, "more than 100 levels"),
        ('ignore = ["\\"", ' + "[" * 10_000 + ', "\\""]', "more than 100 levels"),
        ("a" + ".a" * 2000 + " = 1", "more than 100 levels"),
        ("[a" + '."a"' * 2000 + "]", "more than 100 levels"),
        ("#" + "x" * (1 << 20), "larger than 1 MiB"),
        ("ignore = 1" + "0" * 5000, "sdfviewer.toml: "),
        ('ignore = ["' + "[" * 300_000 + '"]', "more than 200 characters"),
        ('[per-file-ignores]\n"' + "[" * 300_000 + '" = ["a"]', "more than 200 characters"),
        ('[per-file-ignores]\npaths = ["' + "[" * 300_000 + '"]', "more than 200 characters"),
        ("select = [" + '"[", ' * 1001 + "]", "more than 1,000 patterns"),
    ],
)
def test_a_configuration_has_a_size(broken: Path, capsys: pytest.CaptureFixture[str], text: str, words: str) -> None:
    (broken.parent / "sdfviewer.toml").write_text(text, encoding="utf-8")
    assert main(["check", str(broken)]) == 2
    assert words in capsys.readouterr().err


def test_strings_and_comments_of_a_configuration_have_no_levels(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dots, brackets = "." * 1000, "[" * 1000
    text = f'# {dots} {brackets}\n[tool.other]\na = "{dots}\\"{brackets}"\nb = \'{dots}{brackets}\'\n'
    text += f"c = \"\"\"\n{dots}{brackets}\"\"\"\nd = '''\n{dots}{brackets}'''\ne = [{'1.5, ' * 1000}]\n"
    (broken.parent / "pyproject.toml").write_text(text + '[tool.sdfviewer]\nignore = ["E401"]\n', encoding="utf-8")
    assert rules(capsys, str(broken)) == ["unknown-element"]


def test_a_configuration_that_is_a_folder_is_named(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken.parent / "sdfviewer.toml").mkdir()
    assert main(["check", str(broken)]) == 2
    assert "sdfviewer.toml is a folder" in capsys.readouterr().err


@pytest.mark.parametrize("path", [".hidden", "../.hidden", "a/.b/c", "/", "..", "../..", "a\\u0000b"])
def test_a_configuration_names_no_folder_of_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    """It may be a stranger's, and xacro files may read what is in model folders."""
    home = tmp_path / "home"
    broken = home / "project" / "a.sdf"
    broken.parent.mkdir(parents=True)
    broken.write_text(TWO_PROBLEMS, encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    (broken.parent / "sdfviewer.toml").write_text(f'paths = ["{path}"]\n', encoding="utf-8")
    assert main(["check", str(broken)]) == 2
    assert "sdfviewer.toml: paths: " in capsys.readouterr().err
    for usual in (".", "models", "./models", "../models"):
        (broken.parent / "sdfviewer.toml").write_text(f'paths = ["{usual}"]\n', encoding="utf-8")
        assert main(["check", str(broken)]) == 1


def test_a_comment_ignores_a_rule(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ignoring = TWO_PROBLEMS.replace("<colour>", "<!-- sdfviewer: ignore unknown-element --><colour>")
    ignoring = ignoring.replace('    <frame name="F"', '    <!-- sdfviewer: ignore E401 -->\n    <frame name="F"')
    broken.write_text(ignoring, encoding="utf-8")
    assert rules(capsys, str(broken)) == []
    broken.write_text("<!-- sdfviewer: ignore-file -->\n" + TWO_PROBLEMS, encoding="utf-8")
    assert rules(capsys, str(broken)) == []
    broken.write_text(TWO_PROBLEMS.replace("<colour>", "<!-- sdfviewer: ignore E401 --><colour>"), encoding="utf-8")
    assert len(rules(capsys, str(broken))) == 2


def test_a_baseline_holds_what_is_known(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--write-baseline", "known.json", str(broken)]) == 0
    assert main(["check", "--strict", "--baseline", "known.json", str(broken)]) == 0
    assert "1 file: no new problems found" in capsys.readouterr().err
    more = TWO_PROBLEMS.replace("    <link", "\n\n    <frame name='G' attached_to='else'/>\n    <link")
    broken.write_text(more, encoding="utf-8")
    capsys.readouterr()
    assert rules(capsys, "--baseline", "known.json", str(broken)) == ["attached-to-invalid"]
    Path("known.json").write_text("[]", encoding="utf-8")
    assert main(["check", "--baseline", "known.json", str(broken)]) == 2
    assert "known.json is not a baseline: write one with --write-baseline" in capsys.readouterr().err
    assert main(["check", "--baseline", "gone.json", str(broken)]) == 2
    assert "cannot read gone.json: " in capsys.readouterr().err


def test_a_baseline_names_files_from_its_own_folder(
    broken: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = broken.parent / "ci"
    folder.mkdir()
    assert main(["check", "--write-baseline", "ci/known.json", "broken.sdf"]) == 0
    assert main(["check", "--strict", "--baseline", str(folder / "known.json"), str(broken)]) == 0
    monkeypatch.chdir(folder)
    assert main(["check", "--strict", "--baseline", "known.json", "../broken.sdf"]) == 0
    moved = broken.with_name("other.sdf")
    broken.rename(moved)
    assert main(["check", "--baseline", "known.json", str(moved)]) == 1


def test_a_baseline_of_an_older_version_still_counts(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TWO_PROBLEMS.replace("    <colour>red</colour>\n", "")
    broken.write_text(text, encoding="utf-8")
    # As 0.1 has written it: names of files as they were given.
    found = sdfviewer.check("broken.sdf")
    marks = [fingerprint(each, "broken.sdf") for each in found]
    Path("known.json").write_text(json.dumps({"version": 1, "problems": marks}), encoding="utf-8")
    assert main(["check", "--baseline", "known.json", "broken.sdf"]) == 0


def test_settings_extend_others(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = broken.parent / "robots"
    inner.mkdir()
    for name in ("a.sdf", "old.sdf"):
        (inner / name).write_text(TWO_PROBLEMS, encoding="utf-8")
    base = '[per-file-ignores]\n"robots/old.sdf" = ["*"]\n'
    (broken.parent / "shared.toml").write_text('ignore = ["E401"]\nstrict = true\n' + base, encoding="utf-8")
    (inner / "sdfviewer.toml").write_text('extend = "../shared.toml"\n', encoding="utf-8")
    assert rules(capsys, "robots/a.sdf") == ["unknown-element"]
    assert rules(capsys, "robots/old.sdf") == []
    assert main(["check", "robots/a.sdf"]) == 1  # strict
    capsys.readouterr()
    (inner / "sdfviewer.toml").write_text(
        'extend = "../shared.toml"\nignore = []\nstrict = false\nselect = ["unknown-*"]\n', encoding="utf-8"
    )
    assert rules(capsys, "robots/a.sdf") == ["unknown-element"]
    assert main(["check", "robots/a.sdf"]) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('strict = true\nextend = "none.toml"', "sdfviewer.toml:2:1: there is no file 'none.toml'"),
        ('extend = "sdfviewer.toml"', "leads back to this file"),
        ('extend = ".git/config.toml"', "is hidden"),
        ('strict = "yes"', "sdfviewer.toml:1:1: strict must be true or false"),
        ('# a\nselect = ["*",\n  3]', "sdfviewer.toml:3:3: select must be a list of strings"),
        ("\n\n[[contract]]\nmass = { most = 3 }", "sdfviewer.toml:4:10: unknown setting 'most' in contract.mass"),
        ("[[contract]]\npose = [1, 2]", "sdfviewer.toml:2:1: contract.pose must be a list of 6 numbers"),
        ("[[contract]]\npose = [1, 2, 3, nan, 5, 6]", "contract.pose must be a list of 6 numbers"),
    ],
)
def test_wrong_settings_are_named_at_their_line(
    broken: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    (broken.parent / "sdfviewer.toml").write_text(text, encoding="utf-8")
    assert main(["check", str(broken)]) == 2
    assert words in capsys.readouterr().err


def test_what_is_excluded_is_not_found_in_folders(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("build/a.sdf", "deep/build/b.sdf", "robots/broken_arm.sdf"):
        path = broken.parent / name
        path.parent.mkdir(parents=True)
        path.write_text(TWO_PROBLEMS, encoding="utf-8")
    (broken.parent / "sdfviewer.toml").write_text('exclude = ["build", "robots/broken_*", "broken.sdf"]')
    assert main(["check", "."]) == 0
    assert "there is no file to check" in capsys.readouterr().err
    assert main(["check", "--no-config", "."]) == 1
    assert main(["check", "build/a.sdf"]) == 1  # it is named
    assert main(["check", "--force-exclude", "build/a.sdf"]) == 0


def test_without_a_file_the_folder_of_the_settings_is_checked(
    broken: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (broken.parent / "a").mkdir()
    monkeypatch.chdir(broken.parent / "a")
    assert main(["check", "--no-config"]) == 2
    assert "name a file or a folder" in capsys.readouterr().err
    (broken.parent / "sdfviewer.toml").write_text("strict = true\n", encoding="utf-8")
    assert main(["check"]) == 1
    assert "broken.sdf:4" in capsys.readouterr().out


MESHES = """<sdf version="1.9"><model name="m"><link name="a">
  <visual name="v"><geometry><mesh><uri>a.dae</uri></mesh></geometry></visual>
  <visual name="w"><geometry><mesh><uri>a.dae</uri></mesh></geometry></visual>
  <collision name="c"><geometry><mesh><uri>b.stl</uri></mesh></geometry></collision>
</link></model></sdf>"""


def test_meshes_that_were_not_looked_for_are_counted(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken.write_text(MESHES, encoding="utf-8")
    assert main(["check", str(broken)]) == 0
    assert "2 meshes were not looked for; --resources does" in capsys.readouterr().err
    assert main(["check", "-q", str(broken)]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "")
    (broken.parent / "sdfviewer.toml").write_text("resources = true\n", encoding="utf-8")
    main(["check", str(broken)])
    output = capsys.readouterr()
    assert "not looked for" not in output.err
    assert output.out.count("is not found") == 2


def test_xacro_files_that_were_not_evaluated_are_named(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>'
    for name in ("a.urdf.xacro", "b.urdf.xacro"):
        (broken.parent / name).write_text(text, encoding="utf-8")
    main(["check", "."])
    remark = "2 xacro files were not evaluated; name them, or add --xacro: a.urdf.xacro, b.urdf.xacro"
    assert remark in capsys.readouterr().err
    broken.unlink()
    assert main(["check", "."]) == 2  # nothing was checked
    assert remark in capsys.readouterr().err
    (broken.parent / "b.urdf.xacro").unlink()
    main(["check", "."])
    assert "1 xacro file was not evaluated; name it, or add --xacro: a.urdf.xacro" in capsys.readouterr().err


def test_github_annotations_escape_what_would_end_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a,b:c%.sdf"
    path.write_text(TWO_PROBLEMS, encoding="utf-8")
    assert main(["check", "--output-format", "github", str(path)]) == 1
    line = next(each for each in capsys.readouterr().out.splitlines() if each.startswith("::error"))
    assert "a%2Cb%3Ac%25.sdf" in line
    assert "line=4" in line
    assert line.count("::") == 2


def test_gitlab_wants_different_fingerprints(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken.write_text(TWO_PROBLEMS.replace("    <colour>", "    <colour/>\n    <colour>"), encoding="utf-8")
    main(["check", "--output-format", "gitlab", str(broken)])
    entries = json.loads(capsys.readouterr().out)
    assert len({each["fingerprint"] for each in entries}) == len(entries) >= 2
    assert entries[0]["location"]["lines"]["begin"] == 4


@pytest.mark.parametrize("variable", ["CI_PROJECT_DIR", "GITHUB_WORKSPACE"])
def test_reports_for_a_runner_name_files_from_the_folder_of_its_project(
    broken: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    (broken.parent / "below").mkdir()
    monkeypatch.chdir(broken.parent / "below")
    monkeypatch.setenv(variable, str(broken.parent))
    for name in (f"../{broken.name}", str(broken)):
        main(["check", "--output-format", "gitlab", name])
        assert {each["location"]["path"] for each in json.loads(capsys.readouterr().out)} == {broken.name}
        main(["check", "--output-format", "github", name])
        assert all(f" file={broken.name}," in line for line in capsys.readouterr().out.splitlines())
        main(["check", "--sarif", name])
        results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
        places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]
        assert set(places) == {broken.name}


def test_places_in_other_files_are_named_from_the_current_folder(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken.parent / "sdfviewer.toml").write_text(
        f'[[contract]]\nfile = "{broken.name}"\nmass = {{ min = 1000 }}\n', encoding="utf-8"
    )
    main(["check", broken.name])
    assert "\n  sdfviewer.toml:3:10: note: the contract\n" in capsys.readouterr().out


def test_junit_is_xml_whatever_the_file_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.sdf"
    path.write_text(TWO_PROBLEMS.replace("nowhere", "&lt;b&gt;&amp;"), encoding="utf-8")
    main(["check", "--output-format", "junit", str(path), str(tmp_path / "missing.sdf")])
    suite = ElementTree.fromstring(capsys.readouterr().out)
    assert suite.attrib["tests"] == "2"
    assert len(suite.findall("testcase/failure")) == 1
    assert "colour" in (suite.findtext("testcase/system-out") or "")
    assert len(suite.findall("testcase/error")) == 1


def test_only_safe_fixes_are_applied_unless_asked(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guess = TWO_PROBLEMS.replace("nowhere", "aa").replace("    <colour>red</colour>\n", "")
    broken.write_text(guess, encoding="utf-8")
    assert main(["check", "--fix", str(broken)]) == 1
    assert broken.read_text(encoding="utf-8") == guess
    assert main(["check", "--unsafe-fixes", "--diff", str(broken)]) == 0
    assert broken.read_text(encoding="utf-8") == guess
    assert '+    <frame name="F" attached_to="a"/>' in capsys.readouterr().out
    assert main(["check", "--unsafe-fixes", str(broken)]) == 0
    assert broken.read_text(encoding="utf-8") == guess.replace("aa", "a")


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_rule_that_does_not_exist_is_refused(broken: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert main(["check", option, "attached-to-invald", str(broken)]) == 2
    assert "did you mean 'attached-to-invalid'" in capsys.readouterr().err
    broken.with_name("sdfviewer.toml").write_text('ignore = ["attached-to-invald"]', encoding="utf-8")
    assert main(["check", str(broken)]) == 2
    assert "sdfviewer.toml: there is no rule 'attached-to-invald'" in capsys.readouterr().err
