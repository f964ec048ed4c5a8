"""One open file: history, selection, joint positions and unsaved texts.

Knows documents and models; must not know Qt.
"""
