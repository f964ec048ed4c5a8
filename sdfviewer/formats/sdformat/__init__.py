"""SDFormat files read into a model."""
