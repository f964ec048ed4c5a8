"""The comparison of two models, or of two versions of a file: text, frames and plots.

Knows how differences are shown; must not know how an edit comes about.
"""
