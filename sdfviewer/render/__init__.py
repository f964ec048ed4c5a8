"""How a scene is drawn: OpenGL on whatever context is current.

Knows OpenGL; must not know Qt, XML or SDFormat.
"""
