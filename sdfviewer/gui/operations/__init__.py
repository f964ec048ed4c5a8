"""Forms and dialogs that change the file: add, remove, rename, move, refactor.

Knows what to ask; must not know how an edit is computed: the refactorings of `refactoring` do.
"""
