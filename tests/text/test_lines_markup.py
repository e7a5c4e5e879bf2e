from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.lines import (
    Icon,
    Marker,
    Paragraph,
    Phrase,
    curl_apostrophes,
    embolden,
    escape_markup,
    find_unbalanced,
    format_markup,
    parse_markup,
    split_lines,
    to_plain_text,
)
from tests.cases import each_case

MARKUP = st.text(alphabet="ab *\\{}[].\n1-\u2028", max_size=40)


def shown(paragraph: Paragraph) -> str:
    """A paragraph with <b> and <i>, so that a test does not compare marks with marks."""
    return "".join(map(shown_part, paragraph))


def shown_part(part: Phrase | Icon) -> str:
    text = part.text if isinstance(part, Phrase) else f"[{part.name}]"
    text = f"<i>{text}</i>" if part.italic else text
    text = f"<b>{text}</b>" if part.bold else text
    return f"<{part.spans}>{text}</>" if part.spans else text


@each_case(
    ("markup", "expected"),
    [
        ("plain", "plain"),
        ("**bold** and *italic*", "<b>bold</b> and <i>italic</i>"),
        ("***both***", "<b><i>both</i></b>"),
        ("***a* b**", "<b><i>a</i></b><b> b</b>"),
        ("***a** b*", "<b><i>a</i></b><i> b</i>"),
        ("**a *b** c*", "<b>a </b><b><i>b</i></b><i> c</i>"),
        ("**2** {heart}", "<b>2</b> [heart]"),
        ("**2 {heart}**", "<b>2 </b><b>[heart]</b>"),
        (r"\*a\* \{b} \\", r"*a* {b} " + "\\"),
        (r"a\b", r"a\b"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("**open", "**open"),
        ("*a**b*", "<i>a**b</i>"),
        ("**a***", "<b>a</b>*"),
        ("****", "****"),
        ("{no icon} {} }", "{no icon} {} }"),
        (" one\ntwo \t three ", "one two three"),
        ("**a ** b", "**a ** b"),
        ("a\u00a0 b", "a\u00a0 b"),
        ("Zahle 2*3 Gold und 4*5 Holz.", "Zahle 2*3 Gold und 4*5 Holz."),
        ("2**3 und 4**5", "2**3 und 4**5"),
        ("snake*case*name", "snake*case*name"),
        ("*2*3 Gold*", "<i>2*3 Gold</i>"),
        ("**2*3 Gold**", "<b>2*3 Gold</b>"),
        ("**Wound**s", "<b>Wound</b>s"),
        ("ein***zwei***drei", "ein***zwei***drei"),
        ("**one\\\ntwo** three", "<b>one\u2028two</b> three"),
    ],
)
def test_marks(markup: str, expected: str) -> None:
    (paragraph,) = parse_markup(markup)
    assert shown(paragraph) == expected


def test_a_blank_line_parts_paragraphs_and_ends_marks() -> None:
    assert [shown(paragraph) for paragraph in parse_markup("one\n \n**two\n\n\nthree**\n\n")] == [
        "one",
        "**two",
        "three**",
    ]
    assert parse_markup(" \n\n ") == parse_markup("") == ()


@each_case(
    ("markup", "offsets"),
    [
        ("**fine** *so* {heart} 2 * 3", ()),
        (r"\* \{ \\", ()),
        ("**open", (0,)),
        ("one\n\ntwo*", (8,)),
        ("*a**b*", ()),
        ("2*3 4**5", ()),
        ("*Wound*s", (0,)),
        ("{no icon} }", (0,)),
        ("****", (0,)),
        ("x {y", (2,)),
        ("* a", ()),
        ("a *", ()),
    ],
)
def test_unbalanced_marks_are_named_by_their_offsets(markup: str, offsets: tuple[int, ...]) -> None:
    assert find_unbalanced(markup) == offsets


@given(MARKUP)
def test_what_is_written_parses_into_the_same(markup: str) -> None:
    paragraphs = parse_markup(markup)
    assert parse_markup(format_markup(paragraphs)) == paragraphs
    assert find_unbalanced(format_markup(paragraphs)) == ()


@given(st.text(alphabet="ab*\\{}-", max_size=20))
def test_escaped_text_is_printed_as_it_stands(text: str) -> None:
    assert to_plain_text(escape_markup(text)) == text


@given(MARKUP)
def test_spaces_never_double_nor_stand_at_an_end(markup: str) -> None:
    for paragraph in to_plain_text(markup).split("\n\n"):
        for line in paragraph.split("\n"):
            assert line == line.strip(" ")
            assert "  " not in line


@pytest.mark.parametrize("markup", ["one \\\n two", "one\u2028two", "one \u2028 \\\n two\u2028"])
def test_lines_end_where_the_author_says(markup: str) -> None:
    (paragraph,) = parse_markup(markup)
    assert [shown(line) for line in split_lines(paragraph)] == ["one", "two"]


def test_a_line_break_keeps_the_style() -> None:
    (paragraph,) = parse_markup("**a {heart}\\\n*b***\\\nc")
    assert [shown(line) for line in split_lines(paragraph)] == ["<b>a </b><b>[heart]</b>", "<b><i>b</i></b>", "c"]


def test_plain_text_keeps_line_breaks() -> None:
    assert to_plain_text("- one\u2028- two\n\nthree") == "• one\n• two\n\nthree"


def test_plain_names_icons() -> None:
    assert to_plain_text("**Heal** 2 {heart}\n\n*now*") == "Heal 2 heart\n\nnow"


@each_case(
    ("markup", "expected"),
    [
        ("a Mind test", "a **Mind** test"),
        ("two Wounds", "two **Wounds**"),
        ("a mind, Mindful", "a mind, Mindful"),
        ("the Wound Track", "the **Wound Track**"),
        ("**the Mind** of Mind", "**the Mind** of **Mind**"),
        ("*Mind*", "***Mind***"),
        ("*of Mind*", "*of **Mind***"),
        ("**Mind**ful Mind", "**Mind**ful **Mind**"),
        ("{Mind} Mind's", "{Mind} **Mind**'s"),
        (r"\*Mind\*", r"\***Mind**\*"),
        ("+1 Mind.", "+1 **Mind**."),
        ("Mind\n\nMind", "**Mind**\n\n**Mind**"),
    ],
)
def test_terms_are_set_bold(markup: str, expected: str) -> None:
    assert embolden(markup, ("Mind", "Wound", "Wound Track")) == expected


def test_without_terms_nothing_changes() -> None:
    assert embolden("a * b", ()) == "a * b"


@given(MARKUP)
def test_emboldening_changes_no_text_and_once_is_enough(markup: str) -> None:
    once = embolden(markup, ("a", "ab", "b b"))
    assert to_plain_text(once) == to_plain_text(markup)
    assert embolden(once, ("a", "ab", "b b")) == once


def test_apostrophes_and_quotes_are_curved() -> None:
    assert curl_apostrophes("**Sniper's** 'no' '90s") == "**Sniper’s** ‘no’ ’90s"
    assert curl_apostrophes("Enough Messin', within 6'") == "Enough Messin’, within 6'"
    assert curl_apostrophes("Stick 'Em, marked 'RND2'") == "Stick ’Em, marked ‘RND2’"


@each_case(
    ("markup", "expected"),
    [
        ("Choose:\n- a\n  b\n• c", ["Choose:", "•\u2002a b", "•\u2002c"]),
        ("1. a\n2) b\n\n10. c", ["1.\u2002a", "2)\u2002b", "10.\u2002c"]),
        ("- a\\\n- b\u2028- c\\\nd", ["•\u2002a", "•\u2002b", "•\u2002c\u2028d"]),
        ("a - b, 1. c", ["a - b, 1. c"]),
        ("-1 Mind\n\n2.5 cm\n\n-", ["-1 Mind", "2.5 cm", "-"]),
        (r"\- a", ["- a"]),
        (r"2\. a", ["2. a"]),
    ],
)
def test_lines_that_begin_with_a_bullet_or_a_number_are_items(markup: str, expected: list[str]) -> None:
    paragraphs = parse_markup(markup)
    assert [*map(shown, paragraphs)] == expected
    assert [isinstance(each[0], Marker) for each in paragraphs] == ["\u2002" in each for each in expected]
    assert parse_markup(format_markup(paragraphs)) == paragraphs


@each_case(
    ("markup", "expected"),
    [
        ("a [b **c**]{.danger} d", "a <danger>b </><danger><b>c</b></> d"),
        ("[a [b]{.x} c]{.y .z}", "<y z>a </><y z x>b</><y z> c</>"),
        ("[{fire} 2]{ .hot }", "<hot>[fire]</><hot> 2</>"),
        ("[a]{fire} [b]", "[a][fire] [b]"),
        ("[a\n\nb]{.x}", "[a|b]{.x}"),
        (r"\[a]{.x}, [a]\{.x}", "[a]{.x}, [a]{.x}"),
        (r"[\[a]]{.x}", "<x>[a]</>"),
        ("**a [b** c]{.x}", "<b>a </b><x><b>b</b></><x> c</>"),
    ],
)
def test_spans_have_names(markup: str, expected: str) -> None:
    paragraphs = parse_markup(markup)
    assert "|".join(map(shown, paragraphs)) == expected
    assert parse_markup(format_markup(paragraphs)) == paragraphs


def test_an_end_of_a_span_without_a_begin_is_found() -> None:
    assert find_unbalanced("[a]{.x} b]{.x}") == (9,)


def test_a_part_of_a_text_is_in_few_spans() -> None:
    """The names are kept with each part, so long names or many of them would take any amount of memory."""
    (most,) = parse_markup("[" * 16 + "a" + "]{.x}" * 16)
    assert [part.spans for part in most] == [" ".join("x" * 16)]
    assert find_unbalanced("[[a]{.x}" + "]{" + ".x " * 16 + "}") == (8,)
    markup = "[" * 500 + "x *y* " * 100 + "]{.x .y}" * 500
    (paragraph,) = parse_markup(markup)
    assert {len(part.spans.split()) for part in paragraph} == {0, 16}
    assert len(find_unbalanced(markup)) == 492
    assert len({id(part.spans) for part in parse_markup("[[" + "*x*y" * 100 + "]{.x}]{.y}")[0]}) == 1
    assert shown(parse_markup(f"[a]{{.{'x' * 41}}}")[0]) == f"[a]{{.{'x' * 41}}}"


def test_terms_are_bold_in_spans_and_links_stay() -> None:
    assert embolden("[a Wound]{.x}", ("Wound",)) == "[a **Wound]{.x}**"


def test_what_looks_like_an_item_can_be_escaped() -> None:
    for text in ("- a", "12) b", "• c"):
        assert [*map(shown, parse_markup(escape_markup(text)))] == [text]


def test_terms_are_bold_in_items_too() -> None:
    assert embolden("- a Wound", ("Wound",)) == "- a **Wound**"
