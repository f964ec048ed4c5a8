"""``sdfviewer explain``: show the manual page of a rule, or the table of all rules."""

from __future__ import annotations

import argparse

import sdfviewer.validation  # noqa: F401  # registers the rules
from sdfviewer.cli.inputs import CLEAN
from sdfviewer.diagnostics import RULES, Rule, SdfViewerError
from sdfviewer.model.names import did_you_mean

#: The topic of a rule by its phase.
PHASES = {
    1: "XML and element tables",
    2: "Names",
    3: "Joints and canonical links",
    4: "`attached_to`",
    5: "`relative_to` and placement frames",
    6: "Kinematics and inertia",
    7: "Files and includes",
    8: "URDF and other formats",
    9: "Contracts",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--markdown", action="store_true", help="write the table of rules as Markdown")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="name or code, for example relative-to-cycle or E502")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if options.rule:
        print(format_page(find_rule(options.rule)))
    elif options.markdown:
        print(format_markdown())
    else:
        print(format_table())
    return CLEAN


def find_rule(name: str) -> Rule:
    """Return a rule by its name or code.

    Raises
    ------
    SdfViewerError
        If there is none.
    """
    for rule in RULES.values():
        if name.lower() in (rule.name, rule.code.lower(), str(rule.number)):
            return rule
    raise SdfViewerError(f"there is no rule '{name}'{did_you_mean(name, RULES)}")


def sorted_rules() -> list[Rule]:
    """Return all rules by number."""
    return sorted(RULES.values(), key=lambda rule: rule.number)


def format_page(rule: Rule) -> str:
    """Return the manual page of a rule."""
    reports = f"; libsdformat: {rule.libsdformat}" if rule.libsdformat else ""
    return f"{rule.name} ({rule.code}, {rule.severity.value}{reports})\n\n{rule.page.replace('``', '`')}"


def format_table() -> str:
    """Return all rules, one a line."""
    rules = sorted_rules()
    width = max(len(rule.name) for rule in rules)
    return "\n".join(f"{rule.code}  {rule.name.ljust(width)}  {rule.summary.replace('``', '`')}" for rule in rules)


def format_markdown() -> str:
    """Return all rules as tables in Markdown, one for each phase."""
    lines: list[str] = []
    phase = 0
    for rule in sorted_rules():
        if rule.phase != phase:
            phase = rule.phase
            lines += [
                "",
                f"**{PHASES[phase]}**",
                "",
                "| code | rule | what it does not allow | libsdformat |",
                "|---|---|---|---|",
            ]
        summary = rule.summary.replace("``", "`").replace("|", "\\|").removesuffix(".")
        lines.append(f"| {rule.code} | `{rule.name}` | {summary} | {rule.libsdformat or ''} |")
    return "\n".join(lines[1:])
