"""Placeholders are told from words by their form."""

from __future__ import annotations

from pathlib import Path

from cardgen.project_checks.run import CheckRequest, check_project
from tests.cases import each_case
from tests.checking.harness import checked, inside

ONLY = CheckRequest(select=("CG207",))
RELIC = """game: warniris
kind: relic
name: '{name}'
motto: '{motto}'
effects: [{{when: turn_start, bearer: {{heal: 1}}}}]
"""


@each_case(
    ("name", "motto", "found"),
    [
        ("Sun Stone", "It was cold once.", []),
        ("TODO", "It was cold once.", ["3:8"]),
        ("Relic TBD", "It was cold once.", ["3:14"]),
        ("Sun Stone", "TODO: the dawn", ["4:9"]),
        ("Sun Stone", "the dawn (todo: shorten)", ["4:19"]),
        ("Sun Stone", "Fixme", ["4:9"]),
        ("Sun Stone", "Lorem ipsum dolor sit amet.", ["4:9"]),
        ("Sun Stone", "???", ["4:9"]),
        ("Sun Stone", "It shines ??? times.", ["4:19"]),
        ("Sun Stone", "XXX", ["4:9"]),
        ("Sun Stone", "It shines xxx times.", ["4:19"]),
        ("Sun Stone", "<your motto here>", ["4:10"]),
        ("Sun Stone", "[placeholder]", ["4:9"]),
        ("XXX", "It was cold once.", []),
        ("Legion XXX", "The stone of Legion XXX.", []),
        ("Todo Negro", "Todo es oro. Es todo.", []),
        ("TODO O NADA", "ES TODO LO QUE QUEDA.", []),
        ("Sun Stone", "You what???", []),
        ("Sun Stone", "What lies here?", []),
        ("Sun Stone", "Your grave is here. Go.", []),
        ("Sun Stone", "Methodologies of the XXXth sun", []),
    ],
)
def test_placeholders_have_a_form(name: str, motto: str, found: list[str], tmp_path: Path) -> None:
    findings = checked(tmp_path, RELIC.format(name=name, motto=motto), request=ONLY).findings
    spans = [one.diagnostic.place.span for one in findings]
    assert [f"{span.line}:{span.column}" for span in spans if span] == found


GAME = """game: pond
name: Pond
prefix: PN
kinds:
  frog: {fields: {class: {type: text}, likes: {type: list, items: {type: text}}, croak: {type: text, optional: true}}}
"""
CARDS = """game: pond
cards:
  - {kind: frog, name: Anna, class: TODO, likes: [flies, "???"], tags: [TODO], note: TODO}
  - {kind: frog, name: Bert, class: toad, likes: [TBD], draft: true}
"""


def test_all_printed_texts_of_own_games_and_tables_count(tmp_path: Path) -> None:
    (tmp_path / "games/pond").mkdir(parents=True)
    (tmp_path / "games/pond/game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text("game: pond\ntables: {cards/t.csv: {kind: frog}}\n", encoding="utf-8")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/a.yaml").write_text(CARDS, encoding="utf-8")
    (tmp_path / "cards/t.csv").write_text("kind,name,class,likes\nfrog,Cleo,toad,flies\nfrog,Dora,tbd,mud\n", "utf-8")
    with inside(tmp_path):
        findings = [str(one.diagnostic) for one in check_project(ONLY).findings]
    assert [each.partition(": warning")[0] for each in findings] == [
        "cards/a.yaml:3:37",
        "cards/a.yaml:3:59",
        "cards/t.csv:3:11",
    ]
