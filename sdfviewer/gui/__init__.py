"""The window.

Knows Qt and pyqtgraph, the only layer that does; must not know how files are parsed or what they mean.
"""

from sdfviewer.garbage_collection import paused_collection

# Hundreds of modules are made here, and all stay: to look for garbage among them takes a tenth of the time.
with paused_collection():
    # First what the window shows and edits, and with it NumPy, Pillow and OpenGL: PySide6 reads the source of each
    # module that is imported after it.
    import sdfviewer.graphs.graph_build
    import sdfviewer.operations.table
    import sdfviewer.render.renderer
    import sdfviewer.scene.scene_build
    import sdfviewer.session.unsaved_work  # noqa: F401

    # isort: split
    from sdfviewer.gui.kit.pyside import guard_overrides, keep_names_of_qt

    keep_names_of_qt()
    guard_overrides()  # before the first class that has some
    from sdfviewer.gui.shell.application import hidden_context, main, render_window

__all__ = ["hidden_context", "main", "render_window"]
