"""What the subcommands are given: files, folders of models, positions; and their exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdfviewer.cli.outputs import print_note
from sdfviewer.diagnostics import Diagnostic, SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.xml.encoding import decode
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import MODEL_SUFFIXES, POSSIBLE_SUFFIXES, is_model, open_document
from sdfviewer.files.paths import walk_files
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.xacro.decisions import Decisions, NamedFiles, Permission
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes

if TYPE_CHECKING:
    from sdfviewer.operations.declaration import Parameter

CLEAN, FINDINGS, UNREADABLE = 0, 1, 2
#: Arguments in which commands take files.
_NAMING = ("files", "file", "a", "b")


def add_path_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--path DIR``, ``--arg NAME=VALUE`` and ``--xacro``."""
    parser.add_argument(
        "--path",
        metavar="DIR",
        action="append",
        default=[],
        type=_folder,
        help="add a folder to the model path (repeatable)",
    )
    parser.add_argument(
        "--arg",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an argument of xacro files (repeatable)",
    )
    xacro = parser.add_mutually_exclusive_group()
    xacro.add_argument(
        "--xacro",
        action="store_true",
        help="also evaluate xacro files that are included or found, not only those that are named, and URDF files "
        "that hold xacro",
    )
    # Pictures for the window: its user is asked there.
    xacro.add_argument("--xacro-as-decided", action="store_true", help=argparse.SUPPRESS)


def _folder(word: str) -> Path:
    """Return a folder of the model path, with a warning where it does not exist: nothing is found in it."""
    folder = Path(word)
    if not folder.is_dir():
        print_note(f"sdfviewer: warning: --path {word}: there is no such folder")
    return folder


def make_loader(
    options: argparse.Namespace, instead: Mapping[Path, Document] | None = None, paths: Sequence[Path] = ()
) -> Loader:
    """Return a loader over the model paths and xacro arguments of the command line.

    Raises
    ------
    SdfViewerError
        If an argument is not of the form ``NAME=VALUE``.
    """
    arguments: dict[str, str] = {}
    for word in options.arg:
        name, separator, value = word.partition("=")
        if not separator or not name:
            raise SdfViewerError(f"--arg {word}: expected NAME=VALUE")
        arguments[name] = value
    expander = Expander(arguments, permission=_permission(options))
    return Loader(make_finder(options, paths), instead or {}, expander, offer_fixes=offer_fixes)


def _permission(options: argparse.Namespace) -> Permission:
    """Return which xacro files may be evaluated: those that the command line names."""
    if options.xacro_as_decided:
        return Decisions("open it in the window")
    words = [word for name in _NAMING for word in _words(getattr(options, name, None))]
    # Of REV:FILE, which names a committed file, too.
    paths = [Path(each) for word in words for each in (word, word.rpartition(":")[2])]
    return NamedFiles(None if options.xacro else paths, "name it on the command line, or add --xacro")


def _words(value: object) -> list[str]:
    """Return what an argument of the command line names."""
    words = value if isinstance(value, list) else [] if value is None else [value]
    return [*_without_wildcards(map(str, words))]


def add_option(parser: argparse.ArgumentParser, parameter: Parameter, before: str = "") -> None:
    """Add the option of a parameter of an operation or conversion, with some words before its help."""
    from sdfviewer.operations.parameters import ChoiceType, PlacesType, SwitchType  # few commands need it

    by_default = "" if parameter.default is None else " (default: %(default)s)"
    name, text = f"--{parameter.option_name}", before + parameter.help
    if isinstance(parameter.type, SwitchType):
        parser.add_argument(name, action="store_true", help=text)
    elif isinstance(parameter.type, PlacesType):
        parser.add_argument(name, metavar="PATH", action="append", default=[], type=Path, help=text)
    elif isinstance(parameter.type, ChoiceType):
        parser.add_argument(name, choices=parameter.type.words, default=parameter.default, help=text + by_default)
    else:

        def read(typed: str) -> object:
            try:
                return parameter.type.read(typed)
            except ValueError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

        parser.add_argument(name, type=read, default=parameter.default, help=text + by_default)


def add_joint_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--joint NAME=VALUE``, see :func:`parse_positions`."""
    parser.add_argument(
        "--joint",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set the position of a joint in radians or metres, or with a unit as in 90deg, a comma between axes "
        "(repeatable)",
    )


def make_finder(options: argparse.Namespace, more: Sequence[Path] = ()) -> Finder:
    """Return a finder over the model paths of the command line, those in ``more``, and those of the environment."""
    return Finder((*options.path, *more))


class Input(NamedTuple):
    """A file that an argument names, or one that was found in a folder.

    Attributes
    ----------
    name
        As it is named, ``-`` for standard input.
    problem
        Why what was found cannot be read, empty where it is yet to be tried.
    is_found
        Whether it was found in a folder: whoever has made that chose the name, and where it leads if it is a link.
    """

    name: str
    problem: str = ""
    is_found: bool = False


def expand(names: Sequence[str], also: Sequence[str] = ()) -> Iterator[Input]:
    """Yield the files that arguments name, folders walked in order; a folder without any is yielded itself.

    Parameters
    ----------
    names
        Of files and folders.
    also
        Suffixes of other files that are yielded in folders.
    """
    for name in _without_wildcards(names):
        if name == "-" or not os.path.isdir(name):
            yield Input(name)
            continue
        found: dict[Path, str] = {}
        for _, files in walk_files(Path(name), (*POSSIBLE_SUFFIXES, *also), refused=found.__setitem__):
            found |= dict.fromkeys((each for each in files if is_model(each) or each.suffix.lower() in also), "")
        yield from (Input(str(path), problem, True) for path, problem in sorted(found.items()))
        if not found:
            yield Input(name)


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that may be models."""
    for _, files in walk_files(folder, POSSIBLE_SUFFIXES):
        yield from files


def _without_wildcards(names: Iterable[str]) -> Iterator[str]:
    """Yield names with ``*`` and ``?`` expanded, which the shells of Windows do not do."""
    for name in names:
        found = sorted(glob(name)) if sys.platform == "win32" and not Path(name).exists() else []
        yield from found or [name]


def read(name: str) -> Document:
    """Return the document of an argument, ``-`` for standard input.

    Raises
    ------
    SdfViewerError
        If it cannot be read.
    """
    if name == "-":
        if sys.stdin is None:
            raise SdfViewerError("standard input is closed; give a file, or a pipe to read from")
        decoded = decode(sys.stdin.buffer.read())
        return parse_document(decoded.text, encoding=decoded.encoding)
    if os.path.isdir(name) and not any(map(is_model, _files_in(Path(name)))):
        raise SdfViewerError(f"{name} holds no {', '.join(MODEL_SUFFIXES[:-1])} or {MODEL_SUFFIXES[-1]} file")
    return open_document(name, allow_pipe=True)


def load_model(loader: Loader, document: Document, *, repaired: bool = False) -> tuple[Model, tuple[Diagnostic, ...]]:
    """Return the model of a document and its diagnostics; that a text is no XML is reported on standard error.

    Parameters
    ----------
    loader, document, repaired
        As of :meth:`Loader.load_recovered`; commands that write the text again take the repaired one.

    Raises
    ------
    SdfViewerError
        If it has no meaning at all.
    """
    model, diagnostics = loader.load_recovered(document, repaired=repaired)
    if model is None:
        raise SdfViewerError(f"{document.name}: {why_not_loaded(diagnostics)}")
    if document.root is None:
        for each in diagnostics:
            if each.is_error and each.span is not None:
                where = f"{each.span.path}:{each.span.line}:{each.span.column}"
                print_note(f"{where}: warning: {each.message}; repaired while reading")
    return model, diagnostics


def load_version(options: argparse.Namespace, loader: Loader, name: str) -> tuple[Model, tuple[Diagnostic, ...]]:
    """Return what a file means, or ``REV:FILE``: the file with all that it includes as a commit has them.

    Parameters
    ----------
    options
        Those of the command, for a loader of the committed files.
    loader
        Loads what is on disk.
    name
        The argument.

    Raises
    ------
    SdfViewerError
        If it cannot be read, or there is no such commit.
    """
    revision, _, file = name.rpartition(":")
    # One letter is a Windows drive.
    if file and len(revision) > 1 and not revision.startswith("-") and not Path(name).exists():
        return load_committed(options, file, revision)
    return load_model(loader, read(name))


def load_committed(
    options: argparse.Namespace, name: str, revision: str = "HEAD"
) -> tuple[Model, tuple[Diagnostic, ...]]:
    """Return what a file and the files that it includes meant in a commit, by default the last one.

    Included files that the commit does not hold are read from the disk.

    Raises
    ------
    SdfViewerError
        If git has no such version of it.
    """
    from sdfviewer.files.git import open_git_head
    from sdfviewer.session.included_files import load_as_committed

    if name == "-":
        raise SdfViewerError("standard input has no version in git: name a second file to compare with")
    document = open_git_head(Path(name).absolute(), revision)
    return load_as_committed(document, lambda instead: load_model(make_loader(options, instead), document), revision)


def parse_positions(words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return joint positions, as they are written, from ``NAME=VALUE[,VALUE...]`` arguments.

    Their unit is that of the joint, see :func:`parse_position`.

    Raises
    ------
    SdfViewerError
        If one of them is not of that form.
    """
    positions: dict[str, tuple[str, ...]] = {}
    for word in words:
        name, _, values = word.rpartition("=")
        if not name or not all(value.strip() for value in values.split(",")):
            raise SdfViewerError(f"--joint {word}: expected NAME=VALUE, radians or metres, a comma between axes")
        positions[name] = tuple(values.split(","))
    return positions


def parse_position(text: str, unit: str, option: str) -> float:
    """Return a joint position in a unit; it may be written with another one, as in ``90deg`` or ``12mm``.

    Raises
    ------
    SdfViewerError
        If it is no finite number, or its unit does not fit; the message begins with the option.
    """
    from sdfviewer.number_expression import parse_number  # most commands read no number

    try:
        return parse_number(text, unit)
    except ValueError as error:
        raise SdfViewerError(f"{option}: {error}") from None
