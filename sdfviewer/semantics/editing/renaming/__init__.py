"""Other names: in the file itself, in what includes change, and in the files that include it.

Knows every place that says a name; must not know where files to follow are looked for.
"""
