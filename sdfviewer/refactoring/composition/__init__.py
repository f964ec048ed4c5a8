"""Composition of files and models: inline includes, flatten or split off nested models, join robots.

Knows how text goes from one place to another; must not move a frame.
"""
