"""Tables of clauses: what they write is what they read, and nothing is left over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.grammar.clauses import MAX_CHARACTERS, Features, Series, Token, merge, parse_form, parse_template, tokenize
from cardgen.grammar.grammar import Grammar
from cardgen.grammar.reading import (
    Interpretation,
    Level,
    Part,
    SentenceReading,
    SentenceSpan,
    name_end,
    read_sentence,
    split_sentences,
)
from cardgen.rulesets.diskwars import wording as diskwars
from cardgen.rulesets.skirmish import wording as skirmish
from cardgen.rulesets.warcry.wording.values import GRAMMAR
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.reader import MISSION_CLAUSES

TABLE = """\
[fillers]
the a ,
[joints]
, and
[words]
heal: heals heals regains
[part]
: span=$span
  until {span}
: heal=$n
  heals {n:wounds}
  = gets back {n:wounds}
  ~ recovers {n:wounds}
: $change
  gets {change}
[span]
: turn
  the end of the turn
  = end of (this|that) turn
[wounds]
: 1
  1~Wound
: $n
  {n:number}~Wounds
[change]
: $stat=$n
  {n:signed}~{stat}
[stat]
: mind
  Mind
: body
  Body
"""


@pytest.fixture
def grammar(tmp_path: Path) -> Grammar:
    path = tmp_path / "clauses.txt"
    path.write_text(TABLE, encoding="utf-8")
    return Grammar(path)


def assemble(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
    merged = merge(part.meaning for part in parts if isinstance(part.meaning, Features))
    if merged is not None:
        yield Interpretation(merged)


def read(grammar: Grammar, text: str) -> SentenceReading:
    return read_sentence(grammar, SentenceSpan(text, 0), assemble)


@pytest.mark.parametrize(
    "meaning",
    [
        Features.of(span="turn"),
        Features.of(heal=1),
        Features.of(heal=12),
        Features.of(mind=-2),
        Features.of(body=1),
    ],
)
def test_what_is_written_is_read(grammar: Grammar, meaning: Features) -> None:
    text = grammar.write("part", meaning)
    reading = read(grammar, text)
    assert (reading.level, reading.value) == (Level.READ, meaning)


def test_a_meaning_without_a_clause_is_not_written(grammar: Grammar) -> None:
    with pytest.raises(LookupError):
        grammar.write("part", Features.of(heal=1, span="turn"))


@pytest.mark.parametrize(
    "text",
    [
        "Heals two Wounds until end of this turn.",
        "until the end of that turn, gets back 2 wounds",
        "HEALS **2** wounds, until the end of the turn",
        "Stone Skin - heals 2 Wounds until the end of the turn",
    ],
)
def test_clauses_are_read_in_any_order_and_spelling(grammar: Grammar, text: str) -> None:
    reading = read(grammar, text)
    assert (reading.level, reading.value) == (Level.READ, Features.of(heal=2, span="turn"))


@pytest.mark.parametrize(
    "text",
    [
        "Does not heal two Wounds.",
        "Heals up to 2 Wounds.",
        "Heals 2 Wounds only.",
        "Heals 2 Wounds or gets +1 Mind.",
        "Heals 2 Wounds, heals 3 Wounds.",
        "Heals 2 Wounds " + "and " * 600,
        "",
        "Heals " * MAX_CHARACTERS,
    ],
)
def test_a_word_that_is_left_over_is_not_skipped(grammar: Grammar, text: str) -> None:
    assert read(grammar, text).level == Level.UNREAD


def test_loose_forms_are_read_loosely(grammar: Grammar) -> None:
    assert read(grammar, "Recovers 2 Wounds").level == Level.LOOSELY


def test_the_clauses_of_an_unread_sentence_have_their_places(grammar: Grammar) -> None:
    text = "Never heals 2 Wounds until the evening."
    reading = read(grammar, text)
    assert [(clause.text, clause.is_read) for clause in reading.clauses] == [
        ("Never", False), ("heals 2 Wounds", True), ("until the evening", False),
    ]  # fmt: skip
    assert all(text[clause.start : clause.end] == clause.text for clause in reading.clauses)


def words(text: str) -> list[str]:
    return [token.word for token in tokenize(text, {})]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("plus one", ["+1", "+ 1"]),
        ("−2 Mind", ["-2 mind", "–2 MIND", "minus two mind"]),
        ("6 inches", ['6"', "6″", "six inch", "6 ”"]),
        ("12 cm", ["12cm", "12 centimetres", "twelve centimeters"]),
        ("1D6", ["D6", "d6", "1d6"]),
        ("4 to 6", ["4-6", "4–6", "four to six"]),
        ("re-roll", ["reroll", "Re-roll"]),
        ("is not", ["isn't", "isn’t"]),
        ("bearer's", ["bearer’s", "Bearer's"]),
    ],
)
def test_spellings_are_one(text: str, others: list[str]) -> None:
    assert [words(other) for other in others] == [words(text)] * len(others)


def test_tokens_know_their_places() -> None:
    text = 'The bearer’s 1D6, 4-6 at 12" *Old Claws*'
    assert [text[token.start : token.end] for token in tokenize(text, {})] == [
        "The", "bearer", "’s", "1D6", ",", "4", "-", "6", "at", "12", '"', "*Old Claws*",
    ]  # fmt: skip


def test_sentences_are_split_at_their_ends() -> None:
    text = "Once per turn. Use *Mr. A. B* (CW R1). It is so!\n\nNo end"
    spans = list(split_sentences(text))
    assert [span.text for span in spans] == ["Once per turn.", "Use *Mr. A. B* (CW R1).", "It is so!", "No end"]
    assert all(text[span.start : span.start + len(span.text)] == span.text for span in spans)


@pytest.mark.parametrize(("text", "rest"), [("Stone Skin - add 1", "add 1"), ("TOUGH AS NAILS: this", "this")])
def test_a_name_is_no_part_of_a_sentence(text: str, rest: str) -> None:
    assert text[name_end(text) :] == rest


@pytest.mark.parametrize("text", ["One use only - heal", "Only Minions: heal", "At the start: heal", "Never: heal"])
def test_words_of_rules_are_no_name(text: str) -> None:
    assert name_end(text) == 0


@pytest.mark.parametrize("form", ["(a|b", "a)", "[a", "{a b}", "a}"])
def test_unbalanced_forms_are_refused(form: str) -> None:
    with pytest.raises(ValueError, match=r"form|bracket"):
        parse_form(form)


def test_a_table_names_the_line_of_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text("[part]\n: a=1\n  a (b\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"clauses.txt:3: unbalanced bracket"):
        Grammar(path).table  # noqa: B018


def test_a_value_of_two_words_is_written_with_a_tilde(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text("[part]\n: rules=Killing~Blow\n  it slays\n", encoding="utf-8")
    assert list(Grammar(path).occurrences("part", "It slays.")) == [(Features.of(rules="Killing Blow"), 0, 8)]
    path.write_text("[part]\n: rules=Killing Blow\n  it slays\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"clauses.txt:3: 'Blow' in 'rules=Killing Blow' has no key"):
        Grammar(path).table  # noqa: B018


def test_a_form_has_the_slots_of_its_meaning(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text("[part]\n: heal=$n\n  heals {count:number}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"clauses.txt:3: the form lacks the slot 'n'"):
        Grammar(path).table  # noqa: B018


def test_a_form_with_an_unknown_symbol_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text("[part]\n: heal=$n\n  heals {n:wound}\n", encoding="utf-8")
    grammar = Grammar(path)
    with pytest.raises(ValueError, match="unknown symbol 'wound'"):
        grammar.chart(grammar.tokenize("heals 1 Wound")).matches("part", 0)


@pytest.mark.parametrize("grammar", [CLAUSES, MISSION_CLAUSES, GRAMMAR], ids=["warniris", "missions", "warcry"])
def test_the_games_have_no_form_with_an_unknown_symbol(grammar: Grammar) -> None:
    chart = grammar.chart(())
    assert [chart.matches(symbol, 0) for symbol in grammar.table.clauses]


TABLES = {
    "warniris": CLAUSES, "missions": MISSION_CLAUSES, "warcry": GRAMMAR, "disks": diskwars.GRAMMAR,
    "warriors": skirmish.WARRIORS, "weapons": skirmish.WEAPONS, "scenarios": skirmish.SCENARIOS,
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_no_form_of_the_games_stands_twice(name: str) -> None:
    table = TABLES[name].table
    forms = Counter(
        (symbol, form.style, form.text, clause.meaning)
        for symbol, clauses in table.clauses.items()
        for clause in clauses
        for form in clause.forms
        if form.text
    )
    assert [form for form, number in forms.items() if number > 1] == []


def test_symbols_are_found_in_any_order(grammar: Grammar) -> None:
    tokens = grammar.tokenize("heals 2 Wounds until the end of the turn")
    chart = grammar.chart(tokens)
    places = [(symbol, start) for symbol in grammar.table.clauses for start in range(len(tokens))]
    others = Grammar(*grammar._paths).chart(tokens)
    expected = {place: others.matches(*place) for place in reversed(places)}
    assert {place: chart.matches(*place) for place in places} == expected
    assert any(expected.values())


def test_templates_work_both_ways() -> None:
    template = parse_template("$stat=-$n who=bearer")
    meaning = template.evaluate({"stat": "mind", "n": 2})
    assert meaning == Features.of(mind=-2, who="bearer")
    assert parse_template("heal=[$n]").evaluate({"n": 1}) == Features.of(heal=Series((1,)))
    assert parse_template("heal=$n").match(Features.of(heal=3)) == {"n": 3}
    assert parse_template("heal=$n").match(Features.of(heal=3, deal=1)) is None


def test_phrases_stand_for_others_and_the_longest_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    table = "[phrases]\nthis turn: for the time being | these days\nolden days: olden days | days of yore\nx: days\n"
    path.write_text(f"{table}{TABLE.replace('end of (this|that) turn', 'for the time being')}", encoding="utf-8")
    grammar = Grammar(path)
    text = "These days, olden days, days of yore, days"
    tokens = grammar.tokenize(text)
    assert [token.word for token in tokens] == [
        "this", "turn", ",", "olden", "days", ",", "olden", "days", ",", "x",
    ]  # fmt: skip
    assert {text[token.start : token.end] for token in tokens[:2]} == {"These days"}
    assert read(grammar, "heals 1 wound until this turn").value == Features.of(heal=1, span="turn")


def test_an_empty_phrase_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text("[phrases]\nwhen\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not a valid phrase"):
        Grammar(path).tokenize("When")


@pytest.mark.parametrize("section", ["fillers", "joints"])
def test_a_word_that_changes_a_sentence_cannot_be_skipped(tmp_path: Path, section: str) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text(f"[{section}]\nthe also a\n")
    with pytest.raises(ValueError, match=rf"clauses.txt: \[{section}\] contains 'also', which changes"):
        Grammar(path).table  # noqa: B018


def test_sentences_are_written_without_the_forms_that_are_only_read(tmp_path: Path) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text("[part]\n: heal=$n\n  heals {n:number}\n  = (bad\n", encoding="utf-8")
    grammar = Grammar(path)
    assert grammar.write("part", Features.of(heal=2)) == "heals 2"
    with pytest.raises(ValueError, match=r"clauses.txt:4: unbalanced bracket"):
        grammar.table  # noqa: B018


@pytest.mark.parametrize("first", ["read", "write"])
def test_it_does_not_matter_whether_a_table_is_read_or_written_first(tmp_path: Path, first: str) -> None:
    path = tmp_path / "clauses.txt"
    path.write_text(
        "[part]\n: heal=$n\n  heals {n:number}\n  @short +{n:number}\n  = mends {n:number}\n", encoding="utf-8"
    )
    grammar = Grammar(path)
    if first == "read":
        assert grammar.tokenize("mends 2")
    written = [grammar.write("part", Features.of(heal=2), style=style) for style in ("", "short", "other")]
    assert written == ["heals 2", "+2", "heals 2"]


@pytest.mark.parametrize(
    ("text", "rest"), [("Lucky coin, heal 1", "heal 1"), ("Old thing (heal 1)", "(heal 1)"), ("Heal him: heal 1", "")]
)
def test_names_in_lower_case_have_no_word_of_a_clause(grammar: Grammar, text: str, rest: str) -> None:
    end = name_end(text, grammar.is_strange)
    assert text[end:] == (rest or text)


def test_long_literals_take_few_steps(tmp_path: Path) -> None:
    """Plain words are told from others without backtracking."""
    words = " ".join(["word"] * 60)
    path = tmp_path / "clauses.txt"
    path.write_text(f"[part]\n: on=true\n  {words}'\n", encoding="utf-8")
    assert Grammar(path).is_strange("other")


@pytest.mark.parametrize(
    ("spoken", "plain"),
    [
        ("the fighter's carrying it", "the fighter is carrying it"),
        ("the fighter’s been hit", "the fighter has been hit"),
        ("it's taken down an enemy", "it has taken down an enemy"),
        ("the enemy's taken down", "the enemy is taken down"),
        ("you've got a choice", "you have a choice"),
        ("they've got to pass", "they have to pass"),
        ("she has to pass", "she must pass"),
        ("you get to choose", "you may choose"),
        ("lose one in order to move", "lose one to move"),
        ("moves, in which case it heals", "moves, it heals"),
    ],
)
def test_spoken_words_are_those_of_plain_english(spoken: str, plain: str) -> None:
    assert words_of(spoken) == words_of(plain)


@pytest.mark.parametrize("text", ["the fighter's hit rolls", "it has two", "the fighter's attack", "he gets two"])
def test_other_words_are_no_idioms(text: str) -> None:
    assert {"is", "may", "must"}.isdisjoint(words_of(text))


def words_of(text: str) -> list[str]:
    return [token.word for token in tokenize(text, {})]
