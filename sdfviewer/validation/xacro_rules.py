"""xacro: files that are programs."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule
from sdfviewer.extras import install_command

OF_XACRO = frozenset(
    f"xacro:{tag}"
    for tag in ("arg", "attribute", "call", "element", "if", "include", "insert_block", "macro", "property", "unless")
)
"""Tags of the elements with which a file says something to xacro itself; others call a macro."""

OF_XACRO_FILES = frozenset(
    {"xacro-failed", "xacro-not-installed", "xacro-not-evaluated", "xacro-warning", "xacro-macros-only"}
)
"""Rules that only files named ``*.xacro`` break."""


@rule("xacro-failed", 821, libsdformat="FILE_READ")
def xacro_failed(what: str) -> str:
    """A xacro file that cannot be evaluated: the package ``xacro`` stops here.

    Set an argument without a default with ``--arg NAME=VALUE``, or in the dialog that opens the file.

    Bad: ``<sphere radius="${radius}"/>`` where no property is called ``radius``.

    Use instead: ``<xacro:property name="radius" value="0.1"/>`` before it.

    Source: https://github.com/ros/xacro/wiki
    """
    return "xacro: " + what


@rule("xacro-not-installed", 822, libsdformat="FILE_READ")
def xacro_not_installed() -> str:
    """A xacro file that needs the package ``xacro``, which is not installed.

    Bad: ``robot.urdf.xacro`` opened where the extra ``xacro`` is not installed.

    Use instead: the command of the message, which installs it; or the output of ``xacro robot.urdf.xacro``.

    Source: https://github.com/ros/xacro
    """
    return f"this is xacro, and the package that evaluates it is not installed: {install_command('xacro')}"


@rule("xacro-not-evaluated", 823, severity=Severity.WARNING)
def xacro_not_evaluated(name: object, other: object, advice: str) -> str:
    """A xacro file that is not allowed to be evaluated. Its text can be read and edited; no robot is shown.

    A xacro file is a program. The command line and the library evaluate the files that are named, but not those that
    these include or that are found in folders. The window and editors ask; an answer is about the content of a file,
    and they ask again when it has changed on disk or reads another file.

    Bad: ``<include><uri>arm.urdf.xacro</uri></include>`` from an untrusted source.

    Use instead: ``--xacro`` on the command line, ``xacro=True`` in the library, *Evaluate* in the notice of the window
    or in the quick fixes of an editor; or include what ``xacro arm.urdf.xacro`` writes.

    Source: https://github.com/ros/xacro/wiki
    """
    what = "is a xacro program and has not been evaluated" if other is None else f"now reads {other}"
    return Message(f"{name} {what}", f"to evaluate it, {advice}")


@rule("xacro-warning", 824, severity=Severity.WARNING)
def xacro_warning(what: str) -> str:
    """A warning of the package ``xacro`` while it evaluates a file, or an element that it copies without reading it.

    ``<property>``, ``<macro>`` and ``<include>`` without the prefix ``xacro:`` are read by no xacro since ROS Jade.

    Bad: ``<xacro:property name="pi" value="3.14"/>``, which replaces a symbol that every file has.

    Use instead: another name.

    Source: https://github.com/ros/xacro/wiki
    """
    return "xacro: " + what


@rule("xacro-macros-only", 825, severity=Severity.WARNING)
def xacro_macros_only() -> str:
    """A xacro file without a robot: it contains macros and properties for files that include it.

    Bad: ``leg.xacro`` with nothing but ``<xacro:macro name="leg" ...>``.

    Use instead: the file that includes it, ``robot.urdf.xacro``.

    Source: https://github.com/ros/xacro/wiki
    """
    return "this xacro file writes no robot: open the file that includes it"
