"""How well a few letters match a name."""

from __future__ import annotations


def match_score(query: str, text: str) -> float | None:
    """Return how well `query` matches `text`, higher is better, None where it does not.

    All letters of the query must occur in their order; beginnings of words and letters in a row count more, and words
    typed in the other order still match.
    """
    query = query.strip().lower()
    if not query:
        return 0.0
    lowered = text.lower()
    if query in lowered:
        at = lowered.index(query)
        return 100.0 + (20.0 if _starts_word(text, at) else 0.0) - len(text) / 100
    words = query.split()
    if len(words) > 1 and all(word in lowered for word in words):
        return 80.0 - len(text) / 100
    score, at, streak = 0.0, 0, 0
    for letter in query.replace(" ", ""):
        found = lowered.find(letter, at)
        if found < 0:
            return None
        streak = streak + 1 if found == at and at else 0
        score += 1.0 + 2.0 * streak + (4.0 if _starts_word(text, found) else 0.0)
        at = found + 1
    return score - len(text) / 100


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum() or (text[at].isupper() and text[at - 1].islower())
