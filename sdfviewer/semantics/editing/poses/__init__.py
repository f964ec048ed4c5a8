"""The numbers of poses: their notations, written where they change, and frames that are moved by hand.

Knows how a pose is written so that only words that change are touched; must not know which frame it is measured from.
"""
