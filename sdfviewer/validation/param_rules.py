"""Changes of an include to the included model."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, rule


@rule("param-attribute-missing", 710, libsdformat="ATTRIBUTE_MISSING")
def param_attribute_missing(name: str, tag: str) -> str:
    """A change in ``<experimental:params>`` without the attribute that names its target or its action.

    Every change names its target with ``element_id``. One that adds has a ``name``. If the change itself has no
    ``action``, each element in it has one.

    Bad: ``<experimental:params><visual action="remove"/></experimental:params>``

    Use instead: ``<visual element_id="chassis::camera_visual" action="remove"/>``

    Source: libsdformat, src/ParamPassing.cc; https://sdformat.org/tutorials?tut=param_passing_proposal
    """
    return Message(f"this change of <{tag}> has no attribute '{name}' and is skipped", "add it")


@rule("param-attribute-invalid", 711, libsdformat="ATTRIBUTE_INVALID")
def param_attribute_invalid(why: str) -> str:
    """A change in ``<experimental:params>`` with an attribute that has no meaning.

    Bad: ``<link element_id="top" action="delete"/>``

    Use instead: ``action="remove"``; known are add, modify, remove and replace.

    Source: libsdformat, src/ParamPassing.cc
    """
    return why + Message("", "the change is skipped")


@rule("param-not-found", 712, libsdformat="ELEMENT_MISSING")
def param_not_found(what: str) -> str:
    """A change in ``<experimental:params>`` of an element that the included model does not have.

    Bad: ``<visual element_id="chassis::camera" action="remove"/>`` where the visual is called ``camera_visual``.

    Use instead: the names from the included model down, separated by ``::``.

    Source: libsdformat, src/ParamPassing.cc
    """
    return Message(f"{what} is not in the included model", "the change is skipped")


@rule("param-exists", 713, libsdformat="DUPLICATE_NAME")
def param_exists(name: str) -> str:
    """An addition in ``<experimental:params>`` of an element that the included model already has.

    Bad: ``<visual element_id="chassis" name="visual" action="add">`` where the chassis has a visual of that name.

    Use instead: another name, or ``action="replace"``.

    Source: libsdformat, src/ParamPassing.cc
    """
    return Message(
        f"the included model already has '{name}'", "the change is skipped: choose another name, or replace it"
    )


@rule("param-value-invalid", 714, libsdformat="ELEMENT_INVALID")
def param_value_invalid(why: str) -> str:
    """A change in ``<experimental:params>`` to an element or a value that SDFormat does not know.

    Bad: ``<geometry action="modify"><box><size>0.5 0.5</size></box></geometry>``

    Use instead: ``<size>0.5 0.5 0.5</size>``

    Source: libsdformat, src/ParamPassing.cc
    """
    return why + Message("", "the change is skipped")
