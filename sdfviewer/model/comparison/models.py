"""Two models compared whole: frames, joints, masses, shapes, appearance, sensors, lights, plugins, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Span
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Aspect
from sdfviewer.model.comparison.difference import PropertyChange, PropertyDifference
from sdfviewer.model.comparison.frames import SAME_POSE, FrameComparison, FrameDifference
from sdfviewer.model.comparison.values import (
    RELATIVE,
    SameText,
    Values,
    element_differences,
    joint_differences,
    record_differences,
    same_number,
    same_words,
    shown,
)
from sdfviewer.model.contents import CollisionContents, ContentsReader, Inertial, Material, Plugin, VisualContents
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Empty
from sdfviewer.model.values import IDENTITY
from sdfviewer.number_text import counted
from sdfviewer.transforms import Array, matrix_to_pose, pose_error, pose_to_matrix

#: What of a sensor is compared as a value with its default, whatever element writes it.
_READ_OF_SENSORS = frozenset(
    {
        "@name",
        "@type",
        *("update_rate", "topic", "frame_id", "gz_frame_id", "ignition_frame_id", "always_on", "visualize"),
        *("pose", "plugin", "ray", "lidar"),
        *("camera/horizontal_fov", "camera/image", "camera/clip", "camera/pose"),
    }
)
#: What of a projector or an emitter is compared elsewhere: its place is that of its frame.
_READ_OF_OTHERS = frozenset({"@name", "pose", "plugin"})
#: What holds plugins.
_HAVE_PLUGINS = frozenset(
    {Kind.WORLD, Kind.MODEL, Kind.LINK, Kind.JOINT, Kind.VISUAL, Kind.SENSOR, Kind.ACTOR, Kind.PROJECTOR}
)
#: What says more than records hold.
_HAVE_SETTINGS = frozenset({Kind.WORLD, Kind.MODEL, Kind.LINK, Kind.JOINT, Kind.VISUAL, Kind.COLLISION, Kind.LIGHT})


class Contents(Protocol):
    """Reads what the rows of models hold, of any format."""

    def reader_of(self, model: Model, row: int) -> ContentsReader:
        """Return the reader of a row."""
        ...

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row."""
        ...

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row."""
        ...

    def same_file(self, a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
        """Return whether a URI of A and one of B in their folders name one file."""
        ...

    def inertial(self, model: Model, row: int) -> Inertial | None:
        """Return the inertial of a link, automatic inertia computed; None where it cannot be."""
        ...

    def of_world(self, model: Model) -> tuple[object, ...]:
        """Return records of gravity, scene and physics; none for a model file."""
        ...

    def is_self_contained(self, model: Model, row: int) -> bool:
        """Return whether all that is read of a row is written in its element."""
        ...


class ModelComparison(FrameComparison):
    """Two models A and B: their frames, and what is written in them. Each aspect is computed when requested.

    Poses are the same within `SAME_POSE` (1e-9 m and rad), numbers within 1e-9 of the larger one or 1e-12 of their
    unit, moments of inertia within 1e-9 of the largest. URIs are the same where they lead to one file. What a format
    reads for a missing value counts as the value: an element that says the default is no difference.

    Parameters
    ----------
    a, b, renamed, rows, by_row, X_AB
        As of `FrameComparison`.
    contents
        Reads the rows.
    """

    def __init__(
        self,
        a: Model,
        b: Model,
        contents: Contents,
        renamed: Sequence[tuple[str, str]] = (),
        *,
        rows: Mapping[int, int] | None = None,
        by_row: bool = False,
        X_AB: Array | None = None,
    ) -> None:
        super().__init__(a, b, renamed, rows=rows, by_row=by_row, X_AB=X_AB)
        self._contents = contents
        self._found: dict[Aspect, list[PropertyDifference]] = {}

    @cached_property
    def _new_words(self) -> dict[str, str]:
        """The names, without that of the root, by which references call what has another name in B."""
        names = ((self.a.names[row], self.b.names[other]) for row, other in self.to_b.items())
        return {old.partition("::")[2] or old: new.partition("::")[2] or new for old, new in names if old != new}

    def properties(self, *aspects: Aspect) -> list[PropertyDifference]:
        """Return the properties that differ, of some aspects or of all, in the order of A.

        Only rows that are in both models are compared: what appeared or vanished is a difference of frames.
        """
        found: list[PropertyDifference] = []
        for aspect in aspects or tuple(Aspect):
            if aspect not in self._found:
                self._found[aspect] = list(self._finders[aspect]())
            found += self._found[aspect]
        return sorted(found, key=lambda each: each.row_before)

    def lost(self, *aspects: Aspect) -> list[PropertyDifference]:
        """Return the properties that are written in A and in B no longer, of some aspects or of all."""
        return [each for each in self.properties(*aspects) if each.change is PropertyChange.LOST]

    @property
    def _finders(self) -> dict[Aspect, Callable[[], Iterator[PropertyDifference]]]:
        return {
            Aspect.MODEL: self._models,
            Aspect.JOINT: self._joints,
            Aspect.MASS: self._masses,
            Aspect.SHAPE: self._shapes,
            Aspect.APPEARANCE: self._appearance,
            Aspect.CONTACT: self._contacts,
            Aspect.SENSOR: self._sensors,
            Aspect.LIGHT: self._lights,
            Aspect.ACTOR: self._actors,
            Aspect.PLUGIN: self._plugins,
            Aspect.PHYSICS: self._physics,
            Aspect.SETTING: self._settings,
        }

    # --- aspects -----------------------------------------------------------------------------------------------

    def _models(self) -> Iterator[PropertyDifference]:
        """Yield models that became static or are no longer, and where the top model says that it is."""
        a, b = self.a, self.b
        for row, other in self._pairs(Kind.MODEL):
            if a.static[row] != b.static[other]:
                values = Values("static", shown(bool(a.static[row])), shown(bool(b.static[other])))
                yield self._difference_of(Aspect.MODEL, row, other, values)
        if a.kinds[0] is Kind.MODEL is b.kinds[0]:
            metres, radians = pose_error(a.raw_poses[0], b.raw_poses[0])
            if metres > SAME_POSE or radians > SAME_POSE:
                yield self._difference_of(Aspect.MODEL, 0, 0, Values("pose", _own_pose(a), _own_pose(b)))

    def _joints(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.JOINT):
            joints = self.a.joints_by_row.get(row), self.b.joints_by_row.get(other)
            if joints[0] is not None and joints[1] is not None:
                same_uri = self._same_uri(row, other)
                for values in joint_differences(self, joints[0], joints[1], self._contents.reader_of, same_uri):
                    yield self._difference_of(Aspect.JOINT, row, other, values)

    def _masses(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.LINK):
            # A mass that is computed depends on where the collisions are.
            if self._is_shared(row, other) and self._is_unmoved[[row, *self.a.rows_in(row)]].all():
                continue
            inertials = self._contents.inertial(self.a, row), self._contents.inertial(self.b, other)
            element_a, element_b = (None if each is None else each.element for each in inertials)
            change = _change(*(each is None or not each.is_written for each in inertials))
            for values in _inertial_differences(*inertials):
                yield self._difference_of(Aspect.MASS, row, other, values, (element_a, element_b), change)

    def _shapes(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(*SHAPED):
            if not self._is_shared(row, other):
                part_a, part_b = self._parts(row, other)
                a, b = part_a.geometry, part_b.geometry
                for values in record_differences(a, b, self._same_uri(row, other), "geometry"):
                    change = _change(isinstance(a, Empty), isinstance(b, Empty))
                    yield self._difference_of(Aspect.SHAPE, row, other, values, (a.element, b.element), change)

    def _appearance(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.VISUAL):
            if not self._is_shared(row, other):
                part_a, part_b = self._parts(row, other)
                left_out = ("name", "geometry", "material.name")
                parts = _with_plain_material(part_a), _with_plain_material(part_b)
                yield from self._records(Aspect.APPEARANCE, row, other, *parts, left_out)

    def _contacts(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.COLLISION):
            if not self._is_shared(row, other):
                part_a, part_b = self._parts(row, other)
                # A density counts where the mass is computed from it, and is compared as that mass.
                left_out = ("name", "geometry", "density")
                yield from self._records(Aspect.CONTACT, row, other, part_a, part_b, left_out)

    def _sensors(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.SENSOR):
            if not self._is_shared(row, other):
                before, after = (reader.sensor(*of) for reader, of in self._readers(row, other))
                yield from self._records(Aspect.SENSOR, row, other, before, after, ("name",))
                yield from self._written(Aspect.SENSOR, row, other, _READ_OF_SENSORS)
        for row, other in self._pairs(Kind.PROJECTOR, Kind.PARTICLE_EMITTER):
            if not self._is_shared(row, other):
                yield from self._written(Aspect.SENSOR, row, other, _READ_OF_OTHERS)

    def _lights(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.LIGHT):
            if not self._is_shared(row, other):
                before, after = (reader.light(*of) for reader, of in self._readers(row, other))
                yield from self._records(Aspect.LIGHT, row, other, before, after, ("name",))

    def _actors(self) -> Iterator[PropertyDifference]:
        for row, other in self._pairs(Kind.ACTOR):
            if not self._is_shared(row, other):
                before, after = (reader.actor(*of) for reader, of in self._readers(row, other))
                yield from self._records(Aspect.ACTOR, row, other, before, after, ("name",))

    def _plugins(self) -> Iterator[PropertyDifference]:
        """Yield plugins that differ; they are matched by name and file, those of one name in their order."""
        for row, other in self._pairs(*_HAVE_PLUGINS):
            if self._is_shared(row, other):
                continue
            before, after = (_by_name(reader.plugins(*of)) for reader, of in self._readers(row, other))
            for key in dict.fromkeys((*before, *after)):
                label, a, b = f"plugin {key[0] or key[1]}", before.get(key), after.get(key)
                elements = None if a is None else a.element, None if b is None else b.element
                if a is None or b is None:
                    values = Values(label, None if a is None else a.filename, None if b is None else b.filename)
                    change = _change(a is None, b is None)
                    yield self._difference_of(Aspect.PLUGIN, row, other, values, elements, change)
                elif a.element is not None and b.element is not None and a.element is not b.element:
                    same_text = partial(self._same_text, self._same_uri(row, other))
                    for found in element_differences(a.element, b.element, same_text, {"@name", "@filename"}):
                        values = found._replace(name=f"{label} {found.name}")
                        yield self._difference_of(Aspect.PLUGIN, row, other, values, elements)

    def _physics(self) -> Iterator[PropertyDifference]:
        records = self._contents.of_world(self.a), self._contents.of_world(self.b)
        for before, after in zip(*records, strict=False):
            yield from self._records(Aspect.PHYSICS, 0, 0, before, after, ())
        if len(records[0]) != len(records[1]):
            before, after = (counted(len(each), "element") if each else None for each in records)
            values = Values("physics", before, after)
            yield self._difference_of(Aspect.PHYSICS, 0, 0, values)

    def _settings(self) -> Iterator[PropertyDifference]:
        """Yield what is written beside the records: gravity of a link, the engine's values of a joint or contact."""
        for row, other in self._pairs(*_HAVE_SETTINGS):
            if self._is_shared(row, other) and self.a.kinds[row] is not Kind.MODEL:
                continue
            before, after = (reader.settings(*of) for reader, of in self._readers(row, other))
            same_text = partial(self._same_text, self._same_uri(row, other))
            for path in dict.fromkeys((*before, *after)):
                a, b = before.get(path), after.get(path)
                if a is None or b is None or not same_words(a, b, same_text):
                    yield self._difference_of(Aspect.SETTING, row, other, Values(path, a, b))

    # --- rows --------------------------------------------------------------------------------------------------

    def _pairs(self, *kinds: Kind) -> Iterator[tuple[int, int]]:
        """Yield the rows of some kinds that are in both models."""
        rows = np.flatnonzero(self.a.kinds_are(*kinds))
        for row in rows.tolist():
            other = self.to_b.get(row)
            if other is not None and self.b.kinds[other] is self.a.kinds[row]:
                yield row, other

    def _is_shared(self, row: int, other: int) -> bool:
        """Return whether both rows are one element that says it all: an edit shares what it does not touch."""
        a, b = self.a, self.b
        return (
            a.elements[row] is b.elements[other]
            and a.version == b.version
            and self._contents.is_self_contained(a, row)
            and a.document_of(row).path == b.document_of(other).path
        )

    @cached_property
    def _is_unmoved(self) -> NDArray[np.bool_]:
        """Whether each row of A has the very same pose in B (n,)."""
        unmoved = np.zeros(len(self.a), dtype=bool)
        X_a, X_b = self.a.X_RootF, self.b.X_RootF
        unmoved[self._rows_a] = X_a is X_b or (X_a[self._rows_a] == X_b[self._rows_b]).all(axis=(1, 2))
        return unmoved

    def _readers(self, row: int, other: int) -> tuple[tuple[ContentsReader, tuple[Model, int]], ...]:
        """Return for a row of A and one of B what reads it, and what it is read with."""
        rows = (self.a, row), (self.b, other)
        return tuple((self._contents.reader_of(*each), each) for each in rows)

    def _parts(self, row: int, other: int) -> tuple[VisualContents | CollisionContents, ...]:
        """Return the visuals or the collisions of two rows."""
        read = self._contents.visual if self.a.kinds[row] is Kind.VISUAL else self._contents.collision
        return read(self.a, row), read(self.b, other)

    def _same_uri(self, row: int, other: int) -> SameText:
        return lambda a, b: self._contents.same_file(a, b, _folder(self.a, row), _folder(self.b, other))

    def _same_text(self, same_uri: SameText, a: str, b: str) -> bool:
        return self._new_words.get(a) == b or same_uri(a, b)

    def _records(
        self, aspect: Aspect, row: int, other: int, a: object, b: object, leave_out: Sequence[str]
    ) -> Iterator[PropertyDifference]:
        for values in record_differences(a, b, self._same_uri(row, other)):
            if not any(values.name == each or values.name.startswith(each + ".") for each in leave_out):
                elements = getattr(a, "element", None), getattr(b, "element", None)
                yield self._difference_of(aspect, row, other, values, elements)

    def _written(self, aspect: Aspect, row: int, other: int, leave_out: frozenset[str]) -> Iterator[PropertyDifference]:
        elements = self.a.elements[row], self.b.elements[other]
        same_text = partial(self._same_text, self._same_uri(row, other))
        for values in element_differences(*elements, same_text, leave_out):
            yield self._difference_of(aspect, row, other, values, elements)

    def _difference_of(
        self,
        aspect: Aspect,
        row: int,
        other: int,
        values: Values,
        elements: tuple[Element | None, Element | None] = (None, None),
        change: PropertyChange | None = None,
    ) -> PropertyDifference:
        a, b = self.a, self.b
        return PropertyDifference(
            aspect,
            change or _change(values.before is None, values.after is None),
            a.kinds[row].value,
            a.names[row],
            b.names[other],
            values.name,
            values.before,
            values.after,
            row,
            other,
            *elements,
        )

    def places(self, difference: FrameDifference | PropertyDifference) -> tuple[str | None, str | None]:
        """Return where a difference is written in A and in B, as ``file:line``; None where it is not there."""
        before, after = (None if span is None else f"{span.path}:{span.line}" for span in self.spans(difference))
        return before, after

    def spans(self, difference: FrameDifference | PropertyDifference) -> tuple[Span | None, Span | None]:
        """Return where a difference is written in A and in B; None where it is not there."""
        element_a = element_b = None
        if isinstance(difference, PropertyDifference):
            element_a, element_b = difference.element_before, difference.element_after
        return (
            _place(self.a, difference.row_before, element_a),
            _place(self.b, difference.row_after, element_b),
        )


def _place(model: Model, row: int, element: Element | None) -> Span | None:
    if row < 0:
        return None
    document = model.document_of(row)
    return document.span(element if element is not None and element in document else model.elements[row])


def _change(is_missing_before: bool, is_missing_after: bool) -> PropertyChange:
    if is_missing_before == is_missing_after:
        return PropertyChange.CHANGED
    return PropertyChange.ADDED if is_missing_before else PropertyChange.LOST


def _with_plain_material(part: VisualContents | CollisionContents) -> VisualContents | CollisionContents:
    """Return a part whose material itself holds what counts without its script; an empty material is none."""
    material = part.material if isinstance(part, VisualContents) else None
    if material is None or not isinstance(part, VisualContents):
        return part
    if material == Material(name=material.name):
        return replace(part, material=None)
    if material.base is None:
        return part
    plain = replace(material, script=None).over(material.base)
    return replace(part, material=replace(plain, script=material.script, base=None))


def _inertial_differences(a: Inertial | None, b: Inertial | None) -> Iterator[Values]:
    if a is None or b is None:
        if a is not b:
            yield Values("inertia", None if a is None else shown(a.mass), None if b is None else shown(b.mass))
        return
    if not same_number(a.mass, b.mass):
        yield Values("mass", shown(a.mass), shown(b.mass))
    if a.mass == b.mass == 0 and not any((*a.moments, *b.moments)):
        return  # nothing is anywhere
    centres = a.center_of_mass, b.center_of_mass
    if not np.allclose(*centres, rtol=0, atol=SAME_POSE, equal_nan=True):
        yield Values("center_of_mass", *(shown(tuple(each.tolist())) for each in centres))
    matrices = a.inertia_in_link, b.inertia_in_link
    largest = max(float(np.nanmax(np.abs(each), initial=0.0)) for each in matrices)
    if not np.allclose(*matrices, rtol=0, atol=RELATIVE * largest, equal_nan=True):
        yield Values("inertia", *(shown(tuple(each[np.triu_indices(3)].tolist())) for each in matrices))


def _by_name(plugins: Sequence[Plugin]) -> dict[tuple[str, str, int], Plugin]:
    found: dict[tuple[str, str, int], Plugin] = {}
    for plugin in plugins:
        number = sum(key[:2] == (plugin.name, plugin.filename) for key in found)
        found[(plugin.name, plugin.filename, number)] = plugin
    return found


def _folder(model: Model, row: int) -> Path | None:
    path = model.document_of(row).path
    return None if path is None else path.absolute().parent


def _own_pose(model: Model) -> str | None:
    if np.array_equal(model.raw_poses[0], pose_to_matrix(IDENTITY)):
        return None
    return shown(tuple(matrix_to_pose(model.raw_poses[0]).tolist()))
