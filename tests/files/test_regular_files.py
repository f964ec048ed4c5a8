"""Only regular files are read, whatever a path leads to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from sdfviewer.files.paths import NotRegularError, read_regular

linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells of processes in files on Linux")


@linux
@pytest.mark.parametrize("place", ["/proc/self/environ", "/proc/version", "/sys/kernel/uevent_seqnum"])
def test_what_the_kernel_tells_of_processes_is_no_file(place: str, tmp_path: Path) -> None:
    """In the environment of a build are its secrets, and a diagnostic shows the line that it is about."""
    if not os.path.exists(place):
        pytest.skip(f"there is no {place}")
    link = tmp_path / "a.sdf"
    link.symlink_to(place)
    for path in (Path(place), link):
        with pytest.raises(NotRegularError, match="not a regular file"):
            read_regular(path)


@linux
def test_an_open_file_has_a_name_of_the_kernel(tmp_path: Path) -> None:
    """A shell hands files on as ``/dev/fd/3``."""
    file = tmp_path / "a.sdf"
    file.write_bytes(b"<sdf/>")
    with file.open("rb") as opened:
        assert read_regular(Path(f"/proc/self/fd/{opened.fileno()}")) == b"<sdf/>"
        assert read_regular(Path(f"/dev/fd/{opened.fileno()}")) == b"<sdf/>"
