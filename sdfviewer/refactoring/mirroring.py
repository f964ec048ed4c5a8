"""Mirror or repeat a limb: write its links, joints and frames again elsewhere, under other names.

With the reflection S = diag(1, -1, 1) of the y axis, a frame F that is X_RF in the frame R of the plane becomes
X_RF' = S X_RF S. The copy of each frame is reflected within itself too, so that what is written in a copied frame is
reflected the same way: positions by S, rotations by S R S, directions d by S d, axes of rotation a by -S a. A joint of
the copy therefore takes the same positions, within the same limits, for the mirrored configuration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    insert_behind,
    insert_child,
    prepend_child,
    set_attribute,
    set_text,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import table
from sdfviewer.formats.registry import writing_of
from sdfviewer.formats.urdf.elements import NAMED_IN_GAZEBO, gazebo_lines
from sdfviewer.formats.writing import SDFORMAT_WRITING
from sdfviewer.model.kinds import JOINT_AXES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference, find_mentions, find_references, set_name
from sdfviewer.model.shapes import SHAPES
from sdfviewer.model.shapes.mesh import MirroredMesh, no_mirrored_mesh
from sdfviewer.model.values import (
    NOISE,
    WrittenPose,
    format_number,
    format_numbers,
    parse_numbers,
    read_vector,
)
from sdfviewer.refactoring.draft import note
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.limb import LimbCopy, Mirror, Repetition, copied_names, limb
from sdfviewer.refactoring.pose_notation import Notation, matrix_of, notation_of, numbers_of
from sdfviewer.transforms import Array

_OF_JOINTS = frozenset({"parent", "child"})
_TURNING = frozenset(JOINT_AXES) - {"prismatic"}


def mirror_limb(model: Model, mirror: Mirror, mirrored_mesh: MirroredMesh = no_mirrored_mesh) -> Edit:
    """Return the edit that writes the mirrored copy of a limb behind it.

    A mesh whose mirror image lies beside it is replaced by that, any other one is mirrored by a negative scale.

    References from the limb to what is on its own side go to the other side where there is something of that name:
    a joint on ``left_shoulder`` is copied to ``right_shoulder``. Everything else is referred to as it was.

    Raises
    ------
    RefactoringError
        If the limb is written elsewhere, if a name is taken, or if a part of it cannot be mirrored.
    """
    writer = _Writer(model, mirror, copied_names(model, mirror), mirrored_mesh)
    return _insert(model, mirror.link, [writer], f"Mirror {model.distinct_name(mirror.link)}")


def repeat_limb(model: Model, copies: Sequence[Repetition]) -> Edit:
    """Return the edit that writes copies of a limb behind it, around an axis or along it.

    References inside of the limb are to what is in the copy, all others to what they were.

    Raises
    ------
    RefactoringError
        If the limb is written elsewhere, if a name is taken, or if the model is carried by the limb.
    """
    link = copies[0].link
    if model.canonical_links.get(int(model.owners[link])) in limb(model, link):
        raise RefactoringError(f"'{model.names[link]}' carries the model: choose a link that a joint carries")
    writers = [_Repeater(model, copy, copied_names(model, copy)) for copy in copies]
    return _insert(model, link, writers, f"Repeat {model.distinct_name(link)}")


def _insert(model: Model, link: int, writers: Sequence[_Writer], label: str) -> Edit:
    """Return the edit that writes copies of a limb behind it."""
    members = limb(model, link)
    for row in members:
        require_editable(model, row)
        if model.elements[row].tag == "include" or any(
            model.elements[each].tag == "include" for each in model.inside(row)
        ):
            raise RefactoringError(f"'{model.names[row]}' is an include; inline it before you copy it")
    if (why := writing_of(model, link).why_fixed(model, link)) is not None:
        raise RefactoringError(f"a limb begins with a link that a joint carries: {why}")
    document = model.document
    copies = [text for writer in writers for text in (*map(writer.copy, members), *writer.extensions())]
    beside = [row for row in members if writing_of(model, row) is writing_of(model, link)]
    last = max((model.elements[row] for row in beside), key=document.offset)
    prefix = model.member_prefix(int(model.owners[link]))
    added = tuple(prefix + writer.names[row] for writer in writers for row in members)
    notes = tuple(dict.fromkeys(sentence for writer in writers for sentence in writer.notes()))
    edits = insert_behind(document, last, "\n".join(copies))
    return Edit(label, document, edits, added=added, notes=notes)


class _Writer:
    """Writes what differs between the members of a limb and their copies."""

    def __init__(
        self, model: Model, mirror: LimbCopy, names: Mapping[int, str], mirrored_mesh: MirroredMesh = no_mirrored_mesh
    ) -> None:
        self._model, self._mirror, self.names = model, mirror, names
        self._mirrored_mesh = mirrored_mesh
        self._writing = writing_of(model, mirror.link)
        self._is_robot = self._writing.places(model, mirror.link) is not None
        self._i = mirror.axis
        self._s = np.where(np.arange(3) == mirror.axis, -1.0, 1.0)
        self._S = np.diag([*self._s, 1.0])
        self._plane = mirror.frame if mirror.frame >= 0 else int(model.owners[mirror.link])
        self._inside = {each for row in limb(model, mirror.link) for each in model.inside(row)}
        # What the <gazebo> elements of a URDF hold is behind all links.
        self._inside |= {row for row, owner in enumerate(model.owners.tolist()) if row > 0 and owner in self._inside}
        self._references: dict[int, Replacements] = {}
        for reference in chain(find_references(model), find_mentions(model)):
            # What a frame on the model is attached to is written with its pose.
            is_own = reference.attribute == "attached_to" and self._carried_along(reference.row)
            if reference.row in self._inside and not is_own:
                written = reference.write(model.document, self._name_after(reference))
                self._references[reference.row] = self._references.get(reference.row, ()) + written

    def extensions(self) -> Iterator[str]:
        """Yield the copies of what the ``<gazebo>`` elements of a URDF say about the limb; they are SDFormat."""
        model, root = self._model, self._model.document.root
        written = {model.elements[row].attributes.get("name"): row for row in self.names if model.owners[row] == 0}
        for element in root.children if self._is_robot and root is not None else ():
            row = written.get(element.attributes.get("reference")) if element.tag == "gazebo" else None
            if row is not None:
                self._writing = SDFORMAT_WRITING
                edits = set_attribute(model.document, element, "reference", self.names[row])
                for child in element.children:
                    edits += self._content(child, row)
                    if child.tag in NAMED_IN_GAZEBO and (own := child.attributes.get("name")):
                        # Gazebo puts them on one link, where fixed joints join links.
                        edits += set_attribute(model.document, child, "name", self._mirror.copied(own))
                self._writing = writing_of(model, row)
                places = {(each.start, each.end) for each in edits}
                edits += tuple(each for each in self._named_in(element) if (each.start, each.end) not in places)
                yield element_source(model.document, element, edits)

    def _named_in(self, element: Element) -> Iterator[Replacement]:
        """Yield the edits of the names of the limb that are written in an element."""
        start, end = self._model.document.offsets(element, "element")
        for edits in self._references.values():
            yield from (each for each in edits if start <= each.start and each.end <= end)

    def notes(self) -> Iterator[str]:
        """Yield sentences about what the copies still share with the limb."""
        document = self._model.document
        for row in sorted(self._inside):
            for plugin in self._model.elements[row].findall("plugin"):
                yield note(document, plugin, "the copy of this plugin has the same parameters; check the names in it")

    # --- names -------------------------------------------------------------------------------------------------------

    def _name_after(self, reference: Reference) -> str:
        """Return what a reference of the limb names in the copy."""
        steps = reference.steps(self._model)
        components = reference.name.split("::")
        if len(steps) < len(components):
            return reference.name
        if steps[-1] in self._inside:
            return reference.renamed(self._model, self.names)
        if reference.attribute in _OF_JOINTS and self._model.kinds[steps[-1]] is Kind.MODEL:
            # The model rides on its canonical link: where that is in the limb, the copy rides on the copy of it.
            body = int(self._model.bodies[steps[-1]])
            if body in self.names and int(self._model.owners[body]) == reference.scope:
                return self.names[body]
        after = self._row_after(steps[-1])
        name = None if after == steps[-1] else self._model.name_in(reference.scope, after)
        return reference.name if name is None else name

    def _row_after(self, row: int) -> int:
        """Return what the copy refers to instead of a row outside of the limb: that of the other side, if any."""
        if row in self._inside or row <= 0:
            return row
        parts = [self._mirror.swapped(part) or part for part in self._model.names[row].split("::")]
        return self._model.rows_by_name.get("::".join(parts), row)

    # --- one member --------------------------------------------------------------------------------------------------

    def copy(self, row: int) -> str:
        """Return the copy of a member; what a URDF holds in a ``<gazebo>`` is SDFormat, and is in one again."""
        model = self._model
        self._writing = writing_of(model, row)
        source = element_source(model.document, model.elements[row], self.changes(row))
        if self._is_robot and self._writing is SDFORMAT_WRITING:
            source = "\n".join(gazebo_lines("", source.splitlines()))
        self._writing = writing_of(model, self._mirror.link)
        return source

    def changes(self, row: int) -> Replacements:
        """Return what the copy of a member has otherwise, as an edit of the member."""
        model = self._model
        edits: Replacements = ()
        for each in model.inside(row):
            if each in self.names:
                edits += self._renamed(row, each)
            edits += self._references.get(each, ())
        edits += self._carried_along(row)
        if self._writing.rows_at(model, row)[0] == row:  # a link of a URDF is where its joint is
            edits += self._own_pose(row)
        if model.kinds[row] is Kind.JOINT:
            edits += self._axes(row) if self._writing is SDFORMAT_WRITING else self._axis_of_urdf(row)
        for child in model.elements[row].children:
            edits += self._content(child, row)
        return edits

    def _carried_along(self, row: int) -> Replacements:
        """Return the edit that lets the copy of a frame on the model ride on the copy of its canonical link.

        Its pose stays measured from the model, which was the default and no longer is.
        """
        model, element = self._model, self._model.elements[row]
        on = int(model.attached_to[row])
        body = self.names.get(int(model.bodies[row])) if model.kinds[row] is Kind.FRAME and on >= 0 else None
        if body is None or model.kinds[on] is not Kind.MODEL or on != int(model.owners[row]):
            return ()
        edits = set_attribute(model.document, element, "attached_to", body)
        pose = element.find("pose")
        if pose is None:
            return edits + prepend_child(model.document, element, '<pose relative_to="__model__"/>')
        if pose.attributes.get("relative_to"):
            return edits
        return edits + set_attribute(model.document, pose, "relative_to", "__model__")

    def _renamed(self, member: int, row: int) -> Replacements:
        """Return the edit of the name of a member, or of a row in it; what is in a link of a URDF may have no name."""
        document, element = self._model.document, self._model.elements[row]
        if row == member or self._writing is SDFORMAT_WRITING:
            return set_name(document, element, self.names[row])
        new = self._mirror.swapped(element.attributes.get("name", ""))
        return () if new is None else set_attribute(document, element, "name", new)

    def _own_pose(self, row: int, turn: Array | None = None) -> Replacements:
        """Return the edit of the pose of a member: reflected about the plane, in the frame that it is relative to.

        Parameters
        ----------
        turn
            How what is in it is turned before that, where that is not reflected by itself; a pose (4, 4).
        """
        model = self._model
        written = self._writing.read_pose(model, model.elements[row])
        target = int(model.relative_to[row])
        if self._is_reflected(target) and turn is None:
            return self._flipped(written)
        after = self._row_after(target)
        X_RootR = model.X_RootF[self._plane]
        X_RF = transforms.invert(X_RootR) @ model.X_RootF[row]
        X_RootK = model.X_RootF[after]
        X_KF = transforms.invert(X_RootK) @ X_RootR @ self._S @ X_RF @ self._S @ (np.eye(4) if turn is None else turn)
        if not np.isfinite(X_KF).all():
            raise RefactoringError(f"the pose of '{model.names[row]}' is undefined")
        return self._put(model.elements[row], written, X_KF)

    def _is_reflected(self, row: int) -> bool:
        """Return whether what the copy refers to instead of a row is the reflection of that."""
        if row < 0 or row in self._inside:
            return True  # what finds nothing has no pose to keep
        X_RootR, X_RootF = self._model.X_RootF[self._plane], self._model.X_RootF
        X_RK, X_RA = (transforms.invert(X_RootR) @ X_RootF[each] for each in (row, self._row_after(row)))
        return bool(np.allclose(self._S @ X_RK @ self._S, X_RA, rtol=0, atol=1e-9))

    def _put(self, element: Element, written: WrittenPose, X: Array) -> Replacements:
        document = self._model.document
        if written.element is not None:
            return self._writing.write_pose(document, written, numbers_of(X, notation_of(written)))
        if np.allclose(X, np.eye(4), rtol=0, atol=NOISE):
            return ()
        return self._writing.insert_pose(document, element, numbers_of(X, Notation.RADIANS))

    def _flipped(self, written: WrittenPose) -> Replacements:
        """Return the edit of a pose in a frame that is reflected like it: X' = S X S, number by number."""
        element = written.element
        numbers = self._writing.pose_numbers(written)
        if element is None or numbers is None or len(numbers) not in (6, 7):
            return ()
        turned = [1.0 if axis == self._i else -1.0 for axis in range(3)]
        signs = [*self._s.tolist(), *turned, 1.0]
        return self._writing.write_pose(
            self._model.document, written, [sign * number + 0.0 for sign, number in zip(signs, numbers, strict=False)]
        )

    # --- joints ------------------------------------------------------------------------------------------------------

    def _axes(self, row: int) -> Replacements:
        model, document = self._model, self._model.document
        element = model.elements[row]
        number = next(number for number, joint in enumerate(model.joints) if joint.row == row)
        sign = self._turning_sign(model.joints[number].type)
        edits: Replacements = ()
        axes = model.scope.joints[number].axes
        for axis, written in zip(axes, element.findall("axis", "axis2"), strict=False):
            xyz = written.find("xyz")
            v = np.array(read_vector(written, "xyz", (0.0, 0.0, 1.0)))
            after = sign * self._mirrored_direction(v, axis.expressed_in)
            if np.abs(after - v).max() <= NOISE:
                continue
            text = format_numbers(after.tolist())
            if xyz is not None:
                edits += set_text(document, xyz, text)
            else:
                edits += prepend_child(document, written, f"<xyz>{text}</xyz>")
        return edits + self._threads(row)

    def _turning_sign(self, joint_type: str) -> float:
        """Return by what the mirrored direction of an axis is multiplied: an axis of rotation is reversed."""
        return -1.0 if joint_type in _TURNING else 1.0

    def _threads(self, row: int) -> Replacements:
        """Return the edit of the thread of a screw, which is left-handed where it was right-handed."""
        model, document, element = self._model, self._model.document, self._model.elements[row]
        edits: Replacements = ()
        pitches = element.findall("thread_pitch", "screw_thread_pitch")
        for pitch in pitches:
            edits += self._negated(pitch)
        if model.joints_by_row[row].type == "screw" and not pitches:
            edits += insert_child(document, element, self._left_handed())
        return edits

    def _axis_of_urdf(self, row: int) -> Replacements:
        """Return the edit of the axis of a joint of a URDF, which is expressed in the joint."""
        document, element, joint = self._model.document, self._model.elements[row], self._model.joints_by_row[row]
        written = element.find("axis")
        numbers = parse_numbers("1 0 0" if written is None else written.attributes.get("xyz", ""))
        if numbers is None or len(numbers) != len("xyz") or not joint.axes:
            return ()
        after = (-1.0 if joint.type in _TURNING else 1.0) * self._s * np.array(numbers) + 0.0
        if np.abs(after - numbers).max() <= NOISE:
            return ()
        text = format_numbers(after.tolist())
        if written is None:
            return insert_child(document, element, f'<axis xyz="{text}"/>')
        return set_attribute(document, written, "xyz", text)

    def _left_handed(self) -> str:
        """Return the thread of the default pitch, one metre for a turn, in the other direction."""
        joint = table(self._model.version).element("model/joint")
        if joint is not None and "screw_thread_pitch" in joint.children:
            return "<screw_thread_pitch>-1</screw_thread_pitch>"
        return f"<thread_pitch>{format_number(2 * math.pi)}</thread_pitch>"  # the older element has the other sign

    def _mirrored_direction(self, v: Array, frame: int) -> Array:
        """Return the reflection (3,) of a direction that is expressed in a frame, in what takes the place of that."""
        if frame < 0 or self._is_reflected(frame):
            return self._s * v
        after = self._row_after(frame)
        X_RRoot = transforms.invert(self._model.X_RootF[self._plane])
        R_RE, R_RK = ((X_RRoot @ self._model.X_RootF[each])[:3, :3] for each in (frame, after))
        direction: Array = R_RK.T @ (self._s * (R_RE @ v))
        return direction

    # --- contents ----------------------------------------------------------------------------------------------------

    def _content(self, element: Element, row: int) -> Replacements:
        """Return the edit of what is written in a member, in frames that are reflected with it."""
        edits: Replacements = ()
        if element.tag in ("pose", "axis", "axis2", "plugin", "origin", "parent", "child"):
            return edits
        if self._model.kinds[row] is Kind.MODEL and element.tag == "joint":
            raise RefactoringError(f"'{self._model.names[row]}' has joints of its own; mirror the links in it instead")
        geometry = element.find("geometry")
        turn = np.eye(4)
        if geometry is not None:
            for shape in geometry.children:
                edits += self._shape(shape)
                if (kind := SHAPES.get(shape.tag)) is not None:
                    turn = turn @ np.diag([*kind.turn_in_mirror(self._i), 1.0])
        written = self._writing.read_pose(self._model, element)
        own = self._model.rows_by_element.get(id(element), row)
        if own != row and not self._is_reflected(int(self._model.relative_to[own])):  # a sensor measured from elsewhere
            edits += self._own_pose(own, None if np.array_equal(turn, np.eye(4)) else turn)
        elif np.array_equal(turn, np.eye(4)):
            edits += self._flipped(written)
        else:
            edits += self._put(
                element,
                written,
                self._S
                @ (matrix_of(written.raw, Notation.RADIANS) if written.exact is None else written.exact)
                @ self._S
                @ turn,
            )
        edits += self._vectors(element)
        for child in element.children:
            if child.tag != "geometry":
                edits += self._content(child, row)
        return edits

    def _vectors(self, element: Element) -> Replacements:
        """Return the edit of an element that is no pose: a direction, products of inertia, added mass."""
        if element.tag == "direction":
            return self._scaled(element, self._s)
        edits: Replacements = ()
        if element.tag == "inertia" and self._writing is not SDFORMAT_WRITING:
            for name in ("ixy", "ixz", "iyz"):
                numbers = parse_numbers(element.attributes.get(name, ""))
                if "xyz"[self._i] in name[1:] and numbers and numbers[0] != 0:
                    text = format_number(-numbers[0])
                    edits += set_attribute(self._model.document, element, name, text)
        elif element.tag == "inertia":
            for product in element.findall("ixy", "ixz", "iyz"):
                if "xyz"[self._i] in product.tag[1:]:
                    edits += self._negated(product)
        elif element.tag == "fluid_added_mass":
            signs = dict(zip("xyzpqr", [*self._s, *-self._s], strict=True))
            for entry in element.children:
                if len(entry.tag) == 2 and signs.get(entry.tag[0], 1) * signs.get(entry.tag[1], 1) < 0:
                    edits += self._negated(entry)
        return edits

    def _shape(self, shape: Element) -> Replacements:
        kind = SHAPES.get(shape.tag)
        if kind is None and shape.tag == "empty":
            return ()
        why = f"a {shape.tag} cannot be mirrored" if kind is None else kind.why_not_mirrored(self._i)
        if why or kind is None:
            raise RefactoringError(why)
        if replaced := self._image(shape):
            return replaced
        edits: Replacements = ()
        for tag, default in kind.mirrored_numbers().items():
            signs = self._s[: len(default)]
            if self._writing is not SDFORMAT_WRITING:
                edits += self._scaled_attribute(shape, tag, default)
                continue
            written = shape.findall(tag)
            for each in written:
                edits += self._scaled(each, signs)
            mirrored = signs * np.array(default)
            if not written and np.any(mirrored != default):
                edits += self._inserted(shape, f"<{tag}>{format_numbers(mirrored.tolist())}</{tag}>")
        return edits

    def _image(self, shape: Element) -> Replacements:
        """Return the edit by which a mesh names the file that is its mirror image; nothing where there is none."""
        document = self._model.document
        if shape.tag != "mesh" or shape.find("submesh") is not None:
            return ()
        written = shape.find("uri")
        uri = written.value if written is not None else shape.attributes.get("filename", "")
        other = self._mirrored_mesh(uri, document.path, self._i) if uri else None
        if other is None:
            return ()
        if written is not None:
            return set_text(document, written, other)
        return set_attribute(document, shape, "filename", other)

    def _scaled_attribute(self, shape: Element, name: str, default: Sequence[float]) -> Replacements:
        """Return the edit of an attribute of a shape of a URDF that holds factors."""
        numbers = parse_numbers(shape.attributes.get(name, "")) or default
        after = self._s[: len(default)] * np.array(numbers)
        same = len(numbers) != len(default) or np.array_equal(after, default)
        text = None if same and name not in shape.attributes else format_numbers(after.tolist())
        return set_attribute(self._model.document, shape, name, text)

    def _inserted(self, parent: Element, xml: str) -> Replacements:
        """Return the edit that adds a child, on the line of the others where they are on one."""
        document = self._model.document
        first, last = document.content_offsets(parent)
        if parent.children and "\n" not in document.text[first:last]:
            return (Replacement(last, last, xml),)
        return insert_child(document, parent, xml)

    def _scaled(self, element: Element, signs: Sequence[float] | Array) -> Replacements:
        numbers = parse_numbers(element.text)
        if numbers is None or len(numbers) != len(signs):
            return ()
        text = format_numbers(float(sign) * number for sign, number in zip(signs, numbers, strict=True))
        return set_text(self._model.document, element, text)

    def _negated(self, element: Element) -> Replacements:
        numbers = parse_numbers(element.text)
        if numbers is None or len(numbers) != 1 or numbers[0] == 0:
            return ()
        return set_text(self._model.document, element, format_number(-numbers[0]))


class _Repeater(_Writer):
    """Writes what differs between the members of a limb and a copy that is moved as a whole: poses from elsewhere."""

    def __init__(self, model: Model, copy: Repetition, names: Mapping[int, str]) -> None:
        super().__init__(model, copy, names)
        # What takes a point of the limb to that of the copy, in the root frame.
        X_RootR = model.X_RootF[self._plane]
        self._X = X_RootR @ copy.X_RR @ transforms.invert(X_RootR)

    def _row_after(self, row: int) -> int:
        return row

    def _own_pose(self, row: int, turn: Array | None = None) -> Replacements:
        """Return the edit of the pose of a member that is measured from what is not copied."""
        model, target = self._model, int(self._model.relative_to[row])
        if target in self._inside or target < 0:
            return ()
        X_KF = transforms.invert(model.X_RootF[target]) @ self._X @ model.X_RootF[row]
        if not np.isfinite(X_KF).all():
            raise RefactoringError(f"the pose of '{model.names[row]}' is undefined")
        return self._put(model.elements[row], self._writing.read_pose(model, model.elements[row]), X_KF)

    def _turning_sign(self, joint_type: str) -> float:
        return 1.0

    def _threads(self, row: int) -> Replacements:
        return ()

    def _mirrored_direction(self, v: Array, frame: int) -> Array:
        if frame < 0 or frame in self._inside:
            return v
        R_RootE = self._model.X_RootF[frame][:3, :3]
        direction: Array = R_RootE.T @ self._X[:3, :3] @ R_RootE @ v
        return direction

    def _axis_of_urdf(self, row: int) -> Replacements:
        return ()

    def _content(self, element: Element, row: int) -> Replacements:
        """Return the edit of the poses in a member that are measured from what is not copied."""
        own = self._model.rows_by_element.get(id(element), row)
        edits = self._own_pose(own) if own != row else ()
        return edits + tuple(each for child in element.children for each in self._content(child, row))
