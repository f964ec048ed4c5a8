"""A model as something else: picture, notebook cell, graph, triangles."""
