"""The comparison of two models: the one place that says what differs between them.

Knows frames, joints and typed contents of any format; must not know how a format spells them.
"""
