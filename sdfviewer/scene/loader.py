"""Loads meshes and textures in threads, with a placeholder and a problem for each failure.

Knows where files are and whether they changed; must not know how a format is read, nor who draws.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Message, Related, message_of
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.extras import MissingExtraError
from sdfviewer.faults import log_fault
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.paths import Stamp, stamp_of
from sdfviewer.files.uris import folder_without, only_by_working_directory
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.logs import RoomLog
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import nearest
from sdfviewer.model.shapes.heightmap import Heightmap
from sdfviewer.model.shapes.image import Image
from sdfviewer.model.shapes.kind import FileGeometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.shapes.polyline import Polyline
from sdfviewer.scene.geometry import Shape, placeholder, primitive_mesh
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.meshes import MeshFileError, Piece, SideFiles, joined, read_mesh_file
from sdfviewer.scene.solid import is_solid, with_coarse
from sdfviewer.scene.textures import TEXTURES, TextureCache, TextureError
from sdfviewer.validation.file_rules import mesh_in_millimetres, not_drawn, resource_only_here

_LOG = RoomLog("scene")

#: Arrays of meshes that are kept beyond their last use.
CACHE_BYTES = 1 << 30

#: Turns +y up, which glTF means, to +z up. Gazebo leaves glTF as it is; RViz and Drake, whose files use ``package://``,
#: stand it up.
_Y_UP_TO_Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
_Y_UP_SUFFIXES = (".gltf", ".glb")


@dataclass(frozen=True, slots=True)
class MeshProblem:
    """Something about a shape that cannot be drawn as written.

    Attributes
    ----------
    uri
        The URI as written; empty for a polyline.
    path
        The file that it led to, None where none was found.
    message
        What is wrong, in words for the person who wrote the model.
    element, file
        The element to point at, and the file that it is written in.
    missing
        Whether the file is not there, rather than there and of no use.
    tried
        The paths that were searched for it.
    found_in
        The folder in which it would be found if that were added to the folders of models; empty where none is known.
    is_remote
        Whether the file is on a server, from which it was not downloaded.
    millimetres
        Its size in metres where it is drawn as written and its file is likely to be in millimetres; else 0.
    drawn
        What is drawn instead, in words.
    only_here
        Whether the file is drawn as written, and other programs do not find it.
    about
        What the message is about, where it does not name that itself: the URI, or a shape.
    """

    uri: str
    path: Path | None
    message: str
    element: Element | None
    file: Path | None
    missing: bool = False
    tried: tuple[Path, ...] = ()
    found_in: str = ""
    is_remote: bool = False
    millimetres: float = 0.0
    drawn: str = ""
    only_here: bool = False
    about: str = ""

    @property
    def sentence(self) -> str:
        """The message, with what it is about."""
        return f"{self.about}: {self.message}" if self.about else self.message


@dataclass(frozen=True, slots=True)
class LoadedMesh:
    """The outcome for one shape: its mesh or a placeholder, and what is wrong with it."""

    shape: Shape
    mesh: TriangleMesh
    problems: tuple[MeshProblem, ...] = ()
    is_placeholder: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is kept of a file: its mesh, or why there is none, and the state of all files that it depends on."""

    mesh: TriangleMesh | None
    messages: tuple[str, ...]
    stamps: Mapping[Path, Stamp | None]

    @property
    def size(self) -> int:
        return self.mesh.nbytes if self.mesh is not None else 0

    def is_current(self) -> bool:
        return all(stamp == stamp_of(path) for path, stamp in self.stamps.items())


class Loading:
    """A run in the background; its callbacks come in the loader's threads.

    Attributes
    ----------
    total
        Shapes requested.
    """

    def __init__(
        self,
        total: int,
        on_loaded: Callable[[LoadedMesh], None] | None,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self.total = total
        self._on_loaded = on_loaded
        self._on_progress = on_progress
        self._reporting = threading.RLock()  # a callback may cancel
        self._done = 0
        self._cancelled = threading.Event()
        self._futures: tuple[Future[None], ...] = ()

    @property
    def done(self) -> int:
        """Shapes that are loaded or have failed."""
        return self._done

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Start no further file and call back no more; a file that is being read is finished and kept.

        When this returns no callback is running in another thread.
        """
        with self._reporting:
            self._cancelled.set()
        for future in self._futures:
            future.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end and return whether it came; raise what a callback raised."""
        finished, pending = wait(self._futures, timeout)
        for future in finished:
            if not future.cancelled():
                future.result()
        return not pending

    def _started(self, futures: Sequence[Future[None]]) -> None:
        self._futures = tuple(futures)
        if self.cancelled:
            self.cancel()

    def _report(self, loaded: LoadedMesh) -> None:
        with self._reporting:
            if self.cancelled:
                return
            self._done += 1
            if self._on_loaded is not None:
                self._on_loaded(loaded)
            if self._on_progress is not None:
                self._on_progress(self._done, self.total)


class MeshLoader:
    """Loads the meshes of shapes and keeps them while their files stay as they are.

    Parameters
    ----------
    finder
        Resolves URIs.
    textures
        Where pictures are decoded to, ahead of the renderer's asking.
    cache_bytes
        Arrays kept beyond their last use.
    workers
        Threads; as many as processors, at most four, by default.
    """

    def __init__(
        self,
        finder: Finder,
        textures: TextureCache = TEXTURES,
        cache_bytes: int = CACHE_BYTES,
        workers: int | None = None,
    ) -> None:
        self._finder = finder
        self._textures = textures
        self._limit = cache_bytes
        self._workers = workers or min(os.cpu_count() or 1, 4)
        self._lock = threading.Lock()
        self._entries: OrderedDict[object, _Entry] = OrderedDict()
        self._bytes = 0
        self._executor: ThreadPoolExecutor | None = None

    def mesh(self, shape: Shape) -> TriangleMesh:
        """Return the triangles of a shape, to be drawn scaled by `Shape.scale`; a file that is not cached is read now.

        Equal shapes give the same object. What cannot be drawn gives a placeholder; :meth:`load` says why.
        """
        return self.load(shape).mesh if shape.is_loaded else primitive_mesh(shape)

    def load(self, shape: Shape) -> LoadedMesh:
        """Return the mesh of a shape with what is wrong with it, reading it now where it is not in the cache."""
        if isinstance(shape.geometry, Polyline):
            return _outcome(shape, None, self._entry(shape, None))
        found = self._finder.find(shape.uri, shape.file, nearby=True) if shape.uri else Found(None)
        if found.path is None or not found.path.is_file():
            why, tried, about = _not_found(shape, found, self._finder)
            folder = self._finder.folder_to_add(shape.uri, shape.file) if found.path is None else None
            found_in = "" if folder is None else str(folder)
            problem = MeshProblem(
                *(shape.uri, None, why, shape.source, shape.file, True, tried, found_in, found.is_remote), about=about
            )
            return LoadedMesh(shape, placeholder(), (problem,), is_placeholder=True)
        loaded = _outcome(shape, found.path, self._entry(shape, found.path))
        problems = problem_of_place(shape.uri, shape.uri, found, shape.source, shape.file)
        return replace(loaded, problems=(*loaded.problems, *problems)) if problems else loaded

    def start(
        self,
        shapes: Iterable[Shape],
        on_loaded: Callable[[LoadedMesh], None] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Loading:
        """Load shapes in the background, and return the run, to be watched, waited for or cancelled.

        Parameters
        ----------
        shapes
            Those that are not loaded and repeated ones are left out.
        on_loaded
            Called with the outcome of each shape, in a thread of the loader, in no given order.
        on_progress
            Called with the numbers of shapes done and requested.
        """
        by_file: dict[tuple[str, Path | None], list[Shape]] = {}
        for shape in dict.fromkeys(shapes):
            if shape.is_loaded:
                by_file.setdefault((shape.uri, shape.file), []).append(shape)
        loading = Loading(sum(map(len, by_file.values())), on_loaded, on_progress)
        if self._executor is None:
            self._executor = ThreadPoolExecutor(self._workers, thread_name_prefix="mesh")
        # One task per file, so that shapes with the same file do not read it twice.
        loading._started([self._executor.submit(self._run, group, loading) for group in by_file.values()])
        return loading

    def close(self) -> None:
        """End the threads without waiting for what they read; what has not begun is dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _run(self, shapes: list[Shape], loading: Loading) -> None:
        for shape in shapes:
            if loading.cancelled:
                return
            loaded = self.load(shape)
            loading._report(loaded)

    def _entry(self, shape: Shape, path: Path | None) -> _Entry:
        """Return the cached entry of a shape, reloaded if one of its files changed."""
        geometry = shape.geometry
        if isinstance(geometry, FileGeometry):
            geometry = replace(geometry, uri="", file=None)
        key = (geometry, path, _stands_up(shape, path))
        with self._lock:
            entry = self._entries.get(key)
        if entry is not None and entry.is_current():
            with self._lock:
                if key in self._entries:
                    self._entries.move_to_end(key)
            return entry
        entry = self._read(shape, path)
        with self._lock:
            replaced = self._entries.pop(key, None)
            self._entries[key] = entry
            self._bytes += entry.size - (replaced.size if replaced is not None else 0)
            while self._bytes > self._limit and len(self._entries) > 1:
                _, dropped = self._entries.popitem(last=False)
                self._bytes -= dropped.size
        return entry

    def _read(self, shape: Shape, path: Path | None) -> _Entry:
        side_files = SideFiles(path or Path(), lambda uri: self._finder.find(uri, path, nearby=True).path)
        stamps = {path: stamp_of(path)} if path is not None else {}
        messages: list[str] = []
        mesh: TriangleMesh | None = None
        try:
            mesh = joined(self._pieces(shape, path, side_files))
            mesh = with_coarse(replace(mesh, solid=is_solid(mesh)))
            messages += [broken + Message("", "the rest is drawn") for broken in side_files.left_out]
            messages += [f"the texture {name!r} is missing" for name in side_files.missing]
            messages += self._decoded(mesh)
        except MeshFileError as error:
            messages = [message_of(error)]
        except MissingExtraError:  # so no other file of its kind can be read either
            raise
        except Exception as error:
            # An unexpected fault in a reader must not prevent the whole scene.
            log_fault(f"read {path}", error)
            messages = [f"cannot be read ({type(error).__name__}: {error})"]
        _LOG.debug(
            "read %s: %s triangles; %s", path, 0 if mesh is None else len(mesh.indices), messages or "no problems"
        )
        stamps |= {side: stamp_of(side) for side in (*side_files.used, *side_files.absent)}
        return _Entry(mesh, tuple(messages), stamps)

    def _pieces(self, shape: Shape, path: Path | None, side_files: SideFiles) -> list[Piece]:
        geometry = shape.geometry
        # Few robots have these; what reads them is imported with the first one.
        if isinstance(geometry, Polyline):
            from sdfviewer.scene.meshes.polygons import extruded  # noqa: PLC0415

            loops = [np.array(loop, np.float64).reshape(-1, 2) for loop in geometry.loops]
            return [extruded(loops, geometry.height)]
        assert path is not None
        if isinstance(geometry, Heightmap):
            return [self._heightmap(geometry, path, side_files)]
        if isinstance(geometry, Image):
            from sdfviewer.scene.meshes.heightmap import extruded_image  # noqa: PLC0415

            return [extruded_image(path, geometry.scale, int(geometry.threshold), geometry.height)]
        pieces = read_mesh_file(path, side_files)
        if _stands_up(shape, path):
            pieces = [piece.transformed(_Y_UP_TO_Z_UP) for piece in pieces]
        if not isinstance(geometry, Mesh):
            return pieces
        if geometry.submesh is not None:
            pieces = _selected(pieces, geometry.submesh)
            if geometry.center:
                pieces = _centred(pieces)
        if min(geometry.scale) < 0:
            pieces = [piece.transformed(np.diag([*geometry.scale, 1.0])) for piece in pieces]
        return pieces

    def _heightmap(self, ground: Heightmap, path: Path, side_files: SideFiles) -> Piece:
        from sdfviewer.scene.meshes.heightmap import heightmap  # noqa: PLC0415

        if not ground.textures:
            return heightmap(path, ground.size, ground.position)
        texture = ground.textures[0]
        picture = self._finder.find(texture.diffuse, ground.file, nearby=True).path
        if picture is None:
            side_files.missing.append(texture.diffuse)
        else:
            side_files.used.append(picture)
        material = MeshMaterial(diffuse=(1.0, 1.0, 1.0, 1.0), albedo_map=picture) if picture is not None else None
        return heightmap(path, ground.size, ground.position, material, texture.size)

    def _decoded(self, mesh: TriangleMesh) -> list[str]:
        """Decode the textures of a mesh, so that the renderer finds them ready; return what is wrong with them."""
        messages = []
        maps = [picture for part in mesh.parts for picture in (part.material.albedo_map, part.material.normal_map)]
        for source in dict.fromkeys(maps):
            if source is None:
                continue
            try:
                self._textures.pixels(source)
            except TextureError as error:
                name = f"the texture {source.name!r}" if isinstance(source, Path) else "an embedded texture"
                messages.append(f"{name} {error}")
        return messages


def _stands_up(shape: Shape, path: Path | None) -> bool:
    """Whether a mesh is to be turned from +y up to +z up: by those that read the URI, not by the format alone."""
    return path is not None and path.suffix.lower() in _Y_UP_SUFFIXES and shape.uri.startswith("package://")


def _outcome(shape: Shape, path: Path | None, entry: _Entry) -> LoadedMesh:
    subject = path.name if path is not None else "the polyline"
    about = "" if subject == shape.uri else shape.uri
    problems = tuple(
        MeshProblem(shape.uri, path, f"{subject}: {message}", shape.source, shape.file, about=about)
        for message in entry.messages
    )
    if entry.mesh is None:
        return LoadedMesh(shape, placeholder(), problems, is_placeholder=True)
    return LoadedMesh(shape, entry.mesh, problems)


def problem_of_place(
    what: str, uri: str, found: Found, element: Element | None, file: Path | None
) -> tuple[MeshProblem, ...]:
    """Return the problem of a file that only the working directory leads to; none for others."""
    if found.working_directory is None:
        return ()
    message = resource_only_here.format(what, 0, only_by_working_directory(found.working_directory))
    return (MeshProblem(uri, found.path, message, element, file, only_here=True),)


def _not_found(shape: Shape, found: Found, finder: Finder) -> tuple[str, tuple[Path, ...], str]:
    """Return why a shape is not found, the paths searched for what is missing, and the URI if the reason has none.

    All meshes of a package that is nowhere have one message: they have one cause.
    """
    if not shape.uri:
        return f"the <{shape.geometry.kind}> has no file: set its <uri>", (), ""
    if found.path is not None:
        what = Message("a folder", "choose a file in it") if found.path.is_dir() else "not a regular file"
        return f"{shape.uri} is " + what, (), ""
    if found.problem:
        return f"{shape.uri} is not found: " + found.problem, found.tried, ""
    if shape.file is not None and (folder := folder_without(shape.uri, shape.file, finder)) is not None:
        why = Message(f"{shape.uri} is not found: {folder} has no such file", "correct the URI, or add the file")
        return why, found.tried, ""
    address, folders = _package(shape.uri, found.tried)
    if folders and not any(folder.is_dir() for folder in folders):
        advice = "add the folder that holds it to the model folders"
        return Message(f"{address} is not found", advice), folders, shape.uri
    advice = "correct the URI, or add the folder that holds it to the model folders"
    return Message(f"{shape.uri} is not found", advice), found.tried, ""


def _package(uri: str, tried: Sequence[Path]) -> tuple[str, tuple[Path, ...]]:
    """Return the part of a URI that names a package, and the folders of that name among the paths tried."""
    scheme, _, rest = uri.partition("://")
    name, _, inside = rest.partition("/")
    depth = len(PurePosixPath(inside).parts)
    if scheme not in ("model", "package") or not depth:
        return "", ()
    folders = (path.parents[depth - 1] for path in tried if len(path.parents) >= depth)
    return f"{scheme}://{name}", tuple(dict.fromkeys(folder for folder in folders if folder.name == name))


def _selected(pieces: list[Piece], name: str) -> list[Piece]:
    """Return the pieces called ``name``, all of them: one node with two materials is two pieces."""
    chosen = [piece for piece in pieces if piece.name == name]
    if chosen:
        return chosen
    names = sorted({piece.name for piece in pieces if piece.name})
    if near := nearest(name, names):
        raise MeshFileError(Message(f"has no submesh {name!r}", f"did you mean {near[0]!r}?"))
    listed = ", ".join(map(repr, names[:8])) + (" ..." if len(names) > 8 else "")
    raise MeshFileError(Message(f"has no submesh {name!r}", f"it has {listed}" if names else "its parts have no names"))


def _centred(pieces: list[Piece]) -> list[Piece]:
    """Return pieces moved together so that the middle of their common box is the origin."""
    low = np.min([piece.positions.min(axis=0) for piece in pieces], axis=0)
    high = np.max([piece.positions.max(axis=0) for piece in pieces], axis=0)
    middle = np.asarray((low + high) / 2, np.float32)
    return [replace(piece, positions=piece.positions - middle) for piece in pieces]


def diagnose(model: Model, problems: Iterable[MeshProblem]) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each problem, at the element that it points at."""
    documents: dict[object, Document] = {model.document.path: model.document}
    documents |= {source.path: source for source in model.sources if source is not None}
    return tuple(_diagnose(problem, documents.get(problem.file)) for problem in problems)


def _diagnose(problem: MeshProblem, document: Document | None) -> Diagnostic:
    span = None
    if document is not None and problem.element is not None and problem.element in document:
        span = document.span(problem.element)
        if problem.millimetres:
            from sdfviewer.scene.assets import scale_fix  # noqa: PLC0415  # few files need it

            fixes = () if isinstance(document, ExpandedDocument) else (scale_fix(document, problem.element),)
            return Diagnostic(mesh_in_millimetres, mesh_in_millimetres.severity, problem.message, span, fixes=fixes)
    if problem.only_here:
        return Diagnostic(resource_only_here, resource_only_here.severity, problem.message, span)
    tried, message = tuple(map(str, problem.tried)), not_drawn.format(problem.message)
    drawn = (Related(problem.drawn, span),) if problem.drawn and span is not None else ()
    missing = problem.uri if problem.missing else ""
    return Diagnostic(
        not_drawn,
        not_drawn.severity,
        message,
        span,
        drawn,
        tried=tried,
        found_in=problem.found_in,
        missing_uri=missing,
        is_remote=problem.is_remote,
    )
