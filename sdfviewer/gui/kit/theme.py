"""The light and dark themes: colour tokens as a palette and a style sheet for the Fusion style."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel

from sdfviewer.diagnostics import Severity
from sdfviewer.gui.kit.safe_text import uncorrected
from sdfviewer.palette import STYLES
from sdfviewer.resources import resource


class Choice(str, Enum):
    """Which theme the user wants."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Tokens:
    """The colours of the window; those of kinds and axes are in `sdfviewer.palette`.

    `border` and `border_strong` separate areas. `outline` is the edge of what can be operated, and has a contrast of 3
    on every ground, as disabled text does; all other text has 4.5. On `selection` only `text` has that: see `faint`.
    """

    dark: bool
    window: str
    panel: str
    base: str
    alternate: str
    raised: str
    border: str
    border_strong: str
    outline: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_text: str
    selection: str
    hover: str
    link: str
    error: str
    warning: str
    info: str
    success: str

    def colour(self, name: str) -> str:
        """Return a colour by its name here, that of a kind by ``kind link``; ``#ffffff`` and others are themselves."""
        if name.startswith("#"):
            return name
        colour: str = self.kind(name.removeprefix("kind ")) if name.startswith("kind ") else getattr(self, name)
        return colour

    def kind(self, kind: str) -> str:
        """Return the colour of a kind of frame."""
        return STYLES[kind].colour(self.dark)

    def faint(self, selected: bool) -> str:
        """Return the colour of text that matters less, which in a selected row has the contrast of all text."""
        return self.text if selected else self.muted

    def severity(self, severity: Severity) -> str:
        """Return the colour of a severity."""
        return {Severity.ERROR: self.error, Severity.WARNING: self.warning, Severity.INFO: self.info}[severity]


DARK = Tokens(
    dark=True,
    window="#1F2329",
    panel="#262B32",
    base="#1B1F24",
    alternate="#21262C",
    raised="#313740",
    border="#15181C",
    border_strong="#454D58",
    outline="#78828F",
    text="#DDE2E8",
    muted="#98A2AF",
    disabled="#7D8794",
    accent="#3D8FD1",
    accent_text="#0B0F13",
    selection="#28527A",
    hover="#2D343D",
    link="#6CB6F5",
    error=STYLES["error"].dark,
    warning="#F0C04A",
    info="#8AB8E6",
    success="#4CC38A",
)
LIGHT = Tokens(
    dark=False,
    window="#E9ECF0",
    panel="#F6F7F9",
    base="#FFFFFF",
    alternate="#F5F7F9",
    raised="#FDFDFE",
    border="#C9CFD7",
    border_strong="#A3ACB8",
    outline="#7F8895",
    text="#1C2127",
    muted="#596270",
    disabled="#7F8895",
    accent="#0B6CB8",
    accent_text="#FFFFFF",
    selection="#C4DFF6",
    hover="#E8EFF6",
    link="#0B5FA5",
    error=STYLES["error"].light,
    warning="#8A6100",
    info="#2A6AA8",
    success="#1B7A4B",
)


def is_dark(palette: QPalette) -> bool:
    """Return whether a palette is the dark one."""
    return palette.color(QPalette.ColorRole.Window).lightness() < 128


def tokens(palette: QPalette | None = None) -> Tokens:
    """Return the colours of the theme.

    Widgets hear of another palette one after another; the application has it first. So where there is one, its own
    palette counts: a widget that repaints must not find the former colours in a child.
    """
    running = QGuiApplication.instance() is not None
    palette = QGuiApplication.palette() if running or palette is None else palette
    # Each icon that is painted asks: to look at the colour takes longer than all else here.
    if (key := palette.cacheKey()) not in _known:
        _known.clear()
        _known[key] = DARK if is_dark(palette) else LIGHT
    return _known[key]


_known: dict[int, Tokens] = {}
"""The theme of the palette that was looked at last, by its cache key."""


def system_is_dark() -> bool:
    """Return whether the desktop asks for dark windows; light where it does not say."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def apply_theme(application: QApplication, choice: Choice) -> None:
    """Paint the whole application in the chosen theme."""
    for _ in theme_steps(application, choice):
        pass


def theme_steps(application: QApplication, choice: Choice) -> Iterator[None]:
    """Paint the whole application in the chosen theme, and yield between the parts of it, which take their time."""
    dark = system_is_dark() if choice is Choice.SYSTEM else choice is Choice.DARK
    colours = DARK if dark else LIGHT
    if not application.styleSheet():  # else it is Fusion already, and every widget would be polished twice
        application.setStyle("Fusion")
    # One style sheet in place of another reaches each widget once for each of its ancestors, also if nobody has seen
    # it yet. Taking the sheet away first costs a third.
    palette = build_palette(colours)
    steps = (
        partial(application.setStyleSheet, ""),
        partial(application.setPalette, palette),
        partial(application.setStyleSheet, build_stylesheet(colours)),
    )
    for step in steps:
        with uncorrected():
            step()
        yield
    # What Is This? draws its frame in the colour of tooltip text, and its text in that of the application.
    framed = build_palette(colours)
    framed.setColor(QPalette.ColorRole.ToolTipText, QColor(colours.border_strong))
    # The stubs of PySide ask for bytes, which it refuses.
    QApplication.setPalette(framed, "QWhatsThat")  # type: ignore[arg-type]
    for widget in application.allWidgets():
        # A label takes the colour of links when its text is set.
        if isinstance(widget, QLabel) and "<a " in (text := widget.text()):
            widget.clear()
            widget.setText(text)
    _changes(application).changed.emit()


class _ThemeChanges(QObject):
    """Belongs to the application and reports that it is painted in another theme."""

    changed = Signal()


def _changes(application: QCoreApplication) -> _ThemeChanges:
    return application.findChild(_ThemeChanges) or _ThemeChanges(application)


def on_theme_change(follow: Callable[[], object]) -> None:
    """Call a method of a widget whenever the theme changes, as long as the widget exists."""
    application = QCoreApplication.instance()
    assert application is not None
    _changes(application).changed.connect(follow)


def monospace() -> QFont:
    """Return the fixed-pitch font in the size of the application's font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QGuiApplication.font().pointSizeF())
    return font


def build_palette(colours: Tokens) -> QPalette:
    """Return the palette made of the tokens."""
    roles = {
        QPalette.ColorRole.Window: colours.window,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Base: colours.base,
        QPalette.ColorRole.AlternateBase: colours.alternate,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.PlaceholderText: colours.muted,
        QPalette.ColorRole.Button: colours.raised,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.BrightText: colours.error,
        QPalette.ColorRole.ToolTipBase: colours.raised,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.Highlight: colours.selection,
        QPalette.ColorRole.HighlightedText: colours.text,
        QPalette.ColorRole.Accent: colours.accent,
        QPalette.ColorRole.Link: colours.link,
        QPalette.ColorRole.LinkVisited: colours.link,
        QPalette.ColorRole.Light: colours.raised,
        QPalette.ColorRole.Midlight: colours.hover,
        QPalette.ColorRole.Mid: colours.border_strong,
        QPalette.ColorRole.Dark: colours.border,
        QPalette.ColorRole.Shadow: "#000000" if colours.dark else colours.border_strong,
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
        QPalette.ColorRole.HighlightedText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.disabled))
    return palette


def build_stylesheet(colours: Tokens) -> str:
    """Return the style sheet: flat docks and headers, thin borders, spacing in multiples of 4 px."""
    # Once a style sheet styles the button, Qt no longer draws its arrow.
    chevron = resource("icons", "chevron_dark.svg" if colours.dark else "chevron_light.svg")
    suffix = "dark" if colours.dark else "light"
    names = ("check", "chevron_up", "float", "close")
    check, up, float_, close = (resource("icons", f"{name}_{suffix}.svg") for name in names)
    # In the middle half of a divider, so that it is easier to take than it is wide.
    around, inside = colours.panel, colours.border_strong
    stops = {0.0: around, 0.25: around, 0.26: inside, 0.74: inside, 0.75: around, 1.0: around}
    shades = ", ".join(f"stop: {at} {tone}" for at, tone in stops.items())
    line = f"qlineargradient(x1: 0, y1: 0, x2: {{x}}, y2: {{y}}, {shades})"
    return f"""
    QMainWindow::separator {{ background: {colours.border}; width: 4px; height: 4px; }}
    QMainWindow::separator:hover {{ background: {colours.accent}; }}
    QSplitter::handle:horizontal {{ background: {line.format(x=1, y=0)}; }}
    QSplitter::handle:vertical {{ background: {line.format(x=0, y=1)}; }}
    QSplitter::handle:hover {{ background: {colours.accent}; }}
    QDockWidget > QWidget {{ background: {colours.panel}; }}
    QToolBar {{ background: {colours.panel}; border: none; border-bottom: 1px solid {colours.border};
        spacing: 2px; padding: 2px 4px; }}
    QToolBar::separator {{ background: {colours.border_strong}; width: 1px; margin: 6px 3px; }}
    QToolButton {{ border: 1px solid transparent; border-radius: 4px; padding: 3px; }}
    QToolButton:hover {{ background: {colours.hover}; border-color: {colours.border_strong}; }}
    QToolButton:pressed {{ background: {colours.selection}; }}
    QToolButton:checked {{ background: {colours.selection}; border-color: {colours.accent}; }}
    QToolButton[role="fold"], QToolButton[role="fold"]:checked {{ background: transparent; border-color: transparent;
        color: {colours.muted}; font-weight: 600; padding: 2px 0; }}
    QToolButton[role="fold"]:hover {{ color: {colours.text}; }}
    QToolButton[popupMode="1"] {{ padding-right: 14px; }}
    QStatusBar {{ background: {colours.panel}; border-top: 1px solid {colours.border}; }}
    QStatusBar::item {{ border: none; }}
    QMenu {{ background: {colours.raised}; border: 1px solid {colours.border_strong}; padding: 4px 0; }}
    QMenu::item {{ padding: 4px 24px 4px 28px; }}
    QMenu::item:selected {{ background: {colours.selection}; }}
    QMenu::item:disabled {{ color: {colours.disabled}; }}
    QMenu::separator {{ height: 1px; background: {colours.border_strong}; margin: 4px 8px; }}
    QMenu::icon {{ padding-left: 8px; }}
    QToolTip {{ background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.border_strong};
        padding: 4px; }}
    QTreeView, QTableView, QListView, QPlainTextEdit {{ border: none; }}
    QListView#completions {{ background: {colours.raised}; border: 1px solid {colours.border_strong}; }}
    QTreeView::item, QListView::item {{ min-height: 20px; }}
    QTreeView::item:hover, QTableView::item:hover, QListView::item:hover {{ background: {colours.hover}; }}
    QTreeView::item:selected, QTableView::item:selected, QListView::item:selected {{
        background: {colours.selection}; color: {colours.text}; }}
    QHeaderView::section {{ background: {colours.panel}; color: {colours.muted}; border: none;
        border-bottom: 1px solid {colours.border}; padding: 3px 3px; }}
    QLineEdit, QAbstractSpinBox, QComboBox {{ background: {colours.base}; border: 1px solid {colours.outline};
        border-radius: 4px; padding: 2px 4px; min-height: 18px; selection-background-color: {colours.accent};
        selection-color: {colours.accent_text}; }}
    QLineEdit[role="number"] {{ padding: 2px 1px; }}
    QLineEdit[role="title"] {{ font-weight: 600; background: transparent; border-color: transparent;
        padding: 2px 1px; }}
    QLineEdit[role="title"]:hover:!read-only {{ border-color: {colours.outline}; }}
    QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {{ border-color: {colours.accent}; }}
    QLineEdit:read-only {{ background: transparent; border-color: transparent; }}
    QLineEdit:read-only:focus {{ border-color: {colours.border_strong}; }}
    QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {{ color: {colours.disabled};
        placeholder-text-color: {colours.disabled}; background: {colours.panel};
        border-color: {colours.border_strong}; }}
    QComboBox[unwritten="true"] {{ color: {colours.muted}; }}
    QLineEdit[role="title"]:focus {{ background: {colours.base}; border-color: {colours.accent}; }}
    QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"], QComboBox[invalid="true"],
        QPushButton[invalid="true"] {{ border: 1px solid {colours.error}; }}
    QAbstractSpinBox {{ padding: 2px 22px 2px 8px; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: border; width: 20px;
        border: none; background: transparent; }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; margin: 1px 1px 0 0; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; margin: 0 1px 1px 0; }}
    QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {colours.hover}; }}
    QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed {{ background: {colours.selection}; }}
    QAbstractSpinBox::up-arrow {{ image: url("{up.as_posix()}"); width: 10px; height: 10px; }}
    QAbstractSpinBox::down-arrow {{ image: url("{chevron.as_posix()}"); width: 10px; height: 10px; }}
    QComboBox::drop-down {{ border: none; width: 20px; }}
    QComboBox::down-arrow {{ image: url("{chevron.as_posix()}"); width: 12px; height: 12px; }}
    QLabel[role="muted"] {{ color: {colours.muted}; }}
    QLabel[role="error"] {{ color: {colours.error}; }}
    QLabel[role="warning"] {{ color: {colours.warning}; }}
    QLabel[role="title"] {{ font-weight: 600; }}
    QLabel[role="heading"] {{ color: {colours.muted}; font-weight: 600; }}
    QFrame[role="floating"] {{ background: {colours.raised}; border: 1px solid {colours.outline};
        border-radius: 4px; }}
    QFrame[role="tools"] {{ background: {colours.panel}; border: 1px solid {colours.border_strong};
        border-radius: 6px; }}
    QLabel[role="overlay"] {{ background: {colours.raised}; border: 1px solid {colours.border_strong};
        border-radius: 4px; padding: 2px 8px; }}
    QLabel[role="absence"] {{ background: {colours.raised}; border-radius: 4px; padding: 4px 8px; }}
    QDialog#card {{ background: {colours.raised}; border: 1px solid {colours.outline}; }}
    QFrame[role="rule"] {{ background: {colours.border}; border: none; max-height: 1px; }}
    QTabBar::tab {{ background: {colours.window}; color: {colours.muted}; padding: 5px 12px; border: none;
        border-right: 1px solid {colours.border}; }}
    QTabBar::tab:selected {{ background: {colours.panel}; color: {colours.text};
        border-bottom: 2px solid {colours.accent}; }}
    QTabBar::tab:hover {{ color: {colours.text}; }}
    QMainWindow > QTabBar::tab {{ padding: 5px 8px; }}  /* five panels in one column */
    QTabWidget::pane {{ border: none; }}
    QPushButton {{ background: {colours.raised}; border: 1px solid {colours.outline}; border-radius: 4px;
        padding: 3px 10px; min-height: 18px; }}
    QPushButton:hover {{ background: {colours.hover}; }}
    QPushButton:focus {{ border-color: {colours.accent}; }}
    QPushButton:pressed {{ background: {colours.selection}; }}
    QPushButton:disabled {{ color: {colours.disabled}; border-color: {colours.border_strong}; }}
    QPushButton[role="primary"] {{ background: {colours.accent}; color: {colours.accent_text};
        border-color: {colours.accent}; }}
    QPushButton[role="primary"]:disabled {{ background: {colours.raised}; color: {colours.disabled};
        border-color: {colours.border_strong}; }}
    QPushButton[role="caption"] {{ color: {colours.muted}; background: transparent; border-color: transparent;
        padding: 0; text-align: left; }}
    QPushButton[role="caption"]:hover {{ color: {colours.text}; }}
    QPushButton[role="caption"]:focus {{ border-color: {colours.accent}; }}
    QPushButton::menu-indicator {{ image: url("{chevron.as_posix()}"); width: 12px; height: 12px;
        subcontrol-origin: padding; subcontrol-position: center right; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QRadioButton::indicator {{ width: 10px; height: 10px; border: 1px solid {colours.outline};
        border-radius: 6px; background: {colours.base}; }}
    QRadioButton::indicator:checked {{ border: 3px solid {colours.accent}; width: 6px; height: 6px;
        background: {colours.accent_text}; }}
    QRadioButton::indicator:focus, QRadioButton::indicator:hover {{ border-color: {colours.accent}; }}
    QCheckBox::indicator, QTreeView::indicator {{ width: 12px; height: 12px; border: 1px solid {colours.outline};
        border-radius: 3px; background: {colours.base}; }}
    QCheckBox::indicator:checked, QTreeView::indicator:checked {{ border-color: {colours.accent};
        background: {colours.accent}; image: url("{check.as_posix()}"); }}
    QCheckBox::indicator:focus, QCheckBox::indicator:hover, QTreeView::indicator:hover {{
        border-color: {colours.accent}; }}
    QDockWidget {{ color: {colours.muted}; font-weight: 600; titlebar-close-icon: url("{close.as_posix()}");
        titlebar-normal-icon: url("{float_.as_posix()}"); }}
    QDockWidget::close-button, QDockWidget::float-button {{ border: none; border-radius: 4px; background: transparent;
        padding: 0; }}
    QDockWidget::close-button:hover, QDockWidget::float-button:hover {{ background: {colours.hover}; }}
    QDockWidget::close-button:pressed, QDockWidget::float-button:pressed {{ background: {colours.selection}; }}
    QDockWidget::title {{ background: {colours.panel}; padding: 4px 8px; border-bottom: 1px solid {colours.border}; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ border: none; background: {colours.panel}; }}
    #prompt {{ background: {colours.raised}; border: 1px solid {colours.outline}; border-radius: 4px; }}
    #qt_toolbar_ext_button {{ padding: 0; }}
    #form_area, #form_area > QWidget > QWidget {{ background: transparent; }}
    QTabBar::close-button {{ image: url("{close.as_posix()}"); border-radius: 4px; padding: 2px; }}
    QTabBar::close-button:hover {{ background: {colours.hover}; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {colours.outline}; border-radius: 3px; margin: 2px; min-height: 24px;
        min-width: 24px; }}
    QScrollBar::handle:hover {{ background: {colours.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """
