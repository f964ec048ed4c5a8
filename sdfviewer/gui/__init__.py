"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""

from sdfviewer.collection import paused_collection

# Hundreds of modules are made here, and all stay: to look for garbage among them takes a tenth of the time.
with paused_collection():
    # PySide6 reads the source of every module that is imported after it, in search of its own name. What must not know
    # Qt comes first, therefore: the window is there a tenth sooner.
    import sdfviewer.graphs.graph_build
    import sdfviewer.render.renderer
    import sdfviewer.scene.scene_build
    import sdfviewer.session.session  # noqa: F401
    from sdfviewer.gui.shell.application import hidden_context, main, render_window

__all__ = ["hidden_context", "main", "render_window"]
