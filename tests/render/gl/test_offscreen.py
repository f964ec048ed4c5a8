import os
import subprocess
import sys

import pytest

from sdfviewer.render import offscreen
from sdfviewer.render.offscreen import OffscreenError, offscreen_context


def test_says_what_to_install_where_nothing_can_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str, *files: str) -> None:
        raise OffscreenError(f"{name}: the library is not installed")

    monkeypatch.setattr(offscreen, "load_library", nothing)
    # A test before may have chosen a platform for this process.
    monkeypatch.delenv("PYOPENGL_PLATFORM", raising=False)
    monkeypatch.delitem(sys.modules, "OpenGL.platform", raising=False)
    with pytest.raises(OffscreenError, match=r"EGL: .*OSMesa: .*apt install"), offscreen_context():
        pass


SCRIPT = """
from tests.render.conftest import PLAIN
from tests.scene.scenes import boxes_in_a_row
from sdfviewer.render import offscreen
from sdfviewer.scene.camera import Camera
offscreen.KINDS = tuple(kind for kind in offscreen.KINDS if kind.platform == {platform!r})
from sdfviewer.render.screenshot import MotionStep, render_motion
scene = boxes_in_a_row(3)
for _ in range(2):  # a second context in one process works too
    camera = Camera().seen_from("front").fit(scene.outline(), 2.0)
    (picture,) = render_motion(scene, [MotionStep(camera)], (80, 40), samples=4, look=PLAIN)
    assert picture.shape == (40, 80, 4), picture.shape
    assert picture[20, 40, 1] > 100, picture[20, 40]
print("drawn")
"""


@pytest.mark.parametrize("platform", ["egl", "osmesa", "glx"])
def test_draws_by_either_platform(platform: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in {"PYOPENGL_PLATFORM", "DISPLAY"}}
    command = [sys.executable, "-c", SCRIPT.format(platform=platform)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if "OffscreenError" in run.stderr:
        pytest.skip(run.stderr.strip().splitlines()[-1])
    assert run.stdout == "drawn\n", run.stderr


#: What macOS has, and the least that other systems need: neither later functions nor what 3.3 deprecates.
LEAST = {"MESA_GL_VERSION_OVERRIDE": "3.3FC", "MESA_GLSL_VERSION_OVERRIDE": "330"}

VERSION = """
from sdfviewer.render.offscreen import offscreen_context
from sdfviewer.render.gl import GL
with offscreen_context():
    GL.glLineWidth(3.0)  # a forward-compatible context refuses it
    print(GL.glGetString(GL.GL_VERSION).decode(), GL.glGetError() == GL.GL_INVALID_VALUE)
"""


@pytest.mark.nightly
def test_everything_is_drawn_by_exactly_opengl_3_3_core() -> None:
    """All tests of the renderer again; each fails if OpenGL reports an error."""
    environment = {**os.environ, **LEAST}
    version = subprocess.run(
        [sys.executable, "-c", VERSION], capture_output=True, text=True, check=False, env=environment
    )
    if not (version.stdout.startswith("3.3 ") and version.stdout.rstrip().endswith("True")):
        pytest.skip(f"only Mesa can be told to be older: {version.stdout or version.stderr}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not nightly", "tests/render"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 0, run.stdout[-5000:]
    assert " passed" in run.stdout
