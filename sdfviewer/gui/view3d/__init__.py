"""The 3D view: the renderer in a widget, moved and picked in with mouse and keyboard.

Knows input events and the OpenGL context; must not know how anything is drawn.
"""
