"""The statements of *Composition: legacy behavior*."""

from __future__ import annotations

from tests.specification.statements.statement import (
    COMPOSITION_LEGACY,
    A,
    L,
    Statement,
    about,
    axis,
    frame,
    include,
    joint,
    link,
    model,
    pose,
    world,
)

_SEED = "tests/specification/test_seed_composition_legacy.py"
_FINDER = "tests/files/test_finder.py"
_SPHERE = {
    "sphere/model.config": '<?xml version="1.0"?><model><sdf version="1.5">model.sdf</sdf></model>',
    "sphere/model.sdf": model("sphere", pose("0 0 9 0 0 0") + link("body")),
}
_CHILD = {
    "child.sdf": model("ChildModel", link("L1", pose("0 1 0 0 0 0")) + link("L2")
                       + joint("L1", "L2", name="J1", type="revolute", axis=axis())),
}  # fmt: skip
_BODY = link("body")


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    return [*_directly(), *_including(), *_searching(), *_copying(), *_poses_and_joints(), *_worlds()]


def _directly() -> list[Statement]:
    s = about(COMPOSITION_LEGACY, "1.5")
    section, files = "Defining models directly inside parent models", "Defining models in separate files"
    nested = _BODY + model("sphere", pose("0 0 0.5 0 0 0") + _BODY)
    one = '<?xml version="1.0"?><model><sdf version="1.5">{}</sdf></model>'
    return [
        s("Introduction", "a model can be included several times with different names and poses", world(
            include("sphere", "<name>a</name>") + include("sphere", "<name>b</name>" + pose("1 0 0 0 0 0"))),
          files=_SPHERE, at={"a": (0, 0, 9), "b": (1, 0, 0)}),
        s("Introduction", "since 1.4 a model can be included in a world", world(include("sphere")), version="1.4",
          files=_SPHERE, warnings=[], at={"sphere::body": (0, 0, 9)}),
        s("Introduction", "since 1.5 models can be combined in a model", _BODY + include("sphere"), files=_SPHERE,
          warnings=[], bodies={"m::sphere": "m::sphere::body"}),
        s(section, "a model may contain models", nested, warnings=[], at={"m::sphere::body": (0, 0, 0.5)}),
        s(section, "links of both may have the same name", nested, bodies={"m": "m::body",
          "m::sphere": "m::sphere::body"}),
        s(files, "a model has a folder of its own with model.config and the file that it names",
          world(include("sphere")),
          files=_SPHERE, bodies={"sphere": "sphere::body"}),
        s(files, "model.config names the file of the model", world(include("other")),
          files={"other/model.config": one.format("o.sdf"), "other/o.sdf": model("o", L)}, bodies={"o": "o::L"}),
        s(files, "of several the newest version that is supported counts",
          test=f"{_FINDER}::test_model_folder_offers_its_newest_supported_file"),
        s(files, "a folder without model.config is no model", world(include("empty")), files={"empty/x.sdf": model("x",
          L)},
          errors=["uri-not-found"]),
        s(files, "a file that model.config names exists", world(include("gone")),
          files={"gone/model.config": one.format("gone.sdf")}, errors=["model-file-missing"]),
        s(files, "the file has <sdf> as its root and then <model>", world(include("wrong")),
          files={"wrong/model.config": one.format("w.sdf"), "wrong/w.sdf": '<?xml version="1.0"?><sdf version="1.5"/>'},
          errors=["include-without-root"]),
    ]  # fmt: skip


def _including() -> list[Statement]:
    s = about(COMPOSITION_LEGACY, "1.5")
    section = "Including a model"
    three = (
        include("sphere", pose("0 0 0.5 0 0 0")) + include("sphere", "<name>sphere1</name>" + pose("0 0 1 0 0 0"))
        + include("sphere", "<name>sphere2</name>" + pose("1 0 1 0 0 0"))
    )  # fmt: skip
    return [
        s(section, "<uri> is the location of the model", _BODY + include("sphere"), files=_SPHERE,
          at={"m::sphere": (0, 0, 9)}),
        s(section, "an include needs a <uri>", _BODY + "<include/>", errors=["include-without-uri"]),
        s(section, "a <uri> leads to a model", _BODY + include("nowhere"), errors=["uri-not-found"]),
        s(section, "<name> overrides the name", _BODY + include("sphere", "<name>ball</name>"), files=_SPHERE,
          bodies={"m::ball": "m::ball::body"}),
        s(section, "references take the new name into account",
          _BODY + include("sphere", "<name>ball</name>") + joint("body", "ball::body"), files=_SPHERE,
          bodies={"m::j": "m::ball::body"}),
        s(section, "the old name means nothing",
          _BODY + include("sphere", "<name>ball</name>") + joint("body", "sphere::body"), files=_SPHERE,
          errors=["joint-child-invalid"]),
        s(section, "the new name is unique among siblings", _BODY + include("sphere", "<name>body</name>"),
          files=_SPHERE,
          errors=["duplicate-name"]),
        s(section, "two includes of one model need a name", _BODY + include("sphere") * 2, files=_SPHERE,
          errors=["duplicate-name"]),
        s(section, "<pose> overrides the pose", _BODY + include("sphere", pose("1 0 0 0 0 0")), files=_SPHERE,
          at={"m::sphere": (1, 0, 0)}),
        s(section, "without <pose> the model keeps its own", _BODY + include("sphere"), files=_SPHERE,
          at={"m::sphere": (0, 0, 9)}),
        s(section, "<pose> is relative to the parent model frame",
          world(model("m", pose("0 5 0 0 0 0") + _BODY + include("sphere", pose("1 0 0 0 0 0")))), files=_SPHERE,
          at={"m::sphere": (1, 5, 0)}, relative_to={"m::sphere": "m"}),
        s(section, "<static> overrides the static value", world(include("sphere", "<static>true</static>")),
          files=_SPHERE, bodies={"sphere": "world"}),
        s(section, "<static> false overrides it too",
          test="tests/specification/test_static.py::test_an_include_overrides_static"),
        s(section, "<plugin> is added to the plugins of the model",
          test=f"{_SEED}::test_a_plugin_of_an_include_is_added_to_the_model"),
        s(section, "the example with three spheres", _BODY + three, files=_SPHERE,
          at={"m::sphere": (0, 0, 0.5), "m::sphere1": (0, 0, 1), "m::sphere2": (1, 0, 1)}),
    ]  # fmt: skip


def _searching() -> list[Statement]:
    s = about(COMPOSITION_LEGACY, "1.5")
    section = "Including a model"
    order = "test_order_of_libsdformat_and_then_of_gazebo"
    return [
        s(section, "step 1: paths of the user for a scheme are searched", test=f"{_FINDER}::{order}"),
        s(section, "step 2: the share folder of libsdformat is searched",
          uncovered="this program brings no copy of libsdformat; folders are those of the user and the environment"),
        s(section, "step 3: an absolute path is taken as it is", test=f"{_FINDER}::test_file_uri_and_absolute_path"),
        s(section, "step 3: another is relative to the working directory", test=f"{_FINDER}::{order}"),
        s(section, "step 4: SDF_PATH is searched", test=f"{_FINDER}::{order}"),
        s(section, "step 5: the working directory is searched", test=f"{_FINDER}::{order}"),
        s(section, "step 6: a callback of the user is asked last",
          uncovered="a library of this kind has no such callback; `paths` and `parsers` serve the purpose"),
        s(section, "the places that were searched are listed", test="tests/gui/problems/test_problems_panel.py::"
          "test_a_missing_model_takes_two_lines_and_the_places_tried_unfold"),
    ]  # fmt: skip


def _copying() -> list[Statement]:
    s = about(COMPOSITION_LEGACY, "1.5")
    section = "libsdformat's implementation of <include> in models"
    parent = include("child.sdf", pose("1 0 1 0 0 0"))
    flat = (
        frame("ChildModel::__model__", "ChildModel::L1", pose("1 0 1 0 0 0", "__model__"))
        + link("ChildModel::L1", pose("0 1 0 0 0 0", "ChildModel::__model__"))
        + link("ChildModel::L2", pose("0 0 0 0 0 0", "ChildModel::__model__"))
        + joint("ChildModel::L1", "ChildModel::L2", name="ChildModel::J1", type="revolute", axis=axis())
    )
    poses = {
        "m::ChildModel::L1": (1.0, 1.0, 1.0),
        "m::ChildModel::L2": (1.0, 0.0, 1.0),
        "m::ChildModel::J1": (1.0, 0.0, 1.0),
    }
    return [
        s(section, "links and joints of an included model are in the parent model, relative to it", parent,
          files=_CHILD,
          at=poses),
        s(section, "ModelName:: is prepended to their names", parent, files=_CHILD,
          bodies={"m::ChildModel::J1": "m::ChildModel::L2"}),
        s(section, "names of different models do not collide", parent + link("L1"), files=_CHILD, version="1.8",
          errors=[]),
        s(section, "the model that results, as of libsdformat 9.2, has the same poses", flat, version="1.7", errors=[],
          at=poses),
        s(section, "the frame ChildModel::__model__ is attached to the canonical link of the child", parent,
          files=_CHILD,
          bodies={"m::ChildModel": "m::ChildModel::L1"}),
        s(section, "a flattened model and a nested one mean the same",
          test=f"{_SEED}::test_flattened_and_nested_are_the_same"),
        s(section, "`convert --to flat` writes it", test="tests/refactoring/composition/test_flatten.py::"
          "test_includes_are_inlined_and_dissolved"),
        s(section, "with the names of libsdformat where the version allows them",
          test="tests/refactoring/composition/test_flatten.py::test_scopes_are_kept_where_the_version_allows_it"),
        s(section, "axes of nested models are in the model frame, a bug",
          differs="libsdformat 17 reads them in the joint frame, and so does this program",
          test="tests/formats/sdformat/test_versions.py::"
          "test_axes_of_nested_models_are_in_the_joint_frame_even_in_old_files"),
        s(section, "before libsdformat 9.2 poses were merged",
          uncovered="a version of libsdformat that is no longer in use; the poses are the same"),
    ]  # fmt: skip


def _poses_and_joints() -> list[Statement]:
    s = about(COMPOSITION_LEGACY, "1.5")
    poses, joints = "Pose and nested models", "Joints and nested models"
    m1 = model("M1", pose("0 1 0 0 0 0") + link("L1", pose("1 0 0 0 0 0")))
    pm = include("sphere", pose("0 0 0.5 0 0 0") + "<name>sphere</name>") + m1
    spheres = _BODY + include("sphere", "<name>sphere1</name>") + include("sphere", "<name>sphere2</name>")
    return [
        s(poses, "an included model is relative to the parent model", pm, files=_SPHERE, at={"m::sphere": (0, 0, 0.5)},
          relative_to={"m::sphere": "m"}),
        s(poses, "a nested model is relative to the parent model", pm, files=_SPHERE, at={"m::M1": (0, 1, 0)}),
        s(poses, "links of a nested model are relative to the model that contains them", pm, files=_SPHERE,
          at={"m::M1::L1": (1, 1, 0)}, relative_to={"m::M1::L1": "m::M1"}),
        s(joints, "a joint may connect a link of the parent model and one of a nested model",
          _BODY + m1 + joint("body", "M1::L1"), bodies={"m::j": "m::M1::L1"}),
        s(joints, "links of the parent model are named as usual", _BODY + link("l") + m1 + joint("body", "l"),
          bodies={"m::j": "m::l"}),
        s(joints, "links of nested models are named model_name::link_name", _BODY + m1 + joint("M1::L1", "body"),
          bodies={"m::j": "m::body"}),
        s(joints, "the model name is that of its definition", _BODY + include("sphere") + joint("body", "sphere::body"),
          files=_SPHERE, bodies={"m::j": "m::sphere::body"}),
        s(joints, "or that of the <name> of the include", spheres + joint("body", "sphere1::body"), files=_SPHERE,
          bodies={"m::j": "m::sphere1::body"}),
        s(joints, "the link may be the parent or the child", _BODY + m1 + joint("M1::L1", "body")
          + joint("body", "M1::L1", name="k"), bodies={"m::k": "m::M1::L1"}),
        s(joints, "libsdformat does not check such names", _BODY + m1 + joint("body", "M1::X"),
          errors=["joint-child-invalid"], differs="libsdformat 9 and later do, and so does this program"),
        s(joints, "a joint may connect links of two instances of a nested model",
          spheres + joint("sphere1::body", "sphere2::body"), files=_SPHERE, bodies={"m::j": "m::sphere2::body"}),
        s(joints, "a joint of a nested model may name a link of its parent; not recommended",
          L + model("n", A + joint("m::L", "A")), errors=["joint-parent-invalid"],
          differs="since 1.8 references only go down; libsdformat does not look, here it is an error with a fix"),
        s(joints, "a joint of a nested model may name a link of a sibling model; not recommended",
          model("a", L) + model("n", A + joint("a::L", "A")), errors=["joint-parent-invalid"],
          differs="since 1.8 references only go down; the fix moves the joint into the model around both"),
    ]  # fmt: skip


def _worlds() -> list[Statement]:
    s = about(COMPOSITION_LEGACY, "1.5")
    section = "Using <include> in <world>"
    three = (
        include("sphere", pose("0 0 0.5 0 0 0")) + include("sphere", "<name>sphere1</name>" + pose("0 0 1 0 0 0"))
        + include("sphere", "<name>sphere2</name>" + pose("1 0 1 0 0 0"))
    )  # fmt: skip
    return [
        s(section, "a model included in a world is a model of the world",
          world(include("sphere")), files=_SPHERE, relative_to={"sphere": "world"}),
        s(section, "name and pose of the include modify it", world(include("sphere", "<name>a</name>"
          + pose("1 0 0 0 0 0"))),
          files=_SPHERE, at={"a::body": (1, 0, 0)}),
        s(section, "it behaves as though it was defined in the world", test=f"{_SEED}::test_include_in_a_world"),
        s(section, "the example with three spheres", world(three), files=_SPHERE,
          at={"sphere": (0, 0, 0.5), "sphere1": (0, 0, 1), "sphere2": (1, 0, 1)}),
    ]  # fmt: skip
