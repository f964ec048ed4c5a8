"""The public library: models, worlds and documents.

Knows everything below it; must not know the window. What is public is exported from :mod:`sdfviewer`.
"""
