"""Two cards whose titles are easy to confuse.

Why is this bad?
    Hands and regiments count cards by title, and abilities refer to cards by title. At the table, titles that differ in
    a letter or an ending are read as the same.

Example
    game: diskwars
    cards:
      - {kind: command, name: Hold the Dyke, strategy: steady, activation: 2}
      - {kind: command, name: Hold the Dykes, strategy: bold, activation: 1}  # DW314: 27

Use instead
    game: diskwars
    cards:
      - {kind: command, name: Hold the Dyke, strategy: steady, activation: 2}
      - {kind: command, name: Open the Sluice, strategy: bold, activation: 1}
"""

from itertools import takewhile
from operator import eq

from cardgen.game import Card, CheckContext, CheckScope, Finding, Findings, rule

_TITLED = frozenset({"disk", "command", "terrain", "scenario", "deployment"})
_ALIKE = 0.9
# More cards than a game has of a type.
_MOST_COMPARED = 500


@rule("DW314", "warning", "likely")
def find(card: Card, context: CheckContext) -> Findings:
    """Yield a card whose title is like that of an earlier card of its kind."""
    if context.card is not card or card.KIND not in _TITLED:
        return
    if other := context.scope.look_up(_alike_titles, f"{card.KIND} {card.id}"):
        yield Finding(f"title like that of '{other}'", ("name",), help="choose a title of its own")


def _alike_titles(scope: CheckScope) -> dict[str, str]:
    """Return the first earlier title that is like that of a checked card, or '', by the kind and id of this."""
    alike: dict[str, str] = {}
    for model in scope.own.models():
        cards = [(id_, name) for kind, id_, name in scope.own.facts((model,), _title) if kind == model.KIND]
        for number, (id_, name) in enumerate(cards if model.KIND in _TITLED else ()):
            earlier = (other for _, other in cards[: min(number, _MOST_COMPARED)] if _are_alike(name, other))
            alike.setdefault(f"{model.KIND} {id_}", next(earlier, ""))
    return alike


def _title(card: Card) -> list[str]:
    return [card.KIND, card.id, card.name]


def _are_alike(one: str, other: str) -> bool:
    """Return whether two titles differ in a letter or an ending."""
    first, second = one.casefold(), other.casefold()
    if abs(len(first) - len(second)) > 2 or first[:1] != second[:1]:
        return False
    start = _equal_at_start(first, second)
    end = _equal_at_start(first[start:][::-1], second[start:][::-1])
    return 2 * (start + end) >= _ALIKE * (len(first) + len(second))


def _equal_at_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))
