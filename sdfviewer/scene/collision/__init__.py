"""Which shapes overlap: convex ones by their supports, meshes by their triangles.

Knows shapes and where they are; must not know joints over time, nor who asks.
"""
