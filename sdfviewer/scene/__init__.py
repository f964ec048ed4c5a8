"""Scenes: plain arrays and frozen nodes to draw a model.

Knows geometry, cameras, layouts and picking; must not know OpenGL or Qt.
"""
