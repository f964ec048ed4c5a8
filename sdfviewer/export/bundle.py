"""Export a model and its meshes to a folder that other programs can load."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sdfviewer.diagnostics import PlacedSentence, SdfViewerError, Span
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Replacements
from sdfviewer.export.conversion import (
    ConversionOptions,
    Step,
    arguments_of,
    at_urdf_places,
    from_urdf,
    mjcf_step,
    rewritten,
    urdf_places_in_refusals,
    urdf_step,
)
from sdfviewer.export.mesh_files import MeshFiles
from sdfviewer.export.read_back import Bundled
from sdfviewer.export.writing import MeshForm, WrittenMesh, element
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import parts_of_regular, why_unreadable
from sdfviewer.files.uris import AssetKind, NamedFile, UriForm, named_files
from sdfviewer.formats.comparison import compare, read_back
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.whole import change_version, inline_includes
from sdfviewer.scene.assets import Asset, find_assets
from sdfviewer.scene.copied_files import copied_files
from sdfviewer.versions import format_version, parse_version

#: MuJoCo drops the folders of file names in a URDF, and its visuals, by default, refuses links without mass, and weighs
#: the shapes of those without an inertial.
_FOR_MUJOCO = element(
    "mujoco",
    None,
    element(
        "compiler",
        {
            "strippath": "false",
            "discardvisual": "false",
            "fusestatic": "false",
            "inertiafromgeom": "false",
            "balanceinertia": "true",
            "boundmass": "1e-06",
            "boundinertia": "1e-09",
        },
    ),
)

#: Characters of a file's name: with a suffix, every file system takes them.
_LONGEST_STEM = 100


@dataclass
class Bundle:
    """The files of a bundle before they are written, and what is lost.

    Attributes
    ----------
    name
        The file of the model.
    text
        Its content.
    files
        All other files, by their name in the bundle: bytes, or a file to copy.
    notes
        What could not be carried over, each with its place.
    losses
        How many of them are lost rather than written otherwise.
    faults
        How many of them differ though nothing announced it: errors of this program.
    steps
        How the model was converted, read back.
    """

    name: str
    text: str
    files: dict[str, bytes | Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    losses: int = 0
    faults: int = 0
    steps: tuple[Step, ...] = ()

    def add(self, *steps: Step) -> None:
        """Add steps with what they say."""
        self.steps += steps
        for step in steps:
            self.notes += [*step.sentences, *step.faults]
            self.losses += len(step.losses)
            self.faults += len(step.faults)

    def write(self, folder: Path) -> None:
        """Write all files into a folder that is new or empty: all of them, or none where one cannot be written.

        Raises
        ------
        SdfViewerError
            If it is not empty or cannot be written, or a file to copy cannot be read.
        """
        try:
            is_there = folder.exists()
            if is_there and any(folder.iterdir()):
                raise SdfViewerError(f"{folder} is not empty: choose a new folder for the bundle")
            # Keep an existing folder: it may be a mount point, a link, or a working directory.
            around = folder if is_there else folder.parent
            around.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=".bundle-", dir=around) as temporary:
                content = Path(temporary) / "content"
                content.mkdir()
                self._fill(content)
                if is_there:
                    _move_all(content, folder)
                else:
                    content.replace(folder)
        except OSError as error:
            raise SdfViewerError(f"cannot write {folder}: {error.strerror or error}") from error

    def _fill(self, folder: Path) -> None:
        for name, content in {**self.files, self.name: self.text.encode("utf-8", "surrogateescape")}.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "wb") as written:
                written.writelines(_parts_of(content) if isinstance(content, Path) else (content,))


def _parts_of(file: Path) -> Iterator[bytes]:
    try:
        yield from parts_of_regular(file)
    except OSError as error:
        raise SdfViewerError(why_unreadable(file, error)) from error


def _move_all(source: Path, target: Path) -> None:
    """Move all that is in a folder into an empty one on the same disk, or nothing."""
    moved: list[Path] = []
    try:
        for entry in sorted(source.iterdir()):
            moved.append(entry.replace(target / entry.name))
    except BaseException:
        for entry in moved:
            entry.replace(source / entry.name)
        raise


def make_bundle(
    model: Model,
    loader: Loader,
    target: str,
    folder: Path,
    uris: UriForm,
    meshes: MeshForm,
    options: ConversionOptions | None = None,
) -> Bundle:
    """Return a bundle of a model in any format.

    Parameters
    ----------
    model, loader
        The model, and what has loaded it.
    target
        ``urdf``, ``mjcf`` or a version of SDFormat.
    folder, uris, meshes
        See :func:`bundle_urdf`.
    options
        How it is converted, as usual by default.

    Raises
    ------
    SdfViewerError
        If the model cannot be written that way, or a frame would move.
    """
    model, options = loader.load_expansion(model), options or ConversionOptions()
    if target == "mjcf":
        return bundle_mjcf(model, loader.finder, folder, uris, meshes, options)
    if target == "urdf":
        return bundle_urdf(model, loader.finder, folder, uris, meshes, options)
    wanted = parse_version(target)
    if wanted is None:
        raise SdfViewerError(f"a bundle must be urdf, mjcf or a version of SDFormat, not {target}")
    steps: list[Step] = []
    robot: Model | None = None
    if not has_versions(model.document):
        step, after = from_urdf(model, loader, options)
        steps.append(step)
        robot, model = model, after
    other = {**arguments_of(change_version, options), "version": format_version(wanted)}
    for operation, arguments in ((inline_includes, {}), (change_version, other)):
        with urdf_places_in_refusals(model, robot):
            edit = operation.perform(EditContext(model, loader), arguments).edit
        step, model = rewritten(model, edit, loader, robot)
        steps.append(step)
    return bundle_sdformat(model, loader, folder, uris, meshes, steps, robot)


def bundle_urdf(
    model: Model,
    finder: Finder,
    folder: Path,
    uris: UriForm,
    meshes: MeshForm,
    options: ConversionOptions | None = None,
) -> Bundle:
    """Return a bundle with a model as URDF.

    Parameters
    ----------
    model, finder
        The model, and what finds its meshes.
    folder
        The target folder, for absolute names.
    uris, meshes
        How files are named, and how meshes are written.
    options
        How it is converted, as usual by default.
    """
    files = MeshFiles(finder, meshes, closed=True)
    stem = _stem(model)
    name = _Naming(files, _prefix(uris, folder, stem))
    export, step = urdf_step(model, options or ConversionOptions(), name.add, Bundled(model, name.written))
    head, tag, rest = export.text.partition("</robot>")
    text = head + "\n".join(f"  {line}" for line in _FOR_MUJOCO) + "\n" + tag + rest
    bundle = Bundle(f"{stem}.urdf", text, files.contents, files.notes)
    bundle.add(step)
    return _finished(bundle, uris, stem)


def bundle_mjcf(
    model: Model,
    finder: Finder,
    folder: Path,
    uris: UriForm,
    meshes: MeshForm,
    options: ConversionOptions | None = None,
) -> Bundle:
    """Return a bundle with a model as MJCF; see :func:`bundle_urdf`. MuJoCo knows no packages.

    Raises
    ------
    SdfViewerError
        For ``model`` and ``package``, and for meshes in a format that MuJoCo does not read.
    """
    if uris in ("model", "package"):
        raise SdfViewerError(f"MuJoCo does not support {uris}:// URIs: use --uris relative or absolute")
    if meshes == "glb":
        raise SdfViewerError("MuJoCo reads only OBJ and STL meshes: use --meshes obj or stl")
    files = MeshFiles(finder, "obj" if meshes == "keep" else meshes, closed=True)
    stem = _stem(model)
    name = _Naming(files, _prefix(uris, folder, stem))
    text, step = mjcf_step(model, finder, options or ConversionOptions(), name.add)
    bundle = Bundle(f"{stem}.xml", text, files.contents, files.notes)
    bundle.add(step)
    return bundle


def bundle_sdformat(
    model: Model,
    loader: Loader,
    folder: Path,
    uris: UriForm,
    meshes: MeshForm,
    steps: Sequence[Step] = (),
    robot: Model | None = None,
) -> Bundle:
    """Return a bundle with a file of SDFormat and all files that it names, with its includes put in already.

    Parameters
    ----------
    model, loader
        What the file means, and what has loaded it.
    folder, uris, meshes
        See :func:`bundle_urdf`.
    steps
        How the file was made.
    robot
        The URDF that it was made from: what is lost has its lines.
    """
    document, finder, stem = model.document, loader.finder, _stem(model)
    files = MeshFiles(finder, meshes)
    prefix = _prefix(uris, folder, stem, "model")
    name = _Naming(files, prefix)
    bundle = Bundle(f"{stem}.sdf", document.text, files.contents)
    bundle.add(*steps)
    edits: Replacements = ()
    uses: dict[tuple[AssetKind, str, str], list[NamedFile]] = {}
    names: dict[str, set[str]] = {}
    lost: list[tuple[Span, str]] = []
    for use in named_files(document):
        uses.setdefault((use.kind, use.uri, use.submesh), []).append(use)
    for asset in find_assets(model, finder, read=False):
        if (
            asset.used_by is not None
            or asset.kind in (AssetKind.PLUGIN, AssetKind.INCLUDE)
            or (not asset.tried and asset.path is None)
        ):
            continue
        written = _sdformat_file(asset, name.add, files, prefix)
        if isinstance(written, str):
            lost.append((document.span(asset.element, asset.part), written))
            continue
        names.setdefault(asset.uri, set()).add(written.file)
        for use in uses.get((asset.kind, asset.uri, asset.submesh), ()):
            edits += use.renamed(document, written.file)
    after = loader.load(document.edited(edits))
    if after is None:
        raise SdfViewerError(f"{document.name} cannot be read with the names of the bundle")
    bundle.text = after.document.text
    back = read_back(compare(model, after, by_row=True, contents=Bundled(model, {}, names)), ())
    sentences, losses = (
        at_urdf_places([PlacedSentence.at(span, word + what) for span, what in lost], model, robot)
        for word in ("lost: ", "")
    )
    bundle.add(Step(sentences, losses, (), back, robot))
    bundle.notes += files.notes
    return _finished(bundle, uris, stem)


def _sdformat_file(
    asset: Asset, add_mesh: Callable[[Geometry], WrittenMesh | str], files: MeshFiles, prefix: str
) -> WrittenMesh | str:
    """Return the file of the bundle that replaces one that an SDFormat document names."""
    if asset.path is None:
        return f"the {asset.kind} {asset.uri} is not found"
    if asset.kind is AssetKind.MESH:
        return add_mesh(Mesh(uri=asset.uri, file=asset.document.path))
    try:
        inside = copied_files(asset, files.finder)
    except SdfViewerError as error:
        return str(error)
    if asset.path.is_dir():
        for file in inside:
            files.contents[f"materials/{asset.path.name}/{file.relative_to(asset.path).as_posix()}"] = file
        return WrittenMesh(f"{prefix}materials/{asset.path.name}", (1.0, 1.0, 1.0))
    name = f"materials/textures/{asset.path.name}"
    number = 2
    while files.contents.get(name, asset.path) != asset.path:
        name = f"materials/textures/{asset.path.stem}_{number}{asset.path.suffix}"
        number += 1
    files.contents[name] = asset.path
    return WrittenMesh(f"{prefix}{name}", (1.0, 1.0, 1.0))


def _stem(model: Model) -> str:
    """Return the name of a model as that of a file and a package."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", model.name)[:_LONGEST_STEM].strip(".") or "model"


def _prefix(uris: UriForm, folder: Path, stem: str, scheme: str = "package") -> str:
    """Return the prefix of the name of a file in the bundle; all files of one are copied."""
    if uris in ("relative", "copied"):
        return ""
    if uris == "absolute":
        return f"{folder.absolute().as_posix()}/"
    return f"{'model' if uris == 'model' else scheme}://{stem}/"


@dataclass(frozen=True)
class _Naming:
    """Adds geometries to the files of a bundle, and remembers how it has written each."""

    files: MeshFiles
    prefix: str
    written: dict[Geometry, WrittenMesh] = field(default_factory=dict)

    def add(self, geometry: Geometry) -> WrittenMesh | str:
        """Return the file of a geometry as the model names it, or in words why it has none."""
        written = self.files.add(geometry)
        if isinstance(written, str):
            return written
        self.written[geometry] = named = WrittenMesh(self.prefix + written.file, written.scale)
        return named


def _finished(bundle: Bundle, uris: UriForm, stem: str) -> Bundle:
    """Return a bundle with what makes its folder a package or a model where its files are named that way."""
    if uris in ("model", "package") and bundle.name.endswith(".sdf"):
        config = element("sdf", {"version": parse_document(bundle.text).root.word("version")}, bundle.name)  # type: ignore[union-attr]
        lines = element("model", None, [*element("name", None, stem), *config])
        bundle.files["model.config"] = "\n".join(['<?xml version="1.0"?>', *lines, ""]).encode()
    elif uris in ("model", "package"):
        lines = element("package", {"format": "2"}, [*element("name", None, stem), *element("version", None, "0.0.0")])
        bundle.files["package.xml"] = "\n".join(['<?xml version="1.0"?>', *lines, ""]).encode()
    return bundle
