"""The same file in another version of SDFormat: raised to a newer one, lowered to an older one.

Knows what each version says otherwise; must not move a frame.
"""
