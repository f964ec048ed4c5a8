"""Convert a file to another version of SDFormat.

Knows what each version says otherwise; must not move a frame.
"""
