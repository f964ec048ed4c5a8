"""Scenes of models, for tests of what is made of them."""

from __future__ import annotations

from sdfviewer.files.finder import Finder
from sdfviewer.model.model import Model
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.scene_build import SceneOptions, load_scene


def build_scene(model: Model, options: SceneOptions | None = None, finder: Finder | None = None) -> Scene:
    """Return the scene of a model at its initial poses, with every mesh."""
    return load_scene(model, options or SceneOptions(), finder or Finder())[0]
