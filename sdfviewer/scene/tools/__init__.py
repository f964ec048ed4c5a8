"""What the mouse does in the scene: picking, measuring, snapping, posing, handles."""
