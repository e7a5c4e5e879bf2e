"""A fighter that is picked, or a die that is rolled, for nothing.

Why is this bad?
    The changes after a pick say what happens to the fighter, and those after a roll for which faces it happens. Without
    them, players pick or roll and do nothing with it. Usually a change is missing, or its `of` or `on_roll`.

Example
    game: warcry
    kind: ability
    name: Hook
    price: double
    changes:
      - {pick: {side: enemy, within: 6}}  # WC328: 6
      - {move: +1, for: activation}

Example
    game: warcry
    kind: ability
    name: Spark
    price: double
    changes:
      - {pick: {side: enemy, within: 6}, roll: 1}  # WC328: 38
      - {of: picked, deal: 1}

Use instead
    game: warcry
    kind: ability
    name: Spark
    price: double
    changes:
      - {pick: {side: enemy, within: 6}, roll: 1}
      - {on_roll: 4+, of: picked, deal: 1}
"""

from collections.abc import Iterable

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import parts_of, placed_changes
from cardgen.rulesets.warcry.selections import Group, SetChange

_ADVICE = {
    "pick": "add a change for it, such as 'of: picked'",
    "roll": "add a change for its faces, such as 'on_roll: 4+'",
}


@rule("WC328", "warning", "likely")
def find(card: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the picks and rolls that no change of the same card uses; a text beside the changes may use them."""
    if card.text and card.changes:
        return
    placed_all = [*placed_changes(card)]
    changes = [placed.change for placed in placed_all]
    for index, placed in enumerate(placed_all):
        later = changes[index:]
        for key, is_used, words in (
            ("pick", _uses_pick(later), "fighter that is picked"),
            ("roll", _uses_roll(later), "roll"),
        ):
            if getattr(placed.change, key) and not is_used:
                message = f"nothing happens to the {words}" if key == "pick" else "nothing depends on the roll"
                place = placed.at(key)
                yield Finding(message, place, _ADVICE[key], placed.text_range, at_key=not placed.text_range)


def _uses_pick(changes: Iterable[Change]) -> bool:
    return any(
        "picked" in (change.roll_each, change.against, change.target)
        or change.swap_places
        or any("picked" in (getattr(part, "of", ""), getattr(part, "to", "")) for part, _ in parts_of(change))
        or any(isinstance(part, Group) and part.unpicked for part, _ in parts_of(change))
        for change in changes
    )


def _uses_roll(changes: Iterable[Change]) -> bool:
    return any(
        change.on_roll
        or "rolled" in (change.deal, change.heal, change.bonus_move, change.shift, change.of)
        or any(isinstance(part, SetChange) and part.value == "rolled" for part, _ in parts_of(change))
        for change in changes
    )
