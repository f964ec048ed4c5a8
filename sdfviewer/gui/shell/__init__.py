"""The window: tabs, docks, menus, actions, files and the welcome page."""
