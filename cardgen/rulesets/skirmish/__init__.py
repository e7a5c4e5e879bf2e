"""Warhammer Skirmish: fights between handfuls of warriors. Its cards, rulings, and most checks are in `game.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from cardgen.game import Card, game_from_file

if TYPE_CHECKING:
    from cardgen.game import Claims


def save_with(card: Card, weapon: Card | None = None) -> int:
    """Return the armor save of a warrior with a weapon, or against missiles; 7 if it has none."""
    from cardgen.game import card_data  # loaded here to read cards fast, as the referee is
    from cardgen.rulesets.skirmish.referee.warrior import warrior_of, weapon_of

    warrior = warrior_of({**card_data(card), "weapons": ()})
    used = weapon_of(card_data(weapon)) if weapon else None
    return warrior.save(used, is_mounted=warrior.mount is not None)


def rout_threshold(models: int) -> int:
    """Return how many models out of action make a force test for a rout."""
    from cardgen.rulesets.skirmish.referee import warrior

    return warrior.rout_threshold(models)


def ruling_answer(name: str, setting: str) -> str:
    """Return the answer of a ruling as a sentence; nothing for one that does not exist, which a check reports."""
    return next((each.settings.get(setting, "") for each in RULESET.rulings if each.id == name), "")


def _claims_of(part: object, text: str) -> Claims:
    from cardgen.rulesets.skirmish import wording  # loaded here to read cards fast

    is_place = isinstance(part, (RULESET.kinds["scenario"].model, FORCE))
    others = wording.WEAPONS if isinstance(part, WEAPON) else wording.WARRIORS
    grammar = wording.SCENARIOS if is_place else wording.WARBANDS if isinstance(part, WARBAND) else others
    told = wording.claims_of(grammar, text)
    return told if is_place else told._replace(claims=tuple(wording.all_claims_of(grammar, text)))


RULESET = game_from_file(
    __name__,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.referee.trials",
    reference=f"{__name__}.reference",
    template_functions={"save_with": save_with, "rout_threshold": rout_threshold, "ruling_answer": ruling_answer},
)._replace(claims_of=_claims_of)
WARRIOR, WEAPON, WARBAND = (RULESET.kinds[kind].model for kind in ("warrior", "weapon", "warband"))
FORCE = get_args(RULESET.kinds["scenario"].model.model_fields["forces"].annotation)[0]
