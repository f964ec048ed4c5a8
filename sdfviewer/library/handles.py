"""Lists of handles that find their items by name too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeVar, overload

from sdfviewer.library.names import AmbiguousNameError, UnknownNameError
from sdfviewer.model.hints import Hinted
from sdfviewer.model.near_names import did_you_mean


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """The name."""


_Item_co = TypeVar("_Item_co", bound=Named, covariant=True)


class Handles(Hinted, tuple[_Item_co, ...]):
    """A tuple whose items are found by their names too: ``model.links[0]``, ``model.links["palm"]``.

    A short name is enough where it is unambiguous. ``"palm" in model.links`` asks whether there is such an item. Where
    many items are looked up, ``model.link("palm")`` is faster: it does not make the whole list.

    Raises
    ------
    UnknownNameError, AmbiguousNameError
        If no item, or more than one, has that name.
    """

    __slots__ = ()

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _Item_co: ...

    @overload
    def __getitem__(self, key: slice, /) -> tuple[_Item_co, ...]: ...

    @overload
    def __getitem__(self, key: str, /) -> _Item_co: ...

    def __getitem__(self, key: SupportsIndex | slice | str, /) -> Any:
        return self._named(key) if isinstance(key, str) else tuple.__getitem__(self, key)

    def __contains__(self, item: object) -> bool:
        return any(item in _names(each) for each in self) if isinstance(item, str) else tuple.__contains__(self, item)

    def _named(self, name: str) -> _Item_co:
        for kind in range(3):  # the name, then that from the root of the file, then that in the item's own scope
            found = [each for each in self if name == _names(each)[kind]]
            if len(found) == 1:
                return found[0]
            if found:
                names = ", ".join(f"'{each.name}'" for each in found[:6])
                raise AmbiguousNameError(f"several items are called '{name}': {names}; use one of these names")
        choices = [choice for each in self for choice in dict.fromkeys((_names(each)[0], _names(each)[2]))]
        raise UnknownNameError(f"there is nothing called '{name}' in this list{did_you_mean(name, choices)}")

    def _hint(self, name: str) -> str:
        return f"; index the list by the name: ['{name}']" if self.__contains__(name) else super()._hint(name)

    if not TYPE_CHECKING:

        def __call__(self, *arguments: object, **options: object) -> None:  # noqa: D102  # says what to do instead
            what = type(self[0]).__name__.lower() if self else "item"
            more = "; links that collide at a configuration: model.colliding_links(q)" if what == "collision" else ""
            raise TypeError(
                f"this is a list of {len(self)}, not a function: index it by a name or number, {what}s[name]{more}"
            )


def _names(item: Named) -> tuple[str, str, str]:
    """Return the name of an item, that from the root of the file, and that in its own scope."""
    return item.name, getattr(item, "scoped_name", item.name), getattr(item, "local_name", item.name)
