"""How a value is written in a file: its characters without escapes, its parts, and new text for some of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose

from sdfviewer.document.xml.parse import escape, resolve_references
from sdfviewer.formats.xacro.expressions import UNITS
from sdfviewer.formats.xacro.reads import TEXT_PART
from sdfviewer.formats.xacro.solving import number, number_text
from sdfviewer.formats.xacro.value_origins import Form, ValueOrigin, WrittenValue

#: A character of XML as it is written.
_CHARACTER = re.compile(r"&(?:#[xX]?[0-9a-fA-F]+|\w+);|\r\n|.", re.DOTALL)
#: The anchor and the tag before a value of a YAML file.
_BEFORE_YAML = re.compile(r"(?:[!&]\S+\s+)*")
#: A text that is no number, truth value or anything else to YAML, and has none of its signs.
_PLAIN_YAML = re.compile(r"[A-Za-z_./][\w./-]*")
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "."})


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text: an expression, an extension, or what is between them.

    Attributes
    ----------
    expression
        What is in ``${}``, or in ``$(eval )``; None where it is neither.
    argument
        The name in ``$(arg )``, empty where it is none.
    start, end
        Where it is, in characters of the text.
    inner
        Where the expression begins.
    value
        What it became.
    """

    expression: str | None
    argument: str
    start: int
    end: int
    inner: int
    value: str

    @property
    def is_literal(self) -> bool:
        """Whether it is written as it is."""
        return self.expression is None and not self.argument and self.inner < 0


class WrittenText:
    """The characters of a value, and where each of them is in its file.

    Attributes
    ----------
    text
        The characters, without escapes and without quotes of xacro around them.
    """

    def __init__(self, written: WrittenValue) -> None:
        self.written = written
        raw = written.document.text[written.start : written.end]
        if written.form == Form.YAML:
            self._at = list(range(len(raw) + 1))
            self.text = raw
        else:
            found = [(match.start(), match[0]) for match in _CHARACTER.finditer(raw)]
            self._at = [*(at for at, _ in found), len(raw)]
            self.text = "".join("\n" if each == "\r\n" else resolve_references(each) for _, each in found)
        if written.form in (Form.PROPERTY, Form.DEFAULT) and re.fullmatch(r"'[^']*'|\"[^\"]*\"", self.text):
            self.text, self._at = self.text[1:-1], self._at[1:-1]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where characters are in the file."""
        return self.written.start + self._at[start], self.written.start + self._at[end]

    def parts(self) -> list[TextPart] | None:
        """Return the parts of the text, None where it is not known what they became."""
        text, values = self.text, self.written.parts
        if "$" not in text:
            return [TextPart(None, "", 0, len(text), -1, text)]
        found: list[TextPart] = []
        at = 0
        while at < len(text):
            match = TEXT_PART.match(text, at)
            value = values[len(found)] if len(found) < len(values) else None
            if match is None or value is None:
                return None
            escaped, expression, extension, _ = match.groups()
            inner, argument = (-1, "") if escaped is None else (at, "")
            if expression is not None:
                inner = match.start(2)
            elif extension is not None:
                inner = match.start(3)
                word, _, rest = extension.partition(" ")
                if word == "arg":
                    argument = rest.strip()
                elif word == "eval":
                    expression, inner = rest, inner + len("eval ")
            found.append(TextPart(expression, argument, at, match.end(), inner, value))
            at = match.end()
        return found if len(found) == len(values) else None

    def encoded(self, text: str, start: int, end: int) -> str | None:
        """Return a text as it is written in place of some of these characters; None where it cannot be."""
        written = self.written
        document, form = written.document, written.form
        if form == Form.YAML:
            return yaml_text(self.text, text)
        if form == Form.TEXT:
            return escape(text)
        quote = document.text[written.end] if written.end < len(document.text) else '"'
        is_quoted = self._at[0] > 0
        if form == Form.DEFAULT and not is_quoted and re.search(r"\s", self.text[:start] + text + self.text[end:]):
            if (start, end) != (0, len(self.text)) or "'" in text or '"' in text:
                return None
            inner = "'" if quote == '"' else '"'
            text = f"{inner}{text}{inner}"
        return escape(text, quote)


def value_of(origin: ValueOrigin) -> str | None:
    """Return the value that an origin gives, as a text; None where it is none, or unknown."""
    written = origin.written
    if written is None:
        return None
    text = WrittenText(written)
    if written.form == Form.YAML:
        return yaml_value(text.text)
    if not text.text and not written.parts and len(written.origins) == 1:
        return value_of(written.origins[0])
    parts = text.parts()
    return None if parts is None else "".join(part.value for part in parts)


def tokens(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text are."""
    return [match.span() for match in re.finditer(r"\S+", text)]


def is_same_word(a: str, b: str) -> bool:
    """Return whether two words are the same, or the same number."""
    one, two = number(a), number(b)
    return a == b or (one is not None and two is not None and isclose(one, two, rel_tol=1e-15, abs_tol=0.0))


# --- YAML ----------------------------------------------------------------------------------------------------------


def _split_yaml(raw: str) -> tuple[str, str, float | None]:
    """Return what is before a value of a YAML file, the value, and the factor of its unit."""
    match = _BEFORE_YAML.match(raw)
    assert match is not None
    tags = [word for word in match[0].split() if word.startswith("!")]
    factor = UNITS.get(tags[0]) if len(tags) == 1 else None if tags else 1.0
    return match[0], raw[match.end() :], factor


def yaml_value(raw: str) -> str | None:
    """Return the value of a YAML key in the units of xacro, None where it is no plain number or text."""
    _, text, factor = _split_yaml(raw)
    if factor is None:
        return None
    found = number(text)
    if found is not None:
        return text if factor == 1.0 else number_text(found * factor)
    if factor != 1.0 or "\n" in text:
        return None
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    if quoted:
        return None if "\\" in text or text[0] in text[1:-1] else text[1:-1]
    return text


def yaml_text(raw: str, value: str) -> str | None:
    """Return a value as it is written in a YAML file in place of another one, in its unit and quotes."""
    before, text, factor = _split_yaml(raw)
    if factor is None or "\n" in value:
        return None
    wanted, old = number(value), number(text)
    if factor != 1.0:
        return None if wanted is None else before + _in_unit(wanted, factor)
    quote = text[0] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else ""
    if wanted is not None and old is not None:
        return before + value
    if not quote and wanted is None and _PLAIN_YAML.fullmatch(value) and value.lower() not in _YAML_WORDS:
        return before + value
    quote = quote or "'"
    return None if quote in value or "\\" in value else f"{before}{quote}{value}{quote}"


def _in_unit(value: float, factor: float) -> str:
    """Return a number in a unit, with the fewest digits that give it back."""
    exact = value / factor
    candidates = (float(f"{exact:.{digits}g}") for digits in (6, 9, 12, 15))
    return number_text(next((each for each in candidates if each * factor == value), exact))


def overlapping(parts: list[TextPart]) -> Iterator[tuple[int, int, TextPart]]:
    """Yield where the value of each part is in the value of the whole text, and the part."""
    at = 0
    for part in parts:
        yield at, at + len(part.value), part
        at += len(part.value)
