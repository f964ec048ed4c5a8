"""What to draw: plain arrays and frozen nodes made from a model.

Knows geometry, cameras, layouts and picking; must not know OpenGL or Qt.
"""
