"""Tools of the 3D view: what a press, a drag and a key do."""
