"""All operations, in the order of the manual, and their page there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.model.names import did_you_mean
from sdfviewer.operations import adding, arranging, collisions, contracts, copying, frames, properties, structure, whole
from sdfviewer.operations.declaration import Operation

#: Every operation by its name.
OPERATIONS: dict[str, Operation] = {
    each.name: each
    for module in (
        *(adding, structure, frames, copying, structure, arranging, properties, collisions),
        *(structure, whole, contracts, collisions),
    )
    for each in vars(module).values()
    if isinstance(each, Operation) and each.make.__module__ == module.__name__
}


def find_operation(name: str) -> Operation:
    """Return the operation of a name.

    Raises
    ------
    InvalidValueError
        If there is none.
    """
    if name not in OPERATIONS:
        raise InvalidValueError(f"there is no operation '{name}'{did_you_mean(name, OPERATIONS)}")
    return OPERATIONS[name]


# --- the page of the manual ---------------------------------------------------------------------------------------


_INTRODUCTION = """\
# Operations

Everything that can be done to a model. Each operation is the same wherever it is called: in a menu of the window, as an
option of `sdfviewer edit`, as a method of `sdfviewer.DocumentEdit`, or in the list of refactorings of a code editor. It
writes the same bytes, and refuses with the same words.
"""


def operations_page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_INTRODUCTION, *(line for each in OPERATIONS.values() for line in _section(each))])


def _section(operation: Operation) -> Iterator[str]:
    yield from (f"## {operation.label}", "", operation.help.replace("``", "`"), "")
    if operation.parameters:
        yield from ("| parameter | what it is | value | default |", "|---|---|---|---|")
        for each in operation.parameters:
            default = "" if each.is_required or each.default in (None, ()) else f"`{each.default}`"
            yield f"| `{each.name}` | {_cell(each.help)} | {_cell(each.type.expects)} | {default} |"
        yield ""
    if operation.moves_nothing:
        yield from ("No frame moves.", "")
    if operation.menu is not None:
        menu = operation.menu
        keys = f" ({menu.keys})" if menu.keys else ""
        yield f"- Window: {menu.path.replace('/', ' › ')} › {menu.text.rstrip('…')}{keys}"
    if operation.command is not None:
        form = operation.command.form
        if operation.command.word:
            form = form.replace("TAG", operation.command.word)
        form = f" {form}" if form else ""
        yield f"- Command line: `sdfviewer edit --{operation.command.option}{form}`"
    yield f"- Python: `edit.{operation.name}({', '.join(each.name for each in operation.parameters)})`"
    if operation.editor is not None:
        yield "- Code editor: in the list of refactorings"
    yield ""


def _cell(text: str) -> str:
    """Return a text as Markdown for a cell of a table: an element in it is code, or it would be taken for HTML."""
    return re.sub(r"(?<!`)<[^<>`]+>", r"`\g<0>`", text).replace("|", "\\|")
