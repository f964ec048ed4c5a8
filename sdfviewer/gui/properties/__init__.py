"""The properties panel: sections for the selection, and the chain of frames behind its pose.

Knows forms and fields; must not know how an edit is computed: the refactorings of `refactoring` do.
"""
