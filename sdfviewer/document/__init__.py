"""The text of a file: elements and their locations.

Knows XML and the element tables; must not know what frames mean.
"""
