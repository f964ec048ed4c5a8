"""Included files, what their includes change in them, resources, and the contracts of sdfviewer.toml."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import Message, Severity, rule

FOUND_WHILE_DRAWING = frozenset(
    {
        "not-drawn",
        "resource-missing",
        "resource-unreadable",
        "resource-only-here",
        "mesh-in-millimetres",
        "mesh-up-axis",
    }
)
"""Rules that only a view or `check --resources` can find broken: `check` opens no meshes and no pictures."""


@rule("uri-not-found", 701, libsdformat="URI_LOOKUP")
def uri_not_found(uri: str, problem: str = "", found_in: str = "") -> str:
    """An include whose URI does not lead to a file.

    Places are tried in the order of libsdformat. Add model folders with ``--path``, in the settings, or with
    ``SDF_PATH`` or ``GZ_SIM_RESOURCE_PATH``. Nothing is downloaded. Where the model lies in a folder around the file,
    such as ``../models``, the message names that folder; it is not used until you add it.

    References to what would be in the missing model are not reported: libsdformat adds an error for each
    (JOINT_PARENT_LINK_INVALID, JOINT_CHILD_LINK_INVALID, FRAME_ATTACHED_TO_INVALID, POSE_RELATIVE_TO_INVALID,
    MODEL_WITHOUT_LINK and others), which are gone once the model is found.

    Bad: ``<uri>model://tabel</uri>``

    Use instead: ``<uri>model://table</uri>``, with the folder that holds ``table`` among the model paths.

    Source: libsdformat, ``findFile``; https://sdformat.org/tutorials?tut=composition
    """
    if problem:
        return f"cannot find '{uri}': " + problem
    if found_in:
        return Message(f"cannot find '{uri}'", f"it is in {found_in}: add that folder to the model folders")
    return Message(f"cannot find '{uri}'", "correct the URI, or add the folder that holds it to the model folders")


@rule("found-in-working-directory", 736, severity=Severity.WARNING)
def found_in_working_directory(uri: str, folder: str, has_file: bool) -> str:
    """An include that is found only because of the folder in which the program was started.

    libsdformat looks there, too, after the folder of the including file. A simulation that is started elsewhere does
    not find the model, and neither does somebody who gets the file.

    Bad: ``<uri>models/arm.sdf</uri>`` in ``worlds/cell.sdf``, opened from the folder around both.

    Use instead: ``<uri>../models/arm.sdf</uri>``, or ``<uri>model://arm</uri>`` with ``models`` among the model paths.

    Source: libsdformat, ``findFile``
    """
    here = "write its path relative to the folder of this file"
    advice = here if has_file else "write its whole path, or save this file"
    return Message(
        f"'{uri}' is found only because {folder} is the working directory",
        f"{advice}, or add the folder that holds it to the model folders",
    )


@rule("include-without-uri", 702, libsdformat="ATTRIBUTE_MISSING")
def include_without_uri() -> str:
    """An include without a URI.

    Bad: ``<include><name>table</name></include>``

    Use instead: ``<include><uri>model://table</uri></include>``

    Source: element ``include`` of the specification
    """
    return Message("this <include> has no <uri>", "add one, such as <uri>model://table</uri>")


@rule("include-recursion", 703, libsdformat="URI_LOOKUP")
def include_recursion(chain: Sequence[object]) -> str:
    """A file that includes itself, directly or through other files.

    Bad: ``a.sdf`` includes ``b.sdf``, which includes ``a.sdf``.

    Use instead: move what both need to a third file.

    Source: model composition proposal, "1.1 Standalone Components Individual Files"
    """
    return f"include cycle: {' → '.join(str(file) for file in chain)}"


@rule("include-unreadable", 704, libsdformat="ELEMENT_INVALID")
def include_unreadable(uri: str, why: str) -> str:
    """An included file that cannot be read.

    Bad: an include of a file that is not well-formed XML.

    Use instead: open that file and fix its problems.

    Source: libsdformat, ``readFile``
    """
    return f"'{uri}' cannot be included: " + why


@rule("include-several-roots", 705, libsdformat="ELEMENT_INCORRECT_TYPE")
def include_several_roots(tag: str, first: str) -> str:
    """An included file with more than one model, actor or light. Only the first is included.

    Bad: an include of a file with ``<model name="left">`` and ``<model name="right">``.

    Use instead: a file for each, or one model around them.

    Source: libsdformat, ``readXml``
    """
    return f"this <{tag}> is not included: only the first of a file is, and this file has a <{first}> before it"


@rule("include-without-root", 706, libsdformat="ELEMENT_MISSING")
def include_without_root(uri: str) -> str:
    """An included file without a model, actor or light.

    Bad: an include of a file with a world.

    Use instead: a file with a model, actor or light.

    Source: libsdformat, ``readXml``
    """
    return f"'{uri}' cannot be included: it has no model, actor or light"


@rule("merge-unsupported", 707, libsdformat="MERGE_INCLUDE_UNSUPPORTED")
def merge_unsupported(what: str) -> str:
    """A merge include of something that cannot be merged.

    Only models can be merged. A world has no links of its own, so only nested models, joints and frames can be merged
    into it.

    Bad: ``<world><include merge="true">`` of a model with links.

    Use instead: an include without ``merge``, or a model whose links are in nested models.

    Source: libsdformat, ``insertIncludedElement``
    """
    return "merge='true' cannot merge " + what


@rule("too-large", 708)
def too_large(tag: str, name: str, limit: str) -> str:
    """Too many frames.

    A few small files that include each other can make a model of any size. This limit keeps them from exhausting
    memory, as does that of the worlds in one file. libsdformat has none.

    Bad: ten includes of a file with ten includes of a file with ten includes ...

    Use instead: fewer includes.

    Source: a bound of this program
    """
    return f"{tag} '{name}' is left out: with it the file would have more than {limit}"


@rule("models-too-deep", 709)
def models_too_deep(name: str, limit: int) -> str:
    """Models that are nested too deep.

    Models of included files count too. The limit keeps hostile files from exhausting the program; libsdformat has none.

    Bad: a model in a model in a model ..., 101 levels deep.

    Use instead: fewer levels.

    Source: a bound of this program
    """
    return f"model '{name}' is left out: models are nested more than {limit} deep"


@rule("config-without-version", 730, libsdformat="WARNING")
def config_without_version(config: object) -> str:
    """An included model whose ``model.config`` does not state the SDFormat version of its file.

    libsdformat calls it a warning, but counts it as an error of the including file.

    Bad: ``<sdf>model.sdf</sdf>``

    Use instead: ``<sdf version="1.9">model.sdf</sdf>``

    Source: libsdformat, ``getBestSupportedModelVersion`` in src/parser.cc
    """
    return f"<sdf> in {config} needs the attribute 'version'"


@rule("model-file-missing", 731, libsdformat="FILE_READ")
def model_file_missing(uri: str, config: object, file: object) -> str:
    """An included model whose ``model.config`` names a file that is not there.

    Bad: ``<sdf version="1.9">robot.sdf</sdf>`` in a folder that holds ``model.sdf``.

    Use instead: ``<sdf version="1.9">model.sdf</sdf>``

    Source: libsdformat, ``getModelFilePath`` and ``readFile`` in src/parser.cc
    """
    return f"'{uri}' leads to {config}, which names {file}, and there is no such file"


@rule("plugin-failed", 716, severity=Severity.WARNING)
def plugin_failed(what: str, why: str = "cannot be loaded") -> str:
    """A plugin for models of other formats that fails.

    Plugins are code of other packages. One that cannot be imported is a warning: what it would read is read without
    it, or not at all. One that raises, or answers with something that is not an interface model, is an error at the
    include: nothing is included.

    Bad: an include of a ``.yaml`` file whose plugin raises ``KeyError``.

    Use instead: a newer plugin, or none: ``pip uninstall`` it.

    Source: model composition proposal, "1.5 Minimal libsdformat Interface Types for Non-SDFormat Models"
    """
    return f"plugin {what} " + why


@rule("not-drawn", 720, severity=Severity.WARNING)
def not_drawn(what: str) -> str:
    """A mesh, texture or material that cannot be shown as written.

    The window finds it while it draws the model. In place of a mesh it shows the collisions of the link, else the box
    of its inertia, else a crate whose size is a guess, and in place of a texture a plain colour. The frames are right;
    a simulator may look in other folders. ``check`` does not open meshes and textures.

    Bad: ``<uri>model://arm/meshes/elbwo.dae</uri>``

    Use instead: ``<uri>model://arm/meshes/elbow.dae</uri>``, with the folder that holds ``arm`` among the model paths.

    Source: elements ``mesh`` and ``material`` of the specification
    """
    return "cannot be shown as written: " + what


@rule("resource-missing", 732, severity=Severity.WARNING)
def resource_missing(what: str, why: str = "") -> str:
    """A mesh, texture, terrain or material script that a model names and that is not there.

    Found by ``check --resources``. The places are those that the drawing looks at.

    Bad: ``<uri>model://arm/meshes/hand.DAE</uri>`` where the file is called ``hand.dae``.

    Use instead: ``<uri>model://arm/meshes/hand.dae</uri>``

    Source: Gazebo, ``common::findFile``
    """
    return f"{what} is not found" + (": " + why if why else "")


@rule("resource-unreadable", 733, severity=Severity.WARNING)
def resource_unreadable(what: str, why: str) -> str:
    """A mesh that is there and cannot be drawn, or that lacks the submesh that is named.

    Found by ``check --resources``.

    Bad: ``<submesh><name>Wheel</name></submesh>`` of a mesh whose parts are called ``wheel_left`` and ``wheel_right``.

    Use instead: ``<submesh><name>wheel_left</name></submesh>``

    Source: Gazebo, ``common::MeshManager``
    """
    return f"{what} " + why


@rule("resource-only-here", 734, severity=Severity.WARNING)
def resource_only_here(what: str, others: int, why: str) -> str:
    """A mesh, texture or terrain that is found near the model, where other programs do not look.

    Found by ``check --resources``; the window finds those that only the working directory leads to. A clone or an
    unpacked archive often has another name than the package in it, so this program also looks around the model.
    Gazebo looks for ``model://arm`` in the folders of ``GZ_SIM_RESOURCE_PATH``, and ROS looks for ``package://arm``
    in the packages of the workspace, which have a ``package.xml``. Read only here are also ``package:///...``,
    ``file://`` before a relative path, backslashes in a URI, and a path that leads to a file from the package and
    not from the folder of the file that names it.

    Bad: ``package://arm/meshes/hand.stl`` of a robot in the folder ``arm-main``, which has no ``package.xml``.

    Use instead: a folder called ``arm`` with a ``package.xml``, or the relative path ``meshes/hand.stl``. Where the
    folder is right but not known here, name the one that holds it with ``--path``.

    Source: gz-common, ``SystemPaths::FindFileURI``; ROS, ``ament_index``
    """
    more = f" and {others} more {'file' if others == 1 else 'files'}" if others else ""
    verb = "are" if others else "is"
    return f"{what}{more} {verb} found here, but not by other programs: " + why


@rule("mesh-in-millimetres", 735, severity=Severity.WARNING)
def mesh_in_millimetres(uri: str, size: float) -> str:
    """A mesh of a URDF that is many metres large, as one is that was saved in millimetres.

    Files of the formats STL, OBJ and PLY do not say their unit, and URDF reads them in metres. Found while the window
    draws the robot, and by ``check --resources``. Meshes with a ``scale`` are not looked at. The quick fix writes one.

    Bad: ``<mesh filename="package://arm/meshes/elbow.stl"/>`` where the file is in millimetres.

    Use instead: ``<mesh filename="package://arm/meshes/elbow.stl" scale="0.001 0.001 0.001"/>``

    Source: https://wiki.ros.org/urdf/XML/link, ``<mesh>``
    """
    return Message(f"the mesh '{uri}' is {size:.3g} m large", "if its file is in millimetres, write a scale of 0.001")


@rule("mesh-up-axis", 737, severity=Severity.INFO)
def mesh_up_axis(uri: str, up_axis: str, others: int) -> str:
    """A COLLADA file that says another axis than z is up.

    Gazebo and RViz do not rotate such a mesh, and neither does this program: its numbers count as they are written.
    Others, Blender among them, rotate it. Found by ``check --resources``.

    Bad: ``<up_axis>Y_UP</up_axis>``, where the mesh lies on its side in Gazebo.

    Use instead: a file that is exported with z up, or a ``<pose>`` that rotates the visual.

    Source: gz-common, ``ColladaLoader``, which reads ``<unit>`` and no ``<up_axis>``
    """
    more = f" and {others} more" if others else ""
    return f"the mesh '{uri}'{more} says {up_axis}, which Gazebo ignores: it is drawn as its numbers are, with z up"


@rule("contract-broken", 901)
def contract_broken(what: str, why: str) -> str:
    """A contract of ``sdfviewer.toml`` that the model breaks.

    A ``[[contract]]`` says what must stay true of a model: where a frame is, what a number is elsewhere, a mass, a
    clearance, the centre of mass, or names that other programs rely on. The problem leads to both places.

    Bad: a link with a mass of 3 kg, and a ``[[contract]]`` with ``mass = { max = 2.5 }``.

    Use instead: a model that fulfils the contract, or another contract if the requirement has changed.

    Source: docs/pipelines.md, "Contracts".
    """
    return f"{what}: " + why if why else what


@rule("contract-unverified", 902, severity=Severity.WARNING)
def contract_unverified(what: str, why: str) -> str:
    """A contract that cannot be checked: a mesh or a mass is not known. An error where the settings have a mistake.

    Bad: ``clearance = { between = ["arm::palm", "arm::base"], min = 0.05 }`` where the palm has no collision.

    Use instead: a contract about what the model has.

    Source: docs/pipelines.md, "Contracts".
    """
    return f"{what}: " + why if why else what


# --- changes of an include ----------------------------------------------------------------------------------------


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
