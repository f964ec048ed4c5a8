"""SRDF: what MoveIt knows of a robot beyond its URDF, read beside the robot that it is about."""
