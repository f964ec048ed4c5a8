"""The formats that become a model: SDFormat and URDF.

Knows how each format spells a model; must not know how a model is edited or drawn.
"""
