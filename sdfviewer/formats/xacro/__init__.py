"""Robots written as xacro: programs of macros, properties and conditions that write a URDF or an SDFormat model.

Knows how the package ``xacro`` evaluates a file, and which line each element that comes out was written in.
"""
