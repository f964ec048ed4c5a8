"""Values that are computed when they are requested, and kept as long as what they depend on is the same object.

A value is kept in its object and declares the attributes that it depends on. So the next state of an object, after an
edit, takes over what nothing has changed (:func:`reuse_caches`), and an object that changes forgets what depends on the
change (:func:`forget`). Nothing else decides what stays right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_not
from typing import Any, Generic, TypeVar, overload

_Value = TypeVar("_Value")
_Object = TypeVar("_Object")

#: What has been found for each class.
_DEPENDENCIES: dict[type[Any], Mapping[str, frozenset[str]]] = {}


class Computed(Generic[_Value]):
    """A value of each object of a class, computed at most once while nothing that it depends on changes.

    Attributes
    ----------
    compute
        Returns the value for an object.
    inputs
        The attributes of the object that it depends on; other computed values may be among them.
    """

    def __init__(self, compute: Callable[[Any], _Value], inputs: tuple[str, ...]) -> None:
        self.compute, self.inputs = compute, inputs
        self.__doc__ = compute.__doc__
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Computed[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> Computed[_Value] | _Value:
        if instance is None:
            return self
        value = self.compute(instance)
        self.keep(instance, value)  # where Python looks before it asks this descriptor again
        return value

    def known(self, instance: object) -> _Value | None:
        """Return the value where an object has computed it already, else None."""
        value: _Value | None = instance.__dict__.get(self._name)
        return value

    def keep(self, instance: object, value: _Value) -> None:
        """Give an object its value, derived from that of another object in less time than computing it takes."""
        instance.__dict__[self._name] = value


def computed_from(*inputs: str) -> Callable[[Callable[[Any], _Value]], Computed[_Value]]:
    """Return the decorator of a method that computes a value from some attributes of its object and nothing else."""
    return lambda compute: Computed(compute, inputs)


def dependencies(kind: type[Any]) -> Mapping[str, frozenset[str]]:
    """Return by name what each computed value of a class depends on in the end: attributes that are not computed."""
    known = _DEPENDENCIES.get(kind)
    if known is not None:
        return known
    attributes = [attribute for each in reversed(kind.__mro__) for attribute in vars(each).items()]
    values = {name: value for name, value in attributes if isinstance(value, Computed)}

    def plain(name: str) -> frozenset[str]:
        inputs = values[name].inputs if name in values else None
        return frozenset((name,)) if inputs is None else frozenset().union(*map(plain, inputs))

    return _DEPENDENCIES.setdefault(kind, {name: plain(name) for name in values})


def reuse_caches(now: Any, before: Any) -> None:
    """Take over each value that another object of the same class has computed from what is the same object in both."""
    known = before.__dict__
    for name, inputs in dependencies(type(now)).items():
        if name in known and all(getattr(now, each) is getattr(before, each) for each in inputs):
            now.__dict__[name] = known[name]


def forget(instance: Any, *changed: str) -> None:
    """Forget all that an object has computed from some attributes, which have changed or are about to."""
    for name, inputs in dependencies(type(instance)).items():
        if not inputs.isdisjoint(changed):
            instance.__dict__.pop(name, None)


def with_attributes(instance: _Object, **attributes: object) -> _Object:
    """Return a copy of an object with other attributes, and all that it has computed from the ones that stay."""
    other = object.__new__(type(instance))
    other.__dict__.update(instance.__dict__, **attributes)
    forget(other, *attributes)
    return other


def state_of(instance: Any) -> dict[str, object]:
    """Return the attributes of an object without what is computed: what is worth storing or sending."""
    computed = dependencies(type(instance))
    return {name: value for name, value in instance.__dict__.items() if name not in computed}


class Last(Generic[_Value]):
    """The value that was computed last, kept while it is requested with the same inputs.

    Texts, numbers, bytes and sets are the same where they are equal, anything else where it is the same object.
    """

    def __init__(self) -> None:
        self._known: tuple[tuple[object, ...], _Value] | None = None

    def of(self, inputs: tuple[object, ...], compute: Callable[[], _Value]) -> _Value:
        """Return the value of some inputs, which are all that `compute` depends on."""
        if self._known is None or not all(map(_is_same, self._known[0], inputs)):
            self._known = (inputs, compute())
        return self._known[1]


def _is_same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, str | int | float | bytes | frozenset) and a == b)


def common_ends(before: Sequence[object], now: Sequence[object]) -> tuple[int, int]:
    """Return how many items are the same objects at the start, and how many of the others at the end.

    An edit changes few items of a long sequence: what is known of the others can be kept.
    """
    shorter = min(len(before), len(now))
    start = [*map(is_not, before, now), True].index(True)
    if start == shorter:
        return start, 0
    end = [*map(is_not, reversed(before), reversed(now)), True].index(True)
    return start, min(end, shorter - start)


def first_difference(before: Sequence[object], now: Sequence[object]) -> int:
    """Return how many items are equal at the start: slices are compared much sooner than items."""
    same, most = 0, min(len(before), len(now))
    while same < most:
        middle = (same + most + 1) // 2
        if before[same:middle] == now[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def equal_at_end(before: Sequence[object], now: Sequence[object]) -> int:
    """Return how many items are equal at the end; turning a long text around takes longer than all of this."""
    same, most = 0, min(len(before), len(now))
    while same < most:
        middle = (same + most + 1) // 2
        if before[len(before) - middle : len(before) - same] == now[len(now) - middle : len(now) - same]:
            same = middle
        else:
            most = middle - 1
    return same
