"""Properties of elements: the catalogue, legal reference targets, and reading and writing values.

Knows the element tables; must not know how a form shows them.
"""
