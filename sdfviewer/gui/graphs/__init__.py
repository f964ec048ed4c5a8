"""The graph panes: both frame graphs and the kinematic graph, to look at, search, fold, export and re-target by hand.

Knows how graphs are drawn with Qt and moved with the mouse; must not know how they are built or laid out.
"""
