"""Rendering of a scene with OpenGL.

Knows OpenGL; must not know Qt, XML or SDFormat.
"""
