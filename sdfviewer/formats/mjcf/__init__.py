"""MJCF, the format of MuJoCo: reads it, by writing the same robot in SDFormat, whose places are those of the MJCF.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html and .../modeling.html.
"""
