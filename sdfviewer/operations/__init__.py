"""What can be done to a model, declared once: menus, forms, options, methods, pages and tests come from it."""

from __future__ import annotations
