"""Included files and resources."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import rule


@rule("uri-not-found", 701, libsdformat="URI_LOOKUP")
def uri_not_found(uri: str, tried: Sequence[object]) -> str:
    """An include whose URI leads to no file.

    Places are tried in the order in which libsdformat tries them; model folders can be added by ``--path``, in the
    settings, and by ``SDF_PATH`` or ``GZ_SIM_RESOURCE_PATH``. The network is never asked.

    Bad: ``<uri>model://tabel</uri>``

    Use instead: ``<uri>model://table</uri>``, with the folder that holds ``table`` among the model paths.

    Source: libsdformat, ``findFile``; https://sdformat.org/tutorials?tut=composition
    """
    places = "; ".join(str(place) for place in tried) or "no folder to look into"
    return f"cannot find '{uri}'; tried {places}"


@rule("include-without-uri", 702, libsdformat="ATTRIBUTE_MISSING")
def include_without_uri() -> str:
    """An include that does not say what to include.

    Bad: ``<include><name>table</name></include>``

    Use instead: ``<include><uri>model://table</uri></include>``

    Source: element ``include`` of the specification
    """
    return "this <include> has no <uri>"


@rule("include-recursion", 703, libsdformat="URI_LOOKUP")
def include_recursion(chain: Sequence[object]) -> str:
    """A file that includes itself, at once or through others.

    Bad: ``a.sdf`` includes ``b.sdf``, which includes ``a.sdf``.

    Use instead: move what both need to a third file.

    Source: model composition proposal
    """
    return f"this include never ends: {' → '.join(str(file) for file in chain)}"


@rule("include-unreadable", 704, libsdformat="FILE_READ")
def include_unreadable(uri: str, why: str) -> str:
    """An included file that is there but holds no model.

    Bad: an include of a file that is not well-formed, or that holds a world.

    Use instead: mend the file; its own problems are listed at their places in it.

    Source: libsdformat, ``readFile``
    """
    return f"nothing can be included from '{uri}': {why}"
