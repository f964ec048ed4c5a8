"""Fixes of problems: which there are, whether each mends its problem and nothing else, and all at once."""
