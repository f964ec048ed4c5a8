"""Poses: notations, minimal replacements, and moving frames.

Knows how a pose is written so that only words that change are touched; must not know which frame it is measured from.
"""
