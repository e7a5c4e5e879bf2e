"""Input of other programs: card data, and artwork as SVG files.

`python material.py FOLDER` creates the following in a project that already has card files:
- `templates/`: our character template, with one SVG file per house as its emblem, as for the other programs;
- `peers/cards.yaml`: names, numbers, and the text of abilities, as users of other programs would type them;
- `peers/frame.svg` and `peers/pips-N.svg`: the artwork of our template for every card, and for N wounds;
- `peers/HOUSE.svg`: the emblems; `peers/TYPE.svg`: the icons of weapon types.
This is not measured.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from cardgen.deck.deck import load_deck, require_game
from cardgen.face.face import Artwork, read_icon
from cardgen.face.ornaments import Arms, Ornaments, choose_arms, path_data
from cardgen.face.theme import Theme, load_theme
from cardgen.print.render import CardRenderer, RenderedCard
from cardgen.print.request import ProgressCounter
from cardgen.project.files import built_in_folder
from cardgen.text.lines import Phrase, parse_markup
from cardgen.text.shaped_row import Drawings, Icons

GAME, KIND = "warniris", "character"
# As the template has it: the emblem's place and its width in mm.
EMBLEM = re.compile(r"\{\{ emblem\(card\.id, (.+?), (.+?), (.+), card\.blazon\) \}\}")
# The width of the emblems as files, in mm.
DRAWN = 22
INCLUDED = (
    r'<g transform="translate({{ \1 }} {{ \2 }}) scale({{ (\3) / '
    f'{DRAWN} }}}})">{{% include "{GAME}/emblems/" ~ card.tags[0] ~ ".svg" %}}</g>'
)
STATS = (("mind", "M", "brain"), ("body", "B", "hand-fist"), ("spirit", "S", "ghost"), ("wounds", "W", "heart"),
         ("movement", "Mo", "person-running"))  # fmt: skip


def prepare(root: Path) -> None:
    """Create the material in the project folder, which becomes the current folder."""
    os.chdir(root)
    theme = load_theme((built_in_folder("templates"),), GAME, "default")
    shared = built_in_folder("templates") / "shared"
    icons = Icons(Drawings([shared / "icons"], read_icon), charges=Drawings([shared / "charges"], read_icon))
    peers = root / "peers"
    peers.mkdir()
    _, deck = load_deck(())
    houses = sorted({entry.card.tags[0] for entry in deck.cards})
    _templates(root / "templates" / GAME, peers, houses, Ornaments(theme, icons), icons.charges.names())
    project, deck = load_deck(())
    made = CardRenderer(project).render_all(deck.cards, ProgressCounter(), backs=False)
    _artwork(peers, made, theme, icons)
    cards = [_plain(each.entry.card) for each in made]
    text = yaml.dump(cards, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False)
    (peers / "cards.yaml").write_text(text, encoding="utf-8")


def _templates(folder: Path, peers: Path, houses: Iterable[str], ornaments: Ornaments, charges: Sequence[str]) -> None:
    source = (built_in_folder("templates") / GAME / f"{KIND}.svg.j2").read_text(encoding="utf-8")
    source, count = EMBLEM.subn(INCLUDED, source)
    if not count:
        raise RuntimeError(f"the template has no emblem of the form {EMBLEM.pattern}; adapt {Path(__file__).name}")
    emblems = folder / "emblems"
    emblems.mkdir(parents=True)
    (folder / f"{KIND}.svg.j2").write_text(source, encoding="utf-8")
    used: set[Arms] = set()
    for house in houses:
        identity = next(name for name in _names(house) if choose_arms(name, charges) not in used)
        used.add(choose_arms(identity, charges))
        drawn = ornaments.emblem(identity, 0, 0, DRAWN)
        (emblems / f"{house}.svg").write_text(drawn, encoding="utf-8")
        # The line around a shield is as thick outside of its path as inside.
        _write(peers / f"{house}.svg", (-0.5, -0.5, 23, 26.6), drawn)


def _names(house: str) -> Iterator[str]:
    yield from (f"{house}-{number}" for number in range(1000))


def _write(path: Path, view: tuple[float, float, float, float], drawn: str) -> None:
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{view[2]}mm" height="{view[3]}mm" '
        f'viewBox="{" ".join(map(str, view))}">{drawn}</svg>',
        encoding="utf-8",
    )


def _artwork(peers: Path, made: list[RenderedCard], theme: Theme, icons: Icons) -> None:
    """Write the frame, which all cards share, and the circles for wounds."""
    chunks = [[_body(item) for item in each.piece.front.items if isinstance(item, Artwork)] for each in made]
    common = set.intersection(*map(set, chunks))
    size = made[0].size
    whole = (0.0, 0.0, size.width, size.height)
    light, soft = theme.colour("light"), theme.colour("soft")
    labels = "".join(_icon(icons, name, 8.2 + n * 12.05, 49.2, 2.1, light) for n, (_, _, name) in enumerate(STATS))
    _write(peers / "frame.svg", whole, "".join(body for body in chunks[0] if body in common) + labels)
    for each, bodies in zip(made, chunks, strict=True):
        own = [body for body in bodies if body not in common and "<circle" in body and "clip" not in body]
        _write(peers / f"pips-{each.entry.card.stats.wounds}.svg", whole, "".join(own))  # type: ignore[attr-defined]
    for sort, name in (("CW", "crossed-swords"), ("RW", "crosshairs"), ("P", "wand-magic-sparkles")):
        _write(peers / f"{sort}.svg", (0, 0, 2.4, 2.4), _icon(icons, name, 1.2, 1.2, 2.4, soft))


def _body(artwork: Artwork) -> str:
    svg = artwork.svg.decode()
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")].strip()


def _icon(icons: Icons, name: str, x: float, y: float, size: float, fill: str) -> str:
    outline = icons.find(name)
    assert outline is not None
    scale = size / max(1.0, outline.width)
    place = f"translate({x - outline.width * scale / 2:.3f} {y - scale / 2:.3f}) scale({scale:.4g})"
    rule = ' fill-rule="evenodd"' if outline.evenodd else ""
    return f'<path transform="{place}" d="{path_data(outline)}" fill="{fill}"{rule}/>'


def _plain(card: Any) -> dict[str, Any]:
    """Return a card as names, numbers, and words with their style.

    The style is 'b' (bold) or 'r' (regular).
    """
    game = require_game(GAME)
    words = [f"**{weapon.name}:** {said}" for weapon in card.weapons if (said := game.describe(weapon))]
    for ability in card.abilities:
        once = game.once_label(ability)
        label = f"**{ability.name}** *({once.lower()}):*" if once else f"**{ability.name}:**"
        words.append(f"{label} {game.describe(ability)}")
    return {
        "name": card.name,
        "house": card.tags[0],
        "motto": card.motto,
        "stats": {letter: getattr(card.stats, name) for name, letter, _ in STATS},
        "weapons": [
            {"name": weapon.name, "type": str(weapon.type)}
            | {
                letter: str(getattr(weapon, name) or "–")
                for letter, name in (("R", "range"), ("P", "penetration"), ("D", "damage"), ("H", "healing"))
            }
            for weapon in card.weapons
        ],
        "words": [
            [["b" if phrase.bold else "r", phrase.text] for phrase in paragraph if isinstance(phrase, Phrase)]
            for text in words
            for paragraph in parse_markup(text)
        ],
    }


if __name__ == "__main__":
    prepare(Path(sys.argv[1]).resolve())
