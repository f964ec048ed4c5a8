"""Fixes of problems: which there are, whether each solves its problem and changes nothing else, and all at once."""
