"""What expressions of xacro may do, in full: a change of this list is a change of what a stranger's file may do."""

from __future__ import annotations

import ast
import math

import pytest

from sdfviewer.formats.xacro.expressions import UNITS, ExpressionEvaluation
from sdfviewer.formats.xacro.functions import MATH_CONSTANTS, MATH_FUNCTIONS, MATH_LIST_FUNCTIONS, make_methods
from sdfviewer.formats.xacro.interpreter import CONSTANTS, NODES
from sdfviewer.formats.xacro.reads import Recorder
from sdfviewer.formats.xacro.values import Bounds, Function


def words(text: str) -> set[str]:
    return {*text.split()}


def test_the_nodes_of_an_expression() -> None:
    expected = """
        Expression Constant Name Attribute Subscript Slice Call keyword Starred Load Store
        UnaryOp UAdd USub Not Invert
        BinOp Add Sub Mult Div FloorDiv Mod Pow LShift RShift BitOr BitXor BitAnd
        BoolOp And Or IfExp
        Compare Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn
        List Tuple Set Dict JoinedStr FormattedValue
        ListComp SetComp DictComp GeneratorExp comprehension
        Lambda arguments arg
    """
    assert {each.__name__ for each in NODES} == words(expected)
    assert all(issubclass(each, ast.AST) for each in NODES)
    assert {bool, int, float, str, type(None)} == CONSTANTS


def test_the_functions() -> None:
    xacro = pytest.importorskip("xacro")
    evaluation = ExpressionEvaluation(xacro, None, Bounds(lambda steps: None), Recorder())
    symbols = evaluation.namespaces
    assert sorted(symbols) == ["math", "python", "xacro"]
    assert all(type(each) is Function for name in ("python", "xacro") for each in symbols[name].values())
    direct = words("bool dict float int len list map max min round str sorted range load_yaml abs_filename dotify")
    assert set(evaluation.symbols) == {*direct, *symbols, *symbols["math"]}
    assert set(symbols["python"]) == words("""
        abs all any bool dict divmod enumerate filter float frozenset int isinstance len list map max min ord range repr
        reversed round set sorted str sum tuple type zip
        """)
    assert set(symbols["xacro"]) == words(
        "abs_filename arg dotify error fatal load_yaml message print_location tokenize warning"
    )
    assert set(MATH_CONSTANTS) == {"e", "inf", "nan", "pi", "tau"}
    assert {*MATH_FUNCTIONS, *MATH_LIST_FUNCTIONS} == words("""
        acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1
        fabs factorial floor fma fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma
        log log10 log1p log2 modf nextafter perm pow prod radians remainder sin sinh sqrt sumprod tan tanh trunc ulp
        """)
    assert set(symbols["math"]) <= {*MATH_CONSTANTS, *MATH_FUNCTIONS, *MATH_LIST_FUNCTIONS}
    assert {name for name in vars(math) if not name.startswith("_")} >= set(symbols["math"])


def test_the_methods() -> None:
    methods = make_methods(Bounds(lambda steps: None), lambda *_: None)
    found = {kind.__name__: set(names) for kind, names in methods.items()}
    lists = words("append clear copy count extend index insert pop remove reverse sort")
    dicts = words("clear copy get items keys pop popitem setdefault update values")
    frozen = words("difference intersection isdisjoint issubset issuperset symmetric_difference union")
    assert found == {
        "str": words("""
            capitalize casefold center count endswith expandtabs find format index isalnum isalpha isascii isdecimal
            isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition
            removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith
            strip swapcase title upper zfill
            """),
        "list": lists,
        "YamlList": lists,
        "dict": dicts,
        "YamlDict": dicts,
        "tuple": {"count", "index"},
        "frozenset": frozen,
        "set": frozen
        | words("""
            add clear copy difference_update discard intersection_update pop remove symmetric_difference_update update
            """),
    }
    assert methods[str]["format"] is not str.format


def test_the_units_of_yaml() -> None:
    assert set(UNITS) == {"!degrees", "!radians", "!meters", "!millimeters", "!foot", "!inches"}
