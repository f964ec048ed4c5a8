"""Files and models put together and taken apart: includes put in, nested models dissolved or split off.

Knows how text goes from one place to another; must not move a frame.
"""
