"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""
