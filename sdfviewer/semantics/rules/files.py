"""Included files and resources."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import Severity, rule

FOUND_WHILE_DRAWING = frozenset({"not-drawn"})
"""Rules that only a view can find broken: `check` opens no meshes and no pictures."""


@rule("uri-not-found", 701, libsdformat="URI_LOOKUP")
def uri_not_found(uri: str, tried: Sequence[object], problem: str = "") -> str:
    """An include whose URI leads to no file.

    Places are tried in the order in which libsdformat tries them; model folders can be added by ``--path``, in the
    settings, and by ``SDF_PATH`` or ``GZ_SIM_RESOURCE_PATH``. The network is never asked.

    Bad: ``<uri>model://tabel</uri>``

    Use instead: ``<uri>model://table</uri>``, with the folder that holds ``table`` among the model paths.

    Source: libsdformat, ``findFile``; https://sdformat.org/tutorials?tut=composition
    """
    places = "; ".join(str(place) for place in tried) or "no folder to look into"
    why = f": {problem}" if problem else ""
    return f"cannot find '{uri}'{why}; tried {places}"


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


@rule("include-unreadable", 704, libsdformat="ELEMENT_INVALID")
def include_unreadable(uri: str, why: str) -> str:
    """An included file that is there but holds no model.

    Bad: an include of a file that is not well-formed, or that holds a world.

    Use instead: mend the file; its own problems are listed at their places in it.

    Source: libsdformat, ``readFile``
    """
    return f"nothing can be included from '{uri}': {why}"


@rule("include-several-roots", 705, libsdformat="ELEMENT_INCORRECT_TYPE")
def include_several_roots(tag: str, first: str) -> str:
    """An included file that holds more than one model, actor or light.

    Only the first is included.

    Bad: an include of a file with ``<model name="left">`` and ``<model name="right">``.

    Use instead: a file for each, or one model around them.

    Source: libsdformat, ``readXml``
    """
    return f"this <{tag}> is not included: the file holds a <{first}> already, and one is all that is included"


@rule("include-without-root", 706, libsdformat="ELEMENT_MISSING")
def include_without_root(uri: str) -> str:
    """An included file in which there is nothing to include.

    Bad: an include of a file that holds a world.

    Use instead: a file that holds a model, actor or light.

    Source: libsdformat, ``readXml``
    """
    return f"nothing can be included from '{uri}': it holds no model, actor or light"


@rule("merge-unsupported", 707, libsdformat="MERGE_INCLUDE_UNSUPPORTED")
def merge_unsupported(what: str) -> str:
    """A merge of something that cannot be merged.

    Only models are merged; into a world only nested models, joints and frames, for a world has no links of its own.

    Bad: ``<world><include merge="true">`` of a model with links.

    Use instead: an include without ``merge``, or a model whose links are in nested models.

    Source: libsdformat, ``insertIncludedElement``
    """
    return f"an include cannot merge {what}"


@rule("too-large", 708)
def too_large(name: str, limit: int) -> str:
    """More frames than any world needs.

    A few small files that include each other often make a model of any size; this bound keeps them from exhausting
    memory. libsdformat has none.

    Bad: ten includes of a file with ten includes of a file with ten includes ...

    Use instead: fewer of them.

    Source: a bound of this program
    """
    return f"model '{name}' is left out: with it there would be more than {limit} links, joints, frames and shapes"


@rule("not-drawn", 720, severity=Severity.WARNING)
def not_drawn(what: str) -> str:
    """A mesh, texture or material that cannot be shown as written.

    The window finds it when it draws the model, and shows a marked placeholder or a plain colour instead. Nothing is
    wrong with the frames; a simulator may look into other folders. ``check`` opens no such files.

    Bad: ``<uri>model://arm/meshes/elbwo.dae</uri>``

    Use instead: ``<uri>model://arm/meshes/elbow.dae</uri>``, with the folder that holds ``arm`` among the model paths.

    Source: elements ``mesh`` and ``material`` of the specification
    """
    return f"not drawn as written: {what}"
