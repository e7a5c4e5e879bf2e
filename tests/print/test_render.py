"""Cards that are drawn together: what is like another's is drawn once, and nothing else is."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cardgen.builds.builder import build
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.face.face import Face, Picture, Text
from cardgen.print.render import CardRenderer
from cardgen.print.request import BuildRequest, ProgressCounter
from tests.projects import STATS, Folder

ALIKE = f"{{name: Twin, stats: {STATS}, art: pic.png"


def drawn(*, backs: bool = False) -> list[tuple[Face, Face | None]]:
    project, deck = load_deck(())
    made = CardRenderer(project).render_all(deck.cards, ProgressCounter(), backs=backs)
    return [(each.piece.front, each.piece.back) for each in made]


def words(face: Face | None) -> list[str]:
    assert face is not None
    return [line.text for item in face.items if isinstance(item, Text) for line in item.lines]


def twins(folder: Folder, *places: str) -> None:
    """Two cards of which all is alike but their folders, with a picture in some of these."""
    folder.plain()
    for number, place in enumerate(("red", "blue")):
        folder.write(f"cards/{place}/deck.yaml", f"kind: minion\ncards:\n  - {ALIKE}, id: twin-{number}}}\n")
    for place in places:
        picture = BytesIO()
        Image.new("RGB", (300, 300), place).save(picture, "png")
        folder.write(f"cards/{place}/pic.png", picture.getvalue())


def test_each_card_has_the_picture_beside_its_own_file(folder: Folder) -> None:
    twins(folder, "red", "blue")
    pictures = [item.path for front, _ in drawn() for item in front.items if isinstance(item, Picture)]
    assert sorted(path.parent.name for path in pictures) == ["blue", "red"]


def test_a_picture_that_is_missing_beside_one_of_them_is_said(folder: Folder) -> None:
    twins(folder, "red")
    with pytest.raises(CardgenError, match=r"blue.*pic\.png"):
        drawn()


SIDE = '<svg xmlns:cg="https://cardgen.dev/svg"><cg:text x="5" y="5" width="50" height="9">{{ side }}</cg:text></svg>'


def test_a_template_may_be_the_front_of_one_card_and_the_back_of_another(folder: Folder) -> None:
    for name in ("foo", "foo.back", "foo.back.back"):
        folder.write(f"templates/warniris/{name}.svg.j2", SIDE)
    cards = [
        f"{{name: {name}, stats: {STATS}, template: {template}}}"
        for name, template in (("A", "foo.back"), ("B", "foo"))
    ]
    folder.write("cards/a.yaml", "kind: minion\ncards:\n" + "".join(f"  - {card}\n" for card in cards))
    assert [(words(front), words(back)) for front, back in drawn(backs=True)] == [(["front"], ["back"])] * 2


def test_an_icon_in_a_group_that_leaves_nothing_of_it_is_not_drawn(folder: Folder, tmp_path: Path) -> None:
    text = '<cg:text x="1" y="1" width="40" height="20">a {{ "{heart}" }} b</cg:text>'
    body = f'<svg xmlns:cg="https://cardgen.dev/svg"><g transform="scale(0)">{text}</g></svg>'
    folder.plain().write("templates/warniris/minion.svg.j2", body)
    folder.minions("A")
    assert build(BuildRequest(cache=False, backs="none")).written


def test_capitals_and_hyphens_are_those_of_the_card_the_file_or_the_project(folder: Folder) -> None:
    caps = '<cg:text x="2" y="2" width="50" height="9" style="title">{{ card.name }}</cg:text>'
    text = '<cg:text x="2" y="20" width="24" height="40" size="9">{{ card.text }}</cg:text>'
    folder.write("templates/warniris/minion.svg.j2", f'<svg xmlns:cg="https://cardgen.dev/svg">{caps}{text}</svg>')
    folder.write("cardgen.yaml", "language: tr\n")
    rest = f"stats: {STATS}, text: 'Verlängerungsmöglichkeiten und Mannschaftsführerinnen'"
    folder.write("cards/a.yaml", f"language: de\nkind: minion\ncards:\n  - {{name: Ipek, {rest}}}\n")
    folder.write(
        "cards/b.yaml", f"kind: minion\ncards: [{{name: Iris, {rest}, language: fi}}, {{name: iyi, {rest}}}]\n"
    )
    project, deck = load_deck(())
    renderer = CardRenderer(project)
    german, finnish, turkish = (words(renderer.render_faces(each, backs=False).front.face) for each in deck.cards)
    assert (german[0], turkish[0]) == ("IPEK", "İYİ")
    assert any(line.endswith("-") for line in german)
    assert not any(line.endswith("-") for line in (*finnish, *turkish))
