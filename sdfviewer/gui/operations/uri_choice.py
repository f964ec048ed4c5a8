"""Ask how a text names its files: each way with which programs find a file that is named so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QRadioButton, QWidget

from sdfviewer.files.uris import URI_FORMS, Keep, UriForm
from sdfviewer.gui.kit.widgets import named, styled
from sdfviewer.gui.operations.form_dialog import FormDialog

#: What is chosen: a form, to keep all URIs, or what suits most programs.
Chosen: TypeAlias = "UriForm | Keep | Literal['automatic']"
AUTOMATIC: Mapping[Chosen, tuple[str, str]] = {
    "automatic": ("automatic", "model:// where that leads to the model in a package, else a relative path.")
}
#: The choices where a text goes to another folder; what is chosen first is the default.
OF_MOVED_TEXT: Mapping[Chosen, tuple[str, str]] = {
    "automatic": ("correct paths", "What would lead elsewhere from the new folder becomes a relative path."),
    **{word: (form.label, form.of_file) for word, form in URI_FORMS.items()},
    "keep": ("as they are", "Programs look for relative paths in the new folder, where the files may be missing."),
}
#: The choices where a model is included.
OF_INCLUDES: Mapping[Chosen, tuple[str, str]] = {
    **AUTOMATIC,
    **{word: (form.label, form.of_model) for word, form in URI_FORMS.items()},
}


class UriDialog(FormDialog):
    """Asks how files are named.

    Attributes
    ----------
    buttons_by_form
        What is chosen by.
    """

    def __init__(
        self, title: str, verb: str, what: str, choices: Mapping[Chosen, tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(title, verb, parent)
        self.setMinimumWidth(460)
        self.chosen: Chosen = next(iter(choices))
        self.form.addRow(QLabel(what, wordWrap=True))
        self.buttons_by_form: dict[str, QRadioButton] = {}
        for word, (label, says) in choices.items():
            button = self.buttons_by_form[word] = QRadioButton(label)
            button.setChecked(word == self.chosen)
            button.clicked.connect(partial(setattr, self, "chosen", word))
            self.form.addRow(button)
            self.add_note(says)
        self.validate()

    @property
    def uris(self) -> UriForm | Keep | None:
        """What was chosen, None for the default."""
        return None if self.chosen == "automatic" else self.chosen

    @classmethod
    def ask(
        cls, title: str, verb: str, what: str, choices: Mapping[Chosen, tuple[str, str]], parent: QWidget | None
    ) -> tuple[bool, UriForm | Keep | None]:
        """Return whether the user goes on, and what was chosen."""
        dialog = cls(title, verb, what, choices, parent)
        goes_on = dialog.exec() == QDialog.DialogCode.Accepted
        return goes_on, dialog.uris


class UriBox(QComboBox):
    """A list of the ways in which a model or mesh is named, with a label that says which programs find it."""

    def __init__(self, *, is_model: bool) -> None:
        super().__init__()
        self._is_model = is_model
        named(self, "URIs")
        self.found_by = styled(QLabel(wordWrap=True), "muted")
        for word, (label, _) in OF_INCLUDES.items():
            self.addItem("as typed" if word == "automatic" else label, word)
        self.currentIndexChanged.connect(self._say)
        self._say()

    @property
    def uris(self) -> UriForm | None:
        """What is chosen, None for a URI as it is typed."""
        word = self.currentData()
        return next((form for form in URI_FORMS if form == word), None)

    def _say(self, _index: int = 0) -> None:
        form = self.uris
        found_by = None if form is None else URI_FORMS[form]
        self.found_by.setText("" if found_by is None else found_by.of_model if self._is_model else found_by.of_file)
