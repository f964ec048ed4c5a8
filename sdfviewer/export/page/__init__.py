"""A model as one web page that anybody can open.

Knows what a page needs of a model and how it is packed; must not know how the page draws it. The program of the page,
in ``packaging/page``, multiplies poses and draws: no rule of SDFormat is in it.
"""
