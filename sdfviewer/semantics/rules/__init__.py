"""The rules, one module for each phase of validation.

A rule is a function that words one message; its docstring is the manual page that ``sdfviewer explain`` prints.
"""

from sdfviewer.document import rules as _text_rules  # the 1xx rules about the text come first in the table
from sdfviewer.semantics.rules import (
    attached_to,
    contents,
    files,
    joints,
    kinematics,
    names,
    params,
    relative_to,
    schema,
    urdf,
)

__all__ = [
    "attached_to",
    "contents",
    "files",
    "joints",
    "kinematics",
    "names",
    "params",
    "relative_to",
    "schema",
    "urdf",
]
del _text_rules
