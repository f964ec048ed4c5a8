"""Two states of a file beside each other: which there are to compare with, what differs in their text and their frames.

Knows how differences are shown; must not know how an edit comes about.
"""
