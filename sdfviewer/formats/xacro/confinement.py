"""What the process that evaluates xacro files cannot do, whatever an expression in them manages to run.

Each wall is built where the system has it and left out elsewhere; :func:`confine` says which stand. docs/threats.md
lists them by system.
"""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

#: Seconds of the processor that one process may use for all its files; a process ends itself long before.
MOST_SECONDS = 120
_MOST_OPEN_FILES = 64

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # flags of unshare(2)
_NO_NEW_PRIVILEGES = 38  # an option of prctl(2)
#: System calls of Landlock, which have the same numbers on every processor that Python runs on.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
#: How many rights over files there are from which version of Landlock on.
_RIGHTS = ((1, 13), (2, 14), (3, 15), (5, 16))
_TCP = 0b11  # binding and connecting, from version 4 on
_SCOPES = 0b11  # sockets without a file, and signals, from version 6 on
#: Where the loader finds what modules written in C are linked with.
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/nix/store")


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # what packing means, from Python 3.14 on
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def confine(modules: Iterable[str]) -> tuple[str, ...]:
    """Take from this process what it does not need, and return what was taken.

    These are ``limits`` of time, files and processes, ``network`` or at least ``tcp``, and ``files``.

    It can read what Python and some modules are loaded from, and nothing else; write nothing, start nothing, and reach
    nobody. It cannot undo that.

    Parameters
    ----------
    modules
        Names of the modules that it may still import, besides the standard library.
    """
    taken = {"limits": _limit_resources()}
    if sys.platform == "linux":
        readable = _readable(modules)
        library = ctypes.CDLL(None, use_errno=True)
        # Before Landlock, which forbids it nothing, and before there are threads, which forbid it.
        taken["network"] = library.unshare(_NEW_USER | _NEW_NETWORK) == 0
        version = _call(library, _CREATE_RULESET, 0, 0, _ASK_VERSION)
        if version > 0:
            taken["files"] = _restrict(library, version, readable)
            taken["tcp"] = taken["files"] and version >= 4 and not taken["network"]
    return tuple(name for name, is_taken in taken.items() if is_taken)


def _limit_resources() -> bool:
    """Limit time, files and processes where the system can; memory is limited by :mod:`.worker`."""
    try:
        import resource  # noqa: PLC0415
    except ImportError:  # Windows
        return False
    is_limited = True
    for name, most in (
        ("RLIMIT_CPU", MOST_SECONDS),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_NOFILE", _MOST_OPEN_FILES),
        ("RLIMIT_NPROC", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, ValueError, OSError):  # unknown here, or refused
            is_limited = False
    return is_limited


def _readable(modules: Iterable[str]) -> list[str]:
    """Return the places of the standard library, of modules, and of the libraries that they are linked with."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    paths += [path for path in sys.path if path.endswith(("lib-dynload", ".zip"))]
    for name in modules:
        spec = find_spec(name)
        if spec is not None:
            paths += [*spec.submodule_search_locations] if spec.submodule_search_locations else [str(spec.origin)]
    return [*paths, str(Path(sys.base_prefix, "lib")), *_LIBRARIES]


def _call(library: ctypes.CDLL, number: int, *words: int) -> int:
    """Return the answer of a system call; -1 where there is none of this number, or it is refused."""
    return int(library.syscall(ctypes.c_long(number), *map(ctypes.c_long, words)))


def _restrict(library: ctypes.CDLL, version: int, readable: Iterable[str]) -> bool:
    """Let this process read below some places only; return whether that is so now."""
    rights = max(count for since, count in _RIGHTS if version >= since)
    ruleset = _Ruleset((1 << rights) - 1, _TCP, _SCOPES)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _call(library, _CREATE_RULESET, ctypes.addressof(ruleset), size, 0)
    if rules < 0:
        return False
    try:
        for path in dict.fromkeys(readable):
            _allow(library, rules, path)
        library.prctl(_NO_NEW_PRIVILEGES, *map(ctypes.c_long, (1, 0, 0, 0)))
        return _call(library, _RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(library: ctypes.CDLL, rules: int, path: str) -> None:
    try:
        place = os.open(path, getattr(os, "O_PATH", 0))
    except OSError:  # there is none
        return
    try:
        allowed = _READ_FILE | (_READ_FOLDER if Path(path).is_dir() else 0)
        rule = _PathBeneath(allowed, place)
        _call(library, _ADD_RULE, rules, _PATH_BENEATH, ctypes.addressof(rule), 0)
    finally:
        os.close(place)
