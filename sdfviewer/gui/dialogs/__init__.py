"""Dialogs and commands that change the file: add, remove, rename, move, refactor; and its history.

Knows what to ask; must not know how an edit is computed: the refactorings of `semantics` do.
"""
