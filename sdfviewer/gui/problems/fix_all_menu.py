"""Quick fixes of many problems as one undo step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from sdfviewer.display_text import with_capital
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.edits import Edits
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.language.text_map import difference
from sdfviewer.number_text import counted
from sdfviewer.refactoring.fix_all import fix_all
from sdfviewer.session.session import Session


def rules_with_fixes(session: Session) -> Counter[str]:
    """Return how many problems of each rule may have a quick fix in this file, in the order of the problems.

    No fix is computed, for each is tried out: that takes as long as loading the file.
    """
    name = session.document.name
    return Counter(
        problem.rule.name
        for problem in session.diagnostics
        if problem.may_have_fixes and problem.span is not None and problem.span.path == name
    )


class FixAllMenu(QMenu):
    """Fixes all problems with a safe fix, or all of one rule."""

    def __init__(self, session: Session, edits: Edits, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._edits = session, edits
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        sign = icon("mdi6.auto-fix", tokens(self.palette()).success)
        safe = self.addAction(sign, "All with a Safe Fix")
        safe.setToolTip("Applies a fix if it is the only one of its problem and no frame changes its meaning")
        safe.triggered.connect(partial(self.fix, None))
        self.addSeparator()
        for rule, number in rules_with_fixes(self._session).items():
            action = self.addAction(sign, f"{rule} ({number})")
            action.setToolTip(f"Apply the first fix of {counted(number, 'problem')}")
            action.triggered.connect(partial(self.fix, rule))

    def fix(self, rule: str | None, _checked: bool = False) -> None:
        """Fix all problems of a rule, or without one all that have a safe fix, in the background."""
        which = "this file has a safe fix" if rule is None else f"{rule} can be fixed"
        self._edits.apply_later(self._job(rule), f"No problem of {which}.")

    def _job(self, rule: str | None) -> Callable[[], Edit | None]:
        session = self._session
        document, loader = session.document, session.make_loader()
        # Leave out rules that are checked only on request: the panel does not show them.
        rules = set(rules_with_fixes(session)) if rule is None else {rule}

        def job() -> Edit | None:
            fixed = fix_all(loader, document, rules, unsafe=rule is not None)
            change = difference(document.text, fixed.document.text)
            if change is None:
                return None
            number = len(fixed.applied)
            label = fixed.applied[0].label if number == 1 else f"Fix {counted(number, 'problem')}"
            return Edit(with_capital(label), document, (change,))

        return job
