"""The dialog that adds an element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QCompleter, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.files.search import KnownModel, search_models
from sdfviewer.files.uris import uri_of
from sdfviewer.formats.load import Loader
from sdfviewer.gui.context.document_context import DocumentContext, is_short
from sdfviewer.gui.context.edits import outcome_of
from sdfviewer.gui.context.topics import PosePick
from sdfviewer.gui.kit.fields import PickButton
from sdfviewer.gui.kit.file_dialog import mesh_filter, model_filter
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker, choice_of
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.operations.form_dialog import EditDialog, in_line, with_unit
from sdfviewer.gui.operations.joint_fields import JointFields, ShapeFields
from sdfviewer.gui.operations.model_picker import ModelPicker
from sdfviewer.gui.operations.uri_choice import UriBox
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.model.values import format_numbers
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.operations.parameters import PoseType
from sdfviewer.operations.table import find_operation
from sdfviewer.operations.whole import change_version
from sdfviewer.refactoring.adding import (
    TooOldError,
    free_name,
    is_robot,
    name_of_included,
    owners_for,
    suggest_fields,
    targets_of_new,
)
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.new_elements import SENSOR_TYPES
from sdfviewer.refactoring.new_parts import NewMesh
from sdfviewer.refactoring.properties.catalogue import joint_types_of, shapes_of
from sdfviewer.scene.tools.placing import PickedPlace, PoseBase, rounded_pose
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.transforms import Array, pose_to_matrix
from sdfviewer.validation.content_rules import LIGHT_TYPES
from sdfviewer.versions import FRAME_SEMANTICS, format_version

_POSED = frozenset({"link", "frame", "joint", "visual", "collision", "sensor", "light", "model", "include"})
#: Whose pose may name any frame of its scope.
_MEASURED = frozenset({"link", "frame", "joint", "visual", "collision", "model", "include"})


class AddDialog(EditDialog):
    """The form for a new element of one tag, filled in from the selection; it selects what it has added.

    While it is open the views show what it would add.
    """

    def __init__(
        self,
        context: DocumentContext,
        tag: str,
        owner: int,
        parent: QWidget | None = None,
        *,
        pictures: Path | None = None,
    ) -> None:
        super().__init__(f"Add {tag.capitalize()}", "Add", context, parent)
        self.setMinimumWidth(440)
        self.convert_button = self._build_convert()
        self._tag = tag
        self._pictures = pictures
        self.owner = owner
        session = context.session
        self.chosen: dict[str, str] = suggest_fields(self.model, owner, tag, session.selected_rows)
        self.name = named(QLineEdit("" if tag == "include" else free_name(self.model, owner, tag)), "Name")
        self.name.textChanged.connect(lambda _text: self.validate())
        self.owner_picker = FramePicker("In")
        self.owner_picker.opening.connect(self._offer_owners)
        self.owner_picker.picked.connect(lambda choice: self._set_owner(choice.name))
        self.add_row("in", self.owner_picker, "The model, world or link that contains it")
        self.add_row("name", self.name)
        self.pickers: dict[str, FramePicker] = {}
        self.types: dict[str, QComboBox] = {}
        self.lines: dict[str, QLineEdit] = {}
        self.rows: dict[str, QWidget] = {}
        self.shape: ShapeFields | None = None
        self.joint: JointFields | None = None
        self.uris: UriBox | None = None
        self.add_own_rows()
        if tag in _POSED:
            self._add_pose_rows()
        self.add_last_rows()
        self.check = self.compute
        self._show_owner()
        first = self.lines["density"] if tag == "inertial" else self.name
        first.setFocus()
        first.selectAll()
        self.validate()

    def add_own_rows(self) -> None:
        """Add the rows of this tag."""
        tag = self._tag
        if tag == "joint":
            self.joint = JointFields(self, self.validate, joint_types_of(self.model, self.owner))
            self.add_picker("parent", "The frame that the joint starts from")
            self.add_picker("child", "The frame that the joint moves")
            self.joint.add_rows()
        elif tag == "frame":
            self.add_picker("attached_to", "The frame that it moves with; the model frame by default")
        elif tag == "include":
            self._add_uri_row("model://name or a path relative to this file", "The file or model folder to include")
            self.name.setPlaceholderText("that of the file")
            self.uri.textChanged.connect(self._name_after_file)
        elif tag in ("visual", "collision"):
            known = [
                shape for shape in shapes_of(self.model, self.owner) if shape not in ("image", "heightmap", "empty")
            ]
            self.shape = ShapeFields(self, known, self._follow_shape)
            self._add_uri_row("meshes/part.stl", "The file of the mesh")
            self._follow_shape()
            if tag == "visual":
                self.also_collision = QCheckBox("Add a collision of the same shape")
                self.also_collision.toggled.connect(lambda _on: self.validate())
                self.form.addRow("", self.also_collision)
        elif tag == "light":
            self._add_type("type", LIGHT_TYPES, "The type of light")
        elif tag == "sensor":
            self._add_type("type", SENSOR_TYPES[self.model.kinds[self.owner]], "The type of sensor")
            self.types["type"].currentTextChanged.connect(self._name_after_type)
            self._name_after_type(self.types["type"].currentText())
        elif tag == "inertial":
            self.add_line("density", "1000", "For all shapes of the link; water has 1000", unit="kg/m³")
            self.add_line("mass", "from the density", "Replaces the density", unit="kg")
            self.set_row_visible(self.name, False)
        elif tag == "plugin":
            self.add_line(
                "filename", "gz-sim-diff-drive-system", "The library that holds the plugin; type part of its name"
            )
            self._offer_plugins()
            self.about = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            tip = "The selected joints and links: a plugin that names one gets one of its own for each of them"
            self.add_row("for", self.about, tip)
            self.remarks = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            self.form.addRow("", self.remarks)

    @property
    def _about(self) -> list[str]:
        """The joints and links that are selected in the owner of a plugin."""
        model, rows = self.model, self._context.session.selected_rows
        kinds = (Kind.JOINT, Kind.LINK)
        return [model.names[row] for row in rows if model.kinds[row] in kinds and model.owners[row] == self.owner]

    def _offer_plugins(self) -> None:
        """Offer the libraries that the catalogue knows for the owner and what is around it.

        A plugin is called as its class is, and goes where it can be: a drive into the model of the selected sensor.
        """
        from sdfviewer.model.plugin_catalogue import known_plugin, known_plugins  # noqa: PLC0415  # only here

        line, kinds = self.lines["filename"], self.model.kinds
        around = {kinds[row].value for row in self.model.around(self.owner)}
        completer = QCompleter(
            [each.filename for each in known_plugins().values() if around & {*each.holders}],
            line,
            filterMode=Qt.MatchFlag.MatchContains,
            caseSensitivity=Qt.CaseSensitivity.CaseInsensitive,
        )
        line.setCompleter(completer)

        def follow(filename: str) -> None:
            known = known_plugin(filename)
            line.setToolTip("The library that holds the plugin" if known is None else known.help)
            if known is None:
                return
            if known.names and not self.name.isModified():
                self.name.setText(known.names[0])
            if kinds[self.owner].value not in known.holders:
                holders = (row for row in self.model.around(self.owner) if kinds[row].value in known.holders)
                if (holder := next(holders, None)) is not None:
                    self._set_owner(self.model.names[holder])

        line.textChanged.connect(follow)

    def add_last_rows(self) -> None:
        """Add the rows below the pose."""

    # --- a file in an older version ---------------------------------------------------------------------------------

    def _build_convert(self) -> QPushButton:
        button = QPushButton()
        button.setToolTip("Convert the file, as Refactor › Convert to Version does; Ctrl+Z undoes it")
        button.clicked.connect(self._convert)
        button.hide()
        self.column.insertWidget(self.column.indexOf(self.buttons), button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def validate(self) -> bool:
        """Offer to convert a file whose version has no such element."""
        is_valid = super().validate()
        needed = self.error.needed if isinstance(self.error, TooOldError) else None
        if needed is not None:
            self.convert_button.setText(f"Con&vert the File to SDFormat {format_version(needed)}")
        is_offered = needed is not None
        if is_offered is self.convert_button.isHidden():
            self.convert_button.setVisible(is_offered)
            if self.isVisible():
                self.fit()
        return is_valid

    def _convert(self) -> None:
        """Convert the file in the background, then go on with the form."""
        assert isinstance(self.error, TooOldError)
        session, target = self._context.session, self.error.needed
        loader = Loader(session.finder.fresh(), expander=session.expander.fork())
        self.convert_button.setEnabled(False)

        def make(edit: Edit) -> None:
            self.convert_button.setEnabled(True)
            self._context.edits.apply(edit)

        def refuse(error: SdfViewerError) -> None:
            self.convert_button.setEnabled(True)
            self.fault.setText(as_sentence(str(error)))

        latest = Latest()
        self.finished.connect(lambda _result: latest.stop())
        on, version = EditContext(self.model, loader), {"version": format_version(target)}
        latest.run(lambda: change_version.perform(on, version).edit, make, refuse, at_once=is_short(self._context))

    # --- fields ----------------------------------------------------------------------------------------------------

    def _follow_shape(self) -> None:
        """Ask for a file where the shape is a mesh."""
        if self.shape is not None and "uri" in self.lines:
            assert self.uris is not None
            for row in (self._uri_row, self.uris, self.uris.found_by):
                self.set_row_visible(row, self.shape.tag == "mesh")
            self.validate()

    def _add_pose_rows(self) -> None:
        line = self.lines["pose"] = named(QLineEdit(placeholderText="x y z  roll pitch yaw"), "pose")
        line.textChanged.connect(lambda _text: self.validate())
        self.pick_button = PickButton()
        self.pick_button.clicked.connect(self._ask_for_place)
        row = with_unit(in_line(line, self.pick_button), "m, rad")
        self.add_row("pose", row, "Lengths in metres, angles in radians, or with units, as in 12mm or 45deg")
        self._offer_relative_to()

    def _offer_relative_to(self) -> None:
        """Ask what the pose is measured from, where the file's version has words for it."""
        if self._tag in _MEASURED and self.model.version >= FRAME_SEMANTICS and "relative_to" not in self.pickers:
            self.add_picker("relative_to", "The frame that the pose is measured from")
            if self.isVisible():
                QTimer.singleShot(0, self, self.fit)  # once the row has its size

    def add_picker(self, field: str, tip: str) -> None:
        """Add a picker of a frame."""
        picker = FramePicker(field)
        picker.opening.connect(lambda: self._offer_frames(field))
        picker.picked.connect(lambda choice: self._pick(field, choice))
        self.pickers[field] = picker
        self.add_row(field, picker, tip)
        self.show_picked(field)

    def _add_type(self, field: str, choices: Sequence[str], tip: str) -> None:
        box = self.types[field] = named(QComboBox(), field.capitalize())
        box.addItems(list(choices))
        box.currentTextChanged.connect(lambda _text: self.validate())
        self.add_row(field, box, tip)

    def add_line(self, field: str, example: str, tip: str, label: str = "", unit: str = "") -> None:
        """Add a line of text; what shows and hides it takes :attr:`rows`."""
        line = self.lines[field] = named(QLineEdit(placeholderText=example), label or field)
        line.textChanged.connect(lambda _text: self.validate())
        row = self.rows[field] = with_unit(line, unit) if unit else line
        self.add_row(label or field, row, tip)

    def _add_uri_row(self, example: str, tip: str) -> None:
        self.uri = self.lines["uri"] = named(QLineEdit(placeholderText=example), "uri")
        self.uri.textChanged.connect(lambda _text: self.validate())
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        buttons = [browse]
        if self._tag == "include" and self._pictures is not None:
            self.find_button = QPushButton("Find…")
            self.find_button.setToolTip("Find a model in the model folders and beside this file")
            self.find_button.clicked.connect(self._search_models)
            buttons.insert(0, self.find_button)
        self._uri_row = in_line(self.uri, *buttons)
        self.add_row("uri", self._uri_row, tip)
        self.uris = UriBox(is_model=self._tag == "include")
        self.uris.currentIndexChanged.connect(lambda _index: self.validate())
        what = "the model that it includes" if self._tag == "include" else "the mesh"
        self.add_row("named by", self.uris, f"How the file names {what}")
        self.form.addRow("", self.uris.found_by)

    def _browse(self) -> None:
        path = self.model.document.path
        title, kinds = ("Include", model_filter()) if self._tag == "include" else ("Mesh", mesh_filter())
        name, _ = QFileDialog.getOpenFileName(self, title, str(self._context.session.folder), kinds)
        if name:
            finder = self._context.session.finder
            self.uri.setText(uri_of(Path(name), path, finder, is_model=self._tag == "include"))

    def _search_models(self) -> None:
        """Search for models in another thread, then list them."""
        self.find_button.setEnabled(False)
        background = Background()
        self.finished.connect(lambda _result: background.stop())
        finder, path = self._context.session.finder.fresh(), self.model.document.path
        search = partial(search_models, finder, path, lambda: background.is_stopped)
        background.run(search, self._list_models, self._list_no_models)

    def _list_no_models(self, error: SdfViewerError) -> None:
        self.find_button.setEnabled(True)
        self.fault.setText(as_sentence(str(error)))

    def _list_models(self, models: list[KnownModel]) -> None:
        assert self._pictures is not None
        self.find_button.setEnabled(True)
        self.model_picker = ModelPicker(models, self._pictures, self)
        self.model_picker.chosen.connect(self._take_model)
        self.model_picker.open_at(self._uri_row.mapToGlobal(QPoint(0, self._uri_row.height())))

    def _name_after_type(self, kind: str) -> None:
        """Name a sensor after its type, until a name was typed."""
        if not self.name.isModified():
            self.name.setText(free_name(self.model, self.owner, kind.removeprefix("gpu_")))

    def _name_after_file(self, uri: str) -> None:
        """Name the model after its file, until a name was typed."""
        if not self.name.isModified():
            self.name.setText(name_of_included(self.model, self.owner, uri) if uri else "")

    def _take_model(self, known: KnownModel) -> None:
        self.uri.setText(known.uri)

    def _offer_owners(self) -> None:
        names = self.model.names
        kinds = self.model.kinds
        self.owner_picker.set_choices(
            [FrameChoice(names[row], names[row], kinds[row].value) for row in owners_for(self.model, self._tag)]
        )

    def _set_owner(self, name: str) -> None:
        self.owner = self.model.row(name)
        self.chosen.clear()
        self._context.requests.cancel_pick()
        for field in self.pickers:
            self.show_picked(field)
        self._show_owner()
        self.validate()

    def _show_owner(self) -> None:
        if self._tag == "plugin":
            self.about.setText(", ".join(self._about) or f"the whole {self.model.kinds[self.owner].value}")
        self.owner_picker.show_choice(self.model.shown_name(self.owner), self.model.kinds[self.owner].value)

    def _targets(self, field: str) -> ReferenceTargets:
        """Return what a field may name."""
        return targets_of_new(self.model, self.owner, cast("Attribute", field), self.chosen)

    def _offer_frames(self, field: str) -> None:
        choices = []
        if field in ("attached_to", "relative_to"):
            choices.append(FrameChoice(None, self.default_of(field), self.model.kinds[self.owner].value))
        choices += [choice_of(self.model, target) for target in self._targets(field)]
        self.pickers[field].set_choices(choices)

    def _pick(self, field: str, choice: FrameChoice) -> None:
        if choice.name is None:
            self.chosen.pop(field, None)
        else:
            self.chosen[field] = choice.name
        self.show_picked(field)
        self.validate()
        # Focus the next field: Enter in this one would open the list again.
        self.pickers[field].setFocus()
        self.focusNextChild()

    def show_picked(self, field: str) -> None:
        """Show the frame that is chosen."""
        name = self.chosen.get(field)
        kind = None
        if name is not None:
            row = self._targets(field).row_of(name)
            kind = Kind.WORLD.value if row is None or row < 0 else self.model.kinds[row].value
        self.pickers[field].show_choice(name or self.default_of(field), kind)

    def default_of(self, field: str) -> str:
        """Return the text shown where no frame is chosen."""
        if field not in ("attached_to", "relative_to"):
            return "choose…"
        if field == "relative_to":
            owner = f"default: {self.model.local_names[self.owner]}"
            joint = "default: its parent" if is_robot(self.model, self.owner) else "default: its child"
            return {"joint": joint, "frame": "default: attached_to"}.get(self._tag, owner)
        is_world = self.model.kinds[self.owner] is Kind.WORLD
        return f"default: {self.model.local_names[self.owner]}" if is_world else "default: the model frame"

    def take_model(self, model: Model) -> bool:
        """Find the owner again."""
        owner = self.row_in(model, self.owner)
        if owner is None or owner not in owners_for(model, self._tag):
            return False
        self.owner, self.model = owner, model
        self._offer_relative_to()
        return True

    # --- picking the pose ------------------------------------------------------------------------------------------

    def _ask_for_place(self, on: bool) -> None:
        """Let the next click in the 3D view fill in the pose, or give that up."""
        if not on:
            self._context.requests.cancel_pick()
            return
        line = self.lines["pose"]
        typed = line.text()

        def consider(place: PickedPlace | None) -> None:
            if place is None:
                line.setText(typed)
            else:
                X_RootP = pose(place)
                line.setText(format_numbers(rounded_pose(self._pose_base.written(X_RootP), place, X_RootP)))
                line.setCursorPosition(0)

        def pose(place: PickedPlace) -> Array:
            own = self._pose_base.shown(_typed_pose(typed))
            return place.pose(own[:3, :3], turned=self.pick_button.turns.isChecked())

        what = self.name.text() or self._tag
        self._context.requests.pick_pose(PosePick(what, pose, consider, consider, self._end_pick))

    def _end_pick(self) -> None:
        self.pick_button.setChecked(False)
        self.activateWindow()

    @property
    def carrier_field(self) -> str:
        """The field that names what the new element moves with, empty where none does."""
        return {"joint": "child", "frame": "attached_to"}.get(self._tag, "")

    @property
    def _pose_base(self) -> PoseBase:
        """What the pose is measured from, and what moves the new element."""
        model, session = self.model, self._context.session

        def row_of(field: str) -> int:
            name = self.chosen.get(field)
            row = None if name is None else model.find(self.owner, name)
            return -1 if row is None else row

        is_in_link = model.kinds[self.owner] in (Kind.LINK, Kind.JOINT)
        carrier = self.owner if is_in_link else row_of(self.carrier_field)
        base = row_of("relative_to")
        if base < 0 and self._tag == "joint" and is_robot(model, self.owner):
            base = row_of("parent")
        if base < 0:
            base = carrier if carrier >= 0 else self.owner
        return PoseBase(model, session.X_RootF, base, carrier)

    # --- result ----------------------------------------------------------------------------------------------------

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        done = outcome_of(self._context.session, self.model, self._operation, self.arguments())
        self.others = OtherEdits.of(done)
        said = self.remarks if self._tag == "plugin" else None
        if self.uris is not None and self.uris.uris is None:
            said = self.uris.found_by
        text = " ".join(as_sentence(each) for each in done.edit.notes)
        if said is not None and said.text() != text:
            said.setText(text)
            if self.isVisible():
                QTimer.singleShot(0, self, self.fit)  # once the row has its size
        return replace(done, copies=()).only_edit

    @property
    def _operation(self) -> Operation:
        return find_operation(f"add_{self._tag}")

    def arguments(self) -> dict[str, object]:
        """Return what was chosen and typed, by the parameters of the operation.

        Raises
        ------
        SdfViewerError
            While the form cannot be accepted.
        """
        parameters = self._operation.parameters
        # What is missing is named by the edit, in the words of the element.
        given: dict[str, object] = {each.name: None for each in parameters if each.is_required}
        given |= {next(each.name for each in parameters if each.option_name == "in"): self.owner}
        given |= self.typed_fields()
        if self.joint is not None:
            given |= {"type": self.joint.kind, **self.joint.fields()}
        if self.shape is not None:
            given["geometry"] = self.shape.new_shape() or self.shape.tag
        uri = given.pop("uri", None)
        if self._tag == "include" or given.get("geometry") == "mesh":
            if not uri:
                what = "or model to include" if self._tag == "include" else "of the mesh"
                raise RefactoringError(f"choose the file {what}")
            given |= {"uri": uri} if self._tag == "include" else {"geometry": NewMesh("mesh", str(uri))}
        if self.uris is not None:
            given["uris"] = self.uris.uris
        if self._tag == "joint" and not given.get("child"):
            self._refuse_other_models()
        if self._tag == "plugin":
            given["of"] = self._about
        if "name" in self._operation.by_name:
            given["name"] = self.typed_name()
        if self._tag == "visual":
            given["with_collision"] = self.also_collision.isChecked()
        return given

    def _refuse_other_models(self) -> None:
        """Say which selected frame is not offered as the child because it is in another model."""
        owner, prefix = self.model.names[self.owner], self.model.member_prefix(self.owner)
        for name in self._context.session.selection:
            if name != owner and not name.startswith(prefix):
                raise RefactoringError(f"a joint needs a child in '{owner}'; '{name}' is in another model")

    def typed_name(self) -> str:
        """Return the name.

        Raises
        ------
        RefactoringError
            If there is none.
        """
        name = self.name.text().strip()
        if not name:
            raise RefactoringError("enter a name")
        return name

    def typed_fields(self) -> dict[str, object]:
        """Return the choices, and the typed values as the parameters of the operation read them.

        Raises
        ------
        RefactoringError
            If something that is typed is no value.
        """
        fields: dict[str, object] = {**self.chosen, **{field: box.currentText() for field, box in self.types.items()}}
        for field, line in self.lines.items():
            if text := line.text().strip():
                parameter = self._operation.by_name.get(field)
                try:
                    fields[field] = text if parameter is None else parameter.type.read(text)
                except ValueError as error:
                    raise RefactoringError(f"{field}: {str(error).removesuffix('.')}") from None
        return fields


def _typed_pose(text: str) -> Array:
    """Return the pose (4, 4) in a line, the identity where it cannot be read."""
    try:
        numbers = PoseType(may_be_short=True).read(text)
    except ValueError:
        numbers = [0.0] * 6
    return pose_to_matrix(numbers)
