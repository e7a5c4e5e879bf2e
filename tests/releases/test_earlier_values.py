"""What was at the place of a finding before a branch changed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import Code, Diagnostic, Place, Span
from cardgen.releases.earlier_values import FOUND_HERE, EarlierValues

CARDS = """\
kind: guard
cards:
  - name: Ash
    cost: 46
    range: 35
    text: It costs 46, says everybody in the whole of the town.
  - name: Elm
    stats: {M: 2, B: 3}
    weapons:
      - Bow: R8 P1
"""


class Project:
    """A project of then and now."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.then, self.now = folder / "then", folder / "now"
        self.then.mkdir()
        self.now.mkdir()
        monkeypatch.chdir(self.now)

    def write(self, name: str, before: str, after: str) -> None:
        (self.then / name).write_text(before, "utf-8")
        (self.now / name).write_text(after, "utf-8")

    def explained(
        self, name: str, at: str, message: str = "wrong", advice: str = "", *, code: str = "X1", can_move: bool = True
    ) -> Diagnostic:
        """Return what is said of a finding at a text of the file."""
        text = (self.now / name).read_text("utf-8")
        start = text.index(at)
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        place = Place(name, Span(line, column, line, column + len(at)), text.splitlines()[line - 1])
        cards = [("cards.yaml", 3, ""), ("cards.yaml", 7, "")]
        values = EarlierValues(self.then, self.now, cards, [("cards.yaml", "X2", 4)])
        return values.explained(Diagnostic(code, message, place, advice), can_move=can_move)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_several_changes_of_a_line_are_quoted_as_the_line(project: Project) -> None:
    """To write only one of the old values again would be another mistake."""
    line = "    price: {{type: integer, min: {}, max: {}, label: Price, code: P1}}"
    before, after = line.format(1, 12), line.format(12, 1)
    project.write("cards.yaml", f"{CARDS}{before}\n", f"{CARDS}{after}\n")
    found = project.explained("cards.yaml", "min: 12, max: 1").help
    assert found == f"before this branch: `{before.strip()}`; restore that value"


def test_what_a_branch_adds_has_no_earlier_value(project: Project) -> None:
    before, after = ("    immune: [fire]}\n", "    immune: [fire], resistant: [fire]}\n")
    project.write("cards.yaml", CARDS + before, CARDS + after)
    added = "remove it, or: this branch added `resistant: [fire]`; remove it"
    assert project.explained("cards.yaml", "[fire]}", advice="remove it").help == added


def test_lines_of_many_words_are_compared_as_wholes(project: Project) -> None:
    """Comparing 20,000 words with others one by one would take minutes."""
    before, after = ("text: " + " ".join(f"{mark}{n % 7}" for n in range(20_000)) + "\n" for mark in "ab")
    project.write("cards.yaml", CARDS + before, CARDS + after)
    assert "before this branch" in project.explained("cards.yaml", "b0 b1 b2").help


@pytest.mark.parametrize(
    ("old", "new", "at", "help_text"),
    [
        ("cost: 46", "cost: 46pts", "46pts", "before this branch: `cost: 46`; restore that value, or: do it"),
        ("range: 35", "rnage: 35", "rnage", "before this branch: `range: 35`; restore that value, or: do it"),
        ("R8 P1", "R8,5 P1", "R8,5 P1", "before this branch: `Bow: R8 P1`; restore that value, or: do it"),
        ("B: 3", "B: 33", "33", "before this branch: `B: 3`; restore that value, or: do it"),
        (
            "    range: 35",
            "   range: 35",
            "range",
            "before this branch: 4 spaces before 'range: 35'; restore that indentation, or: do it",
        ),
        (
            "costs 46, says everybody in",
            "costs 46, sais everybody in",
            "sais",
            "before this branch: `text: It costs 46, says everybody in the whole of the town.`; restore that value, "
            "or: do it",
        ),
        ("name: Elm\n", "name: Elm\n    motto: New\n", "motto", "do it, or: this branch added `motto: New`; remove it"),
    ],
)
def test_what_was_there_is_the_remedy(project: Project, old: str, new: str, at: str, help_text: str) -> None:
    assert old in CARDS
    project.write("cards.yaml", CARDS, CARDS.replace(old, new))
    told = project.explained("cards.yaml", at, advice="do it")
    assert told.help == help_text
    assert told.place.span == project.explained("cards.yaml", at, can_move=False).place.span


def test_the_only_part_that_was_taken_out_is_the_remedy(project: Project) -> None:
    before, after = "    immune: [fire, frost, salt]\n", "    immune: [fire, frost]\n"
    project.write("cards.yaml", CARDS + before, CARDS + after)
    said = "this branch removed `salt`; restore it, or: choose 3"
    assert project.explained("cards.yaml", "[fire, frost]", "too few", "choose 3").help == said


def test_of_two_values_that_were_exchanged_both_are_the_remedy(project: Project) -> None:
    line = "    price: {{type: integer, min: {}, max: {}, label: Price, help: what it costs to hire one, code: P1}}\n"
    project.write("cards.yaml", CARDS + line.format(1, 12), CARDS + line.format(12, 1))
    said = "before this branch: `min: 1` and `max: 12`; restore that value"
    assert project.explained("cards.yaml", "min: 12").help == said


def test_what_was_wrong_before_is_no_remedy(project: Project) -> None:
    project.write("cards.yaml", CARDS, CARDS.replace("46\n", "64\n"))
    assert project.explained("cards.yaml", "64", code="X2").help == "before this branch: `cost: 46`"


@pytest.mark.parametrize(
    ("old", "new", "message", "code"),
    [
        ("    range: 35\n", "", "missing key 'range'", "X1"),
        ("M: 2, B: 3", "M: 2", "missing key 'body'", Code.MISSING_KEY),
    ],
)
def test_what_was_removed_is_named(project: Project, old: str, new: str, message: str, code: str) -> None:
    project.write("cards.yaml", CARDS, CARDS.replace(old, new))
    at = "Ash" if new == "" else "stats"
    key = "range: 35" if new == "" else "B: 3"
    assert project.explained("cards.yaml", at, message, code=code).help == f"this branch removed `{key}`; restore it"


def test_of_a_text_and_a_value_the_one_that_changed_is_blamed(project: Project) -> None:
    """The place moves to it; if other values of the card have changed as well, the message must name it."""
    changed = CARDS.replace("cost: 46", "cost: 64").replace("range: 35", "range: 36")
    project.write("cards.yaml", CARDS, changed)
    told = project.explained("cards.yaml", "costs 46", "the text says 'cost: 46', and the card says 64", "change one")
    assert told.place.span == Span(4, 11, 4, 13)
    assert told.help == "this branch changed `cost: 46` to `cost: 64`; change that back, or: change one"
    assert told.related[0][1] == FOUND_HERE
    assert told.related[0][0].span == Span(6, 14, 6, 22)
    elm = project.explained("cards.yaml", "Elm", "'cost' is odd")
    assert elm.related[0][1] == FOUND_HERE
    project.write("other.yaml", "", "one: 1\n")
    assert project.explained("cards.yaml", "Elm", "'cost' is odd").related == ()


def test_of_a_few_changes_of_a_card_the_nearest_is_blamed_and_all_are_named(project: Project) -> None:
    """Not its cost, which follows from the others; many changes are as well another card."""
    changed = CARDS.replace("cost: 46", "cost: 64").replace("    range: 35\n", "    range: 36\n    armor: heavy\n")
    project.write("cards.yaml", CARDS, changed)
    told = project.explained("cards.yaml", "costs 46", "too much", "take less")
    assert told.place.span == Span(5, 12, 5, 14)
    said = "this branch changed `range: 35` to `range: 36` and added `armor: heavy`; change that back, or: take less"
    assert told.help == said
    more = changed.replace("armor: heavy", "armor: heavy\n    a: 1\n    b: 2\n    c: 3")
    project.write("cards.yaml", CARDS, more)
    assert project.explained("cards.yaml", "costs 46", "too much", "take less").help == "take less"


@pytest.mark.parametrize(
    ("new", "at", "advice", "help_text"),
    [
        (
            "    members:\n      - {card: Ash}\n      - {card: Elm, leader: true}\n",
            "true",
            "name another",
            "this branch moved `leader: true` here from `{card: Ash}`; move it back, or: name another",
        ),
        (
            "    members:\n      - {card: Ash, leader: true}\n      - {card: Elm, relic: Bell}\n",
            "Bell",
            "name another",
            "name another, or: this branch added `relic: Bell`; remove it",
        ),
    ],
)
def test_what_was_moved_or_added_is_moved_back_or_removed(
    project: Project, new: str, at: str, advice: str, help_text: str
) -> None:
    before = CARDS + "    members:\n      - {card: Ash, leader: true}\n      - {card: Elm}\n"
    project.write("cards.yaml", before, CARDS + new)
    assert project.explained("cards.yaml", at, advice=advice).help == help_text


def test_the_only_change_of_a_project_is_the_cause_unless_files_are_new(project: Project) -> None:
    project.write("cards.yaml", CARDS, CARDS)
    project.write("game.yaml", "max: 50\nmin: 1\n", "max: 5\nmin: 1\n")
    told = project.explained("cards.yaml", "46")
    assert (told.place.file, told.place.span) == ("game.yaml", Span(1, 6, 1, 7))
    assert told.help == "this branch changed `max: 50` to `max: 5`; change that back"
    assert project.explained("cards.yaml", "46", can_move=False).place.file == "cards.yaml"
    project.write("other.yaml", "a: 1\n", "a: 2\n")
    assert project.explained("cards.yaml", "46").place.file == "cards.yaml"


def test_cells_are_compared_by_their_columns_wherever_their_rows_are(project: Project) -> None:
    table = "name,cost,text\nAsh,46,so\nElm,5,la\nOak,7,do\n"
    project.write("cards.csv", table, "name,cost,text\nNew,1,fa\nAsh,46,so\nElm,5 pts,la\nOak,7,do\n")
    assert project.explained("cards.csv", "5 pts").help == "before this branch: `cost: 5`; restore that value"
    assert project.explained("cards.csv", "New").help == ""
    project.write("cards.csv", table, table.replace("Elm,5,la", "Elm;5;la"))
    assert project.explained("cards.csv", "Elm;5;la").help == "before this branch: `Elm,5,la`; restore that value"
    project.write("cards.csv", table, table.replace("cost", "Cost in points"))
    assert project.explained("cards.csv", "Cost in points").help == "before this branch: `cost`; restore that value"


def test_json_and_settings_are_lines_of_text(project: Project) -> None:
    project.write("cards.json", '[{"name": "Ash", "cost": 46}]', '[{"name": "Ash", "cost": "46"}]')
    assert project.explained("cards.json", '"46"').help == 'before this branch: `"cost": 46`; restore that value'
    project.write("cardgen.yaml", "paper: a4\n", "papper: a4\n")
    assert project.explained("cardgen.yaml", "papper").help == "before this branch: `paper: a4`; restore that value"


def test_what_cannot_be_compared_says_nothing(project: Project) -> None:
    (project.now / "cards.yaml").write_text(CARDS, "utf-8")
    assert project.explained("cards.yaml", "46").help == ""
    project.write("cards.csv", "a,b\n1,2\n", 'a,b\n"1,2\n')
    assert project.explained("cards.csv", '"1,2').help == "before this branch: `1,2`; restore that value"


def test_a_file_of_many_equal_lines_is_compared_at_once(project: Project) -> None:
    before = "".join(f"- cost: {number % 3}\n" for number in range(20_000))
    project.write("cards.yaml", before, before + "- cost: x\n")
    assert project.explained("cards.yaml", "x").help == "this branch added `- cost: x`; remove it"
