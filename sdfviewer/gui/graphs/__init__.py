"""The graph panes: view, search, fold, export and edit the frame graphs and the kinematic graph.

Knows how graphs are drawn with Qt and moved with the mouse; must not know how they are built or laid out.
"""
