"""What unquoted scalars mean, and which of them are refused because YAML 1.1 reads them in another way."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cardgen.source import parse_document
from cardgen.source.composer import _resolve, explain_ambiguity, resolve_plain
from tests.cases import each_case

SCALARS = st.one_of(
    st.text("0123456789+-._:eExob~", max_size=8),
    st.sampled_from(["yes", "no", "on", "off", "true", "false", "null", "nan", "inf"]).flatmap(
        lambda word: st.sampled_from([word, word.title(), word.upper(), f".{word}", f"-.{word}"])
    ),
    st.dates().map(str),
    st.text("abcABC <=~.-'!", max_size=5),
)


@each_case(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None),
        ("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("FALSE", False),
        ("0", 0), ("-0", 0), ("+12", 12), ("-3", -3), ("0x1F", 31),
        ("1.5", 1.5), ("-0.5", -0.5), (".5", 0.5), ("1.", 1.0), ("1.5e+3", 1500.0),
        ("nULL", "nULL"), ("tRUE", "tRUE"), ("CW", "CW"), ("y", "y"), ("N", "N"), ("none", "none"), ("-", "-"),
        ("+1x", "+1x"), (".", "."), ("1.2.3", "1.2.3"), ("A4", "A4"), ("63x88", "63x88"), ("-1 cm", "-1 cm"),
    ],
)  # fmt: skip
def test_what_both_versions_agree_on(text: str, value: object) -> None:
    reading = resolve_plain(text)
    assert (reading.value, type(reading.value)) == (value, type(value))
    assert reading.is_valid


@each_case(
    ("text", "core", "legacy", "advice"),
    [
        ("NO", "text", "false", "write false for the boolean, or put 'NO' in quotes for the text"),
        ("On", "text", "true", "write true for the boolean, or put 'On' in quotes for the text"),
        ("1_0", "text", "the number 10", "put '1_0' in quotes, or write the number as 10"),
        (
            "1:30",
            "text",
            "the number 90",
            "put '1:30' in quotes for the text, or write a plain number, such as 1 or 90",
        ),
        ("0o3", "the number 3", "text", "put '0o3' in quotes, or write the number as 3"),
        ("038", "the number 38", "text", "put '038' in quotes, or write the number as 38"),
        ("010", "the number 10", "the number 8", "put '010' in quotes, or write the number as 8 or 10"),
        ("3E2", "the number 300", "text", "put '3E2' in quotes, or write the number as 300"),
        ("-.5", "the number -0.5", "text", "put '-.5' in quotes, or write the number as -0.5"),
        ("0b11", "text", "the number 3", "put '0b11' in quotes, or write the number as 3"),
        ("2024-01-31", "text", "a date", "put '2024-01-31' in quotes"),
        ("2024-13-45", "text", "an error", "put '2024-13-45' in quotes"),
        ("=", "text", "an error", "put '=' in quotes"),
    ],
)
def test_what_they_disagree_on(text: str, core: str, legacy: str, advice: str) -> None:
    reading = resolve_plain(text)
    assert reading.is_ambiguous
    assert explain_ambiguity(text, reading) == (
        f"{text} is ambiguous: {core} in YAML 1.2, but {legacy} in YAML 1.1",
        advice,
    )


def is_plain(text: str) -> bool:
    """True where `text` is one unquoted scalar to the parser."""
    try:
        node = yaml.compose(f"- {text}", Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return False
    item = node.value[0] if isinstance(node, yaml.SequenceNode) else None
    return isinstance(item, yaml.ScalarNode) and item.style is None and item.value == text


@given(SCALARS.filter(is_plain))
@example("08.5")
@example("1e5")
@example("~")
def test_a_scalar_that_is_accepted_means_the_same_to_pyyaml(text: str) -> None:
    reading = resolve_plain(text)
    if reading.is_valid:
        (loaded,) = yaml.safe_load(f"- {text}")
        assert (reading.value, type(reading.value)) == (loaded, type(loaded))


@given(SCALARS.filter(is_plain))
@example("1:60")
@example("-0o7")
@example("=")
def test_an_unsound_scalar_is_reported_and_quoting_it_mends_it(text: str) -> None:
    if not resolve_plain(text).is_valid:
        (problem,) = parse_document(f"a: {text}", "f").diagnostics
        assert (problem.code in ("CG014", "CG015"), str(problem.place)) == (True, "f:1:4")
        quoted = parse_document(f"a: '{text}'", "f")
        assert (quoted.data, quoted.diagnostics) == ({"a": text}, ())


@pytest.mark.parametrize("text", [".inf", "-.Inf", "+.INF", ".nan", "9007199254740993", "-1.0e+300", "1" * 5000])
def test_what_is_out_of_range(text: str) -> None:
    assert resolve_plain(text).is_out_of_range


def test_the_largest_number() -> None:
    assert resolve_plain("9007199254740992").is_valid


@each_case("first", ["", *map(chr, range(32, 127)), "é", "🗡"])
def test_text_is_known_by_its_first_character(first: str) -> None:
    for rest in ("", "null", "ull", "ULL", "rue", "alse", "es", "o", "1", "0x1", "inf", ".inf", "text"):
        assert resolve_plain(first + rest) == _resolve(first + rest)
