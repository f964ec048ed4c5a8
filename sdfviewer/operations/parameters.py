"""The types of the parameters of operations: how a value is typed, and how it is checked.

One type answers for all faces: :meth:`~sdfviewer.operations.declaration.ParameterType.read` makes a value of a text
from the command line or a form, :meth:`~sdfviewer.operations.declaration.ParameterType.take` checks a value, whether
it was typed, comes from a script or belongs to a quick fix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer import transforms
from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.document.edits import Edit
from sdfviewer.files.uris import URI_FORMS
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import EditContext, Parameter, ParameterType
from sdfviewer.palette import parse_hex
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.refactoring.new_parts import NewMesh, NewShape

#: A shape: its name for a usual size, a record of the library, or one with the sizes that somebody typed.
GivenGeometry: TypeAlias = Union[str, Geometry, "NewShape", "NewMesh"]
POSE_UNITS = ("m", "m", "m", "rad", "rad", "rad")


def finite(values: ArrayLike, count: int, what: str) -> Array:
    """Return `count` finite numbers.

    Raises
    ------
    InvalidValueError
        If there are more or fewer, or one is not finite.
    """
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"{what} must be {count} numbers, not {values!r}") from error
    if numbers.shape != (count,):
        raise InvalidValueError(f"{what} must be {count} numbers, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise InvalidValueError(f"{what} must be finite numbers, not {numbers.tolist()}")
    return numbers


def to_matrix(value: ArrayLike | None) -> Array:
    """Return a pose that is given in any form as a new matrix (4, 4).

    Raises
    ------
    InvalidValueError
        If it is neither a matrix (4, 4) nor six numbers, or is not finite.
    """
    if value is None:
        return np.eye(4)
    try:
        X = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"a pose is a matrix (4, 4) or x y z roll pitch yaw, not {value!r}") from error
    if X.shape not in ((4, 4), (6,)):
        hint = "; a translation alone is sdfviewer.Pose(xyz=...)" if X.shape == (3,) else ""
        raise InvalidValueError(
            f"a pose is a matrix (4, 4) or x y z roll pitch yaw, not an array of shape {X.shape}{hint}"
        )
    if not np.isfinite(X).all():
        raise InvalidValueError("a pose must hold finite numbers")
    if X.shape == (6,):
        return transforms.pose_to_matrix(X)
    R = X[:3, :3]
    is_rotation = np.allclose(R @ R.T, np.eye(3), atol=1e-6) and math.isclose(np.linalg.det(R), 1.0, abs_tol=1e-6)
    if not is_rotation or not np.allclose(X[3], (0, 0, 0, 1)):
        what = "its rotation is not orthonormal, or its last row is not 0 0 0 1"
        raise InvalidValueError(f"the matrix is not a pose: {what}")
    return X


def pose_numbers(pose: Array) -> list[float]:
    """Return ``x y z roll pitch yaw`` in metres and radians of a matrix (4, 4), or these numbers themselves."""
    return pose.tolist() if pose.shape == (6,) else transforms.written_numbers_of(to_matrix(pose))


# --- what is in the model ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FrameType(ParameterType):
    """Anything that has a row, of some kinds; by its name. The function gets the row."""

    kinds: tuple[Kind, ...] = ()

    @property
    def expects(self) -> str:
        return f"the name of a {' or '.join(map(str, self.kinds)) or 'frame'}"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> int:
        return on.find(on.model, value, self.kinds)


@dataclass(frozen=True)
class FramesType(ParameterType):
    """Several things that have rows; by their names. The function gets the rows."""

    kinds: tuple[Kind, ...] = ()

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "array", "items": {"type": "string"}}

    @property
    def expects(self) -> str:
        return f"the names of {' or '.join(f'{kind}s' for kind in self.kinds) or 'frames'}"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> list[int]:
        if isinstance(value, str) and value not in on.model.rows_by_name:  # else it is one whose name has a comma
            value = [each.strip() for each in value.split(",")]
        things = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        return [on.find(on.model, thing, self.kinds) for thing in things]


@dataclass(frozen=True)
class TargetType(ParameterType):
    """What a reference names. The function gets the name as it is written, None for the default.

    Attributes
    ----------
    attribute
        What holds the name.
    of
        The parameter whose row has the reference.
    owner
        Where there is no `of`: the parameter whose row is to hold a new element with the reference.
    """

    attribute: Attribute
    of: str = ""
    owner: str = ""

    @property
    def expects(self) -> str:
        return f"a frame that {self.attribute} may name"

    @property
    def is_late(self) -> bool:
        return True

    def read(self, text: str) -> str | None:
        return text or None

    def targets(self, model: Model, before: Mapping[str, Any]) -> ReferenceTargets:
        """Return what may be named, and the reason against each of the others."""
        if self.of:
            return ReferenceTargets(model, before[self.of], self.attribute)
        return ReferenceTargets(model, None, self.attribute, owner=before.get(self.owner) or 0)

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> str:
        return on.refer(self.targets(on.model, before), value)


# --- values --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NumbersType(ParameterType):
    """Several numbers with units. The function gets a list of floats in these units.

    Attributes
    ----------
    units
        The unit of each, empty where it has none.
    order
        What they are, for messages.
    """

    units: tuple[str, ...]
    order: str = ""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["array", "string"], "items": {"type": "number"}}

    @property
    def expects(self) -> str:
        return counted(len(self.units), "number") + (f": {self.order}" if self.order else "")

    def read(self, text: str) -> list[float]:
        words = text.replace(",", " ").split()
        if len(words) != len(self.units):
            raise ValueError(f"expected {self.expects}")
        return [parse_number(word, unit) for word, unit in zip(words, self.units, strict=True)]

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> list[float]:
        numbers: list[float] = finite(value, len(self.units), name).tolist()  # type: ignore[arg-type]  # it is checked
        return numbers


@dataclass(frozen=True)
class PoseType(ParameterType):
    """A pose: six numbers, ``x y z roll pitch yaw``, or a matrix (4, 4). The function gets an array.

    Attributes
    ----------
    may_be_short
        Whether three typed numbers are a position without a rotation.
    """

    may_be_short: bool = False

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["array", "string"], "items": {"type": "number"}}

    @property
    def expects(self) -> str:
        return "x y z roll pitch yaw"

    def read(self, text: str) -> list[float]:
        if self.may_be_short and len(text.replace(",", " ").split()) == len("xyz"):
            return [*NumbersType(POSE_UNITS[:3]).read(text), 0.0, 0.0, 0.0]
        short = ", or 3 for a position only" if self.may_be_short else ""
        return NumbersType(POSE_UNITS, self.expects + short).read(text)

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> Array:
        given: Any = value
        return finite(given, 6, "a pose") if np.shape(given) == (6,) else to_matrix(given)


@dataclass(frozen=True)
class NumberType(ParameterType):
    """A number with a unit."""

    unit: str = ""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["number", "string"]}

    @property
    def expects(self) -> str:
        return f"a number in {self.unit}" if self.unit else "a number"

    def read(self, text: str) -> float:
        return NumbersType((self.unit,)).read(text)[0]

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> float:
        try:
            number = float(value)  # type: ignore[arg-type]  # it is checked
        except (TypeError, ValueError) as error:
            raise InvalidValueError(f"{name} must be {self.expects}, not {value!r}") from error
        if not math.isfinite(number):
            raise InvalidValueError(f"{name} must be finite, not {value!r}")
        return number


@dataclass(frozen=True)
class WholeType(ParameterType):
    """A whole number between two others, both included."""

    least: int
    most: int

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    @property
    def expects(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    def read(self, text: str) -> int:
        if not text.strip().isdecimal() or not self.least <= int(text) <= self.most:
            raise ValueError(f"expected {self.expects}")
        return int(text)

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise InvalidValueError(f"{name} must be {self.expects}, not {value!r}")
        return value


@dataclass(frozen=True)
class ChoiceType(ParameterType):
    """One of some words.

    Attributes
    ----------
    words
        The words.
    meanings
        What each of them leads to, in a sentence that forms show beside it.
    """

    words: tuple[str, ...]
    meanings: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "enum": list(self.words)}

    @property
    def expects(self) -> str:
        return _either([repr(word) for word in self.words])

    def read(self, text: str) -> str:
        if text not in self.words:
            raise ValueError(f"choose one of {', '.join(self.words)}")
        return text

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise InvalidValueError(f"{name} must be {self.expects}, not {value!r}")
        return value


def _either(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class AxesType(ParameterType):
    """Axes of a frame, as letters. The function gets their numbers.

    Attributes
    ----------
    is_one
        Whether it is a single one; the function gets its number.
    meanings
        What the three of them are in a list of which one is chosen.
    """

    is_one: bool = False
    meanings: tuple[str, str, str] = ("", "", "")

    @property
    def expects(self) -> str:
        return "x, y or z" if self.is_one else "letters of xyz"

    def read(self, text: str) -> str:
        if not _are_axes(text):
            raise ValueError(f"axes are letters of xyz, not '{text}'")
        return text

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> list[int] | int:
        if not isinstance(value, str) or not _are_axes(value):
            raise InvalidValueError(f"axes are letters of 'xyz', not {value!r}")
        numbers = ["xyz".index(letter) for letter in value]
        return numbers[0] if self.is_one else numbers


def _are_axes(text: str) -> bool:
    return bool(text) and all(letter in "xyz" for letter in text)


@dataclass(frozen=True)
class TextType(ParameterType):
    """A text: a name, a value, a file."""

    what: str = "a text"

    @property
    def expects(self) -> str:
        return self.what

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> str:
        if not isinstance(value, str):
            raise InvalidValueError(f"{name} must be {self.what}, not {value!r}")
        return value


#: Colours by the words that may be typed for them.
COLOURS: Mapping[str, tuple[float, float, float]] = {
    "black": (0.05, 0.05, 0.05),
    "dark grey": (0.2, 0.2, 0.2),
    "grey": (0.5, 0.5, 0.5),
    "light grey": (0.8, 0.8, 0.8),
    "white": (1.0, 1.0, 1.0),
    "red": (0.8, 0.1, 0.1),
    "orange": (1.0, 0.5, 0.0),
    "yellow": (0.95, 0.8, 0.1),
    "green": (0.1, 0.6, 0.2),
    "blue": (0.1, 0.3, 0.8),
}


class ColourType(ParameterType):
    """A colour: a word, ``#RRGGBB`` or numbers. The function gets red, green, blue and opacity between 0 and 1."""

    @property
    def expects(self) -> str:
        return "a colour: #336699, three or four numbers between 0 and 1, or a word such as grey"

    def read(self, text: str) -> tuple[float, ...]:
        word = " ".join(text.lower().split())
        if word in COLOURS:
            return (*COLOURS[word], 1.0)
        if re.fullmatch("#[0-9a-f]{6}", word):
            return (*(round(each / 255, 3) for each in parse_hex(word)), 1.0)
        try:
            numbers = [float(each) for each in word.split()]
        except ValueError:
            raise ValueError(f"'{text}' is not {self.expects}") from None
        if len(numbers) not in (3, 4) or not all(0 <= each <= 1 for each in numbers):
            raise ValueError(f"'{text}' is not {self.expects}")
        return (*numbers, 1.0)[:4]

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> tuple[float, ...]:
        try:
            return self.read(value if isinstance(value, str) else " ".join(map(str, value)))  # type: ignore[call-overload]
        except (TypeError, ValueError):
            raise InvalidValueError(f"{name} must be {self.expects}, not {value!r}") from None


class FileType(ParameterType):
    """A file. The function gets its path."""

    @property
    def expects(self) -> str:
        return "a file"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> Path:
        if not isinstance(value, (str, Path)):
            raise InvalidValueError(f"{name} must be {self.expects}, not {value!r}")
        if not str(value).strip():  # else it would be the folder of this file
            raise InvalidValueError(f"{name} is empty: choose {self.expects}")
        return Path(value)


class PairType(ParameterType):
    """A text and what it becomes, on the command line ``OLD=NEW``."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "array", "items": {"type": "string"}}

    @property
    def expects(self) -> str:
        return "OLD=NEW"

    def read(self, text: str) -> tuple[str, str]:
        old, separator, new = text.rpartition("=")
        if not separator or not old:
            raise ValueError(f"write {self.expects}")
        return old, new

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> tuple[str, str]:
        pair = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
        if len(pair) != len(("old", "new")):
            raise InvalidValueError(f"{name} must be two texts, the old and the new one, not {value!r}")
        return str(pair[0]), str(pair[1])


class SwitchType(ParameterType):
    """True or false; on the command line an option without a value."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "boolean"}

    @property
    def expects(self) -> str:
        return "True or False"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> bool:
        return bool(value)


class PlacesType(ParameterType):
    """Files and folders. The function gets a list of paths."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "array", "items": {"type": "string"}}

    @property
    def expects(self) -> str:
        return "files or folders"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> list[Path]:
        places = [value] if isinstance(value, (str, Path)) else value
        if not isinstance(places, Iterable):
            raise InvalidValueError(f"{name} must be {self.expects}, not {value!r}")
        return [Path(each) for each in places]


class GeometryType(ParameterType):
    """The shape of a visual or collision; the function gets a :data:`GivenGeometry`."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {
            "type": ["string", "object"],
            "properties": {
                "shape": {"type": "string"},
                **{part: {"type": "string", "description": help} for part, help in self.parts.items()},
            },
        }

    @property
    def expects(self) -> str:
        return f"a shape: {', '.join(PRIMITIVES)} ..."

    @property
    def parts(self) -> Mapping[str, str]:
        found: dict[str, list[str]] = {}
        for tag, kind in PRIMITIVES.items():
            for size in kind.sizes:
                count = len(size.new.split())
                numbers = f" ({' '.join('xyz'[:count])})" if count > 1 else ""
                found.setdefault(size.path, []).append(f"{tag}{numbers}")
        return {**{path: f"of {_either(tags)}" for path, tags in found.items()}, "uri": "the file of a mesh"}

    def assemble(self, text: str, parts: Mapping[str, str]) -> GivenGeometry:
        from sdfviewer.refactoring.new_parts import NewMesh, NewShape

        text = text or ("mesh" if "uri" in parts else "")
        if text in PRIMITIVES:
            shape = NewShape.usual(text)
            unknown = next((each for each in parts if each not in shape.sizes), None)
            if unknown is not None:
                raise ValueError(f"a {text} has no {unknown}, but {' and '.join(shape.sizes)}")
            return shape.with_typed(parts)
        unknown = next((each for each in parts if text != "mesh" or each != "uri"), None)
        if unknown is not None:
            raise ValueError(f"{unknown} needs a shape, one of {', '.join(PRIMITIVES)}")
        return NewMesh(text, parts["uri"]) if "uri" in parts else text

    def decode(self, value: object) -> object:
        if not isinstance(value, Mapping):
            return super().decode(value)
        parts = {str(name): str(part) for name, part in value.items() if name != "shape"}
        return self.assemble(str(value.get("shape", "")), parts)

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> GivenGeometry:
        from sdfviewer.refactoring.new_parts import NewMesh, NewShape

        if not isinstance(value, (str, Geometry, NewShape, NewMesh)):
            raise InvalidValueError(f"a geometry is a name or a shape such as sdfviewer.Box((1, 1, 1)), not {value!r}")
        return value


class InertiaType(ParameterType):
    """An inertia matrix (3, 3), or ``ixx iyy izz ixy ixz iyz`` (6,) in kg m². The function gets the matrix."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["array", "string"], "items": {"type": "number"}}

    @property
    def expects(self) -> str:
        return "a matrix (3, 3) or ixx iyy izz ixy ixz iyz"

    def read(self, text: str) -> list[float]:
        return NumbersType(("",) * 6, "ixx iyy izz ixy ixz iyz").read(text)

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> Array:
        given: Any = value
        if np.shape(given) == (6,):
            xx, yy, zz, xy, xz, yz = finite(given, 6, name)
            return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if np.shape(given) != (3, 3):
            raise InvalidValueError(f"{name} must be a matrix (3, 3) or 6 numbers, not of shape {np.shape(given)}")
        matrix = finite(np.ravel(given), 9, name).reshape(3, 3)
        if not np.allclose(matrix, matrix.T):
            raise InvalidValueError("an inertia matrix must be symmetric")
        return matrix


TOGETHER = Parameter(
    "together",
    SwitchType(),
    "what is one part with a visual or collision, by equal geometry and pose, changes with it, and the inertial too "
    "where it is that of the shapes",
    # A script names all that it changes; one that changes the visual and then the collision writes what it did before.
    default=False,
)
"""Whether an operation on visuals and collisions keeps together what is one part."""


def kept_together(on: EditContext, edit: Edit, rows: Sequence[int], together: bool | None) -> Edit:
    """Return an edit of some rows, with what is one part with them where that is wanted: see :data:`TOGETHER`."""
    if not together:
        return edit
    from sdfviewer.refactoring.parts import keep_together

    return keep_together(on.model, on.loader, edit, rows, on.mesh_body)


URIS = Parameter(
    "uris",
    ChoiceType(tuple(URI_FORMS), {word: form.of_model for word, form in URI_FORMS.items()}),
    "how files are named: relative, model, package or absolute, or copied beside the file that names them; by default "
    "as Gazebo and Drake find them where that is possible",
    default=None,
    label="URIs",
    is_shared=True,
)
"""How an operation that writes a URI writes it."""
