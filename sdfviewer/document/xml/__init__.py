"""XML as text: parse, check and repair.

Knows characters and tags; must not know SDFormat.
"""
