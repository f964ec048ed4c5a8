"""What is written in a file: text, elements and where they stand.

Knows XML and the element tables; must not know what frames mean.
"""
