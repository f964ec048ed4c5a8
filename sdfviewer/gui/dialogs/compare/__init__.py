"""The comparison of two versions of a file: text and frames.

Knows how differences are shown; must not know how an edit comes about.
"""
