"""Language features for code editors: completion, hover, outline, typing and line commands.

Knows documents and models; must not know Qt.
"""
