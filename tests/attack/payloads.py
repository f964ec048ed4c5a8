"""What a stranger has tried to run code, to reach secrets and to have them copied; each is kept for ever.

A payload is a function that writes a stranger's folder; the command lines with which somebody uses it go with it. OUT
stands for a folder to write to in these, MARK in files for one that nothing may touch. :data:`ELSEWHERE` names the
tests of what is tried with more than a command line.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tests.attack.faults import model
from tests.formats.xacro.payloads import FILES, REACHING
from tests.hostile import GIT_PROGRAMS

#: What is in the files of the user, and may be nowhere else.
SECRET = "gho-of-the-user"
#: Files of the user's home, each with the secret in it.
SECRETS = {
    ".config/gh/hosts.yml": f"github.com: {{oauth_token: {SECRET}}}\n",
    ".netrc": f"machine x login y password {SECRET}\n",
    ".ssh/id_rsa": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n",
    ".ssh/id_rsa.obj": f"# {SECRET}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    ".ssh/key.yaml": f"a: {SECRET}\n",
}


@dataclass(frozen=True)
class Payload:
    """Something that a stranger has tried.

    Attributes
    ----------
    name
        What it is called in the list of tests.
    write
        Writes a folder; the second argument is the file that nothing may touch, the third the user's home.
    commands
        The command lines, run in the folder.
    variables
        What is set in the environment.
    needs
        Packages without which it proves nothing.
    """

    name: str
    write: Callable[[Path, Path, Path], None]
    commands: tuple[str, ...]
    variables: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()


PAYLOADS: list[Payload] = []
_Write = Callable[[Path, Path, Path], None]


def payload(*commands: str, needs: tuple[str, ...] = (), **variables: str) -> Callable[[_Write], _Write]:
    """Register the function that writes the folder of a payload."""

    def register(write: _Write) -> _Write:
        PAYLOADS.append(Payload(write.__name__, write, commands, variables, needs))
        return write

    return register


_HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _robot(path: Path, content: str, mark: Path) -> None:
    _write(path, f"{_HEAD}{content}</robot>".replace("MARK", mark.as_posix()))


def _named(expression: str) -> str:
    """Return a link whose name is an expression."""
    return f"<link name={quoteattr('${' + expression + '}')}/>"


def _yaml(path: str, key: str = "['github.com']['oauth_token']") -> str:
    """Return a link that is called as a YAML file says."""
    return _named(f"xacro.load_yaml('{path}'){key}")


# --- xacro that runs code --------------------------------------------------------------------------------------------

#: What ran ``id`` on the first day.
FIRST = (
    "_counted([]).gi_frame.f_builtins['__import__']('os').system('touch MARK')",
    "[g.gi_frame.f_back.f_back.f_builtins['open']('MARK', 'w') for g in [(x for x in [1])]]",
    "(lambda g: [g.append((x.gi_frame.f_back.f_back.f_builtins['open']('MARK', 'w') for x in g)), list(g[0])])([])",
    "python.vars(python.type(python.type('')))['__subclasses__'](python.type(python.type('')))",
)


@payload("check --xacro .", "frames a0.xacro", "convert --to 1.12 a0.xacro", "check a5.xacro", needs=("xacro",))
def expressions_of_the_first_day(folder: Path, mark: Path, home: Path) -> None:
    for number, expression in enumerate(FIRST):
        _robot(folder / f"a{number}.xacro", _named(expression), mark)
    _robot(folder / "a4.xacro", """<link name="$(eval open('MARK', 'w'))"/>""", mark)
    _robot(folder / "a5.xacro", "<link name=\"${load_yaml('y.yaml').a}\"/>", mark)
    _write(folder / "y.yaml", f"a: !degrees \"open('{mark.as_posix()}', 'w')\"\n")


@payload("check --xacro .", needs=("xacro",))
def every_expression_that_reached_for_python(folder: Path, mark: Path, home: Path) -> None:
    for number, expression in enumerate(REACHING):
        _robot(folder / f"a{number}.xacro", _named(expression), mark)


@payload("check --xacro .", needs=("xacro",))
def every_place_of_a_file_where_an_expression_can_stand(folder: Path, mark: Path, home: Path) -> None:
    for number, (content, yaml) in enumerate(FILES):
        _robot(folder / str(number) / "a.xacro", content, mark)
        _write(folder / str(number) / "y.yaml", yaml.replace("MARK", mark.as_posix()))


@payload("check a.sdf", "frames a.sdf", "graph a.sdf", "assets a.sdf", "check .", "frames m", needs=("xacro",))
def includes_and_models_that_are_xacro(folder: Path, mark: Path, home: Path) -> None:
    _robot(folder / "b.xacro", _yaml("names.yaml", "['a']"), mark)
    _write(folder / "names.yaml", f"a: {SECRET}\n")  # evaluated without a question, it would be the name of a link
    _write(folder / "a.sdf", model('<link name="l"/><include><uri>b.xacro</uri></include>'))
    shutil.copytree(folder, folder / "m", ignore=shutil.ignore_patterns("m"))
    _write(folder / "m" / "model.config", '<model><name>m</name><sdf version="1.9">b.xacro</sdf></model>')


# --- xacro that reads what is not its own ----------------------------------------------------------------------------


@payload("frames a0.xacro", "frames a1.xacro", "check .", needs=("xacro",), ROS_PACKAGE_PATH="OUT", SDF_PATH="OUT")
def packages_whose_names_lead_up(folder: Path, mark: Path, home: Path) -> None:
    """Found: ``$(find ../x)`` was looked for in the folders of ROS, and opened whatever was there."""
    for number, name in enumerate(("../home/.config/gh", "x/../../home/.config/gh")):
        _robot(folder / f"a{number}.xacro", _yaml(f"$(find {name})/hosts.yml"), mark)


@payload("frames --path OUT a.xacro", needs=("xacro",))
def packages_whose_names_are_paths(folder: Path, mark: Path, home: Path) -> None:
    """Found: an absolute name was one in every model folder."""
    _robot(folder / "a.xacro", _yaml(f"$(find {home / '.config' / 'gh'})/hosts.yml"), mark)


@payload("frames --path . a.xacro", "frames a.xacro", needs=("xacro",), GZ_SIM_RESOURCE_PATH=".")
def packages_that_are_links_to_something_hidden(folder: Path, mark: Path, home: Path) -> None:
    """Found: such a link in a model folder was a package, in which everything may be read."""
    (folder / "gh").symlink_to(home / ".config" / "gh")
    _robot(folder / "a.xacro", _yaml("$(find gh)/hosts.yml"), mark)


@payload("check a.xacro", "check .", needs=("xacro",))
def settings_that_name_a_hidden_folder(folder: Path, mark: Path, home: Path) -> None:
    """Found: a model folder of a project's ``sdfviewer.toml`` may be read by xacro files."""
    way = os.path.relpath(home / ".config" / "gh", folder)
    _write(folder / "sdfviewer.toml", f"paths = ['{way}']\n")
    _robot(folder / "a.xacro", _yaml(f"{way}/hosts.yml"), mark)


@payload("check a.xacro", needs=("xacro",))
def settings_that_name_the_whole_disk(folder: Path, mark: Path, home: Path) -> None:
    _write(folder / "pyproject.toml", "[tool.sdfviewer]\npaths = ['/']\n")
    _write(home / "notes.yml", f"github.com: {{oauth_token: {SECRET}}}\n")
    _robot(folder / "a.xacro", _yaml((home / "notes.yml").as_posix()), mark)


@payload("check a.xacro", "check b.xacro", "check c.xacro", "check d.xacro", needs=("xacro",))
def files_of_the_user(folder: Path, mark: Path, home: Path) -> None:
    gh = home / ".config" / "gh" / "hosts.yml"
    _robot(folder / "a.xacro", _yaml(gh.as_posix()), mark)
    _robot(folder / "b.xacro", _yaml(Path(os.path.relpath(gh, folder)).as_posix()), mark)
    (folder / "key.yaml").symlink_to(home / ".ssh" / "key.yaml")
    _robot(folder / "c.xacro", _yaml("key.yaml", "['a']"), mark)
    (folder / "ssh").symlink_to(home / ".ssh")
    _robot(folder / "d.xacro", _yaml("ssh/key.yaml", "['a']"), mark)


@payload("check a.xacro", needs=("xacro",), SOME_TOKEN=SECRET, MY_PASSWORD=SECRET, KEYS=SECRET)
def variables_that_are_secrets(folder: Path, mark: Path, home: Path) -> None:
    names = ("SOME_TOKEN", "MY_PASSWORD", "KEYS")
    _robot(folder / "a.xacro", "".join(f'<link name="$(env {name})"/>' for name in names), mark)


if sys.platform == "linux":

    @payload("check .", "frames a.sdf", "check --xacro b.xacro", "assets a.sdf", SOME_TOKEN=SECRET)
    def variables_in_a_file_of_the_kernel(folder: Path, mark: Path, home: Path) -> None:
        """Found: a link to ``/proc/self/environ`` was a file of which a diagnostic shows the first line."""
        (folder / "e.sdf").symlink_to("/proc/self/environ")
        (folder / "e.xacro").symlink_to("/proc/self/environ")
        _write(folder / "a.sdf", model('<link name="l"/><include><uri>file:///proc/self/environ</uri></include>'))
        _robot(folder / "b.xacro", '<xacro:include filename="e.xacro"/>', mark)


# --- copies ----------------------------------------------------------------------------------------------------------


_BUNDLE = "convert --to 1.12 --bundle"


def _mesh(uri: str) -> str:
    return f'<visual name="v"><geometry><mesh><uri>{uri}</uri></mesh></geometry></visual>'


@payload(
    "convert --to 1.12 --bundle OUT/a a.sdf", "convert --to urdf --bundle OUT/b a.sdf", "assets --copy OUT/c a.sdf"
)
def meshes_that_are_links_to_keys(folder: Path, mark: Path, home: Path) -> None:
    (folder / "meshes").mkdir()
    (folder / "meshes" / "link.obj").symlink_to(home / ".ssh" / "id_rsa")
    (folder / "meshes" / "same.obj").symlink_to(home / ".ssh" / "id_rsa.obj")
    (folder / "ssh").symlink_to(home / ".ssh")
    uris = ("meshes/link.obj", "meshes/same.obj", "ssh/id_rsa.obj", "ssh/id_rsa", "../home/.netrc")
    links = "".join(f'<link name="l{number}">{_mesh(uri)}</link>' for number, uri in enumerate(uris))
    _write(folder / "a.sdf", model(links))


@payload(
    "convert --to 1.12 --bundle OUT/a a.sdf", "convert --to urdf --bundle OUT/b a.sdf", "assets --copy OUT/c a.sdf"
)
def meshes_that_name_keys(folder: Path, mark: Path, home: Path) -> None:
    """Found: a mesh named a key two folders above it, as its library of materials or as a buffer: bundles had it."""
    key = Path(os.path.relpath(home / ".ssh" / "id_rsa", folder / "meshes")).as_posix()
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    _write(folder / "meshes" / "a.obj", f"mtllib {key}\nmtllib a.mtl\nusemtl x\n{corners}")
    _write(folder / "meshes" / "a.mtl", f"newmtl x\nmap_Kd {key}\n")
    buffers = ", ".join(f'{{"uri": "{uri}", "byteLength": 9}}' for uri in (key, key.replace("/", "%2f")))
    _write(folder / "meshes" / "b.gltf", f'{{"asset": {{"version": "2.0"}}, "buffers": [{buffers}]}}')
    links = "".join(f'<link name="{each[0]}">{_mesh(f"meshes/{each}")}</link>' for each in ("a.obj", "b.gltf"))
    _write(folder / "a.sdf", model(links))


@payload("convert --to 1.12 --bundle OUT/a a.sdf", "assets --copy OUT/c a.sdf")
def folders_of_scripts_that_are_the_home(folder: Path, mark: Path, home: Path) -> None:
    (folder / "scripts").symlink_to(home)
    script = "<material><script><uri>{}</uri><name>n</name></script></material>"
    visuals = "".join(
        f'<visual name="v{number}"><geometry><box><size>1 1 1</size></box></geometry>{script.format(uri)}</visual>'
        for number, uri in enumerate(("scripts", "file:///", "../home", "../home/.ssh", "."))
    )
    _write(folder / "a.sdf", model(f'<link name="l">{visuals}</link>'))


@payload("convert --to standalone -o OUT/a.sdf a.sdf", "convert --to flat -o OUT/b.sdf a.sdf", "assets --json a.sdf")
def includes_of_files_of_the_user(folder: Path, mark: Path, home: Path) -> None:
    uris = (
        "../home/.netrc",
        (home / ".ssh" / "id_rsa").as_uri(),
        "model://../home/.netrc",
        "../home/.config/gh/hosts.yml",
    )
    _write(
        folder / "a.sdf", model('<link name="l"/>' + "".join(f"<include><uri>{uri}</uri></include>" for uri in uris))
    )


@payload(
    "convert --to 1.12 --bundle OUT/a a.sdf", "convert --to mjcf --bundle OUT/b a.sdf", "assets --copy OUT/c a.sdf"
)
def names_that_lead_out_of_a_copy(folder: Path, mark: Path, home: Path) -> None:
    """What is copied is called as a mesh is; MARK lies above the folder that is written."""
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    _write(folder / "a" / "marker", text)
    for uri in ("marker.obj", "..obj", "a\\b.obj"):
        _write(folder / "meshes" / uri, text)
    uris = ("meshes/marker.obj", "meshes/..obj", "meshes/a\\b.obj", "meshes/../meshes/../../p/meshes/marker.obj")
    links = "".join(f'<link name="../../{number}">{_mesh(uri)}</link>' for number, uri in enumerate(uris))
    _write(folder / "a.sdf", model(links).replace('name="m"', 'name="../../../marker"'))


# --- git and programs ------------------------------------------------------------------------------------------------


@payload(
    "diff :0:m.sdf m.sdf", "diff :/x:m.sdf m.sdf", "diff HEAD:m.sdf m.sdf", "diff m.sdf", "diff -- --help:m.sdf m.sdf"
)
def a_repository_that_names_programs(folder: Path, mark: Path, home: Path) -> None:
    """Found on the first day: revisions that are looked for in the index ran the file monitor."""
    git = shutil.which("git")
    _write(folder / "m.sdf", model('<link name="a"/>'))
    if git is None or sys.platform == "win32":
        return
    program = folder / "git"
    _write(program, f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "m.sdf"), ("commit", "-q", "-m", "x")):
        subprocess.run([git, "-C", str(folder), *identity, *words], check=True, capture_output=True)
    for key in GIT_PROGRAMS:
        subprocess.run([git, "-C", str(folder), "config", key, str(program)], check=True, capture_output=True)
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        _write(folder / ".git" / "hooks" / hook, program.read_text(encoding="utf-8"))
        (folder / ".git" / "hooks" / hook).chmod(0o755)
    _write(folder / ".gitattributes", "* filter=x diff=x merge=x\n")
    _write(folder / "m.sdf", model('<link name="b"/>'))


@payload("check .", "assets a.sdf", "frames a.sdf", "convert --to 1.12 --bundle OUT/a a.sdf")
def plugins_and_scripts_beside_a_model(folder: Path, mark: Path, home: Path) -> None:
    """Nothing that a model names is loaded: libraries of plugins, shaders, modules of Python and their caches."""
    code = f"open({str(mark)!r}, 'w')\n"
    for name in (
        "sitecustomize.py",
        "usercustomize.py",
        "conftest.py",
        "setup.py",
        "libevil.py",
        "numpy.py",
        "sdfviewer.py",
    ):
        _write(folder / name, code)
    _write(folder / "libevil.so", f"#!/bin/sh\ntouch '{mark}'\n")
    (folder / "libevil.so").chmod(0o755)
    _write(folder / "evil.egg-info" / "entry_points.txt", "[sdfviewer.formats]\nevil = libevil:run\n")
    _write(folder / "evil-1.0.dist-info" / "entry_points.txt", "[sdfviewer.formats]\nevil = libevil:run\n")
    plugins = "".join(
        f'<plugin name="p{number}" filename="{name}"/>'
        for number, name in enumerate(
            ("libevil.so", "./libevil.so", "libevil.py", f"$(touch {mark})", f"; touch {mark}")
        )
    )
    _write(folder / "a.sdf", model(f'<link name="l"/>{plugins}'))


# --- files that name other files, or are links to them ---------------------------------------------------------------

_COLLADA = """<?xml version="1.0"?>{declared}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{used}</asset><library_images><image id="i"><init_from>{picture}</init_from></image></library_images>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source><vertices id="v">
<input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node>
<instance_geometry url="#g"/><instance_geometry url="{picture}#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@payload(
    "check --resources a.sdf",
    "assets a.sdf",
    "convert --to 1.12 --bundle OUT/a a.sdf",
    "assets --copy OUT/c a.sdf",
    "convert --to mjcf --allow-loss --bundle OUT/d a.sdf",
)
def meshes_that_name_entities_pictures_and_addresses(folder: Path, mark: Path, home: Path) -> None:
    key = home / ".ssh" / "id_rsa"
    way = Path(os.path.relpath(key, folder / "meshes")).as_posix()
    entities = f'<!DOCTYPE c [<!ENTITY x SYSTEM "{key.as_uri()}"><!ENTITY % p SYSTEM "{key.as_uri()}"> %p;]>'
    _write(folder / "meshes" / "a.dae", _COLLADA.format(declared=entities, used="&x;", picture=way))
    names = ["a.dae"]
    for number, uri in enumerate(
        (way, key.as_uri(), "http://127.0.0.1:9/x", "//host/share/x", way.replace("/", "%2f"))
    ):
        names += [f"b{number}.dae", f"c{number}.gltf"]
        _write(folder / "meshes" / f"b{number}.dae", _COLLADA.format(declared="", used="", picture=uri))
        _write(
            folder / "meshes" / f"c{number}.gltf", json.dumps({"asset": {"version": "2.0"}, "images": [{"uri": uri}]})
        )
    links = "".join(f'<link name="l{number}">{_mesh(f"meshes/{each}")}</link>' for number, each in enumerate(names))
    _write(folder / "a.sdf", model(links))


@payload(
    "check --resources a.sdf",
    "assets --json a.sdf",
    "check toml/a.sdf",
    "check project/a.sdf",
    "check config.sdf",
    "frames config.sdf",
    "check --xacro .",
)
def files_of_a_project_that_are_links_to_secrets(folder: Path, mark: Path, home: Path) -> None:
    """What cannot be read as what it should be is not quoted."""
    secret = home / ".netrc"
    meshes = [f"meshes/a{suffix}" for suffix in (".dae", ".obj", ".stl", ".gltf", ".glb", ".png", ".material")]
    for name in (*meshes, "toml/sdfviewer.toml", "project/pyproject.toml", "config/model.config"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(secret)
    script = "<material><script><uri>meshes</uri><name>n</name></script></material>"
    boxes = f'<visual name="b"><geometry><box><size>1 1 1</size></box></geometry>{script}</visual>'
    links = "".join(f'<link name="l{number}">{_mesh(uri)}</link>' for number, uri in enumerate(meshes))
    _write(folder / "a.sdf", model(f'{links}<link name="l">{boxes}</link>'))
    for name in ("toml", "project"):
        _write(folder / name / "a.sdf", model('<link name="l"/>'))
    _write(folder / "config.sdf", model("<include><uri>config</uri></include>"))
    _robot(folder / "b.xacro", '<xacro:include filename="../home/.ne*"/><xacro:include filename="toml/*"/>', mark)


@payload(
    "convert --to 1.12 --bundle build a.sdf",
    "convert --to urdf --bundle build a.sdf",
    "assets --copy build a.sdf",
    "convert --to 1.12 --bundle keys a.sdf",
    "assets --copy keys a.sdf",
)
def folders_to_write_to_that_lead_to_the_home(folder: Path, mark: Path, home: Path) -> None:
    """The folder that somebody is used to write to was there already."""
    _write(folder / "meshes" / "id_rsa.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    _write(folder / "a.sdf", model(f'<link name="l">{_mesh("meshes/id_rsa.obj")}</link>'))
    (folder / "build").mkdir()
    (folder / "build" / "meshes").symlink_to(home / ".ssh")
    for name, target in (("a.sdf", ".netrc"), ("model.sdf", ".netrc"), ("model.config", ".config/gh/hosts.yml")):
        (folder / "build" / name).symlink_to(home / target)
    (folder / "keys").symlink_to(home / ".ssh")


@payload(*(f"check a{number}.xacro" for number in range(9)), needs=("xacro",))
def yaml_files_that_are_programs_or_bombs(folder: Path, mark: Path, home: Path) -> None:
    doubled = "\n".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]" for n in range(9))
    texts = (
        f"a: !!python/object/apply:os.system ['touch {mark.as_posix()}']\n",
        f"a: !!python/object/new:os.system ['touch {mark.as_posix()}']\n",
        "a: !!python/name:os.system\n",
        "a: !!python/module:os\n",
        f"a0: &a0 [x, x, x, x, x, x, x, x, x]\n{doubled}\na: *a9\n",
        "a: &a [*a]\n",
        "[" * 20_000,
        f"a: 0x{'f' * 50_000}\n",
        f"a: 1{':59' * 20_000}\n",
    )
    for number, text in enumerate(texts):
        _write(folder / f"{number}.yaml", text)
        _robot(folder / f"a{number}.xacro", _named(f"str(xacro.load_yaml('{number}.yaml')['a'])"), mark)


@payload(
    "check --fix .",
    "check --unsafe-fixes -j 2 .",
    "edit --rename l=k --also . --in-place m.sdf",
)
def links_that_lead_from_a_folder_to_models_of_the_user(folder: Path, mark: Path, home: Path) -> None:
    """Found: what is fixed, or follows a rename, in all of a folder was written through the links in it."""
    way = Path(os.path.relpath(folder, home)).as_posix()
    _write(folder / "m.sdf", model('<link name="l"/>'))
    include = f'<include><uri>{way}/m.sdf</uri></include><frame name="f"><pose relative_to="m::l"/></frame>'
    _write(home / "mine.sdf", model(f'<link name="b"/>{include}').replace('name="m"', 'name="mine"'))
    _write(home / "wrong.sdf", model('<link name="b"/><frame name="f" attached_to="bb"/>'))
    for name in ("mine.sdf", "wrong.sdf"):
        (folder / name).symlink_to(home / name)


@payload(
    "check .", "frames a.mjcf", "convert --to 1.12 a.mjcf", "convert --to 1.12 --bundle OUT/a a.mjcf", "check b.mjcf"
)
def mjcf_that_names_files_of_the_user(folder: Path, mark: Path, home: Path) -> None:
    key, way = home / ".ssh" / "id_rsa.obj", Path(os.path.relpath(home / ".ssh", folder)).as_posix()
    entities = f'<!DOCTYPE m [<!ENTITY x SYSTEM "{key.as_uri()}">]>'
    names = (f"{way}/id_rsa.obj", key.as_posix(), "link.obj", f"{way}/id_rsa")
    (folder / "link.obj").symlink_to(key)
    (folder / "link.xml").symlink_to(home / ".netrc")
    meshes = "".join(f'<mesh name="m{number}" file="{name}"/>' for number, name in enumerate(names))
    geoms = "".join(f'<body><geom type="mesh" mesh="m{number}"/></body>' for number in range(len(names)))
    includes = "".join(f'<include file="{name}"/>' for name in ("link.xml", f"{way}/../.netrc", f"{way}/key.yaml"))
    asset = (
        f'<asset>{meshes}<texture name="t" type="2d" file="{way}/id_rsa"/><model name="a" file="{way}/id_rsa"/></asset>'
    )
    plugin = f'<extension><plugin plugin="{mark.as_posix()}"/></extension>'
    _write(folder / "a.mjcf", f"<mujoco>{includes}{plugin}{asset}<worldbody>{geoms}</worldbody></mujoco>")
    _write(folder / "b.mjcf", f'{entities}<mujoco><compiler meshdir="{way}"/><custom>&x;</custom></mujoco>')


@payload("check .", "check ./--fix.sdf", "frames -- -o.sdf", "check @a.sdf", "assets ./--copy=x.sdf")
def names_that_look_like_options(folder: Path, mark: Path, home: Path) -> None:
    for name in ("--fix.sdf", "-o.sdf", "--write-baseline=x.sdf", "--copy=x.sdf", "-", "@a.sdf", "a\nb.sdf"):
        _write(folder / name, model('<link name="l"/><link name="l"/>'))


#: What is tried with more than a command line, and the test that does it.
ELSEWHERE = {
    "a stranger's sdfviewer.py in the working folder": (
        "tests/test_programs.py::test_sdfviewer_is_started_from_the_installation",
        "tests/test_programs.py::test_python_m_sdfviewer_imports_nothing_of_the_working_folder",
    ),
    "a workspace in the language server, whose xacro files are let be evaluated": (
        "tests/attack/workspaces.py::attack",
    ),
    "a workspace in the language server that nobody has decided about": (
        "tests/lsp/test_deciding.py::test_the_problems_of_a_workspace_are_found_without_evaluating_anything",
    ),
    "a xacro file in the window, in another file, in a comparison with git": (
        "tests/gui/shell/test_xacro.py::test_a_file_asks_once_before_it_is_evaluated",
        "tests/gui/shell/test_xacro.py::test_a_world_asks_before_a_robot_in_it_is_evaluated",
        "tests/gui/shell/test_xacro.py::test_a_version_in_git_is_evaluated_only_when_its_content_is_allowed",
    ),
    "expressions that are expensive": ("tests/formats/xacro/test_hostile_files.py::test_an_expression_takes_little",),
    "four includes that each take twenty seconds": (
        "tests/formats/xacro/test_xacro.py::test_all_files_of_a_load_share_one_limit_of_time",
    ),
    "an answer of Fuel that is packed twice, nested deeply, or never ends": (
        "tests/files/test_fuel.py::test_an_answer_may_be_packed_once",
        "tests/files/test_fuel.py::test_descriptions_that_mean_nothing",
        "tests/files/test_fuel.py::test_a_server_that_sends_a_byte_now_and_then_is_given_up",
    ),
    "a configuration that is huge, nested, a folder or a device": (
        "tests/cli/test_check_pipelines.py::test_a_configuration_has_a_size",
        "tests/cli/test_check_pipelines.py::test_a_configuration_that_is_a_folder_is_named",
        "tests/attack/kept.py::attack",
    ),
    "a name of a file that is not UTF-8": ("tests/lsp/test_messages.py::test_a_name_that_is_not_utf_8",),
    "python -OO": ("tests/cli/test_faults_of_the_program.py::test_python_without_docstrings",),
    "an output that is full": (
        "tests/cli/test_faults_of_the_program.py::test_an_output_that_is_full_is_no_problem_of_the_file",
    ),
    "standard streams that are closed": ("tests/cli/test_faults_of_the_program.py::test_streams_that_are_closed",),
    "a working folder that is gone": ("tests/cli/test_faults_of_the_program.py::test_a_working_folder_that_is_gone",),
    "a file name that a runner of CI takes for a command": (
        "tests/cli/test_hostile_names.py::test_no_name_is_a_command_to_a_runner",
    ),
    "a file name with escape sequences in the log of --debug": (
        "tests/cli/test_hostile_names.py::test_the_log_shows_no_path_as_it_is",
    ),
    "Ctrl-C": ("tests/cli/test_faults_of_the_program.py::test_ctrl_c_ends_a_run_over_many_files_without_a_trace",),
    "nested JSON on the live socket": (
        "tests/lsp/test_messages.py::test_a_line_of_the_live_link_that_is_nested_too_deep_is_no_message",
        "tests/gui/shell/test_live_server.py::test_what_is_no_message_changes_nothing",
    ),
    "a Content-Length that is huge or none": (
        "tests/lsp/test_messages.py::test_a_header_that_no_editor_sends_ends_the_server",
    ),
    "a file that is replaced by a pipe, a device or a loop of links": (
        "tests/files/test_saving.py::test_a_pipe_is_neither_read_nor_replaced",
        "tests/gui/shell/test_disk.py::test_what_replaces_a_file_and_is_none_is_not_read",
        "tests/attack/places.py::attack",
    ),
    "a link in place of a file that is being edited": (
        "tests/files/test_saving.py::test_what_a_path_has_come_to_lead_to_is_not_written",
        "tests/session/test_session.py::test_what_a_file_has_become_a_link_to_is_written_only_if_the_path_is_given",
        "tests/gui/operations/test_refactoring.py::test_nothing_is_split_off_through_a_link",
    ),
    "a drawing that is called 0.png in the folder of a model, and names a pipe": (
        "tests/gui/operations/test_including.py::test_a_picture_of_a_model_is_only_a_picture",
    ),
    "the address of a network share at the caret of an editor on Windows": (
        "tests/language/test_uris.py::test_windows_is_not_made_to_call_a_server",
    ),
    "a web page of a model with links to private pictures and meshes, and one that is written through a link": (
        "tests/export/page/test_page.py::test_what_a_link_elsewhere_leads_to_is_in_no_page",
        "tests/export/page/test_page.py::test_a_page_is_written_to_no_place_that_somebody_else_has_chosen",
    ),
    "a pull request: files called like options, pip.py or Markdown, links to files of the runner": (
        "tests/packaging/test_scripts.py::test_the_action_takes_no_name_of_a_stranger_for_an_option_and_writes_through_no_link",
        "tests/packaging/test_scripts.py::test_the_action_imports_nothing_of_the_checkout_to_install",
        "tests/packaging/test_scripts.py::test_the_action_writes_no_name_of_a_file_as_markdown_and_follows_no_link",
    ),
    "a mesh of an MJCF file on a network share": (
        "tests/formats/mjcf/test_mjcf.py::test_windows_is_not_made_to_call_a_server_for_a_mesh",
    ),
    "a graph that is written as a web page": (
        "tests/cli/test_why_and_graph.py::test_no_graph_is_written_where_names_would_be_markup",
    ),
    "a model whose name is a path": (
        "tests/gui/operations/test_refactoring.py::test_the_name_of_a_model_leads_to_no_other_folder",
        "tests/files/test_paths.py::test_a_text_as_a_name_leads_nowhere",
    ),
    "addresses of other schemes and hundreds of files that are dropped on the window": (
        "tests/gui/shell/test_files.py::test_files_that_cannot_be_opened_are_one_warning",
    ),
    "plugins of sdfviewer that raise, exit or answer wrongly": (
        "tests/formats/sdformat/test_composition.py::test_a_plugin_that_cannot_be_loaded_is_one_diagnostic",
        "tests/formats/sdformat/test_composition.py::test_a_wrong_answer_of_a_parser_is_one_diagnostic",
    ),
}
