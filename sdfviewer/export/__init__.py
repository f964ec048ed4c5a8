"""Writers of pictures and documents made from a model: DOT, SVG, URDF, CSV.

Knows output formats; must not know Qt or OpenGL.
"""
