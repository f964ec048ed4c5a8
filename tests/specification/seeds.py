"""How the examples of the specification are written down as tests.

An example is the specification's own XML. A line that it calls INVALID says which rule that is here,
``<!-- INVALID rule-name: reason -->``; a line that it calls VALID may say where a frame belongs,
``<!-- VALID body=L relative_to=F: reason -->``. Placeholders for numbers, ``{X_ML}``, are any pose.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from tests.frames import frame_in

INVALID = re.compile(r"<!-- INVALID ([a-z-]+)")
VALID = re.compile(r"<!-- VALID((?: [a-z_]+=[^\s:]+(?:::[^\s:]+)*)*)")
_NAME = re.compile(r"""name=["']([^"']+)["']""")


@dataclass(frozen=True)
class Example:
    """One example: the section it stands in, and its XML."""

    section: str
    xml: str
    version: str = "1.7"

    def __str__(self) -> str:
        return self.section


def fill_in(xml: str) -> str:
    """Return the XML with numbers in place of ``{X_ML}``, ``{xyz_L1L2} {rpy_L1L2}`` and the like; ``...`` is a box."""

    def numbers(match: re.Match[str]) -> str:
        seed = zlib.crc32(match[0].encode())
        count = 6 if match[1].startswith("X_") else 3
        return " ".join(f"{((seed >> (5 * i)) % 31 + 1) / 10:.1f}" for i in range(count))

    xml = re.sub(r"\{(\w+)\}", numbers, xml)
    return re.sub(r"(<pose[^>]*>)\.\.\.(</pose>)", r"\g<1>1 2 3 0 0 0\2", xml).replace(
        "...", "<geometry><box><size>1 1 1</size></box></geometry>"
    )


def load(example: Example) -> tuple[Model | None, tuple[Diagnostic, ...], str]:
    """Return the model of an example, its errors, and its text."""
    text = f'<sdf version="{example.version}">{fill_in(example.xml)}</sdf>'
    model, diagnostics = Loader().load_with_diagnostics(parse_document(text))
    return model, tuple(diagnostic for diagnostic in diagnostics if diagnostic.is_error), text


def check(example: Example) -> None:
    """Assert that exactly the lines called INVALID are told off, for the reason given, and that VALID ones hold."""
    model, errors, text = load(example)
    lines = text.split("\n")
    expected = {number: INVALID.findall(line) for number, line in enumerate(lines, 1) if "INVALID" in line}
    left = list(errors)
    for number, rules in expected.items():
        assert rules, f"line {number} does not say which rule it breaks"
        for rule in rules:
            told = [error for error in left if error.rule.name == rule and number in _lines(error)]
            assert told, f"line {number}: {rule} is not reported; errors: {[_word(error) for error in errors]}"
            left.remove(told[0])
    assert not left, f"reported without need: {[_word(error) for error in left]}"
    for line in lines:
        for claims in VALID.findall(line):
            _check_claims(model, line, claims.split())


def _lines(error: Diagnostic) -> set[int]:
    return {span.line for span in (error.span, *(related.span for related in error.related)) if span is not None}


def _word(error: Diagnostic) -> str:
    return f"{sorted(_lines(error))} {error.rule.name}: {error.message}"


def _check_claims(model: Model | None, line: str, claims: list[str]) -> None:
    if not claims:
        return
    assert model is not None
    found = _NAME.search(line)
    assert found is not None, line
    frame = frame_in(model, found[1])
    for claim in claims:
        key, _, value = claim.partition("=")
        target = frame.body if key == "body" else frame.relative_to if key == "relative_to" else frame.attached_to
        expected = model.names[model.row(value)] if value != "world" else model.names[0]
        assert target is not None, f"{found[1]} has no {key}"
        assert target.name == expected, f"{key} of {found[1]}"
