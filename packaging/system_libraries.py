"""Name the system packages that Qt and OpenGL need here and that are not installed.

usage: system_libraries.py apt-get|dnf|pacman|zypper

The libraries are not looked up in a list of a distribution: the files of the installed PySide6 are asked what they
would load, so the answer is right for the version at hand. Packages go to stdout, one a line. A library without a known
package is named on stderr and is no failure: the platform may do without it.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

MANAGERS = ("apt-get", "dnf", "pacman", "zypper")
# Loaded by name while the program runs, so no file says that it needs them.
LOADED_BY_NAME = ("libEGL.so.1", "libGL.so.1", "libOpenGL.so.0")
QT_FILES = (
    "QtCore.abi3.so",
    "QtDBus.abi3.so",
    "QtGui.abi3.so",
    "QtOpenGL.abi3.so",
    "QtOpenGLWidgets.abi3.so",
    "QtSvg.abi3.so",
    "QtWidgets.abi3.so",
    "Qt/plugins/platforms/libqxcb.so",
    "Qt/plugins/xcbglintegrations/libqxcb-egl-integration.so",
    "Qt/plugins/xcbglintegrations/libqxcb-glx-integration.so",
)
WAYLAND_FILES = ("Qt/plugins/platforms/libqwayland.so",)

PACKAGES = {  # soname without its version: package of apt, dnf, pacman, zypper
    "libEGL": ("libegl1", "libglvnd-egl", "libglvnd", "libEGL1"),
    "libGL": ("libgl1", "libglvnd-glx", "libglvnd", "libGL1"),
    "libGLX": ("libglx0", "libglvnd-glx", "libglvnd", "libGLX0"),
    "libOpenGL": ("libopengl0", "libglvnd-opengl", "libglvnd", "libOpenGL0"),
    "libX11": ("libx11-6", "libX11", "libx11", "libX11-6"),
    "libX11-xcb": ("libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1"),
    "libxcb": ("libxcb1", "libxcb", "libxcb", "libxcb1"),
    "libxcb-cursor": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor", "libxcb-cursor0"),
    "libxcb-glx": ("libxcb-glx0", "libxcb", "libxcb", "libxcb-glx0"),
    "libxcb-icccm": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm", "libxcb-icccm4"),
    "libxcb-image": ("libxcb-image0", "xcb-util-image", "xcb-util-image", "libxcb-image0"),
    "libxcb-keysyms": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms", "libxcb-keysyms1"),
    "libxcb-randr": ("libxcb-randr0", "libxcb", "libxcb", "libxcb-randr0"),
    "libxcb-render": ("libxcb-render0", "libxcb", "libxcb", "libxcb-render0"),
    "libxcb-render-util": (
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
        "libxcb-render-util0",
    ),
    "libxcb-shape": ("libxcb-shape0", "libxcb", "libxcb", "libxcb-shape0"),
    "libxcb-shm": ("libxcb-shm0", "libxcb", "libxcb", "libxcb-shm0"),
    "libxcb-sync": ("libxcb-sync1", "libxcb", "libxcb", "libxcb-sync1"),
    "libxcb-util": ("libxcb-util1", "xcb-util", "xcb-util", "libxcb-util1"),
    "libxcb-xfixes": ("libxcb-xfixes0", "libxcb", "libxcb", "libxcb-xfixes0"),
    "libxcb-xinput": ("libxcb-xinput0", "libxcb", "libxcb", "libxcb-xinput0"),
    "libxcb-xkb": ("libxcb-xkb1", "libxcb", "libxcb", "libxcb-xkb1"),
    "libxkbcommon": ("libxkbcommon0", "libxkbcommon", "libxkbcommon", "libxkbcommon0"),
    "libxkbcommon-x11": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11", "libxkbcommon-x11-0"),
    "libSM": ("libsm6", "libSM", "libsm", "libSM6"),
    "libICE": ("libice6", "libICE", "libice", "libICE6"),
    "libdbus-1": ("libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3"),
    "libfontconfig": ("libfontconfig1", "fontconfig", "fontconfig", "libfontconfig1"),
    "libfreetype": ("libfreetype6", "freetype", "freetype2", "libfreetype6"),
    "libglib-2.0": ("libglib2.0-0", "glib2", "glib2", "libglib-2_0-0"),
    "libgthread-2.0": ("libglib2.0-0", "glib2", "glib2", "libgthread-2_0-0"),
    "libwayland-client": ("libwayland-client0", "libwayland-client", "wayland", "libwayland-client0"),
    "libwayland-cursor": ("libwayland-cursor0", "libwayland-cursor", "wayland", "libwayland-cursor0"),
    "libwayland-egl": ("libwayland-egl1", "libwayland-egl", "wayland", "libwayland-egl1"),
    "libz": ("zlib1g", "zlib", "zlib", "libz1"),
    "libzstd": ("libzstd1", "libzstd", "zstd", "libzstd1"),
}
DRIVERS = ("libgl1-mesa-dri", "mesa-dri-drivers", "mesa", "Mesa-dri")
DRIVER_LIBRARIES = ("libEGL_mesa.so.0", "libEGL_nvidia.so.0")
FONTS = ("fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu", "dejavu-fonts")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def loads(library: str) -> bool:
    """Return whether the dynamic loader finds and accepts a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def needed_by_qt() -> set[str]:
    """Return the sonames that the installed PySide6 needs and the loader does not find."""
    spec = find_spec("PySide6")
    if spec is None or spec.origin is None:
        return set()
    folder = Path(spec.origin).parent
    names = QT_FILES + (WAYLAND_FILES if os.environ.get("WAYLAND_DISPLAY") else ())
    files = [str(folder / name) for name in names if (folder / name).exists()]
    said = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"^\s*(\S+) => not found", said, re.MULTILINE))


def has_a_font() -> bool:
    """Return whether there is any font file: Qt brings none and draws no letter without one."""
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(
        file.suffix.lower() in {".ttf", ".otf", ".ttc"}
        for folder in folders
        if folder.is_dir()
        for file in folder.rglob("*")
    )


def missing_packages(manager: str) -> list[str]:
    """Return the packages to install with a package manager, sorted."""
    column = MANAGERS.index(manager)
    sonames = needed_by_qt() | {name for name in LOADED_BY_NAME if not loads(name)}
    packages = set()
    for soname in sonames:
        known = PACKAGES.get(soname.split(".so")[0])
        if known is None:
            print(f"no package known for {soname}", file=sys.stderr)
        else:
            packages.add(known[column])
    if not any(loads(name) for name in DRIVER_LIBRARIES):
        packages.add(DRIVERS[column])
    if not has_a_font():
        packages.add(FONTS[column])
    return sorted(packages)


def main() -> int:
    """Print the missing packages of the manager named on the command line."""
    if len(sys.argv) != 2 or sys.argv[1] not in MANAGERS:
        # Without a known manager the libraries themselves are the most that can be said.
        missing = sorted(needed_by_qt() | {name for name in LOADED_BY_NAME if not loads(name)})
        if missing:
            print("Libraries that cannot be loaded:", *missing, file=sys.stderr)
        return 0
    print(*missing_packages(sys.argv[1]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
