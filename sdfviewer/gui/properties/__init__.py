"""The properties of the selection, one section for each concern, and the chain of frames behind its pose.

Knows forms and fields; must not know how an edit is computed: the refactorings of `semantics` do.
"""
