"""Exporters: graphs as DOT, SVG and JSON; models as URDF, SDFormat, MJCF and bundles; motions as images.

Knows output formats; must not know Qt or OpenGL.
"""
