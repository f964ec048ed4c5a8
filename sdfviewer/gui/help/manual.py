"""The manual in a window of its own: a list of pages, a search over all of them, and the page."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QImage,
    QImageReader,
    QKeySequence,
    QPainter,
    QPalette,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QSplitter,
    QStyle,
    QStyleOptionViewItem,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.help.manual_pages import RULE_PAGES, Page, find_pages, manual_pages
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import Background, delayed
from sdfviewer.gui.kit.labels import text_box
from sdfviewer.gui.kit.safe_text import PlainDelegate
from sdfviewer.gui.kit.theme import Tokens, on_theme_change, tokens
from sdfviewer.gui.kit.widgets import column_of, named, resize_on_screen, row_of

_PAGE, _LINE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
"""The id of a page, and the line of it that the search has found."""
REST_MILLISECONDS = 120
EXAMPLE_SCHEME = "sdfviewer"
"""Of links such as ``sdfviewer:arm.sdf?joint=arm::joint_1=0.5&action=camera.right``."""
_DIMMED = 72
"""How much of 255 a picture loses of its light in the dark theme."""
_BLANK = 24
"""Pixels around a page."""


def _framed(picture: QImage, colours: Tokens) -> QImage:
    """Return a picture with a thin frame. The pictures are of the light theme; the dark one dims them."""
    if picture.isNull():
        return picture
    picture.convertTo(QImage.Format.Format_ARGB32_Premultiplied)
    with QPainter(picture) as painter:
        if colours.dark:
            painter.fillRect(picture.rect(), QColor(0, 0, 0, _DIMMED))
        painter.setPen(QColor(colours.border_strong))
        painter.drawRect(QRectF(QPointF(), picture.deviceIndependentSize()).adjusted(0.5, 0.5, -0.5, -0.5))
    return picture


def _read_picture(file: str, widest: int, ratio: float, colours: Tokens) -> QImage:
    """Return a picture, at most so many logical pixels wide, for a screen with a number of pixels for each of them."""
    picture = QImage(file)
    if picture.width() > widest > 0:
        # With all the pixels that the screen has for it.
        pixels = min(round(widest * ratio), picture.width())
        picture = picture.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(pixels / widest)
    return _framed(picture, colours)


def _room_for(size: QSize, widest: int) -> QImage:
    """Return an empty picture that takes the room in the page of one of some size."""
    shown = (
        size.scaled(widest, size.height(), Qt.AspectRatioMode.KeepAspectRatio) if size.width() > widest > 0 else size
    )
    empty = QImage(shown, QImage.Format.Format_Alpha8)
    empty.fill(0)
    return empty


class _Text(QTextBrowser):
    """Shows a page; its pictures fit the width, and come when they have been read in the background."""

    def __init__(self) -> None:
        super().__init__()
        self.page: Page | None = None
        self.setOpenLinks(False)
        self._background = Background(self)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return the room for a picture, at most as wide as the page, and have the picture read."""
        if kind != QTextDocument.ResourceType.ImageResource.value or self.page is None:
            return super().loadResource(kind, name)
        url, page, theme = QUrl(name), self.page, tokens(self.palette())
        file = str((page.folder / url.toString()).resolve())
        # A vertical scroll bar may appear later.
        widest = self.width() - 2 * _BLANK - self.verticalScrollBar().sizeHint().width()
        ratio = self.devicePixelRatioF()

        def show(picture: QImage) -> None:
            if self.page is page and theme is tokens(self.palette()):
                self.document().addResource(kind, url, picture)
                self.viewport().update()

        self._background.run(lambda: _read_picture(file, widest, ratio, theme), show)
        return _room_for(QImageReader(file).size(), widest)

    def show_page(self, page: Page) -> None:
        """Show a page from its beginning."""
        self.page = page
        # Qt lays a long page out in steps, and a change in between may end them before the last: the rest stays unseen.
        self.document().setLayoutEnabled(False)
        self.setMarkdown(page.markdown)
        self._fit_headings()
        self.document().setLayoutEnabled(True)
        self.document().size()  # does all steps

    def _fit_headings(self) -> None:
        """Give code in a heading the size and weight of the heading, which Qt leaves out."""
        cursor = QTextCursor(self.document())
        block = self.document().firstBlock()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level:
                heading = QTextCharFormat()
                heading.setProperty(QTextFormat.Property.FontSizeAdjustment, max(4 - level, 0))
                heading.setFontWeight(QFont.Weight.Bold)
                cursor.setPosition(block.position())
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(heading)
            block = block.next()


def _occurrences(document: QTextDocument, text: str) -> list[QTextCursor]:
    """Return all places of a text."""
    found = []
    place = document.find(text)
    while not place.isNull():
        found.append(place)
        place = document.find(text, place)
    return found


class _PageDelegate(PlainDelegate):
    """The title of a page, and below it in grey the line in which the search has found something."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        return size + QSize(0, option.fontMetrics.height()) if index.data(_LINE) else size

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line = index.data(_LINE)
        if not line:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        title, option.text = option.text, ""
        style = option.widget.style()
        box = text_box(option).adjusted(4, 0, -4, 0)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        text = option.palette.color(QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text)
        muted = text if selected else QColor(tokens(option.palette).muted)
        height = option.fontMetrics.height()
        top = box.center().y() - height + 1
        painter.save()
        for number, (words, colour) in enumerate(((title, text), (visible(line), muted))):
            painter.setPen(colour)
            shown = option.fontMetrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box.left(), top + number * height + option.fontMetrics.ascent(), shown)
        painter.restore()


class Manual(QDialog):
    """The manual.

    Attributes
    ----------
    search, pages, text
        The search line, the list, and the page shown.
    """

    #: A link to an example has been clicked; see :mod:`sdfviewer.gui.shell.actions.help_actions`.
    example_requested = Signal(QUrl)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, 1080, 760)
        self._visited: list[str] = []
        #: Whether the user has opened the page that is shown; a search shows its first page instead of any other.
        self._is_chosen = False
        self.search = named(QLineEdit(placeholderText="Search the manual", clearButtonEnabled=True), "Search")
        self.pages = named(QTreeWidget(), "Pages")
        self.pages.setHeaderHidden(True)
        self.pages.setItemDelegate(_PageDelegate(self.pages))
        self.pages.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.text = named(_Text(), "Page")
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.document().setDocumentMargin(_BLANK)
        self.back_button = named(QToolButton(), "Back", "Back (Alt+Left)")
        self.back_button.setIcon(icon("mdi6.arrow-left"))
        self._lay_out()
        self._rest = delayed(self, self._find, REST_MILLISECONDS)
        self.search.textChanged.connect(lambda _text: self._rest.start())
        self.search.returnPressed.connect(self._open_first)
        self.pages.currentItemChanged.connect(self._choose)
        self.text.anchorClicked.connect(self._follow)
        self.back_button.clicked.connect(self.back)
        QShortcut(QKeySequence("Alt+Left"), self, self.back)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        on_theme_change(self._paint)
        self._paint()
        self._list()
        # Who asks here has installed it: how to do that is the first page of the documentation, not of the help.
        self.open_page("window")
        self._is_chosen = False

    def _lay_out(self) -> None:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 8, 0, 8)
        row = row_of(self.back_button, (self.search, 1))
        column.addLayout(row)
        column.addWidget(self.pages, 1)
        splitter = QSplitter()
        splitter.addWidget(side)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([280, 800])
        column_of(splitter, parent=self, margins=0)

    def _paint(self) -> None:
        colours = tokens(self.palette())
        self.text.document().setDefaultStyleSheet(f"a {{ color: {colours.link}; }}")
        if self.text.page is not None:  # its links and pictures have the colours of the theme before
            scrolled = self.text.verticalScrollBar().value()
            self.text.show_page(self.text.page)
            self.text.verticalScrollBar().setValue(scrolled)

    # --- the list --------------------------------------------------------------------------------------------------

    def _list(self) -> None:
        """List the pages that hold what is searched for, or all by section."""
        words = self.search.text().strip()
        self.pages.blockSignals(True)
        self.pages.clear()
        if words:
            for page, line in find_pages(words):
                self._add(self.pages.invisibleRootItem(), page, line)
            if not self.pages.topLevelItemCount():
                nothing = QTreeWidgetItem(self.pages, ["No match"])
                nothing.setDisabled(True)
        else:
            sections: dict[str, QTreeWidgetItem] = {}
            for page in manual_pages():
                if page.section not in sections:
                    section = sections[page.section] = QTreeWidgetItem(self.pages, [page.section])
                    section.setFlags(Qt.ItemFlag.ItemIsEnabled)
                    section.setExpanded(page.section != RULE_PAGES)
                self._add(sections[page.section], page)
        self.pages.blockSignals(False)
        self._mark_page()

    def _mark_page(self) -> None:
        """Mark the page that is shown in the list."""
        self.pages.blockSignals(True)
        each = QTreeWidgetItemIterator(self.pages)
        self.pages.setCurrentIndex(QModelIndex())
        while (item := each.value()) is not None:
            if item.data(0, _PAGE) == self.page:
                self.pages.setCurrentItem(item)
                break
            each += 1
        self.pages.blockSignals(False)

    @staticmethod
    def _add(parent: QTreeWidgetItem, page: Page, line: str = "") -> None:
        item = QTreeWidgetItem(parent, [page.title])
        item.setData(0, _PAGE, page.id)
        item.setData(0, _LINE, line)
        item.setToolTip(0, line)

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, _PAGE):
            self.open_page(item.data(0, _PAGE))

    def _find(self) -> None:
        """List what is searched for and mark it in the page that the user reads, or in the first that has it."""
        self._list()
        before = self.page
        if self.search.text().strip() and (self.pages.currentItem() is None or not self._is_chosen):
            self._choose(self.pages.topLevelItem(0))
            self._is_chosen = False
        if self.page == before:
            self._mark_words()

    def _open_first(self) -> None:
        self._list()
        first = self.pages.topLevelItem(0)
        if first is not None:
            self._choose(first)

    # --- the page --------------------------------------------------------------------------------------------------

    def open_page(self, id: str, anchor: str = "") -> None:
        """Show a page by its id; one that is not installed is not shown."""
        page = next((page for page in manual_pages() if page.id == id), None)
        if page is None:
            return
        if not self._visited or self._visited[-1] != id:
            self._visited.append(id)
        self._is_chosen = True
        self.back_button.setEnabled(len(self._visited) > 1)
        self._mark_page()
        self.text.show_page(page)
        if anchor:
            self.text.scrollToAnchor(anchor)
        self._mark_words()

    def _mark_words(self) -> None:
        """Mark all that is searched for in the page, and show a line with all of it, else with some of it.

        A heading is shown rather than text, and text rather than a table.
        """
        words = self.search.text().split()
        document, phrase = self.text.document(), " ".join(words)
        found = _occurrences(document, phrase) or [place for word in words for place in _occurrences(document, word)]
        found.sort(key=QTextCursor.selectionStart)
        colour = QColor(tokens(self.palette()).selection)
        marks = []
        for place in found:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = place
            mark.format.setBackground(colour)
            marks.append(mark)
        self.text.setExtraSelections(marks)
        if not found:
            return
        lower = [word.lower() for word in words]

        def rank(place: QTextCursor) -> tuple[bool, bool, bool]:
            line = place.block()
            has_all = all(word in line.text().lower() for word in lower)
            return not has_all, not line.blockFormat().headingLevel(), place.currentTable() is not None

        self.text.setTextCursor(min(found, key=rank))
        # Qt would scroll it to the lower edge; show the text around it as well.
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + self.text.cursorRect().top() - self.text.viewport().height() // 3)

    @property
    def page(self) -> str:
        """The id of the page shown."""
        return self._visited[-1] if self._visited else ""

    def back(self) -> None:
        """Show the page before."""
        if len(self._visited) > 1:
            self._visited.pop()
            self.open_page(self._visited[-1])

    def _follow(self, url: QUrl) -> None:
        """Open a page of the manual here, an example in the window, and everything else in the browser."""
        if url.scheme() == EXAMPLE_SCHEME:
            self.example_requested.emit(url)
            return
        if url.scheme():
            QDesktopServices.openUrl(url)
            return
        path = PurePosixPath(url.path())
        if not url.path():
            self.text.scrollToAnchor(url.fragment())
        elif path.suffix == ".md":
            folder = posixpath.dirname(self.page)
            self.open_page(posixpath.normpath(posixpath.join(folder, str(path.with_suffix("")))), url.fragment())
