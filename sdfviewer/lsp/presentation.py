"""Presentation requests: hover, hints, colours, lenses, signatures."""

from __future__ import annotations

from itertools import islice

import numpy as np
from lsprotocol import types

from sdfviewer.display_text import markdown_code, markdown_text, with_capital
from sdfviewer.language.annotations import (
    HintKind,
    code_lenses,
    document_colours,
    format_colour,
    format_pose_shown,
    inlay_hints,
)
from sdfviewer.language.hover import describe_chain, describe_markup, describe_number, describe_origins, signature_at
from sdfviewer.language.links import UriLink, link_at
from sdfviewer.language.markup import tag_at
from sdfviewer.language.names import Name, name_at, value_origins_at
from sdfviewer.language.text_map import plain
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges
from sdfviewer.lsp.server import SdfServer
from sdfviewer.model.explanation import explain_axes, explain_settings
from sdfviewer.model.model import Model

_MOST_PLACES = 6
#: So many hints are given at once: a file may be one line of 100,000 poses, and an editor asks for what is in sight.
_MOST_HINTS = 5_000


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""

    @server.answers(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> types.Hover | None:
        offset = snapshot.offset(params.position)
        text, where = _hover(server, file, snapshot, offset)
        if not text:
            return None
        about = ranges.range(*where) if where is not None and where[0] <= offset <= where[1] else None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), about)

    @server.answers(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions([" ", '"', "'", ">"], [" "]))
    def signature(
        params: types.SignatureHelpParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.SignatureHelp | None:
        found = signature_at(snapshot.text, snapshot.offset(params.position))
        if found is None:
            return None
        units = found.units
        parameters = [types.ParameterInformation(name, units[index] or None) for index, name in enumerate(found.names)]
        label = f"{found.label}: {' '.join(found.names)}"
        active = min(found.active, len(found.names))
        return types.SignatureHelp([types.SignatureInformation(label, None, parameters, active)], 0, active)

    @server.answers(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(
        params: types.InlayHintParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.InlayHint]:
        model = file.model(snapshot)
        if model is None or model.document is not snapshot.shown or not server.settings.hints:
            return []
        return [
            types.InlayHint(
                ranges.range(each.offset, each.offset).start,
                each.label,
                types.InlayHintKind.Type if each.kind is not HintKind.DEFAULT_FRAME else None,
                tooltip=each.tooltip,
            )
            for each in ranges.interruptible(
                islice(inlay_hints(model, *snapshot.offsets(params.range), server.settings.hints), _MOST_HINTS)
            )
        ]

    @server.answers(types.TEXT_DOCUMENT_DOCUMENT_COLOR)
    def colours(
        params: types.DocumentColorParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.ColorInformation]:
        return [
            types.ColorInformation(ranges.range(each.start, each.end), types.Color(*each.rgba))
            for each in ranges.interruptible(document_colours(snapshot.shown))
        ]

    @server.answers(types.TEXT_DOCUMENT_COLOR_PRESENTATION)
    def colour_presentation(
        params: types.ColorPresentationParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.ColorPresentation]:
        start, end = snapshot.offsets(params.range)
        picked = params.color
        rgba = (picked.red, picked.green, picked.blue, picked.alpha)
        return [types.ColorPresentation(format_colour(rgba, like=snapshot.text[start:end]))]

    @server.answers(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(
        params: types.CodeLensParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.CodeLens]:
        model = file.model(snapshot)
        if model is None or model.document is not snapshot.shown or not server.settings.lenses:
            return []
        uri = params.text_document.uri
        result = []
        for each in ranges.interruptible(code_lenses(model)):
            where = ranges.range(each.offset, each.offset)
            show = [uri, {"line": where.start.line, "character": where.start.character}, model.names[each.row]]
            # The protocol has no command for either; where the editor has none of its own they are only text.
            knows = server.settings.lens_commands
            references = types.Command(each.title, "sdfviewer.showReferences" if knows else "", arguments=show)
            result.append(types.CodeLens(where, references))
            if each.body:
                title = f"moves with {each.body}"
                result.append(types.CodeLens(where, types.Command(title, "")))
            opening = types.Command("open in sdfviewer", "sdfviewer.open", arguments=[uri, model.names[each.row]])
            result.append(types.CodeLens(where, opening))
        return result


def _hover(server: SdfServer, file: ServerFile, snapshot: Snapshot, offset: int) -> tuple[str, tuple[int, int] | None]:
    """Return the hover text of a place as Markdown, empty if there is none, and the range that it is about."""
    link = link_at(snapshot.shown, server.finder_for(file.path), offset)
    if link is not None:
        return _describe_link(link), (link.start, link.end)
    model = file.model(snapshot)
    if model is not None and (origins := value_origins_at(model, offset)):
        return "\n".join(f"{_bullet(line)}{markdown_code(line.strip())}" for line in describe_origins(origins)), None
    name = name_at(model, offset) if model is not None else None
    if model is not None and name is not None:
        where = name.start, name.end
        return _describe_name(model, name), where
    if number := describe_number(snapshot.text, offset):
        return number, None
    text = snapshot.text
    tag = tag_at(text, offset)
    if tag is None:
        return "", None
    before = plain(text[: tag.start])
    return describe_markup(text, offset, snapshot.open_elements_at(before, len(before)), model), None


def _bullet(line: str) -> str:
    return "  - " if line.startswith(" ") else "- "


def _describe_link(link: UriLink) -> str:
    if link.file is not None:
        return markdown_code(str(link.file))
    tried = [f"- {markdown_code(str(path))}" for path in link.found.tried[:_MOST_PLACES]]
    more = len(link.found.tried) - len(tried)
    rest = [f"- and {more} more"] if more > 0 else []
    reason = f" ({markdown_text(link.found.problem)})" if link.found.problem else ""
    heading = [f"Not found{reason}." + (" Searched:" if tried else "")]
    return "\n".join([*heading, "", *tried, *rest])


def _describe_name(model: Model, name: Name) -> str:
    if name.row is not None:
        return _describe_row(model, name.row)
    if name.text == "world":
        return "**world**: what is attached to it does not move."
    return f"There is no frame {markdown_code(name.text)} in this scope."


def _describe_row(model: Model, row: int) -> str:
    lines = [f"**{model.kinds[row].value}** {markdown_code(model.names[row])}"]
    if model.kinds[row].is_vertex:
        X = model.X_RootF[row]
        pose = f"`{format_pose_shown(X)}` (metres; roll, pitch, yaw)" if np.isfinite(X).all() else "not known"
        lines += ["", f"Pose in {markdown_code(model.names[0])}: {pose}"]
        body = int(model.bodies[row])
        if body >= 0 and body != row:
            lines += ["", f"Moves with {markdown_code(model.names[body])}."]
        lines += [line for each in explain_axes(model, row) for line in ("", markdown_text(with_capital(each)))]
        lines += [
            "",
            "Why here:",
            *(f"{number}. {markdown_code(step)}" for number, step in enumerate(describe_chain(model, row), 1)),
        ]
    lines += [line for each in explain_settings(model, row) for line in ("", markdown_text(each))]
    if model.sources[row] is not None:
        lines += ["", f"From {markdown_code(model.document_of(row).name)}."]
    return "\n".join(lines)
