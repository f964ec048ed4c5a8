"""The folders that an assistant may read, and the edits that it has previewed."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sdfviewer
from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.document.line_difference import name_in_difference
from sdfviewer.files.paths import real_path
from sdfviewer.files.saving import save
from sdfviewer.operations.declaration import Parameter
from sdfviewer.operations.parameters import FileType, PlacesType
from sdfviewer.operations.table import find_operation

#: How many previews are kept, the newest.
_MOST_PREVIEWS = 64
#: Bytes of a file that is larger than any model.
_MOST_BYTES = 64 * 2**20

#: The name of an operation, and its arguments.
Step = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Preview:
    """An edit that was shown and not made.

    Attributes
    ----------
    token
        Its name for the assistant.
    path
        The file.
    label
        What it does, the name of the undo step.
    steps
        The operations that make it.
    before, after
        The texts of the file.
    diff
        The difference, that of other files after it.
    others
        The other files that it writes.
    moved
        By how much it moves which frames.
    notes
        What it means otherwise, in sentences.
    problems
        What is wrong with the file afterwards.
    xacro_arguments
        Those that the file was evaluated with.
    """

    token: str
    path: Path
    label: str
    steps: tuple[Step, ...]
    before: str
    after: str
    diff: str
    others: tuple[Path, ...]
    moved: tuple[sdfviewer.MovedFrame, ...]
    notes: tuple[str, ...]
    problems: tuple[sdfviewer.Diagnostic, ...]
    xacro_arguments: Mapping[str, str] = field(default_factory=dict)


class Workspace:
    """What an assistant may touch.

    Parameters
    ----------
    folders
        Nothing outside of these is read or written.
    paths
        Model folders, as for :func:`sdfviewer.load`.
    allows_writes
        Whether a preview may be written without asking.
    patch
        The file that an edit is written to as a patch where no window takes it; None for none.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        paths: Sequence[Path] = (),
        *,
        allows_writes: bool = False,
        patch: Path | None = None,
    ) -> None:
        self.folders = tuple(real_path(folder) for folder in folders)
        self.paths = tuple(paths)
        self.allows_writes = allows_writes
        self.patch = patch
        self._previews: OrderedDict[str, Preview] = OrderedDict()

    # --- files -------------------------------------------------------------------------------------------------

    def allowed(self, given: object) -> Path:
        """Return a path inside of the folders; a relative one is in the first of them.

        Raises
        ------
        SdfViewerError
            If it leads outside, also by a link.
        """
        if not isinstance(given, str) or not given or "\0" in given:
            raise InvalidValueError(f"a path is a text, not {str(given)[:80]!r}")
        path = real_path(self.folders[0] / given)
        if not any(map(path.is_relative_to, self.folders)):
            known = ", ".join(map(str, self.folders))
            raise SdfViewerError(f"{given} is outside of the folders that this server was started with: {known}")
        return path

    def _name(self, path: Path) -> str:
        folder = next(filter(path.is_relative_to, self.folders))
        return path.relative_to(folder).as_posix()

    def file(self, given: object) -> Path:
        """Return the path of a file inside of the folders.

        Raises
        ------
        SdfViewerError
            If it leads outside, is no file, or is larger than any model.
        """
        path = self.allowed(given)
        try:
            is_file, size = path.is_file(), path.stat().st_size if path.exists() else 0
        except OSError as error:
            raise SdfViewerError(f"cannot read {given}: {error.strerror or error}") from error
        if not is_file and not path.is_dir():  # a model's folder is its file
            raise SdfViewerError(f"there is no file {given}")
        if size > _MOST_BYTES:
            raise SdfViewerError(f"{given} is too large for a model: {size // 2**20} MiB")
        return path

    def load(self, given: object, xacro_arguments: object = None) -> sdfviewer.Model:
        """Return the model of a file."""
        arguments = read_arguments(xacro_arguments)
        return sdfviewer.load(self.file(given), paths=self.paths, arguments=arguments)

    # --- edits -------------------------------------------------------------------------------------------------

    def preview(
        self,
        given: object,
        operation: str,
        arguments: Mapping[str, object],
        after: object,
        xacro_arguments: object = None,
    ) -> Preview:
        """Return what an operation would do, and keep it for :meth:`find`.

        Parameters
        ----------
        given
            The file.
        arguments
            Those of the operation, as JSON gives them.
        after
            The token of a preview that this one is added to; None for none.
        xacro_arguments
            Those of a xacro file; None for those of the earlier preview, or none.

        Raises
        ------
        SdfViewerError
            If it cannot be done; the message says why.
        """
        path = self.file(given)
        earlier = () if after is None else self.find(after).steps
        if after is not None and self.find(after).path != path:
            raise InvalidValueError(f"the preview {after} is of another file")
        declared = find_operation(operation)
        known = declared.by_name
        unread = {name: value for name, value in arguments.items() if name not in known}
        read = {name: self._read(known[name], value) for name, value in arguments.items() if name in known}
        steps = (*earlier, (operation, {**unread, **read}))
        evaluated = read_arguments(xacro_arguments)
        if xacro_arguments is None and after is not None:
            evaluated = self.find(after).xacro_arguments
        document = sdfviewer.open_document(path, paths=self.paths, arguments=evaluated)
        with document.preview() as edit:
            for name, values in steps:
                edit.perform(name, **values)
        others = tuple(edit.other_texts)
        for other in others:
            self.allowed(str(other))
        diff = edit.diff
        for each in (path, *others):  # as git writes it, so that git applies it
            for side in ("a", "b"):
                diff = diff.replace(f" {side}/{name_in_difference(str(each))}\n", f" {side}/{self._name(each)}\n")
        found = Preview(
            token=secrets.token_hex(8),
            path=path,
            label=declared.label if len(steps) == 1 else f"{len(steps)} edits",
            steps=steps,
            before=document.text,
            after=edit.text,
            diff=diff,
            others=others,
            moved=edit.moved,
            notes=edit.notes,
            problems=edit.diagnostics,
            xacro_arguments=evaluated,
        )
        self._previews[found.token] = found
        while len(self._previews) > _MOST_PREVIEWS:
            self._previews.popitem(last=False)
        return found

    def _read(self, parameter: Parameter, value: object) -> object:
        try:
            read = parameter.type.decode(value)
        except ValueError as error:
            raise InvalidValueError(f"{parameter.name}: {error}") from None
        if isinstance(parameter.type, FileType):
            return str(self.allowed(read))
        if isinstance(parameter.type, PlacesType) and isinstance(read, list):
            return [str(self.allowed(each)) for each in read]
        return read

    def find(self, token: object) -> Preview:
        """Return a preview by its token.

        Raises
        ------
        SdfViewerError
            If there is none, or it is too old.
        """
        if not isinstance(token, str) or token not in self._previews:
            raise SdfViewerError("there is no such preview, or it is too old: make it again")
        return self._previews[token]

    def write(self, preview: Preview) -> None:
        """Make a preview, and save its files.

        Raises
        ------
        SdfViewerError
            If the file has changed since, or cannot be written.
        """
        document = sdfviewer.open_document(preview.path, paths=self.paths, arguments=preview.xacro_arguments)
        if document.text != preview.before:
            raise SdfViewerError(f"{preview.path.name} has changed since this preview: make it again")
        with document.edit(preview.label) as edit:
            for name, values in preview.steps:
                edit.perform(name, **values)
        document.save()
        del self._previews[preview.token]

    def write_patch(self, preview: Preview) -> None:
        """Write a preview to :attr:`patch`, which holds the last one; ``git apply`` makes it in the first folder.

        Raises
        ------
        SdfViewerError
            If it cannot be written.
        """
        assert self.patch is not None
        save(self.patch, preview.diff.encode("utf-8", "surrogateescape"))


def read_arguments(given: object) -> Mapping[str, str]:
    """Return arguments of xacro as JSON gives them: texts, numbers and truth values by name.

    Raises
    ------
    InvalidValueError
        If they are of another form.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(each, (str, int, float)) for each in given.values()):
        raise InvalidValueError('xacro_arguments: expected an object such as {"prefix": "left_"}')
    # As xacro writes truth values.
    return {str(name): str(each).lower() if isinstance(each, bool) else str(each) for name, each in given.items()}
