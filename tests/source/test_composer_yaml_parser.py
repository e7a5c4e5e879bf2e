"""Syntax errors in our own words, whichever parser found them."""

from __future__ import annotations

import pytest
import yaml

from cardgen.source import parse_document
from cardgen.source.composer import DEFAULT_PARSER, FatalProblem, LineIndex, compose, parse_events
from tests.cases import each_case

TAB = "tab used where YAML requires spaces"
CASES = [
    ("a:\n\t- b", "2:1", TAB),
    ("foo: bar\n\tbaz: 1", "2:1", TAB),
    ("\ta: 1", "1:1", TAB),
    ("a: b: c", "1:5", "unexpected colon; no key is allowed here"),
    ("a: 1\n  b: 2", "2:4", "unexpected colon; no key is allowed here"),
    ("a: 1\nbrute\nc: 3", "2:1", "key without a colon"),
    ("a: 1\nb", "2:1", "key without a colon"),
    ("a: 'x", "1:4", "unclosed quotation mark"),
    ('a: 1\nb: "x\nc: 3\n', "2:4", "unclosed quotation mark"),
    ("a: 'x\n---\n'", "1:4", "unclosed quotation mark before '---' or '...'"),
    ("a: [1, 2", "1:4", "list is missing a comma or its closing ']'"),
    ("a: [1, 2\nb: 3", "1:4", "list is missing a comma or its closing ']'"),
    ("a: {b: 1", "1:4", "map is missing a comma or its closing '}'"),
    ("a: {b: 1\nc: 3\n", "1:4", "map is missing a comma or its closing '}'"),
    ("a:\n  - x\n - y", "3:2", "this does not match the lines above"),
    ("- a\nb: 1", "2:1", "this does not match the lines above"),
    ("a: 'it's'", "1:8", "unexpected text after the value"),
    ('a: "x" y', "1:8", "unexpected text after the value"),
    ("{a: b} c", "1:8", "unexpected text after the value"),
    ("a: - b", "1:4", "unexpected list item"),
    ("a:\n  b: 1\n \u00a0c: 2\n", "3:2", "no-break space (U+00A0) in place of a space"),
    ("a:\n  b: 1\n \u3000c: 2\n", "3:2", "ideographic space (U+3000) in place of a space"),
    ("a: @x", "1:4", "unquoted text cannot start with this character"),
    ("a: `x`", "1:4", "unquoted text cannot start with this character"),
    ("a: %x", "1:4", "unquoted text cannot start with this character"),
    ("a: &", "1:4", "unquoted text cannot start with this character"),
    ("a: *", "1:4", "unquoted text cannot start with this character"),
    ("a: !<", "1:4", "unquoted text cannot start with this character"),
    ("a: ]", "1:4", "missing value"),
    ("a: [,]", "1:5", "missing value"),
    ("a: |x\n", "1:5", "text after '|' or '>' must start on the next line"),
    (r'a: "\xZZ"', "1:7", "unknown escape sequence"),
    ("%YAML 3.0\n---\na", "1:1", "YAML directives are not supported"),
]
PARSERS = [yaml.SafeLoader] + ([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])


@each_case("parser", PARSERS)
@each_case(("text", "place", "said"), CASES)
def test_the_words(parser: type[yaml.SafeLoader], text: str, place: str, said: str) -> None:
    (problem,) = compose(text, parse_events(text, parser)).problems
    span = problem.to_diagnostic(LineIndex("f", text)).place.span
    assert span is not None
    assert (f"{span.line}:{span.column}", problem.message) == (place, said)


def test_libyaml_is_used_where_it_exists() -> None:
    assert DEFAULT_PARSER is PARSERS[-1]


@pytest.mark.parametrize("text", [r'"\UFFFFFFFF"', r'a: "\U00110000"'])
def test_pythons_own_parser_may_trip(text: str) -> None:
    (problem,) = compose(text, parse_events(text, yaml.SafeLoader)).problems
    assert problem.message == "invalid YAML"
    assert 0 <= problem.start < problem.end <= len(text)


def test_unknown_complaints_are_passed_on() -> None:
    from cardgen.source.composer import syntax_problem

    error = yaml.MarkedYAMLError(problem="the moon is full")
    assert syntax_problem(error, "a").message == "invalid YAML: the moon is full"


@pytest.mark.parametrize(
    ("text", "help_text"),
    [
        ("- {name: A, text: Re-roll one {wind}.}", "put texts with any of { } [ ] in quotes"),
        ("- {name: A, m: 1\n- {name: B, m: 2}\n", "write '}' at the end of this line"),
        ("a: [b, c\nd: e\n", "write ']' at the end of this line"),
        ("- {name: A, text: Roll [1].}", "put texts with any of { } [ ] in quotes"),
        ("a: [Re-roll {wind}]", "put texts with any of { } [ ] in quotes"),
        ("a: [[1] [2]]", "write [one, two]"),
        ("a: {b: 'c' {d: 1}}", "write {key: value, other: value}"),
        ("a: {b: 1", "write {key: value, other: value}"),
        ("a: [1, 2", "write [one, two]"),
    ],
)
def test_a_bracket_inside_an_unquoted_text_is_what_to_quote(text: str, help_text: str) -> None:
    """In a map or list on one line, a brace in a text looks like a missing comma."""
    with pytest.raises(FatalProblem) as caught:
        list(parse_events(text))
    assert caught.value.problem.help == help_text


def test_quotation_marks_of_word_processors_are_named() -> None:
    for text in ("motto: “Seen: too late.”", "- name: „Ada: die Erste“", "{a: «b: c»}"):
        with pytest.raises(FatalProblem) as caught:
            list(parse_events(text))
        assert caught.value.problem.help.startswith("write straight quotes instead of")


@each_case(
    ("text", "advice"),
    [
        ("a: [b] c: 1", "begin a new line before the next key"),
        ("a: 'it's'", "put the whole value in quotes; in single quotes, write '' for '"),
        ("a: b\nc\n", "write 'key: value', with a space after the colon; to continue the text above, indent it more"),
        ("a:\n  b: 1\n \u00a0c: 1\n", "indent with spaces only"),
    ],
)
def test_what_to_do(text: str, advice: str) -> None:
    assert parse_document(text, "f").diagnostics[0].help == advice
