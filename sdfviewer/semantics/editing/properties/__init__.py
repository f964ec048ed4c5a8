"""Properties of things: which there are, what a reference may name, and values read and written one by one.

Knows the element tables; must not know how a form shows them.
"""
