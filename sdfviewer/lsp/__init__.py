"""The language server: the answers of :mod:`sdfviewer.language` over the language server protocol.

Knows the protocol and open files; must not know what the answers mean.
"""
