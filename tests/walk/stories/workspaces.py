"""Workspaces, panels and themes."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QStyle, QStyleOptionDockWidget

from tests.walk.actions import Steps, press, rest, shot
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def all_workspaces(w: Walk) -> Steps:
    """Ctrl+F1 to Ctrl+F4 arrange the panels."""
    for number, id in enumerate(("inspect", "edit", "debug", "compare"), 1):
        yield press(f"ctrl+f{number}", limit=15)
        yield shot(id)
        w.expect(w.window.workspaces.current.id == id, f"Ctrl+F{number} shows {id}")
        w.expect(w.window.isMaximized(), "the window stays maximized")


@story
def maximize_panels(w: Walk) -> Steps:
    """F11 fills the window with the panel under the mouse, and restores all panels."""
    shown = [id for id in ("graphs", "tree", "properties") if w.is_shown(id)]
    for id in shown:
        dock = w.window.docks.docks[id]
        yield w.hover(dock.widget(), what=id)
        yield press("f11")
        yield shot(id)
        w.expect(w.window.workspaces.is_maximized and w.is_shown(id), f"F11 fills the window with {id}")
        yield press("f11")
        w.expect(not w.window.workspaces.is_maximized, "F11 again restores all panels")
    yield w.hover(w.canvas, what="the 3D view")
    yield press("f11")
    yield shot("view")
    yield press("f11")
    yield shot("restored")


@story
def status_buttons(w: Walk) -> Steps:
    """The buttons of the status bar show hidden panels."""
    buttons = {id: each for id, each in w.window.status.strip.buttons.items() if each.isVisible()}
    w.need(buttons, "no panel is hidden")
    for id, button in list(buttons.items())[:4]:
        yield w.click(button, what=f"the button of {id}")
        yield shot(id)
        w.expect(w.is_shown(id), f"the button shows {id}")
        w.expect(not button.isVisible(), "the button is gone")


@story
def close_panel(w: Walk) -> Steps:
    """The cross of a panel hides it, and Alt and a number show it again."""
    w.reveal("tree")
    dock = w.window.docks.docks["tree"]
    yield rest()
    yield press("alt+1")
    yield shot("alt_1")
    w.note(f"Alt+1: the tree is {'shown' if w.is_shown('tree') else 'hidden'}")
    yield press("alt+1")
    yield shot("alt_1_again")
    w.expect(w.is_shown("tree") or dock.isHidden(), "the tree is in sight or hidden")


@story
def undock(w: Walk) -> Steps:
    """A double click on its title takes a panel out of the window, another puts it back."""
    w.reveal("properties")
    dock = w.window.docks.docks["properties"]
    option = QStyleOptionDockWidget()
    dock.initStyleOption(option)
    title = dock.style().subElementRect(QStyle.SubElement.SE_DockWidgetTitleBarText, option, dock).center()
    if title.isNull() or title.y() > 40:
        title = QPoint(40, 10)
    yield w.click(dock, title, "the title", times=2)
    yield shot("floating")
    w.expect(dock.isFloating(), "the panel floats")
    if dock.isFloating():
        w.session.select((w.a_thing(),))
        yield rest()
        yield shot("used")
        yield w.click(dock, QPoint(40, 10), "the title", times=2)
        yield shot("docked")
        w.expect(not dock.isFloating(), "a double click docks it again")


@story
def theme(w: Walk) -> Steps:
    """The theme changes at once."""
    other = "ctrl+alt+6" if w.action("theme.light") else "ctrl+alt+5"
    w.session.select((w.a_thing(),))
    yield press(other, limit=15)
    yield shot("other")


@story
def next_panel(w: Walk) -> Steps:
    """F6 goes through the panels."""
    for number in range(4):
        yield press("f6")
        yield shot(f"f6_{number + 1}")
    w.expect(w.window.focusWidget() is not None, "something has the keyboard")
