"""Hovering and selecting, in every panel."""

from __future__ import annotations

from sdfviewer.model.kinds import Kind
from tests.walk.actions import Steps, pause, press, shot
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def hover_tree(w: Walk) -> Steps:
    """Hovering in the tree highlights the frame everywhere."""
    name = w.a_thing()
    w.reveal("tree")
    yield w.hover(w.file.tree.view.viewport(), w.tree_point(name), "a link in the tree")
    yield pause(1.0)
    yield shot("tree")
    w.expect(w.file.context.highlights.hovered == name, "the frame under the mouse is hovered")


@story
def hover_3d(w: Walk) -> Steps:
    """Hovering in the 3D view names the link."""
    at, name = w.find_in_3d(lambda _name: True)
    yield w.hover(w.canvas, at, "a link in 3D")
    yield pause(1.0)
    yield shot("3d")
    w.expect(w.file.context.highlights.hovered == name, "the frame under the mouse is hovered")


@story
def hover_graph(w: Walk) -> Steps:
    """Hovering in a graph shows a tip."""
    canvas = w.graph().canvas
    yield w.hover(canvas, what="the graph")
    seen = w.vertices_in_sight(canvas)
    w.need(seen, "no vertex is in sight")
    yield w.hover(canvas, w.vertex_point(canvas, seen[len(seen) // 2]), "a vertex")
    yield pause(1.0)
    yield shot("graph")
    w.expect(w.file.context.highlights.hovered, "the vertex under the mouse is hovered")


@story
def click_3d(w: Walk) -> Steps:
    """A click in 3D selects the link, Ctrl adds another, a click beside it selects nothing."""
    at, name = w.find_in_3d(lambda _name: True)
    yield w.click(w.canvas, at, "a link in 3D")
    yield shot("selected")
    w.expect(w.selected == name, "a click selects what is under the mouse")
    other, second = w.find_in_3d(lambda found: found != name)
    yield w.click(w.canvas, other, "another link", modifiers="ctrl")
    yield shot("two")
    w.expect(len(w.session.selection) == 2 and w.selected == second, "Ctrl adds a second one")
    yield w.click(w.canvas, w.empty_in_3d(), "the ground")
    yield shot("none")
    w.expect(not w.session.selection, "a click beside all selects nothing")


@story
def click_graph(w: Walk) -> Steps:
    """A click in a graph selects the frame."""
    canvas = w.graph().canvas
    yield w.hover(canvas)
    seen = w.vertices_in_sight(canvas)
    w.need(seen, "no vertex is in sight")
    vertex = seen[len(seen) // 2]
    assert canvas.picture is not None
    name = canvas.picture.graph.names[vertex]
    yield w.click(canvas, w.vertex_point(canvas, vertex), "a vertex")
    yield shot("selected")
    w.expect(w.selected == name, "a click selects the vertex")
    yield press("right")
    yield shot("arrow_key")
    w.expect(w.selected, "an arrow key leaves something selected")


@story
def click_tree(w: Walk) -> Steps:
    """A click in the tree selects the frame; a double click looks at it."""
    name = w.a_thing()
    w.reveal("tree")
    viewport = w.file.tree.view.viewport()
    yield w.click(viewport, w.tree_point(name), "a link in the tree")
    yield shot("selected")
    w.expect(w.selected == name, "a click selects the row")
    before = w.canvas.camera
    yield w.click(viewport, w.tree_point(name), "a link in the tree", times=2)
    yield shot("looked_at")
    w.expect(w.canvas.camera != before, "a double click moves the camera")
    yield press("esc")


@story
def click_source(w: Walk) -> Steps:
    """A click into the text of an element selects it."""
    name = w.a_thing(own=True)
    w.session.select((name,))
    yield press("f4")
    w.expect(w.is_shown("source"), "F4 shows the source")
    yield shot("f4")
    w.session.select(())
    editor = w.file.source.editor
    yield w.click(editor.viewport(), editor.cursorRect().center(), "the element in the source")
    yield shot("selected")
    w.expect(w.selected == name, "a click in its text selects the element")


@story
def why_here(w: Walk) -> Steps:
    """Why here? steps through the chain of the pose."""
    name = w.a_name(Kind.LINK, Kind.FRAME)
    w.session.select((name,))
    w.reveal("properties")
    bar = w.file.properties.chain_bar
    yield w.click(w.bring(bar.buttons["on"]), what="Step on")
    yield shot("step")
    w.expect(w.file.context.highlights.chain_steps, "steps of the chain are shown")
    yield w.click(w.bring(bar.buttons["back"]), what="Step back")
    yield shot("back")


@story
def menu_tree(w: Walk) -> Steps:
    """A right click in the tree opens the menu of the frame."""
    name = w.a_thing()
    w.reveal("tree")
    yield w.click(w.file.tree.view.viewport(), w.tree_point(name), "a link in the tree", button=3)
    yield shot("open")
    w.expect(w.menu_texts, "a menu is open")
    w.expect(w.selected == name, "the right click selects the row")
    yield press("esc")


@story
def menu_3d(w: Walk) -> Steps:
    """A right click in 3D lists what lies under the mouse."""
    at, _name = w.find_in_3d(lambda _name: True)
    yield w.click(w.canvas, at, "a link in 3D", button=3)
    yield shot("open")
    w.expect(w.menu_texts, "a menu is open")
    yield press("esc")


@story
def menu_graph(w: Walk) -> Steps:
    """A right click in a graph opens the menu of the vertex."""
    canvas = w.graph().canvas
    yield w.hover(canvas)
    seen = w.vertices_in_sight(canvas)
    w.need(seen, "no vertex is in sight")
    yield w.click(canvas, w.vertex_point(canvas, seen[len(seen) // 2]), "a vertex", button=3)
    yield shot("open")
    w.expect(w.menu_texts, "a menu is open")
    yield press("esc")
