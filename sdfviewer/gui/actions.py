"""All actions of the window as one table, from which menus, toolbar, tooltips and command palette are made."""

# ruff: noqa: E501
from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from sdfviewer.gui.icons import action_icon
from sdfviewer.gui.theme import Tokens


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    id
        ``topic.verb``, by which handlers and tests find it.
    menu
        Path of the menu it stands in, ``"View/Camera"``.
    text
        What it does, with an ellipsis where it asks first.
    shortcut
        Key sequence in Qt's portable form; every action has one, those of the source and those of the window each their own.
    icon
        Name in the icon font, or empty.
    tip
        What it does in one sentence; the shortcut is added.
    checkable
        Whether it is a switch.
    group
        Switches of one group exclude each other.
    on
        Whether the switch is on at the first start.
    section
        Starts a new section of its menu.
    needs_file
        Whether it is disabled while no file is open.
    toolbar
        Whether it stands in the toolbar.
    short
        What its button says where it has no icon.
    in_source
        Whether its shortcut belongs to the source, and goes there before that of the window.
    """

    id: str
    menu: str
    text: str
    shortcut: str
    icon: str = ""
    tip: str = ""
    checkable: bool = False
    group: str = ""
    on: bool = False
    section: bool = False
    needs_file: bool = True
    toolbar: bool = False
    short: str = ""
    in_source: bool = False


def _switch(id: str, menu: str, text: str, shortcut: str, icon: str, tip: str, **more: object) -> ActionSpec:
    return ActionSpec(id, menu, text, shortcut, icon, tip, checkable=True, **more)  # type: ignore[arg-type]


def _source(id: str, text: str, shortcut: str, icon: str, tip: str, **more: object) -> ActionSpec:
    return ActionSpec(f"source.{id}", "Source", text, shortcut, icon, tip, in_source=True, **more)  # type: ignore[arg-type]


# fmt: off
ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("file.open", "File", "Open…", "Ctrl+O", "mdi6.folder-open-outline", "Open SDFormat files", needs_file=False, toolbar=True),
    ActionSpec("file.reload", "File", "Reload", "Ctrl+R", "mdi6.refresh", "Read the file again from disk", section=True),
    ActionSpec("file.save", "File", "Save", "Ctrl+S", "mdi6.content-save-outline", "Save; only what you changed is written differently", toolbar=True),
    ActionSpec("file.save_as", "File", "Save As…", "Ctrl+Shift+S", "mdi6.content-save-edit-outline", "Save under another name"),
    ActionSpec("file.save_all", "File", "Save All", "Ctrl+K, Ctrl+S", "mdi6.content-save-all-outline", "Save every open file that has changed"),
    ActionSpec("file.save_copy", "File", "Save a Copy…", "Ctrl+K, Ctrl+C", "mdi6.content-save-plus-outline", "Write a copy; this file stays open"),
    ActionSpec("file.revert", "File", "Revert to Saved", "Ctrl+K, Ctrl+Z", "mdi6.file-restore-outline", "Go back to the file as it was last saved"),
    ActionSpec("versions.file", "File/Compare With", "Another File…", "Ctrl+K, Ctrl+F", "mdi6.file-compare", "List the frames that differ from another file", section=True),
    ActionSpec("versions.head", "File/Compare With", "Version in Git's HEAD", "Ctrl+K, Ctrl+G", "mdi6.git", "List the frames that differ from what git has committed last"),
    ActionSpec("versions.saved", "File/Compare With", "Version on Disk", "Ctrl+K, Ctrl+D", "mdi6.harddisk", "List the frames that differ from the file as it lies on disk"),
    ActionSpec("versions.step", "File/Compare With", "Earlier State of the History", "Ctrl+K, Ctrl+H", "mdi6.history", "List the frames that differ from what the file was before the last edit, or before others"),
    ActionSpec("file.picture", "File", "Save Picture…", "Ctrl+Shift+E", "mdi6.camera-outline", "Save the 3D view as a PNG picture", section=True),
    ActionSpec("file.copy_picture", "File", "Copy Picture", "Ctrl+G, I", "mdi6.image-multiple-outline", "Copy what the 3D view shows as a picture"),
    ActionSpec("file.model_folders", "File", "Model Folders…", "Ctrl+K, Ctrl+M", "mdi6.folder-search-outline", "Choose where included models and meshes are looked for", section=True, needs_file=False),
    ActionSpec("file.close", "File", "Close", "Ctrl+W", "mdi6.close", "Close this file", section=True),
    ActionSpec("file.next", "File", "Next File", "Ctrl+Tab", "", "Go to the next open file"),
    ActionSpec("file.quit", "File", "Quit", "Ctrl+Q", "", "Close all files and quit", section=True, needs_file=False),

    ActionSpec("edit.undo", "Edit", "Undo", "Ctrl+Z", "mdi6.undo", "Take back the last edit", toolbar=True),
    ActionSpec("edit.redo", "Edit", "Redo", "Ctrl+Shift+Z", "mdi6.redo", "Make the edit again", toolbar=True),
    ActionSpec("edit.rename", "Edit", "Rename", "F2", "mdi6.rename-box", "Rename the selected frame and every reference to it", section=True),
    ActionSpec("edit.pose", "Edit", "Edit Pose", "Ctrl+E", "mdi6.axis-arrow", "Type the pose of the selected frame"),
    ActionSpec("edit.relative_to", "Edit", "Change relative_to…", "Ctrl+Shift+R", "mdi6.link-variant", "Choose the frame that the pose is given in"),
    ActionSpec("edit.attached_to", "Edit", "Change attached_to…", "Ctrl+Shift+A", "mdi6.paperclip", "Choose the frame that the selected frame moves with"),
    ActionSpec("edit.copy_pose", "Edit", "Copy Pose", "Ctrl+Shift+C", "mdi6.content-copy", "Copy the resolved pose of the selected frame", section=True),
    ActionSpec("edit.paste_pose", "Edit", "Paste Pose", "Ctrl+Shift+V", "mdi6.content-paste", "Give the selected frame the raw pose in the clipboard: numbers, a matrix, a <pose>"),
    ActionSpec("edit.write_radians", "Edit/Write Pose In", "Radians", "Ctrl+K, Ctrl+R", "", "Write the poses of the selection with roll, pitch, yaw in radians; nothing moves"),
    ActionSpec("edit.write_degrees", "Edit/Write Pose In", "Degrees", "Ctrl+K, Ctrl+E", "", "Write the poses of the selection with roll, pitch, yaw in degrees; nothing moves"),
    ActionSpec("edit.write_quaternion", "Edit/Write Pose In", "Quaternion", "Ctrl+K, Ctrl+Q", "", "Write the poses of the selection with a quaternion x, y, z, w; nothing moves"),
    ActionSpec("edit.add_link", "Edit/Add", "Link…", "Ctrl+K, L", "mdi6.cube-outline", "Add a link", section=True),
    ActionSpec("edit.add_joint", "Edit/Add", "Joint…", "Ctrl+K, J", "mdi6.rotate-3d-variant", "Add a joint between two frames"),
    ActionSpec("edit.add_frame", "Edit/Add", "Frame…", "Ctrl+K, F", "mdi6.axis-arrow", "Add a frame"),
    ActionSpec("edit.add_visual", "Edit/Add", "Visual…", "Ctrl+K, V", "mdi6.eye-outline", "Add a visual to a link"),
    ActionSpec("edit.add_collision", "Edit/Add", "Collision…", "Ctrl+K, C", "mdi6.shield-outline", "Add a collision to a link"),
    ActionSpec("edit.add_model", "Edit/Add", "Nested Model…", "Ctrl+K, M", "mdi6.hexagon-outline", "Add a model in a model or world"),
    ActionSpec("edit.add_include", "Edit/Add", "Include…", "Ctrl+K, I", "mdi6.file-import-outline", "Include a model of another file"),
    ActionSpec("edit.rename_preview", "Edit", "Rename With Preview…", "Shift+F2", "mdi6.rename-box", "Rename the selected frame and see first what else changes", section=True),
    ActionSpec("edit.duplicate", "Edit", "Duplicate", "Ctrl+D", "mdi6.content-duplicate", "Write a copy of the selection behind it"),
    ActionSpec("edit.move_to", "Edit", "Move to Another Model…", "Ctrl+K, T", "mdi6.file-move-outline", "Move the selected frame to another model; it stays where it is"),
    ActionSpec("edit.remove", "Edit", "Remove", "Del", "mdi6.trash-can-outline", "Remove the selection; asks where something still refers to it"),
    ActionSpec("edit.select_none", "Edit", "Select Nothing", "Ctrl+Shift+D", "", "Clear the selection"),
    _switch("tool.select", "Edit/Tool", "Select", "Q", "mdi6.cursor-default-outline", "Select by clicking; dragging moves the camera", group="tool", on=True),
    _switch("tool.move", "Edit/Tool", "Move", "T", "mdi6.cursor-move", "Move the selected frame by handles; X, Y, Z hold an axis, Ctrl snaps, numbers can be typed", group="tool"),
    _switch("tool.turn", "Edit/Tool", "Turn", "R", "mdi6.rotate-orbit", "Turn the selected frame by handles; X, Y, Z hold an axis, Ctrl snaps, numbers can be typed", group="tool"),
    _switch("tool.pose", "Edit/Tool", "Pose", "P", "mdi6.hand-back-right-outline", "Drag a link to turn its joint, with Shift all joints below it; Alt does so in every tool", group="tool"),
    _switch("tool.measure", "Edit/Tool", "Measure", "M", "mdi6.ruler", "Click frames A and B and read the pose of B in A", group="tool"),
    _switch("tool.snap", "Edit/Tool", "Snap", "Shift+S", "mdi6.magnet", "Move and turn in steps; Ctrl does the opposite", section=True),
    _switch("tool.alone", "Edit/Tool", "Only the Frame Itself", "Shift+O", "mdi6.link-variant-off", "Move and turn nothing else: what is measured from the frame stays, its numbers are rewritten; O while dragging"),
    _switch("axes.local", "Edit/Tool", "Axes of the Frame", "Ctrl+Shift+1", "mdi6.axis-arrow", "Handles along the axes of the frame itself", group="axes", on=True, section=True),
    _switch("axes.world", "Edit/Tool", "Axes of the World", "Ctrl+Shift+2", "mdi6.earth", "Handles along the axes of the root frame", group="axes"),
    _switch("axes.relative_to", "Edit/Tool", "Axes of relative_to", "Ctrl+Shift+3", "mdi6.link-variant", "Handles along the axes of the frame that the pose is written in", group="axes"),

    ActionSpec("refactor.element_relative", "Refactor", "To Element-Relative Form…", "Ctrl+K, E", "mdi6.family-tree", "Measure joints from their parent and links from their joint, as in URDF"),
    ActionSpec("refactor.model_absolute", "Refactor", "To Model-Absolute Form…", "Ctrl+K, A", "mdi6.hexagon-outline", "Measure links from their model and joints from their child: the defaults"),
    ActionSpec("refactor.write_defaults", "Refactor", "Write the Defaults…", "Ctrl+K, D", "mdi6.playlist-plus", "Write every relative_to and attached_to that the file leaves out", section=True),
    ActionSpec("refactor.remove_redundant", "Refactor", "Remove What the Defaults Say…", "Ctrl+K, R", "mdi6.playlist-minus", "Take out every relative_to, attached_to and pose that says only the default"),
    ActionSpec("refactor.shorten_poses", "Refactor", "Shorten Poses…", "Ctrl+K, S", "mdi6.decimal-decrease", "Write the numbers of poses as short as they can be"),
    ActionSpec("refactor.split_off", "Refactor", "Split Off Nested Model…", "Ctrl+K, O", "mdi6.file-export-outline", "Move the selected nested model to a file of its own and include that", section=True),
    ActionSpec("refactor.standalone", "Refactor", "Put Includes In…", "Ctrl+K, X", "mdi6.file-import-outline", "Put every included model where its include stands"),
    ActionSpec("refactor.flatten", "Refactor", "Flatten…", "Ctrl+K, Y", "mdi6.layers-triple-outline", "Put includes in and make the links, joints and frames of nested models those of the model around them"),
    ActionSpec("refactor.version_1.12", "Refactor/Change Version", "To SDFormat 1.12…", "Ctrl+K, U", "mdi6.arrow-up-bold-box-outline", "Say in the newest version of SDFormat what the file says in its own"),
    ActionSpec("refactor.version_1.11", "Refactor/Change Version", "To SDFormat 1.11…", "Ctrl+K, 1", "", "Say in SDFormat 1.11 what the file says in its own version; lists what cannot be said"),
    ActionSpec("refactor.version_1.10", "Refactor/Change Version", "To SDFormat 1.10…", "Ctrl+K, 0", "", "Say in SDFormat 1.10 what the file says in its own version; lists what cannot be said"),
    ActionSpec("refactor.version_1.9", "Refactor/Change Version", "To SDFormat 1.9…", "Ctrl+K, 9", "", "Say in SDFormat 1.9 what the file says in its own version; lists what cannot be said"),
    ActionSpec("refactor.version_1.8", "Refactor/Change Version", "To SDFormat 1.8…", "Ctrl+K, 8", "", "Say in SDFormat 1.8 what the file says in its own version; lists what cannot be said"),
    ActionSpec("refactor.version_1.7", "Refactor/Change Version", "To SDFormat 1.7…", "Ctrl+K, 7", "", "Say in SDFormat 1.7 what the file says in its own version; lists what cannot be said"),
    ActionSpec("refactor.naming", "Refactor", "Naming Report…", "Ctrl+K, N", "mdi6.format-list-checks", "List the names that newer versions of SDFormat do not allow"),

    _source("find", "Find in Source…", "Ctrl+F", "mdi6.text-search", "Find text; a regular expression if wanted"),
    _source("replace", "Replace in Source…", "Ctrl+H", "mdi6.find-replace", "Find text and replace it by another"),
    _source("next_match", "Next Place", "F3", "mdi6.arrow-down", "Go to the next match, or the next place in the list"),
    _source("previous_match", "Previous Place", "Shift+F3", "mdi6.arrow-up", "Go to the match before, or the place before in the list"),
    _source("line", "Go to Line…", "Ctrl+G", "mdi6.format-line-spacing", "Go to a line, or to line:column"),
    _source("partner", "Go to Matching Tag", "Ctrl+Shift+\\", "mdi6.code-tags", "Go from a start tag to its end tag and back"),
    _source("definition", "Go to Definition", "F12", "mdi6.arrow-right-top", "Go to the frame that is named at the caret; Ctrl+click does so too", section=True),
    _source("references", "Find References", "Shift+F12", "mdi6.format-list-bulleted", "List every place that names the frame at the caret"),
    _source("rename", "Rename Name…", "F2", "mdi6.rename-box", "Rename what is named at the caret, with every reference to it"),
    _source("complete", "Complete", "Ctrl+Space", "mdi6.form-textbox", "Offer what may be typed at the caret"),
    _source("fix", "Quick Fix…", "Ctrl+.", "mdi6.lightbulb-on-outline", "Offer what mends the problem at the caret"),
    _source("comment", "Comment or Uncomment", "Ctrl+/", "mdi6.comment-outline", "Put the selected lines in a comment, or take them out", section=True),
    _source("duplicate", "Duplicate Lines", "Shift+Alt+Down", "mdi6.content-duplicate", "Write the selected lines once more"),
    _source("move_up", "Move Lines Up", "Alt+Up", "mdi6.arrow-up-bold", "Move the selected lines above the line before"),
    _source("move_down", "Move Lines Down", "Alt+Down", "mdi6.arrow-down-bold", "Move the selected lines below the next line"),
    _source("remove_lines", "Delete Lines", "Ctrl+Shift+K", "mdi6.table-row-remove", "Delete the selected lines"),
    _source("indent", "Indent Lines", "Ctrl+]", "mdi6.format-indent-increase", "Move the selected lines one level in"),
    _source("outdent", "Outdent Lines", "Ctrl+[", "mdi6.format-indent-decrease", "Move the selected lines one level out"),
    _source("widen", "Select More", "Shift+Alt+Right", "mdi6.arrow-expand-horizontal", "Select the word, value, tag or element around the selection", section=True),
    _source("narrow", "Select Less", "Shift+Alt+Left", "mdi6.arrow-collapse-horizontal", "Go back to the selection before"),
    _source("fold", "Fold or Unfold", "Ctrl+Shift+[", "mdi6.unfold-less-horizontal", "Hide the lines of the element around the caret, or show them"),
    ActionSpec("source.fold_all", "Source", "Fold All", "Ctrl+K, Ctrl+0", "mdi6.collapse-all-outline", "Show one line of each model, link and joint"),
    ActionSpec("source.unfold_all", "Source", "Unfold All", "Ctrl+K, Ctrl+J", "mdi6.expand-all-outline", "Show all lines"),
    _source("zoom_in", "Larger Text", "Ctrl+=", "mdi6.magnify-plus-outline", "Make the text of the source larger; Ctrl+wheel does so too", section=True),
    _source("zoom_out", "Smaller Text", "Ctrl+-", "mdi6.magnify-minus-outline", "Make the text of the source smaller"),
    _source("zoom_reset", "Usual Text Size", "Ctrl+0", "mdi6.magnify", "Give the text of the source its usual size"),
    _switch("source.blanks", "Source", "Show Blanks", "Ctrl+K, W", "mdi6.format-pilcrow", "Show blanks and tabs of the source as signs", needs_file=False),

    _switch("show.frames", "View/Show", "Frames", "Ctrl+Alt+F", "mdi6.axis-arrow", "Show the triads of all frames", on=True, toolbar=True),
    _switch("show.joints", "View/Show", "Joint Axes", "Ctrl+Alt+J", "mdi6.rotate-3d-variant", "Show joint axes and their limits", on=True, toolbar=True),
    _switch("show.labels", "View/Show", "Labels", "Ctrl+Alt+L", "mdi6.tag-text-outline", "Show the names of frames", on=True, toolbar=True),
    _switch("show.inertia", "View/Show", "Inertia", "Ctrl+Alt+I", "mdi6.weight", "Show the box of each link's inertia", toolbar=True),
    _switch("show.centres", "View/Show", "Centres of Mass", "Ctrl+G, M", "mdi6.circle-slice-8", "Show the centre of mass of each link"),
    _switch("show.collisions", "View/Show", "Collisions", "Ctrl+Alt+C", "mdi6.shield-outline", "Show collision geometry", toolbar=True),
    _switch("show.visuals", "View/Show", "Visuals", "Ctrl+Alt+V", "mdi6.eye-outline", "Show visual geometry", on=True),
    _switch("show.grid", "View/Show", "Grid", "Ctrl+Alt+G", "mdi6.grid", "Show the ground grid, in metres", on=True),
    _switch("show.shadows", "View/Show", "Shadows", "Ctrl+G, D", "mdi6.box-shadow", "Draw shadows", on=True),
    _switch("show.sensors", "View/Show", "Sensors", "Ctrl+G, S", "mdi6.cctv", "Show cameras with what they see, lidars with their fan, actors", on=True, section=True),
    _switch("show.lights", "View/Show", "Lights", "Ctrl+G, L", "mdi6.lightbulb-outline", "Show where lights are and where they shine", on=True),
    _switch("show.parent_sides", "View/Show", "Parent Sides of Joints", "Ctrl+G, P", "", "Show Jp, the joint frame fixed to the parent, beside Jc", section=True),
    _switch("show.canonical", "View/Show", "Canonical Links", "Ctrl+G, C", "", "Show a line from each model to its canonical link"),
    _switch("show.only_chain", "View/Show", "Only the Selection and Its Chain", "Ctrl+G, O", "", "Fade all frames but the selected ones and those that their poses hang on"),
    _switch("edges.off", "View/Edges in Space", "None", "Ctrl+G, 0", "", "Draw no edges between frames", group="edges", on=True),
    _switch("edges.relative_to", "View/Edges in Space", "relative_to", "Ctrl+G, R", "", "Draw an arrow from each frame to the one that its pose is given in", group="edges"),
    _switch("edges.attached_to", "View/Edges in Space", "attached_to", "Ctrl+G, A", "", "Draw an arrow from each frame to the one that it moves with", group="edges"),
    _switch("depth.top", "View/Frames Behind Surfaces", "On Top", "Ctrl+G, 1", "", "Draw frames over everything", group="depth", on=True),
    _switch("depth.xray", "View/Frames Behind Surfaces", "Shine Through", "Ctrl+G, 2", "", "Let what surfaces hide shine through faintly", group="depth"),
    _switch("depth.tested", "View/Frames Behind Surfaces", "Hidden", "Ctrl+G, 3", "", "Let surfaces hide frames", group="depth"),
    ActionSpec("show.display", "View/Show", "Sizes and Filters…", "Ctrl+G, V", "mdi6.tune-variant", "Choose which frames are shown and how large, and how see-through things are"),
    _switch("show.transparent", "View/Show", "Transparent", "Ctrl+Alt+T", "mdi6.circle-opacity", "See through all surfaces", section=True, toolbar=True),
    _switch("show.wireframe", "View/Show", "Wireframe", "Ctrl+Alt+W", "mdi6.vector-square", "Draw surfaces as wires", toolbar=True),

    ActionSpec("camera.focus", "View/Camera", "Focus on Selection", "F", "mdi6.image-filter-center-focus", "Bring the selection into the middle", toolbar=True),
    ActionSpec("camera.fit", "View/Camera", "Fit All", "Home", "mdi6.fit-to-page-outline", "Bring everything into sight", toolbar=True),
    ActionSpec("camera.front", "View/Camera", "Front", "Ctrl+1", "", "Look at the front, along −x", section=True),
    ActionSpec("camera.back", "View/Camera", "Back", "Ctrl+2", "", "Look at the back, along +x"),
    ActionSpec("camera.left", "View/Camera", "Left", "Ctrl+3", "", "Look at the left side, along −y"),
    ActionSpec("camera.right", "View/Camera", "Right", "Ctrl+4", "", "Look at the right side, along +y"),
    ActionSpec("camera.top", "View/Camera", "Top", "Ctrl+5", "", "Look down, along −z"),
    ActionSpec("camera.bottom", "View/Camera", "Bottom", "Ctrl+6", "", "Look up, along +z"),
    ActionSpec("camera.iso", "View/Camera", "Isometric", "Ctrl+7", "mdi6.cube-scan", "Look from the upper corner"),
    _switch("camera.orthographic", "View/Camera", "Orthographic", "Ctrl+8", "mdi6.cube-outline", "Draw without perspective", section=True),
    _switch("camera.follow", "View/Camera", "Follow Selection", "Ctrl+G, F", "mdi6.crosshairs-gps", "Move the camera along with the selected frame"),
    _switch("navigation.gazebo", "View/Mouse", "Like Gazebo", "Ctrl+Alt+1", "", "Left drags the scene, middle orbits, right zooms", group="navigation", needs_file=False),
    _switch("navigation.rviz", "View/Mouse", "Like RViz", "Ctrl+Alt+2", "", "Left orbits, middle drags the scene, right zooms", group="navigation", on=True, needs_file=False),
    _switch("navigation.web", "View/Mouse", "Like Web Viewers", "Ctrl+Alt+3", "", "Left orbits, right drags the scene, the wheel zooms", group="navigation", needs_file=False),
    _switch("compare.off", "View/Compare", "Off", "Ctrl+Alt+7", "mdi6.ghost-off-outline", "Compare with nothing", group="compare", on=True, toolbar=True),
    _switch("compare.ghost", "View/Compare", "Ghost", "Ctrl+Alt+0", "mdi6.ghost-outline", "Overlay the zero positions, or the element-relative reading", group="compare", toolbar=True),
    _switch("compare.side", "View/Compare", "Side by Side", "Ctrl+Alt+9", "mdi6.view-split-vertical", "Show the model-absolute reading (SDFormat) beside the element-relative one (URDF)", group="compare", toolbar=True),
    _switch("compare.zero", "View/Compare", "Ghost Shows Zero Positions", "Ctrl+Alt+Z", "", "The ghost is the model with all joints at zero", group="ghost", on=True, section=True),
    _switch("compare.reading", "View/Compare", "Ghost Shows the Element-Relative Reading", "Ctrl+Alt+X", "", "The ghost is the model as URDF would read its numbers", group="ghost"),
    _switch("compare.colours", "View/Compare", "Colour by Difference", "Ctrl+Alt+B", "mdi6.palette-outline", "Colour what the two readings put in different places", on=True),
    _switch("unit.radians", "View/Angles", "Radians", "Ctrl+Alt+R", "", "Show angles in radians", short="rad", group="unit", on=True, needs_file=False, toolbar=True),
    _switch("unit.degrees", "View/Angles", "Degrees", "Ctrl+Alt+D", "", "Show angles in degrees", short="deg", group="unit", needs_file=False, toolbar=True),
    _switch("unit.quaternions", "View/Angles", "Rotations as Quaternions", "Ctrl+Alt+Q", "", "Show and type the rotations of poses as quaternions x, y, z, w", section=True, needs_file=False),
    _switch("theme.system", "View/Theme", "As the System", "Ctrl+Alt+4", "mdi6.theme-light-dark", "Light or dark as the desktop wants it", group="theme", on=True, needs_file=False),
    _switch("theme.light", "View/Theme", "Light", "Ctrl+Alt+5", "mdi6.white-balance-sunny", "Light theme", group="theme", needs_file=False),
    _switch("theme.dark", "View/Theme", "Dark", "Ctrl+Alt+6", "mdi6.weather-night", "Dark theme", group="theme", needs_file=False),
    _switch("panel.tree", "View/Panels", "Model Tree", "Alt+1", "", "Show or hide the model tree", on=True, needs_file=False),
    _switch("panel.properties", "View/Panels", "Properties", "Alt+2", "", "Show or hide the properties", on=True, needs_file=False),
    _switch("panel.joints", "View/Panels", "Joints", "Alt+3", "", "Show or hide the joint sliders", on=True, needs_file=False),
    _switch("panel.graphs", "View/Panels", "Frame Graphs", "Alt+4", "", "Show or hide the frame graphs", on=True, needs_file=False),
    _switch("panel.problems", "View/Panels", "Problems", "Alt+5", "", "Show or hide the problems", on=True, needs_file=False),
    _switch("panel.source", "View/Panels", "Source", "Alt+6", "", "Show or hide the source", on=True, needs_file=False),
    _switch("panel.compare", "View/Panels", "Compare", "Alt+7", "", "Show or hide the differences between the two readings", needs_file=False),
    _switch("panel.history", "View/Panels", "History", "Alt+9", "", "Show or hide the history of edits", needs_file=False),
    ActionSpec("view.reset_layout", "View", "Reset Layout", "Ctrl+Alt+Home", "mdi6.restore", "Put all panels back where they were at first", section=True, needs_file=False),

    ActionSpec("go.palette", "Go", "Command Palette…", "Ctrl+Shift+P", "mdi6.magnify", "Find any action by a few letters of its name", needs_file=False, toolbar=True),
    ActionSpec("go.filter", "Go", "Find Frame", "Ctrl+F", "mdi6.file-tree-outline", "Type a part of a frame's name to find it in the tree"),
    ActionSpec("go.source", "Go", "Show in Source", "F4", "mdi6.code-tags", "Show where the selected frame is written", section=True),
    ActionSpec("go.parent", "Go", "Select relative_to", "Alt+Up", "mdi6.arrow-up", "Select the frame that the selected frame's pose is given in"),
    ActionSpec("go.next_panel", "Go", "Next Panel", "F6", "", "Give the keyboard to the next panel", section=True, needs_file=False),
    ActionSpec("go.previous_panel", "Go", "Previous Panel", "Shift+F6", "", "Give the keyboard to the previous panel", needs_file=False),
    ActionSpec("go.next_problem", "Go", "Next Problem", "F8", "mdi6.alert-circle-outline", "Select the next problem", section=True),
    ActionSpec("go.previous_problem", "Go", "Previous Problem", "Shift+F8", "", "Select the previous problem"),

    ActionSpec("joints.reset", "Joints", "Reset All", "Ctrl+0", "mdi6.restore", "Put all joints at zero"),
    ActionSpec("joints.random", "Joints", "Random Positions", "Ctrl+Alt+M", "mdi6.dice-5-outline", "Put every joint somewhere within its limits"),
    ActionSpec("joints.close_loops", "Joints", "Close Loops", "Ctrl+Alt+K", "mdi6.vector-link", "Move the joints as little as it takes to close all loops"),
    ActionSpec("joints.keep_pose", "Joints", "Keep Pose…", "Ctrl+Alt+P", "mdi6.bookmark-plus-outline", "Keep the joint positions of this file under a name"),
    _switch("joints.sweep", "Joints", "Sweep", "Ctrl+Alt+S", "mdi6.sine-wave", "Move every joint from limit to limit", section=True),
    _switch("joints.lift_limits", "Joints", "Lift Limits", "Ctrl+Alt+U", "mdi6.lock-open-variant-outline", "Let joints go beyond their limits"),

    ActionSpec("help.about", "Help", "About sdfviewer", "F1", "mdi6.information-outline", "Version, graphics and settings of this program", section=True, needs_file=False),
)
# fmt: on

#: Other keys for macOS, where Qt reads Ctrl as ⌘ and the system keeps some of these for itself.
_MACOS_KEYS = {
    "file.next": "Meta+Tab",  # ⌘Tab goes to the next program
    "source.complete": "Meta+Space",  # ⌘Space searches the computer
    "source.replace": "Ctrl+Alt+F",  # ⌘H hides the program
    "versions.step": "Ctrl+K, H",
    "edit.write_quaternion": "Ctrl+K, Q",  # ⌘Q quits
    "axes.relative_to": "Ctrl+Shift+0",  # ⌘⇧3 takes a picture of the screen
    "unit.degrees": "Ctrl+Alt+A",  # ⌥⌘D hides the Dock
    "edit.remove": "Ctrl+Backspace",  # most of its keyboards have no Del
}


def for_macos(specs: Iterable[ActionSpec]) -> tuple[ActionSpec, ...]:
    """Return actions with keys that macOS leaves to programs."""
    return tuple(replace(spec, shortcut=_MACOS_KEYS.get(spec.id, spec.shortcut)) for spec in specs)


if sys.platform == "darwin":
    ACTIONS = for_macos(ACTIONS)


def build_actions(parent: QObject, handlers: Mapping[str, Callable[..., object]]) -> dict[str, QAction]:
    """Return a QAction for each row of the table, connected to its handler; a switch hands its state over.

    Raises
    ------
    KeyError
        If an action has no handler.
    """
    actions: dict[str, QAction] = {}
    groups: dict[str, QActionGroup] = {}
    for spec in ACTIONS:
        action = QAction(spec.text, parent)
        action.setObjectName(spec.id)
        action.setShortcut(QKeySequence(spec.shortcut))
        # The editor looks for its own keys: it has some that the window has as well.
        context = Qt.ShortcutContext
        action.setShortcutContext(context.WidgetShortcut if spec.in_source else context.WindowShortcut)
        action.setToolTip(tooltip(spec.tip or spec.text, action.shortcut()))
        action.setStatusTip(spec.tip)
        if spec.short:
            action.setIconText(spec.short)
        action.setCheckable(spec.checkable)
        action.setChecked(spec.on)
        if spec.group:
            group = groups.setdefault(spec.group, QActionGroup(parent))
            group.addAction(action)
        handler = handlers[spec.id]
        if spec.checkable:
            action.toggled.connect(handler)
        else:
            action.triggered.connect(lambda _checked=False, handler=handler: handler())
        actions[spec.id] = action
    return actions


def tooltip(text: str, shortcut: QKeySequence | str) -> str:
    """Return a tooltip that carries the shortcut as this platform writes it."""
    keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text} ({keys})" if keys else text


def paint_icons(actions: Mapping[str, QAction], colours: Tokens) -> None:
    """Give all actions their icons in the colours of a theme."""
    for spec in ACTIONS:
        if spec.icon:
            actions[spec.id].setIcon(action_icon(spec.icon, colours))
