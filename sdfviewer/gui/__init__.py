"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""

from sdfviewer.garbage_collection import paused_collection
from sdfviewer.gui.kit.guarded_overrides import guard_overrides

guard_overrides()  # before the first class that has some
# Hundreds of modules are made here, and all stay: to look for garbage among them takes a tenth of the time.
with paused_collection():
    from sdfviewer.gui.shell.application import hidden_context, main, render_window

__all__ = ["hidden_context", "main", "render_window"]
