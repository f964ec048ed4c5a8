"""The model tree."""
