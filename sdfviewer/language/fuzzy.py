"""Fuzzy matching of names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

_PARTS, _NUMBER = re.compile(r"\s+|::|/"), re.compile(r"\d+")
#: Scores of the kinds of match, the best first. Length and position break ties.
_WHOLE, _SUBSTRING, _WHOLE_ASIDE, _INITIALS, _ASIDE, _SCATTERED = 120.0, 100.0, 90.0, 70.0, 40.0, 10.0
_WORD_START, _OWN_NAME = 20.0, 8.0
_LEAST_CLOSE = _ASIDE - 5.0


@dataclass(frozen=True, slots=True)
class Match:
    """How a text matches.

    Attributes
    ----------
    score
        Higher is better.
    positions
        Offsets of the matched letters in the text, ascending; empty for an empty query.
    """

    score: float
    positions: tuple[int, ...] = ()


#: How each text matches an empty query.
_ANY = Match(0.0)


class FuzzyQuery:
    """A query for a name.

    The query is split at blanks, ``::`` and ``/``; each word must match, in any order. A word matches as a part of the
    name, as the beginnings of its words (``lef`` or ``LEF`` finds ``l_elbow_flex`` and ``leftElbowFlex``), or as
    letters in their order. Where a text has scopes, its last part counts most.

    Parameters
    ----------
    text
        As typed; case does not matter.
    """

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.lower().split())
        words = [word for word in _PARTS.split(self.text) if word]
        self._words = [(word, re.compile(".*".join(map(re.escape, word)), re.DOTALL)) for word in words]

    def narrows(self, other: FuzzyQuery) -> bool:
        """Return whether everything that matches this query matches the other one, too."""
        return self.text.startswith(other.text)

    def match(self, text: str, aside: str = "") -> Match | None:
        """Return how a text matches, None where it does not.

        Parameters
        ----------
        text
            A name, which may have scopes.
        aside
            More words that count, but are not shown: the kind of a frame, the menu of a command.
        """
        if not self._words:
            return _ANY
        lowered, aside = text.lower(), aside.lower()
        own = max(lowered.rfind("::") + 2, lowered.rfind("/") + 1) if "::" in lowered or "/" in lowered else 0
        score, positions = 0.0, set[int]()
        for word, pattern in self._words:
            found = _match_word(word, pattern, text, lowered, own)
            # A whole word, such as "gif" for saving a motion, is meant rather than initials: All Glyphs in Full.
            if aside and (found is None or found.score < _WHOLE_ASIDE):
                beside = _match_aside(word, aside)
                found = Match(beside) if beside > (0.0 if found is None else found.score) else found
            if found is None:
                return None
            score += found.score
            positions.update(found.positions)
        # Names that differ only in a number, or in where they are, keep their order.
        length = len(_NUMBER.sub("0", text[own:]))
        depth = lowered.count("::") + lowered.count("/")
        return Match(score / len(self._words) - length / 100 - depth / 1000, tuple(sorted(positions)))


def best_matches(query: str, texts: Iterable[tuple[str, str]]) -> dict[int, Match]:
    """Return how texts match, by their number, for a list that keeps its order.

    As such a list does not show which match is best, texts in which the letters are only scattered are left out, unless
    nothing matches better.

    Parameters
    ----------
    texts
        Each with what counts, but is not shown; see :meth:`FuzzyQuery.match`.
    """
    fuzzy = FuzzyQuery(query)
    found = {number: match for number, pair in enumerate(texts) if (match := fuzzy.match(*pair)) is not None}
    close = {number: match for number, match in found.items() if match.score > _LEAST_CLOSE}
    return close or found


def match_score(query: str, text: str) -> float | None:
    """Return how well a query matches a text, higher is better, None where it does not."""
    found = FuzzyQuery(query).match(text)
    return None if found is None else found.score


def _match_word(word: str, pattern: re.Pattern[str], text: str, lowered: str, own: int) -> Match | None:
    """Return the best way in which one word matches; `own` is where the last scope part of the text begins."""
    at = lowered.find(word, own)
    bonus = _OWN_NAME
    if at < 0:
        at, bonus = (lowered.find(word), 0.0) if own else (-1, 0.0)
    if at >= 0:
        if not is_word_start(text, at):  # a later place may begin a word
            later = lowered.find(word, at + 1)
            while later >= 0 and not is_word_start(text, later):
                later = lowered.find(word, later + 1)
            at = later if later >= 0 else at
        end = at + len(word)
        if at == own and end == len(text):
            bonus += _WHOLE - _SUBSTRING
        return Match(_SUBSTRING + bonus + (_WORD_START if is_word_start(text, at) else 0.0), tuple(range(at, end)))
    if pattern.search(lowered) is None:
        return None
    for start, extra in ((own, _OWN_NAME), (0, 0.0)) if own else ((0, 0.0),):
        initials = _initials(word, text, lowered, start)
        if initials is not None:
            return Match(_INITIALS + extra, initials)
    start = own if own and pattern.search(lowered, own) else 0
    positions = _in_order(word, lowered, start)
    runs = sum(second == first + 1 for first, second in pairwise(positions))
    starts = sum(is_word_start(text, each) for each in positions)
    return Match(_SCATTERED + (_OWN_NAME if start else 0.0) + 2.0 * runs + 4.0 * starts, positions)


def _initials(word: str, text: str, lowered: str, start: int) -> tuple[int, ...] | None:
    """Return where the letters of a word are if each begins a word of the text or follows one that matched."""
    positions: list[int] = []
    at = start
    for letter in word:
        if positions and at < len(lowered) and lowered[at] == letter:
            positions.append(at)
        else:
            found = lowered.find(letter, at)
            while found >= 0 and not is_word_start(text, found):
                found = lowered.find(letter, found + 1)
            if found < 0:
                return None
            positions.append(found)
        at = positions[-1] + 1
    return tuple(positions)


def _in_order(word: str, lowered: str, start: int) -> tuple[int, ...]:
    positions: list[int] = []
    for letter in word:
        start = lowered.index(letter, start)
        positions.append(start)
        start += 1
    return tuple(positions)


def is_word_start(text: str, at: int) -> bool:
    """Return whether a word of a name begins at an offset: ``l_elbowFlex2`` has four."""
    if at == 0:
        return True
    before, here = text[at - 1], text[at]
    if not before.isalnum():
        return here.isalnum()
    return (here.isupper() and before.islower()) or (here.isdigit() and not before.isdigit())


def _match_aside(word: str, text: str) -> float:
    """Return how well a word matches those beside a name: as one of them, as the beginning of one, or not at all."""
    score, at = 0.0, text.find(word)
    while at >= 0 and score < _WHOLE_ASIDE:
        if is_word_start(text, at):
            end = at + len(word)
            score = _WHOLE_ASIDE if end == len(text) or not text[end].isalnum() else _ASIDE
        at = text.find(word, at + 1)
    return score
