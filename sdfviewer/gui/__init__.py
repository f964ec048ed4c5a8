"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""

from sdfviewer.collection import paused_collection

# Hundreds of modules are made here, and all stay: to look for garbage among them takes a tenth of the time.
with paused_collection():
    # PySide6 searches the source of every module that is imported after it for its own name. Modules without
    # Qt come first, so that the window opens 10 % sooner.
    import sdfviewer.graphs.graph_build
    import sdfviewer.render.renderer
    import sdfviewer.scene.scene_build
    import sdfviewer.session.session  # noqa: F401
    from sdfviewer.gui.shell.application import hidden_context, main, render_window

__all__ = ["hidden_context", "main", "render_window"]
