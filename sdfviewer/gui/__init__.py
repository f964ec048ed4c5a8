"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""

from sdfviewer.gui.application import main, render_window

__all__ = ["main", "render_window"]
