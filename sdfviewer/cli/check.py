"""``sdfviewer check``: report the problems of files and apply quick fixes."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfviewer.cli.inputs import CLEAN, FINDINGS, UNREADABLE, Input, add_path_option, expand, make_loader, read
from sdfviewer.cli.outputs import print_note, print_text
from sdfviewer.cli.outputs.report import (
    TextReport,
    as_json,
    format_gitlab,
    format_junit,
    github_lines,
    gitlab_entries,
    junit_case,
    results_as_json,
    summarise,
    with_slashes,
    write_log,
)
from sdfviewer.contracts import ContractCheck
from sdfviewer.diagnostics import RULES, Diagnostic, SdfViewerError, Severity
from sdfviewer.display_text import json_text
from sdfviewer.document.document import Document
from sdfviewer.faults import InternalError, faults_as_errors
from sdfviewer.files import saving
from sdfviewer.files.configuration import (
    Configuration,
    find_configuration,
    fingerprint,
    is_excluded,
    matches,
    reported,
    without_known,
)
from sdfviewer.files.opening import current_folder
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.model.findings import Finding
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import did_you_mean
from sdfviewer.validation.format_rules import xacro_macros_only, xacro_not_evaluated
from sdfviewer.validation.joint_rules import lint_kinematics
from sdfviewer.validation.name_rules import check_portable_names

if TYPE_CHECKING:
    from sdfviewer.export.certificate import Readiness


def _lint_inertials(model: Model) -> Iterator[Finding]:
    from sdfviewer.formats.mass import lint_inertials  # few ask for it

    return lint_inertials(model)


#: Checks that are requested by an option.
_MORE_CHECKS = {"kinematics": (lint_kinematics, _lint_inertials), "portable_names": (check_portable_names,)}
_XACRO = ".xacro"
_NOT_EVALUATED = "a xacro file that was not evaluated; name it, or add --xacro"
#: So many xacro files that were not evaluated are named.
MOST_NAMED = 10
FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--output-format", choices=FORMATS, default="text", help="how problems are written (default: %(default)s)"
    )
    form.add_argument(
        "--json", dest="output_format", action="store_const", const="json", help="short for --output-format json"
    )
    form.add_argument(
        "--sarif", dest="output_format", action="store_const", const="sarif", help="short for --output-format sarif"
    )
    parser.add_argument("--resources", action="store_true", help="also open every referenced mesh, texture and script")
    more = parser.add_argument_group("more checks")
    more.add_argument("--kinematics", action="store_true", help="also report axes and limits that are easy to misread")
    more.add_argument("--portable-names", action="store_true", help="apply the naming rules of every later version")
    more.add_argument("--urdf-ready", action="store_true", help="list what prevents a lossless conversion to URDF")
    parser.add_argument("--strict", action="store_true", help="also exit with 1 for warnings")
    parser.add_argument("-q", "--quiet", action="store_true", help="write problems only, no summary and no remarks")
    parser.add_argument(
        "-j", "--jobs", type=number_of_jobs, default=1, metavar="N", help="check N files at once, 0: all cores"
    )
    rules = parser.add_argument_group("rules", "comma-separated names or codes, * as a wildcard; repeatable")
    rules.add_argument("--select", metavar="RULE", action="append", default=[], help="report only these rules")
    rules.add_argument("--ignore", metavar="RULE", action="append", default=[], help="do not report these rules")
    rules.add_argument("--no-config", action="store_true", help="do not read sdfviewer.toml or pyproject.toml")
    rules.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out what the settings exclude even where it is named, as pre-commit does",
    )
    known = parser.add_argument_group("baseline").add_mutually_exclusive_group()
    known.add_argument("--baseline", metavar="FILE", type=Path, help="do not report the problems listed in FILE")
    known.add_argument("--write-baseline", metavar="FILE", type=Path, help="write the current problems to FILE")
    fixes = parser.add_argument_group("quick fixes")
    fixes.add_argument("--fix", action="store_true", help="apply the fixes that keep the meaning of every frame")
    fixes.add_argument(
        "--unsafe-fixes", action="store_true", help="apply the first quick fix of every problem that has one"
    )
    fixes.add_argument("--diff", action="store_true", help="with --fix: print the changes as a diff, write nothing")
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a file, a folder to search, or - for standard input (default: the folder of sdfviewer.toml)",
    )


def number_of_jobs(text: str) -> int:
    """Return the value of ``--jobs``; 0 means one a processor."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("0 or more")
    # Windows waits for no more than 61 processes at once.
    return min(number or os.cpu_count() or 1, 61)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The findings of a file as a record that can be pickled.

    ``notes``, ``diff`` and ``text`` are printed at once; ``parts``, which each format makes in its own way, become one
    report of all files. Warnings of a file that is ``strict`` count as errors. ``unopened`` counts meshes that were not
    looked for, and ``programs`` are xacro files that were not evaluated.
    """

    name: str
    text: str
    parts: list[Any]
    errors: int
    warnings: int
    unreadable: str | None
    marks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    diff: str = ""
    strict: bool = False
    unopened: int = 0
    programs: tuple[str, ...] = ()


class _Fixed(NamedTuple):
    """A document with fixes applied, messages about them, and the difference where that is requested."""

    document: Document
    notes: tuple[str, ...] = ()
    diff: str = ""


class _Checker:
    """Checks files; files of one configuration share a loader."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._form = options.output_format
        self._colour = (
            self._form == "text" and sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        )
        self._loaders: dict[tuple[Path, ...], Loader] = {}
        self._known = None if options.baseline is None else _Baseline(options.baseline)
        self._readiness: Readiness | None = None

    def check(self, file: Input) -> _Answer:
        """Return the findings of a file; a fault of this program is one of them, and the next file is checked."""
        name = file.name
        if file.problem:
            return self._unreadable(name, file.problem)
        try:
            with faults_as_errors(f"check {name}"):
                return self._check(file)
        except InternalError as error:
            return self._unreadable(name, str(error))

    def _check(self, file: Input) -> _Answer:
        name = file.name
        try:
            document = read(name)
            configuration = self._configuration(document.path)
            loader = self._loader(configuration)
            fixed = _Fixed(document)
            if self._options.fix or self._options.unsafe_fixes:
                fixed = self._fixed(loader, document, configuration, is_found=file.is_found)
                document = fixed.document
        except SdfViewerError as error:
            return self._unreadable(name, str(error))
        strict = self._options.strict or configuration.strict
        found, unopened = self._found(loader, document, opens=self._options.resources or configuration.resources)
        if file.is_found:  # a file of macros was not meant
            found = tuple(each for each in found if each.rule is not xacro_macros_only)
        diagnostics = reported(document, found, configuration)
        baseline = self._options.write_baseline
        marks = () if baseline is None else tuple(fingerprint(each, _seen_from(baseline, name)) for each in diagnostics)
        if self._known is not None:
            diagnostics = self._known.without_known(diagnostics, name)
        errors = sum(diagnostic.is_error for diagnostic in diagnostics)
        warnings = sum(diagnostic.severity is Severity.WARNING for diagnostic in diagnostics)
        text, parts = self._format(name, document, diagnostics, strict=strict)
        if self._readiness is not None and not self._readiness.is_ready:
            errors += 1
        programs = (name,) if any(each.rule is xacro_not_evaluated for each in diagnostics) else ()
        return _Answer(
            name, text, parts, errors, warnings, None, marks, fixed.notes, fixed.diff, strict, unopened, programs
        )

    def _found(self, loader: Loader, document: Document, *, opens: bool) -> tuple[tuple[Diagnostic, ...], int]:
        """Return the problems of a document and how many meshes are not looked for; ``opens`` looks for them."""
        model, diagnostics = loader.load_with_diagnostics(document)
        if self._options.urdf_ready:
            from sdfviewer.export.certificate import check_urdf_readiness

            self._readiness = check_urdf_readiness(model)
        if model is None or not (opens or _may_name_meshes(model)):
            return diagnostics, 0
        from sdfviewer.scene.assets import count_meshes, diagnose_assets, find_assets

        if not opens:
            return diagnostics, count_meshes(model)
        return (*diagnostics, *diagnose_assets(find_assets(model, loader.finder))), 0

    def _configuration(self, path: Path | None) -> Configuration:
        options = self._options
        found = Configuration() if options.no_config else find_configuration(path)
        written = (*found.select, *found.ignore, *chain.from_iterable(found.per_file_ignores.values()))
        _refuse_unknown_rules(written, f"{found.file}: ")
        select = _rules(options.select) or found.select
        return replace(found, select=select, ignore=(*found.ignore, *_rules(options.ignore)))

    def _loader(self, configuration: Configuration) -> Loader:
        paths = configuration.paths
        if paths not in self._loaders:
            loader = self._loaders[paths] = make_loader(self._options, paths=paths)
            asked = (checks for option, checks in _MORE_CHECKS.items() if getattr(self._options, option))
            more = [check for checks in asked for check in checks]
            loader.extra_checks = more if self._options.no_config else [*more, ContractCheck(loader.finder)]
        return self._loaders[paths]

    def _fixed(self, loader: Loader, document: Document, configuration: Configuration, *, is_found: bool) -> _Fixed:
        """Apply fixes to a document, and write it to its file unless only the difference is requested.

        A link that was found in a folder is not written through: it may lead to any file of the user.
        """
        from sdfviewer.refactoring.fix_check import fix_all

        if document.path is None and not self._options.diff:
            raise SdfViewerError("standard input cannot be written; use --diff")
        found = reported(document, loader.load_with_diagnostics(document)[1], configuration)
        rules = {each.rule.name for each in found}
        fixed = fix_all(loader, document, rules, unsafe=self._options.unsafe_fixes)
        notes = [f"{document.name}: fixed: {fix.label}" for fix in fixed.applied]
        if fixed.where_to_edit:
            notes.append(f"{document.name}: not fixed: {fixed.where_to_edit}")
        diff = ""
        if fixed.applied and self._options.diff:
            from sdfviewer.document.line_difference import unified_diff

            diff = unified_diff(document.name, document.text, fixed.document.storable(notes.append).text)
        elif fixed.applied and document.path is not None:
            if is_found and document.path.is_symlink():
                where = f"it is a link to {real_path(document.path)}; name it to fix that file"
                return _Fixed(document, (f"{document.name}: not fixed: {where}",))
            data = fixed.document.storable(notes.append).to_bytes()
            saving.save(document.path, data, document.fingerprint, tell=notes.append)
        return _Fixed(fixed.document, tuple(notes), diff)

    def _unreadable(self, name: str, why: str) -> _Answer:
        text = ""
        parts: list[Any] = []
        if self._form == "json":
            text = json_text(as_json(name, (), why))
        elif self._form == "junit":
            parts = [junit_case(name, (), why)]
        return _Answer(name, text, parts, 0, 0, why)

    def _format(
        self, name: str, document: Document, diagnostics: Sequence[Diagnostic], *, strict: bool
    ) -> tuple[str, list[Any]]:
        if self._form == "json":
            readiness = {} if self._readiness is None else {"urdf_ready": self._readiness.as_json()}
            return json_text({**as_json(name, diagnostics), **readiness}), []
        if self._form == "sarif":
            return "", results_as_json(diagnostics)
        if self._form == "github":
            return "\n".join(github_lines(name, diagnostics)), []
        if self._form == "gitlab":
            return "", gitlab_entries(name, diagnostics)
        if self._form == "junit":
            return "", [junit_case(name, diagnostics, None, strict=strict)]
        report = TextReport(document, self._colour)
        lines = [report.format(diagnostic) for diagnostic in diagnostics]
        return "\n".join([*lines, *([] if self._readiness is None else self._readiness.lines(name))]), []


def _may_name_meshes(model: Model) -> bool:
    """Return whether it is worthwhile to count meshes, for which much has to be imported."""
    written = {id(each): each for each in model.sources if each is not None}
    return any(each.contains("<mesh") or each.contains("<skin") for each in (model.document, *written.values()))


def _rules(written: Sequence[str]) -> tuple[str, ...]:
    """Return the rules of options that may each hold several."""
    return tuple(word for words in written for word in words.replace(",", " ").split())


def _refuse_unknown_rules(patterns: Sequence[str], where: str) -> None:
    """Refuse patterns that no rule matches: a check that selects nothing by a slip of the pen would always pass."""
    for pattern in patterns:
        if not any(matches((pattern,), rule.name, rule.code) for rule in RULES.values()):
            raise SdfViewerError(f"{where}there is no rule '{pattern}'{did_you_mean(pattern, RULES)}")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    form = options.output_format
    if options.diff and form != "text":
        raise SdfViewerError(f"--diff prints text and cannot be combined with --output-format {form}")
    _refuse_unknown_rules((*_rules(options.select), *_rules(options.ignore)), "")
    options.files = options.files or [_folder_of_settings(options)]
    wanted = [each for each in expand(options.files, (_XACRO,)) if not _is_excluded(each, options)]
    programs = [] if options.xacro else [each.name for each in wanted if each.is_found and _is_xacro(each.name)]
    answers: list[_Answer] = []
    for answer in _answers([each for each in wanted if each.name not in programs], options):
        if answer.unreadable is not None:
            print_note(f"sdfviewer: {answer.unreadable}")
        for note in answer.notes:
            print_note(note)
        if answer.diff:
            print(answer.diff, end="")
        if answer.text:
            (print_text if form == "text" else print)(answer.text)
        answers.append(answer)
    _print_report(form, answers, programs)
    if options.write_baseline is not None:
        _write_baseline(options.write_baseline, answers)
        return CLEAN
    errors, warnings = sum(answer.errors for answer in answers), sum(answer.warnings for answer in answers)
    unreadable = sum(answer.unreadable is not None for answer in answers)
    if form in ("text", "github") and not options.quiet:
        for remark in _remarks(answers, programs):
            print_note(remark)
        print_note(
            summarise(errors, warnings, len(answers), unreadable, is_known_left_out=options.baseline is not None)
        )
    if unreadable or (programs and not answers):
        return UNREADABLE
    return FINDINGS if errors or any(answer.strict and answer.warnings for answer in answers) else CLEAN


def _folder_of_settings(options: argparse.Namespace) -> str:
    """Return the folder of the settings file, relative to the current folder."""
    found = Configuration() if options.no_config else find_configuration(None)
    if found.file is None:
        raise SdfViewerError("name a file or a folder to check: there is no sdfviewer.toml here or above")
    return os.path.relpath(found.file.parent, current_folder())


def _is_xacro(name: str) -> bool:
    return name.lower().endswith(_XACRO)


def _is_excluded(file: Input, options: argparse.Namespace) -> bool:
    if options.no_config or file.name == "-" or not (file.is_found or options.force_exclude):
        return False
    return is_excluded(Path(file.name))


def _remarks(answers: Sequence[_Answer], programs: Sequence[str]) -> Iterator[str]:
    """Yield what was not checked; ``programs`` are xacro files that were found in folders."""
    if meshes := sum(answer.unopened for answer in answers):
        were = "1 mesh was" if meshes == 1 else f"{meshes} meshes were"
        yield f"{were} not looked for; --resources does, or `resources = true` in sdfviewer.toml"
    if programs := [*programs, *(program for answer in answers for program in answer.programs)]:
        were, each = (f"{len(programs)} xacro files were", "them") if len(programs) > 1 else ("1 xacro file was", "it")
        more = f" and {len(programs) - MOST_NAMED} more" if len(programs) > MOST_NAMED else ""
        yield f"{were} not evaluated; name {each}, or add --xacro: {', '.join(programs[:MOST_NAMED])}{more}"


def _answers(files: Sequence[Input], options: argparse.Namespace) -> Iterator[_Answer]:
    """Yield the answers in the order of the files."""
    jobs = min(options.jobs, len(files))
    if jobs <= 1:
        checker = _Checker(options)
        yield from map(checker.check, files)
        return
    from concurrent.futures import ProcessPoolExecutor  # takes a while to import

    pool = ProcessPoolExecutor(jobs, initializer=_start, initargs=(options,))
    try:
        chunk = max(1, len(files) // (8 * jobs))
        yield from pool.map(partial(_check_there), files, chunksize=chunk)
    finally:
        pool.shutdown(cancel_futures=True)  # there may be thousands where Ctrl-C has ended the command


#: The checker of a worker process.
_there: list[_Checker] = []


def _start(options: argparse.Namespace) -> None:
    import signal  # needed only for many files

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a worker without a word; the command itself says enough
    _there[:] = [_Checker(options)]


def _check_there(file: Input) -> _Answer:
    return _there[0].check(file)


def _print_report(form: str, answers: Sequence[_Answer], programs: Sequence[str]) -> None:
    """Print the report of all files, for formats that have one; ``programs`` are xacro files not evaluated."""
    parts = [part for answer in answers for part in answer.parts]
    if form == "sarif":
        from sdfviewer import __version__

        unreadable = [(answer.name, answer.unreadable) for answer in answers if answer.unreadable is not None]
        write_log(parts, unreadable, [(name, _NOT_EVALUATED) for name in programs], __version__, partial(print, end=""))
    elif form == "gitlab":
        print(format_gitlab(parts))
    elif form == "junit":
        print(format_junit([*parts, *(junit_case(name, (), None, skipped=_NOT_EVALUATED) for name in programs)]))


def _seen_from(baseline: Path, name: str) -> str:
    """Return a file as a baseline names it: relative to the baseline, with ``/`` on every system."""
    if name == "-":
        return name
    path = os.path.abspath(name)
    with suppress(ValueError):  # on another drive
        path = os.path.relpath(path, os.path.abspath(baseline.parent))
    return with_slashes(path)


class _Baseline:
    """The problems that a file lists as known."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            self._known = Counter(str(mark) for mark in content["problems"])
            self._is_relative = content.get("version", 1) > 1  # the first version names files as they were given
        except OSError as error:
            why = error.strerror or error
            raise SdfViewerError(f"cannot read {file}: {why}; write a baseline with --write-baseline") from error
        except (ValueError, KeyError, TypeError) as error:
            raise SdfViewerError(f"{file} is not a baseline: write one with --write-baseline") from error

    def without_known(self, diagnostics: Sequence[Diagnostic], name: str) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of a file that are not listed; each that is listed counts once."""
        return without_known(diagnostics, _seen_from(self._file, name) if self._is_relative else name, self._known)


def _write_baseline(file: Path, answers: Sequence[_Answer]) -> None:
    marks = sorted(mark for answer in answers for mark in answer.marks)
    content = json.dumps({"version": 2, "problems": marks}, indent=1) + "\n"
    saving.save(file, content.encode("utf-8"))
    print_note(f"{file}: {len(marks)} problem{'' if len(marks) == 1 else 's'} will not be reported")
