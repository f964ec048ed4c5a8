"""Values as libsdformat reads them. Which are accepted was recorded from the C++ library's own functions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.tables import check_value

FINE = [
    ("bool", ["true", "False", "1", " 0\n"]),
    ("double", ["1", "-1.5e-3", "+.5", "1.", "inf", "-INF", "nan", "Infinity", "0x1p3", "0", "0e999", " 1\r\n"]),
    ("float", ["1", "3.4028235e38", "nan"]),
    ("int", ["1", "-2147483648", "0x1F", "+7"]),
    ("unsigned int", ["0", "4294967295", "18446744073709551615"]),
    ("vector3", ["1 2 3", " 1\n-2.5e3\t.5 "]),
    ("vector2d", ["1 2"]),
    ("vector2i", ["1 -2"]),
    ("time", ["1 500"]),
    ("quaternion", ["0 0 1.57"]),
    ("angle", ["1.57"]),
    ("color", ["1 0 0.5", "0 0 0 1", "nan 0 0"]),
    ("pose", ["0 0 0 0 0 0", "1\n2\n3   0 0 1e-3"]),
    ("string", ["anything"]),
    ("char", ["x"]),
]

ACCEPTED = [
    ("double", "1,5", "only '1' of '1,5' is read"),
    ("double", "0.1m", "only '0.1' of '0.1m' is read"),
    ("double", "1 2", "only '1' of '1 2' is read"),
    ("double", "true", "'true' is read as 1"),
    ("int", "1.5", "only '1' of '1.5' is read"),
    ("int", "False", "'False' is read as 0"),
    ("unsigned int", "-1", "-1 is negative"),
    ("vector3", "1 2 3 4", "only '1 2 3' of '1 2 3 4' is read"),
    ("vector3", "1.2.3.4", "only '1.2.3.4' of '1.2.3.4' is read"),
    ("vector2i", "1 2.5", "only '1 2' of '1 2.5' is read"),
    ("pose", "0 0 0 0 0 0rad", "only '0' of '0rad' is read"),
    ("color", "1 1 1%", "only '1' of '1%' is read"),
]

REFUSED = [
    ("bool", "yes", "'yes' is not true or false"),
    ("double", "heavy", "'heavy' is not a number"),
    ("double", "1e400", "'1e400' is too large or too small"),
    ("double", "1e-400", "'1e-400' is too large or too small"),
    ("double", "1e-310", "'1e-310' is too large or too small"),
    ("double", "\u0661", "'\u0661' is not a number"),
    ("float", "1e39", "'1e39' is too large or too small"),
    ("int", "one", "'one' is not a whole number"),
    ("int", "2147483648", "'2147483648' is too large"),
    ("int", "9" * 5000, "'999"),
    ("unsigned int", "18446744073709551616", "'18446744073709551616' is too large"),
    ("vector3", "1 2", "it has 3 numbers, not 2"),
    ("vector3", "0 1 bad", "'bad' is not a number"),
    ("vector3", "1, 2, 3", "',' is not a number"),
    ("vector3", "0 0 inf", "'inf' is not a number that can be read here"),
    ("vector3", "1 2 3e", "'3e' is not a number"),
    ("vector3", "1 2 1e400", "'1e400' is too large"),
    ("vector2i", "1.5 2", "'.5' is not a whole number"),
    ("time", "0.5", "'.5' is not a whole number"),
    ("color", "0 0.1", "a colour has 3 or 4 numbers, not 2"),
    ("color", "0.1 0.2 0.3 0.4 0.5", "a colour has 3 or 4 numbers, not 5"),
    ("color", "1.5 0 0 1", "1.5 is not between 0 and 1"),
    ("color", "red", "'red' is not a number"),
    ("pose", "0 0 1", "a pose has 6 numbers, not 3"),
    ("pose", "0 0 0 0 0 0 1", "a pose has 6 numbers, not 7"),
    ("pose", "0 0 0 0 0 nan", "'nan' is not a finite number"),
    ("pose", "0 0 0 ${pi} 0 0", "'${pi}' is not a number"),
]


def test_fine() -> None:
    for value_type, texts in FINE:
        assert [text for text in texts if check_value(value_type, text) is not None] == [], value_type


def test_accepted_though_it_says_something_else() -> None:
    for value_type, text, message in ACCEPTED:
        fault = check_value(value_type, text)
        assert fault is not None, (value_type, text)
        assert fault.accepted, (value_type, text)
        assert fault.message.startswith(message)


def test_refused() -> None:
    for value_type, text, message in REFUSED:
        fault = check_value(value_type, text)
        assert fault is not None, (value_type, text)
        assert not fault.accepted, (value_type, text)
        assert fault.message.startswith(message)
        assert len(fault.message) < 150


@pytest.mark.parametrize(
    ("text", "rotation_format", "degrees", "message"),
    [
        ("0 0 0 0 0 0 1", "quat_xyzw", "", None),
        ("0 0 0 0 0 0 1", "quat_xyzw", "false", None),
        ("0 0 0 0 0 90", "euler_rpy", "true", None),
        ("0 0 0 0 0 0", "quat_xyzw", "", "a pose has 7 numbers, not 6"),
        ("0 0 0 0 0 0 1", "quat_xyzw", "True", "degrees='true' cannot be used with rotation_format='quat_xyzw'"),
        ("0 0 0 0 0 0", "rpy", "", "unknown rotation_format 'rpy'; it must be one of: euler_rpy, quat_xyzw"),
    ],
)
def test_attributes_of_a_pose(text: str, rotation_format: str, degrees: str, message: str | None) -> None:
    fault = check_value("pose", text, None, None, rotation_format, degrees)
    assert (fault and fault.message) == message


@pytest.mark.parametrize(
    ("text", "fine"), [("0", True), ("1", True), ("-0.1", False), ("1.1", False), ("nan", True), ("inf", False)]
)
def test_bounds(text: str, fine: bool) -> None:
    assert (check_value("double", text, 0.0, 1.0) is None) == fine


@given(st.sampled_from([kind for kind, _ in FINE]), st.text(min_size=1))
def test_any_text_is_judged(value_type: str, text: str) -> None:
    check_value(value_type, text)


@given(st.floats(allow_subnormal=False))
def test_every_number_that_python_writes_is_fine(number: float) -> None:
    assert check_value("double", repr(number)) is None
