"""What lies over the 3D view: labels, notes, the view cube, menus."""
