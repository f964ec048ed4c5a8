"""Models in any format: scopes, frame graphs, frames, joints and contents.

Knows SDFormat's semantics; must not know how a file spells them or how anything is drawn.
"""
