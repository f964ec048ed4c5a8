"""Rename in a file, in the changes of includes, and in dependent files.

Knows every place that says a name; must not know where files to follow are looked for.
"""
