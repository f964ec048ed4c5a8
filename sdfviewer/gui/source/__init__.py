"""The source view: the XML itself, where typing is an edit like any other.

Knows text editing with Qt; must not know what the text means beyond what model and element tables say.
"""

from sdfviewer.gui.source.source_view import SourceView

__all__ = ["SourceView"]
