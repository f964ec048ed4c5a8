"""What the editor configures."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.language.hints import HintKind


@dataclass(frozen=True)
class ServerSettings:
    """The settings of an editor.

    Attributes
    ----------
    hints
        Kinds of inlay hints that are shown.
    paths
        Model paths, relative to the workspace folder.
    lenses
        Whether code lenses are shown.
    lens_commands
        Whether the editor knows the commands of the lenses itself, as the extension for VS Code does.
    rule_pages
        Address of the rules' pages, to which ``/NAME.html`` is added; empty for pages on this computer.
    index
        Whether files that are not open are indexed.
    workspace_problems
        Whether files that are not open are checked when the editor asks for the problems of the workspace.
    """

    hints: tuple[HintKind, ...] = tuple(HintKind)
    paths: tuple[str, ...] = ()
    lenses: bool = True
    lens_commands: bool = False
    rule_pages: str = ""
    index: bool = True
    workspace_problems: bool = True

    @classmethod
    def read(cls, options: object) -> ServerSettings:
        """Return the settings in ``initializationOptions`` or a configuration; whatever is not understood is left out.

        An example: ``{"paths": ["models"], "hints": {"unit": false}, "codeLens": true}``.
        """
        written = options if isinstance(options, dict) else {}
        wanted = written.get("hints", {})
        if isinstance(wanted, bool):
            hints = tuple(HintKind) if wanted else ()
        else:
            off = {name for name, on in wanted.items() if on is False} if isinstance(wanted, dict) else set()
            hints = tuple(kind for kind in HintKind if kind.value not in off)
        paths = written.get("paths", [])
        pages = written.get("rulePages", "")
        return cls(
            hints,
            tuple(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else (),
            written.get("codeLens") is not False,
            written.get("lensCommands") is True,
            pages.rstrip("/") if isinstance(pages, str) else "",
            written.get("index") is not False,
            written.get("workspaceProblems") is not False,
        )
