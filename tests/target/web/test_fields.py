"""Fields by which visitors filter: what a game declares, without a list of names."""

from __future__ import annotations

from cardgen.target.web.fields import Fact, Field, column, fields_of, name_of_id, natural_key, value_text
from tests.projects import Folder
from tests.target.web.pages import GAME, harbor, write_page


def test_fields_follow_from_the_declarations_of_the_game(folder: Folder) -> None:
    fields = write_page(harbor(folder))[0].fields
    assert fields["crew"] == ("Crew of", ["Harbor Guard", "Smugglers"], [[1], [0], [0]])
    assert fields["points"] == ("Price", [], [10, 20, 12])
    assert fields["hull"] == ("Hull", [], [2, 0, 9])
    assert fields["swift"] == ("Swift", [], [True, False, False])
    assert fields["cargo"] == ("Cargo", ["Rum", "Silk"], [[0, 1], [0], None])
    assert fields["credit"] == ("Credit", ["Ada", "Bo"], [[0], [0], [1]])
    looks_texts_and_equal_values = {"paint", "flag_art", "lore", "kind", "game", "qty", "note", "name", "id"}
    assert looks_texts_and_equal_values.isdisjoint(fields)


def test_kinds_have_their_titles(folder: Folder) -> None:
    harbor(folder).write("cards/inn.yaml", "kind: inn\nname: Anchor\n")
    folder.write(
        "games/harbor/game.yaml", GAME.replace("  boat:\n", "  inn:\n    title: Gasthöfe\n    fields: {}\n  boat:\n")
    )
    assert write_page(folder)[0].fields["kind"][1] == ["Boat", "Gasthöfe"]


def test_parts_have_the_labels_that_tell_them_apart() -> None:
    def card(mind: float, one: float, other: float, event: str) -> tuple[Fact, ...]:
        return (
            Fact("stats.mind", ("Stats", "Mind"), mind),
            Fact("front.armor", ("Front", "Armor"), one),
            Fact("back.armor", ("Back", "Armor"), other),
            Fact("earn.event", ("Earn", "Event"), (event,)),
            Fact("earn.count", ("Earn", "Count"), mind),
        )

    fields = fields_of([card(1, 2, 3, "raid"), card(2, 3, 1, "raid"), card(3, 1, 2, "hold")])
    labels = {each.key: each.label for each in fields}
    assert labels == {
        "stats.mind": "Mind",
        "front.armor": "Front Armor",
        "back.armor": "Back Armor",
        "earn.event": "Earn event",
        "earn.count": "Earn count",
    }


def test_a_key_can_be_a_number_on_some_cards_and_a_word_on_others() -> None:
    cards = [
        (Fact("x", ("X",), 1.5),),
        (Fact("x", ("X",), 2.0),),
        (Fact("x", ("X",), ("a",)),),
        (Fact("x", ("X",), ("a", "b")),),
    ]
    fields = fields_of(cards)
    assert fields == [Field("x", "X", "number"), Field("x", "X", "choice", ("a", "b"))]
    assert [[column(field, facts) for field in fields] for facts in cards] == [
        [1.5, None],
        [2, None],
        [None, [0]],
        [None, [0, 1]],
    ]


def test_names_and_numbers_read_well() -> None:
    assert name_of_id("scions-of-the-flame") == "Scions of the Flame"
    assert sorted(["10 mm", "9 mm", "B", "a", "²"], key=natural_key) == ["9 mm", "10 mm", "a", "B", "²"]
    assert [value_text(each) for each in (2.0, 0.5, True, ("a", "b"))] == ["2", "0.5", "Yes", "a, b"]
