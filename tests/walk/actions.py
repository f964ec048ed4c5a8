"""What a hand does at the mouse and the keyboard: each action is one call of xdotool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

_NAMES = {".": "period", ",": "comma", "/": "slash", "+": "plus", "-": "minus", "enter": "Return", "esc": "Escape"}
_NAMES |= {
    "del": "Delete",
    "space": "space",
    "tab": "Tab",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
}
_NAMES |= {"home": "Home", "end": "End", "backspace": "BackSpace", "pagedown": "Next"}
_DRAG_STEPS = 12
_WITH_SHIFT = '~!@#$%^&*()_+{}|:"<>?'
"""What needs Shift on a keyboard of the United States."""

#: A place on the screen, in its pixels.
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Action:
    """Something to do.

    Attributes
    ----------
    label
        What it is called in the report.
    arguments
        The arguments of xdotool; none where nothing is done by the hand.
    limit
        Seconds that the window may need until it is at rest; with 0 it is not waited for.
    until
        What must be so before the story goes on, as long as `limit`.
    shot
        The name of a picture that is taken at the end, empty for none.
    """

    label: str
    arguments: tuple[str, ...] = ()
    limit: float = 8.0
    until: Callable[[], bool] | None = None
    shot: str = ""

    @property
    def presses(self) -> int:
        """How often a key or a button of the mouse is pressed: Ctrl+K twice, a capital letter with its Shift twice."""
        words, count = list(self.arguments), 0
        if words[:1] == ["type"]:
            text = words[-1]
            return len(text) + sum(each.isupper() or each in _WITH_SHIFT for each in text)
        for place, word in enumerate(words):
            if word == "click":
                count += int(words[place + 2])
            elif word in ("mousedown", "keydown"):
                count += 1
        if words[:1] == ["key"]:
            count = sum(len(each.split("+")) for each in words[words.index("--delay") + 2 :])
        return count


Steps: TypeAlias = Iterator[Action]


def keys_of(text: str) -> list[str]:
    """Return xdotool's names of a shortcut; of one in two parts, ``ctrl+k, l``, both."""
    found = []
    for part in text.split(", "):
        *modifiers, key = part.split("+")
        name = key.upper() if key[0] == "f" and key[1:].isdigit() else _NAMES.get(key, key)
        found.append("+".join([*modifiers, name]))
    return found


def press(keys: str, limit: float = 8.0) -> Action:
    """Press a shortcut."""
    return Action(f"press {keys}", ("key", "--clearmodifiers", "--delay", "40", *keys_of(keys)), limit)


def type_text(text: str, limit: float = 8.0, delay: int = 25) -> Action:
    """Type a text."""
    return Action(f"type {text!r}", ("type", "--clearmodifiers", "--delay", str(delay), "--", text), limit)


def rest(limit: float = 8.0) -> Action:
    """Wait until the window is at rest."""
    return Action("rest", (), limit)


def pause(seconds: float) -> Action:
    """Wait while something moves that never rests."""
    return Action(f"pause {seconds} s", ("sleep", str(seconds)), 0.0)


def wait(what: str, until: Callable[[], bool], limit: float = 15.0) -> Action:
    """Wait until something is so, or the limit is over."""
    return Action(f"wait until {what}", (), limit, until)


def shot(name: str) -> Action:
    """Take a picture of the screen."""
    return Action(f"picture {name}", (), 0.0, shot=name)


def _held(modifiers: str, *middle: str) -> tuple[str, ...]:
    names = [each for each in modifiers.split("+") if each]
    down = [part for each in names for part in ("keydown", each)]
    up = [part for each in reversed(names) for part in ("keyup", each)]
    return (*down, *middle, *up)


def _move(at: Place) -> tuple[str, ...]:
    return ("mousemove", str(at[0]), str(at[1]), "sleep", "0.03")


def click_at(what: str, at: Place, button: int = 1, modifiers: str = "", times: int = 1, limit: float = 8.0) -> Action:
    """Click at a place."""
    clicks = ("click", "--repeat", str(times), "--delay", "60", str(button))
    verb = {1: "click", 2: "double click"}[times] if button == 1 else "right click"
    label = f"{modifiers}{'+' * bool(modifiers)}{verb} {what}"
    return Action(label, _held(modifiers, *_move((at[0] - 1, at[1])), *_move(at), *clicks), limit)


def hover_at(what: str, at: Place, limit: float = 8.0) -> Action:
    """Move the mouse to a place and leave it there."""
    return Action(f"hover {what}", (*_move((at[0] - 2, at[1])), *_move(at)), limit)


def wheel_at(what: str, at: Place, notches: int, limit: float = 8.0) -> Action:
    """Turn the wheel at a place: away from the user if the number is positive."""
    button = "4" if notches > 0 else "5"
    return Action(f"wheel {what}", (*_move(at), "click", "--repeat", str(abs(notches)), "--delay", "40", button), limit)


def drag_between(
    what: str, start: Place, end: Place, button: int = 1, modifiers: str = "", *, drops: bool = True, limit: float = 8.0
) -> Action:
    """Drag from one place to another; without `drops` the button stays down."""
    moves: list[str] = []
    for step in range(1, _DRAG_STEPS + 1):
        at = [round(a + (b - a) * step / _DRAG_STEPS) for a, b in zip(start, end, strict=True)]
        moves += ["mousemove", str(at[0]), str(at[1]), "sleep", "0.025"]
    names = [each for each in modifiers.split("+") if each]
    down = [part for each in names for part in ("keydown", each)]
    arguments = [*down, *_move(start), "mousedown", str(button), "sleep", "0.05", *moves]
    if drops:
        arguments += ["mouseup", str(button), *(part for each in names for part in ("keyup", each))]
    return Action(f"drag {what}", tuple(arguments), limit)


def drop(button: int = 1, modifiers: str = "", limit: float = 8.0) -> Action:
    """Release the button that a drag has left down."""
    names = [each for each in modifiers.split("+") if each]
    return Action("drop", ("mouseup", str(button), *(part for each in names for part in ("keyup", each))), limit)
