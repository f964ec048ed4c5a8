"""Pages that are made from the program: rules and command line; and copies of two files of the repository."""

from __future__ import annotations

import argparse
import io
from contextlib import redirect_stdout, suppress
from pathlib import Path

from sdfviewer.cli import _COMMANDS, main
from sdfviewer.cli.explain import PHASES, format_markdown, format_page, sorted_rules

REPOSITORY = Path(__file__).parent.parent


def write_pages(docs: Path) -> None:
    """Write the generated pages below a folder; a page that is already right is left alone."""
    _write(docs / "command-line.md", _command_line())
    rules = docs / "rules"
    for rule in sorted_rules():
        _write(rules / f"{rule.name}.md", _rule_page(rule.name, format_page(rule)))
    _write(rules / "index.md", _rule_index())
    for name in ("CONTRIBUTING", "CHANGELOG"):
        text = (REPOSITORY / f"{name}.md").read_text(encoding="utf-8").replace("](docs/", "](")
        _write(docs / f"{name.lower()}.md", text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _help(*words: str) -> str:
    """Return what a command prints for ``--help``, at a fixed width."""
    output = io.StringIO()
    with redirect_stdout(output), suppress(SystemExit):
        main([*words, "--help"])
    return output.getvalue()


def _command_line() -> str:
    parts = ["# Command line", "", "```text", _help().rstrip(), "```"]
    for name in _COMMANDS:
        parts += ["", f"## {name}", "", "```text", _help(name).rstrip(), "```"]
    return "\n".join([*parts, ""])


def _rule_page(name: str, page: str) -> str:
    """Return a rule's manual page with the files of the tests that break it and keep it."""
    heading, _, text = page.partition("\n\n")
    code = heading.partition("(")[2].removesuffix(")")
    parts = [f"# {name}", "", f"*{code}*", "", text.replace("``", "`").rstrip()]
    folder = REPOSITORY / "tests" / "rules" / name
    for title, stem in (("Breaks the rule", "bad"), ("Keeps the rule", "good")):
        file = next((each for each in sorted(folder.glob(f"{stem}.*")) if each.suffix in (".sdf", ".urdf")), None)
        if file is not None and file.stat().st_size < 3000:
            with suppress(UnicodeDecodeError):
                parts += ["", f"## {title}", "", "```xml", file.read_text(encoding="utf-8").rstrip(), "```"]
    return "\n".join([*parts, ""])


def _rule_index() -> str:
    table = format_markdown()
    for rule in sorted_rules():
        table = table.replace(f"| `{rule.name}` |", f"| [`{rule.name}`]({rule.name}.md) |")
    toctree = ["```{toctree}", ":hidden:", "", *(rule.name for rule in sorted_rules()), "```"]
    text = (
        f"One problem for each cause, in {len(PHASES)} groups. `sdfviewer explain RULE` prints a page in the terminal."
    )
    return "\n".join(["# Rules", "", text, "", table, "", *toctree, ""])


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    write_pages(Path(__file__).parent)
