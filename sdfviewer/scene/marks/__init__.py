"""What is drawn that is no part of the robot: frames, joint axes, sensors, centres of mass, the grid."""
