"""What the references in a COLLADA file mean."""

from __future__ import annotations

from typing import Any, TypeAlias

Node: TypeAlias = Any  # lxml comes without types

#: Elements that hold what only they refer to, so that one of them may use the same ids as another.
_SCOPES = ("source", "mesh")


def local_name(node: Node) -> str:
    """Return the tag without its namespace, which differs between COLLADA 1.4, 1.5 and exporters."""
    return str(node.tag).rpartition("}")[2]


class ColladaNames:
    """Finds elements by kind and id.

    An id is unique in the whole file by the specification. Real files give a node the id of its scene or geometry, and
    several geometries sources of one id. So a reference means only elements of the kind that belongs there, and the
    nearest of them: those of the same ``<source>`` or ``<mesh>``, then the first in the file, as in Gazebo.
    """

    def __init__(self, root: Node) -> None:
        self._first: dict[tuple[str, str], Node] = {}
        self._inner: dict[tuple[Node, str, str], Node] = {}
        for node in root.iter():
            identifier = node.get("id")
            if not identifier:
                continue
            kind = local_name(node)
            self._first.setdefault((kind, identifier), node)
            for scope in _scopes(node):
                self._inner.setdefault((scope, kind, identifier), node)

    def find(self, identifier: str, kind: str) -> Node | None:
        """Return the first element of a kind with an id, or None."""
        return self._first.get((kind, identifier))

    def target(self, node: Node, *kinds: str, attribute: str = "url") -> Node | None:
        """Return what an attribute of an element refers to: an element of one of some kinds, sooner of the first."""
        identifier = node.get(attribute, "").removeprefix("#")
        for kind in kinds:
            for scope in _scopes(node):
                inner = self._inner.get((scope, kind, identifier))
                if inner is not None:
                    return inner
            found = self.find(identifier, kind)
            if found is not None:
                return found
        return None


def _scopes(node: Node) -> list[Node]:
    """Return the elements around one that may repeat ids of others, the innermost first."""
    return [above for above in node.iterancestors() if local_name(above) in _SCOPES]
