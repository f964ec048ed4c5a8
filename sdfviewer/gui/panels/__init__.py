"""The panels around the 3D view."""
