"""Where everything is when the joints move, in either reading of the poses.

Knows motions, trees, loops and followers; must not know how anything is drawn.
"""
