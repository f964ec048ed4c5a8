"""Files on disk: resolving URIs, atomic saving, recovery, git and dependent files.

Knows the file system; must not know what frames mean.
"""
