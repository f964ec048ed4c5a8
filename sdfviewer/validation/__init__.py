"""The rules and the checks that apply them: one module for each topic.

A rule is a function that words one message; its docstring is the manual page that ``sdfviewer explain`` prints.
Importing this package registers all of them. Knows models; must not know how a format spells them.
"""

from sdfviewer.document import text_rules  # the 1xx rules about the text come first in the table
from sdfviewer.validation import (
    content_rules,
    element_rules,
    file_rules,
    format_rules,
    frame_rules,
    joint_rules,
    kinematics_rules,
    migration_rules,
    name_rules,
    urdf_rules,
)

__all__ = [
    "content_rules",
    "element_rules",
    "file_rules",
    "format_rules",
    "frame_rules",
    "joint_rules",
    "kinematics_rules",
    "migration_rules",
    "name_rules",
    "text_rules",
    "urdf_rules",
]
