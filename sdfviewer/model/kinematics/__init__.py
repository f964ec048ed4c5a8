"""Kinematics: the poses of all frames at joint positions, in either pose convention.

Knows motions, trees, loops and followers; must not know how anything is drawn.
"""
