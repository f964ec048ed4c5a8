"""The two pose conventions of a model compared: the table of differences, its causes, a plot over a sweep.

Knows what the session's comparison says; must not know how it is computed, nor how the 3D views draw it.
"""
