"""URDF files read into the same tables as SDFormat.

Knows URDF; must not know how it is written (see :mod:`sdfviewer.export`).
"""
