"""What a file means: scopes, frame graphs, rules, kinematics, refactorings.

Knows SDFormat; must not know how it is drawn or edited on screen.
"""
