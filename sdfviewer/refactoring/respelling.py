"""Quick fixes for misspelt tags, attributes, words and names."""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute, set_tag, set_text
from sdfviewer.model.findings import Finding
from sdfviewer.validation.element_rules import unknown_attribute


def respellings(file: Document, finding: Finding) -> Iterator[tuple[str, Replacements]]:
    """Yield labels and edits that write each of the words that a problem says may have been meant."""
    element, part = finding.location.element, finding.location.part
    for word in finding.meant:
        if part is None:
            yield f"replace <{element.tag}> with <{word}>", set_tag(file, element, word)
        elif part == "text":
            yield f"replace '{element.text.strip()}' with '{word}'", set_text(file, element, word)
        elif finding.rule is unknown_attribute:
            name = part.removeprefix("@")
            written = file.attribute_offsets(element, name)
            if written is not None:
                edits = (Replacement(written[0], written[0] + len(name), word),)
                yield f"replace the attribute '{name}' with '{word}'", edits
        else:
            name = part.removeprefix("@")
            label = f"replace '{element.attributes.get(name, '')}' with '{word}'"
            yield label, set_attribute(file, element, name, word)
