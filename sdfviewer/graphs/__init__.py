"""Drawings of the frame graphs: layout, folding, routing and picture.

Knows vertices, edges and boxes; must not know 3D or Qt.
"""
