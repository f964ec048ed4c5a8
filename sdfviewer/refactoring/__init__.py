"""Refactorings: re-target, move, rename, add, and convert whole files.

Knows what must follow when something is edited; must not know who asks for it.
"""
