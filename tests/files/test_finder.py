"""Where the file is that a URI names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sdfviewer.files import paths
from sdfviewer.files.finder import Finder, Found, shown_from
from sdfviewer.scene.copied_files import NearFinder

posix = pytest.mark.skipif(os.name == "nt", reason="paths as POSIX writes them")


class Disk:
    """A folder to look in: files made on demand, an environment and a home of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environ = {"HOME": str(root / "home")}

    def file(self, name: str, text: str = "") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def variable(self, name: str, *folders: str) -> None:
        self.environ[name] = os.pathsep.join(str(self.root / folder) for folder in folders)

    def finder(self, *paths: str) -> Finder:
        return Finder([self.root / path for path in paths], self.environ, self.root / "cwd")


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_order_of_libsdformat_and_then_of_gazebo(disk: Disk) -> None:
    variables = ("GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "GAZEBO_RESOURCE_PATH")
    disk.variable("SDF_PATH", "sdf1", "sdf2")
    for variable in variables:
        disk.variable(variable, variable)
    finder = disk.finder("given")
    folders = ["given", "world", "cwd", "sdf1", "sdf2", *variables, "home/.gazebo/models"]
    including = disk.root / "world" / "w.sdf"
    found = finder.find("model://arm", including)
    assert found == Found(None, tuple(disk.root / folder / "arm" for folder in folders))
    for number in reversed(range(len(folders))):
        expected = disk.file(f"{folders[number]}/arm/model.sdf").parent
        finder.forget()
        assert finder.find("model://arm", including) == Found(expected, found.tried[:number])


def test_answers_may_be_forgotten_while_another_thread_asks(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = disk.file("given/arm/model.sdf").parent
    finder, exists = disk.finder("given"), os.path.exists

    def forget_meanwhile(path: Path) -> bool:
        finder.forget()
        return exists(path)

    monkeypatch.setattr(os.path, "exists", forget_meanwhile)
    assert finder.find("model://arm").path == arm


def test_relative_path_prefers_the_including_file(disk: Disk) -> None:
    beside = disk.file("world/meshes/a.dae")
    disk.file("cwd/meshes/a.dae")
    disk.file("given/meshes/a.dae")
    assert disk.finder("given").find("meshes/a.dae", disk.root / "world" / "w.sdf").path == beside


def test_relative_path_may_lead_upwards_but_not_out_of_search_folders(disk: Disk) -> None:
    mesh = disk.file("meshes/a.dae")
    disk.file("secret")
    disk.variable("SDF_PATH", "folder")
    disk.file("folder/x")
    finder = disk.finder("folder")
    including = disk.file("world/deep/w.sdf")
    assert finder.find("../../meshes/a.dae", including).path == mesh
    found = finder.find("../secret", including)
    assert found == Found(None, (disk.root / "world/deep/../secret", disk.root / "cwd/../secret"))


@posix
def test_dots_behind_a_link_mean_what_the_system_means(disk: Disk) -> None:
    mesh = disk.file("real/meshes/a.dae")
    disk.file("real/model/x")
    (disk.root / "link").symlink_to(disk.root / "real" / "model")
    found = disk.finder().find("../meshes/a.dae", disk.root / "link" / "w.sdf")
    assert found.path is not None
    assert found.path.samefile(mesh)


@pytest.mark.parametrize(
    "uri",
    [
        "model://arm/../secret",
        "model://arm/meshes/../../secret",
        "model://../secret",
        "model://arm/..",
        "model://arm\\..\\..\\secret",
        "model://arm/%2e%2e/secret",
        "package://arm/../secret",
        "package://..",
        "model:///../secret",
    ],
)
def test_uri_that_leads_out_of_what_it_names_is_refused(disk: Disk, uri: str) -> None:
    disk.file("given/secret")
    disk.file("given/arm/model.sdf")
    assert disk.finder("given").find(uri, disk.root / "given" / "w.sdf").path is None


def test_dots_inside_the_model_are_fine(disk: Disk) -> None:
    mesh = disk.file("given/arm/meshes/a.dae")
    disk.file("given/arm/urdf/x")
    assert disk.finder("given").find("model://arm/urdf/../meshes/./a.dae").path == mesh


@posix
def test_file_uri_and_absolute_path(disk: Disk) -> None:
    mesh = disk.file("with space/a.dae")
    finder = disk.finder()
    assert finder.find(f"file://{mesh}").path == mesh
    assert finder.find(f"file://{mesh}".replace(" ", "%20")).path == mesh
    assert finder.find(str(mesh)).path == mesh
    assert finder.find("file:///nowhere/a.dae") == Found(None, (Path("/nowhere/a.dae"),))


def test_file_uri_without_a_slash_is_relative(disk: Disk) -> None:
    material = disk.file("share/media/a.material")
    disk.variable("GAZEBO_RESOURCE_PATH", "share")
    assert disk.finder().find("file://media/a.material").path == material


def test_drive_letter_is_no_scheme(disk: Disk) -> None:
    found = disk.finder().find("file:///C:/meshes/a.dae")
    assert found.tried == (Path("C:/meshes/a.dae"),)
    assert disk.finder().find("C:/meshes/a.dae").tried == (Path("C:/meshes/a.dae"),)


@pytest.mark.parametrize(
    "uri",
    [
        "//server/share/a.dae",
        r"\\server\share\a.dae",
        "file:////server/share/a.dae",
        "file://%5C%5Cserver/share/a.dae",
        "model:////server/share/a.dae",
    ],
)
def test_windows_is_not_made_to_call_a_server(disk: Disk, monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    looked_at: list[Path] = []
    monkeypatch.setattr(paths, "ON_WINDOWS", True)
    monkeypatch.setattr(os.path, "exists", lambda path: looked_at.append(Path(path)))
    assert disk.finder().find(uri, disk.root / "a.sdf").path is None
    assert [path for path in looked_at if "server" in path.parts and not path.is_relative_to(disk.root)] == []


@pytest.mark.parametrize("uri", ["model://C:secret.dae", "package://c:/secret.dae", "model://%43:secret.dae"])
def test_a_drive_leads_out_of_a_model_on_windows(disk: Disk, monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    disk.file("cwd/C:secret.dae")
    disk.file("cwd/c:/secret.dae")
    monkeypatch.setattr(paths, "ON_WINDOWS", True)
    assert disk.finder().find(uri).path is None


@pytest.mark.parametrize("uri", ["", "  ", "a\0b", "model://" + "a" * 5000, "model://", "https://", "x" * 300])
def test_odd_uri_finds_nothing(disk: Disk, uri: str) -> None:
    found = disk.finder().find(uri)
    assert found.path is None or found.path == disk.root / "cwd"


def test_answers_are_remembered_until_forgotten(disk: Disk) -> None:
    finder = disk.finder("given")
    assert finder.find("model://arm").path is None
    model = disk.file("given/arm/model.sdf").parent
    assert finder.find("model://arm").path is None
    finder.forget()
    assert finder.find("model://arm").path == model


# --- packages ----------------------------------------------------------------------------------------------------


def test_package_of_ros_1_by_folder_by_manifest_and_deep_below(disk: Disk) -> None:
    direct = disk.file("ws/one/meshes/a.dae")
    disk.file("ws/group/repository/folder/package.xml", "<package><name>two</name></package>")
    deep = disk.file("ws/group/repository/folder/meshes/a.dae")
    disk.file("three_clone/package.xml", "<package><name>three</name></package>")
    itself = disk.file("three_clone/meshes/a.dae")
    disk.variable("ROS_PACKAGE_PATH", "ws", "three_clone")
    finder = disk.finder()
    assert finder.find("package://one/meshes/a.dae").path == direct
    assert finder.find("package://two/meshes/a.dae").path == deep
    assert finder.find("package://three/meshes/a.dae").path == itself


def test_package_of_ros_2(disk: Disk) -> None:
    mesh = disk.file("install/share/arm/meshes/a.dae")
    disk.variable("AMENT_PREFIX_PATH", "overlay", "install")
    assert disk.finder().find("package://arm/meshes/a.dae").path == mesh


@pytest.mark.parametrize(("folder", "name"), [("arm", "other"), ("clone", "arm")])
def test_package_around_the_including_file(disk: Disk, folder: str, name: str) -> None:
    disk.file(f"src/{folder}/package.xml", f"<?xml version='1.0'?><package><name> {name} </name></package>")
    mesh = disk.file(f"src/{folder}/meshes/a.dae")
    including = disk.root / "src" / folder / "urdf" / "arm.urdf"
    assert disk.finder().find("package://arm/meshes/a.dae", including).path == mesh
    assert disk.finder().find("package://another/meshes/a.dae", including).path is None


def test_broken_manifest_names_no_package(disk: Disk) -> None:
    disk.file("src/arm/package.xml", "<package>")
    mesh = disk.file("src/arm/a.dae")
    assert disk.finder().find("package://arm/a.dae", disk.root / "src/arm/x.sdf").path == mesh


# --- nearby ------------------------------------------------------------------------------------------------------


def test_meshes_are_found_around_the_model_but_includes_are_not(disk: Disk) -> None:
    disk.file("models/arm/model.config", "<model/>")
    own = disk.file("models/arm/meshes/a.dae")
    neighbour = disk.file("models/hand/meshes/b.dae")
    including = disk.root / "models/arm/model.sdf"
    finder = disk.finder()
    assert finder.find("model://arm/meshes/a.dae", including).path is None
    assert finder.find("model://arm/meshes/a.dae", including, nearby=True).path == own
    assert finder.find("model://hand/meshes/b.dae", including, nearby=True).path == neighbour


def test_mesh_in_a_clone_of_another_name(disk: Disk) -> None:
    mesh = disk.file("robot-main/meshes/a.dae")
    including = disk.root / "robot-main/urdf/robot.urdf"
    assert disk.finder().find("package://robot/meshes/a.dae", including, nearby=True).path == mesh
    assert disk.finder().find("meshes/a.dae", including, nearby=True).path == mesh
    assert disk.finder().find("meshes/a.dae", including).path is None


# --- Fuel --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cache", ["home/.gz/fuel", "home/.ignition/fuel", "elsewhere"])
@pytest.mark.parametrize(
    ("uri", "inside"),
    [
        ("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Traffic%20Cone", ""),
        ("https://fuel.ignitionrobotics.org/1.0/openrobotics/models/traffic cone/tip", ""),
        ("https://app.gazebosim.org/OpenRobotics/fuel/models/Traffic%20Cone", ""),
        ("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Traffic%20Cone/10/files/meshes/a.dae", "meshes/a.dae"),
        ("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Traffic%20Cone/tip/files/meshes/a.dae", "meshes/a.dae"),
    ],
)
def test_fuel_model_is_found_in_a_cache(disk: Disk, cache: str, uri: str, inside: str) -> None:
    disk.variable("GZ_FUEL_CACHE_PATH", "elsewhere")
    for version in ("2", "10", "9"):
        disk.file(f"{cache}/fuel.gazebosim.org/openrobotics/models/traffic cone/{version}/meshes/a.dae")
    newest = disk.root / cache / "fuel.gazebosim.org/openrobotics/models/traffic cone/10"
    assert disk.finder().find(uri).path == newest / inside


def test_what_no_cache_holds_is_not_asked_for(disk: Disk) -> None:
    found = disk.finder().find("https://fuel.gazebosim.org/1.0/a/models/b")
    assert found.path is None
    assert found.problem == "it is not downloaded; download it with `sdfviewer fetch`"
    in_window = Finder((), disk.environ, disk.root, replaces_fuel=True).find(
        "https://fuel.gazebosim.org/1.0/a/models/b"
    )
    assert in_window.problem == "it is not downloaded; download it, or add its folder to the model folders"
    assert found.tried[0] == disk.root / "home/.gz/fuel/fuel.gazebosim.org/a/models/b/1"


@pytest.mark.parametrize(
    "uri",
    [
        "https://fuel.gazebosim.org/1.0/a/models/../secret",
        "https://fuel.gazebosim.org/1.0/a/models/%2e%2e%2fsecret",
        "https://fuel.gazebosim.org/1.0/a/models/b/1/files/../../../../../secret",
        "https://example.org/mesh.dae",
    ],
)
def test_address_that_names_no_fuel_model_has_no_place(disk: Disk, uri: str) -> None:
    found = disk.finder().find(uri)
    assert found.tried == ()
    assert found.problem.endswith("copy it to this computer, and write where the copy is"), "nothing downloads it"


# --- model folders -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "chosen"),
    [
        ("<sdf version='1.4'>a.sdf</sdf><sdf version='1.10'>b.sdf</sdf><sdf version='1.9'>c.sdf</sdf>", "b.sdf"),
        ("<sdf version='1.6'>a.sdf</sdf><sdf version='1.13'>b.sdf</sdf><sdf version='2.0'>c.sdf</sdf>", "a.sdf"),
        ("<sdf version='1.13'>a.sdf</sdf><sdf version='2.0'>b.sdf</sdf>", "a.sdf"),
        ("<sdf>a.sdf</sdf><sdf>b.sdf</sdf>", "a.sdf"),
        ("<sdf>a.sdf</sdf><sdf version='1.4'> b.sdf\n</sdf>", "b.sdf"),
        ("<sdf version='odd'>a.sdf</sdf>", "a.sdf"),
        ("<sdf version='1.6.0'>a.sdf</sdf><sdf version='1.5'>b.sdf</sdf>", "a.sdf"),
    ],
)
def test_model_folder_offers_its_newest_supported_file(disk: Disk, entries: str, chosen: str) -> None:
    folder = disk.file("arm/model.config", f"\n<?xml version='1.0'?><model><name>arm</name>{entries}</model>").parent
    for name in "abc":
        disk.file(f"arm/{name}.sdf")
    assert disk.finder().model_file(folder).path == folder / chosen


def test_manifest_is_the_second_choice(disk: Disk) -> None:
    folder = disk.file("arm/manifest.xml", "<model><sdf version='1.4'>a.sdf</sdf></model>").parent
    disk.file("arm/a.sdf")
    assert disk.finder().model_file(folder).path == folder / "a.sdf"


def test_folder_without_a_description(disk: Disk) -> None:
    folder = disk.file("arm/model.sdf").parent
    assert disk.finder().model_file(folder) == Found(None, (folder / "model.config", folder / "manifest.xml"))


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ("<model>", "model.config:1: <model>"),
        ("<robot/>", "the first element is <robot>"),
        ("<model/>", "no <sdf>"),
        ("<model><sdf version='1.4'> </sdf></model>", "no <sdf>"),
        ("<model><sdf>../secret</sdf></model>", "outside its folder"),
        ("<model><sdf>a/../../secret</sdf></model>", "outside its folder"),
        ("<model><sdf>/etc/passwd</sdf></model>", "outside its folder"),
    ],
)
def test_description_that_names_no_file(disk: Disk, config: str, problem: str) -> None:
    disk.file("secret")
    found = disk.finder().model_file(disk.file("arm/model.config", config).parent)
    assert found.path is None
    assert problem in found.problem


def test_description_that_names_a_missing_file(disk: Disk) -> None:
    folder = disk.file("arm/model.config", "<model><sdf>a.sdf</sdf></model>").parent
    found = disk.finder().model_file(folder)
    assert found == Found(None, (folder / "a.sdf",), config=folder / "model.config", lacks_version=True)


def test_a_cache_of_fuel_may_hold_any_folders(tmp_path: Path) -> None:
    versions = tmp_path / ".gz" / "fuel" / "fuel.gazebosim.org" / "openrobotics" / "models" / "cup"
    for name in ("1", "10", "9", "²", "٣", "x"):
        (versions / name).mkdir(parents=True)
    finder = Finder(environ={"HOME": str(tmp_path)}, cwd=tmp_path)
    found = finder.find("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Cup", tmp_path)
    assert found.path == versions / "10"
    assert finder.find("https://fuel.gazebosim.org/1.0/OpenRobotics/models/%00", tmp_path).path is None


# --- folders that are offered ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["model://", "package://", ""])
@pytest.mark.parametrize("folder", ["models", "work/models", "work/worlds/models", "work"])
def test_a_folder_of_models_around_the_file_is_offered_and_not_used(disk: Disk, scheme: str, folder: str) -> None:
    disk.file(f"{folder}/arm/model.config")
    world = disk.file("work/worlds/w.sdf")
    finder = disk.finder()
    assert finder.find(f"{scheme}arm", world).path is None
    assert finder.folder_to_add(f"{scheme}arm", world) == disk.root / folder
    assert finder.folder_to_add(f"{scheme}leg", world) is None
    assert disk.finder(folder).find(f"{scheme}arm", world).path == disk.root / folder / "arm"


def test_the_models_of_packages_beside_that_of_the_file_are_offered(disk: Disk) -> None:
    disk.file("repo/urdf/arms/models/arm/model.config")
    world = disk.file("repo/simulation/worlds/w.sdf")
    assert disk.finder().folder_to_add("model://arm", world) is None
    disk.file("repo/simulation/package.xml", "<package/>")
    assert disk.finder().folder_to_add("model://arm", world) == disk.root / "repo/urdf/arms/models"


def test_a_model_of_a_server_is_found_in_a_folder_that_the_user_has_named(disk: Disk) -> None:
    """The message advises that; without a network nothing else helps."""
    uri = "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Post"
    post = disk.file("models/post/model.config").parent
    in_window = Finder([disk.root / "models"], disk.environ, disk.root, replaces_fuel=True)
    assert disk.finder("models").find(uri).path is None, "a file is valid only where libsdformat finds it"
    assert disk.finder().find(uri).path is None
    assert in_window.find(uri).path == post
    disk.file("models/post/meshes/a.dae")
    assert in_window.find(f"{uri}/tip/files/meshes/a.dae").path == post / "meshes/a.dae"
    assert NearFinder(in_window).find(uri).path == post, "an export takes along what is shown"
    cached = disk.file("home/.gz/fuel/fuel.gazebosim.org/openrobotics/models/post/2/model.config").parent
    assert in_window.fresh().find(uri).path == cached, "what was downloaded comes first"


def test_neither_home_nor_what_leads_elsewhere_is_offered(disk: Disk) -> None:
    disk.file("home/arm/model.config")
    world = disk.file("home/work/w.sdf")
    finder = disk.finder()
    assert finder.folder_to_add("model://arm", world) is None
    disk.file("home/work/arm/model.config")
    for uri in ("https://fuel.gazebosim.org/1.0/a/models/arm", "file://arm", "model://../work/arm", "../work/arm", ""):
        assert finder.folder_to_add(uri, world) is None


@posix
@pytest.mark.parametrize(
    ("folder", "shown"),
    [
        ("/w/models", "../models"),
        ("/w/worlds", "../worlds"),
        ("/w", "../../w"),
        ("/w/worlds/a", "a"),
        ("/x/y", "../../x/y"),
    ],
)
def test_a_folder_is_shown_from_another_one_with_its_name(folder: str, shown: str) -> None:
    assert shown_from(Path(folder), Path("/w/worlds")) == shown
    assert shown_from(Path("/a"), Path("/1/2/3/4/5/6")) == "/a"
