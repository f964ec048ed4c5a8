"""Edits that know what they mean: re-targeting, moving, renaming, adding, rewriting whole files.

Knows what must follow when something is edited; must not know who asks for it.
"""
