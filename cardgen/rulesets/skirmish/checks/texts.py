"""Checks of the texts of warriors, weapons, and scenarios against the data that the referee plays by."""

from collections.abc import Iterator
from typing import Any

from cardgen.game import Card, CheckContext, Features, Finding, Findings, KeyPath, contradictions
from cardgen.rulesets.skirmish import WARRIOR, WEAPON, save_with
from cardgen.rulesets.skirmish.wording import SCENARIOS, WARRIORS, WEAPONS, claims_of

# What only the text of a weapon can say, with the value of a weapon that has no such thing. Its range, Strength, and
# hands are shown beside the text.
_TOLD = {
    "charge_bonus": 0, "first_bonus": 0, "first_strength": 0, "piercing": 0, "attacks": 0, "shots": 1,
    "shots_within": 0, "shots_penalty": 0,
}  # fmt: skip
_UNPENALIZED = ("thrown", "pistol")
# The distance from a marker within which models hold it.
_HOLDING = 3
# What is decided when the last turn ends.
_AT_THE_END = ("hold", "survive", "more-out")

# How the names of a scenario's texts are shown.
_NAMES = {"last_turn": "turn", "turns": "turns:", "winner": "side", "mark": "marker", "reach": "a distance of"}


def text_against_profile(card: Card, context: CheckContext) -> Findings:
    """Yield what the texts of a warrior or a weapon say of it that its keys do not say."""
    if context.card is not card:
        return
    if isinstance(card, WEAPON):
        is_unpenalized = any(rule in _UNPENALIZED for rule in getattr(card, "rules", ()))
        claims = claims_of(WEAPONS, card.text or "").claims
        yield from contradictions({**vars(card), "unpenalized": is_unpenalized}, claims, ("text",))
    elif isinstance(card, WARRIOR):
        for route, text in _texts(card):
            claims = claims_of(WARRIORS, text).claims
            save = save_with(card) if any(claim.meaning.get("armor_save") for claim in claims) else 0
            yield from contradictions({**vars(card), "armor_save": save}, claims, route)


def _texts(warrior: Any) -> Iterator[tuple[KeyPath, str]]:
    """Yield the texts of a warrior, each with the path to it."""
    if warrior.text:
        yield ("text",), warrior.text
    for name, text in (warrior.special or {}).items():
        yield ("special", name), text


def unsaid_rule(card: Card, context: CheckContext) -> Findings:
    """Yield what a weapon does and its text, which was read to its end, does not say."""
    if not isinstance(card, WEAPON) or context.card is not card:
        return
    weapon: Any = card
    claims, is_whole = claims_of(WEAPONS, weapon.text or "")
    if not is_whole:
        return
    said = {key for claim in claims for key, _ in claim.meaning}
    rules = {value for claim in claims for key, value in claim.meaning if key == "rules"}
    for key, usual in _TOLD.items():
        if key not in said and getattr(weapon, key) != usual:
            yield Finding(f"the text says nothing of '{key}: {getattr(weapon, key)}'", (key,), "say it, or remove it")
    for index, name in enumerate(weapon.rules):
        if name not in rules and not (name in _UNPENALIZED and "unpenalized" in said):
            yield Finding(f"the text says nothing of '{name}'", ("rules", index), "say it, or remove it")


def climbing_animal(card: Card, context: CheckContext) -> Findings:
    """Yield what lets an Animal climb."""
    if context.card is card and isinstance(card, WARRIOR) and "Animal" in getattr(card, "rules", ()):
        for route, text in _texts(card):
            for claim in claims_of(WARRIORS, text).claims:
                if claim.meaning.get("climbs"):
                    place = claim.start, claim.end
                    yield Finding("an Animal cannot climb", route, "remove Animal, or the climbing", text_range=place)


def text_against_scenario(card: Card, context: CheckContext) -> Findings:
    """Yield the numbers, sides, edges, and markers that texts of a scenario name in place of those of its data."""
    scenario: Any = card
    if context.card is not card or not hasattr(card, "victory"):
        return
    texts: list[tuple[KeyPath, str]] = [(("setup",), scenario.setup or "")]
    texts += [(("special", name), text) for name, text in (scenario.special or {}).items()]
    for route, text in texts:
        yield from _other_names(text, route, {"turns": scenario.turns or 0, "first": scenario.first})
    for index, way in enumerate(scenario.victory):
        names = {"turns": scenario.turns or 0, "edge": way.edge, "mark": way.mark, "winner": way.side}
        names |= {"last_turn": scenario.turns} if way.when in _AT_THE_END else {}
        names |= {"reach": _HOLDING} if way.when == "hold" else {}
        yield from _other_names(way.text, ("victory", index, "text"), names)
    for index, force in enumerate(scenario.forces):
        claims = claims_of(SCENARIOS, force.text or "").claims
        yield from contradictions(vars(force), claims, ("forces", index, "text"))


def _other_names(text: str, route: KeyPath, values: dict[str, Any]) -> Findings:
    """Yield the first place at which a text names something else than each value, unless it names that, too."""
    named: dict[str, list[tuple[Any, int, int]]] = {}
    for meaning, start, end in SCENARIOS.occurrences("mention", text):
        for key, said in meaning if isinstance(meaning, Features) else ():
            named.setdefault(key, []).append((said, start, end))
    for key, value in values.items():
        others = named.get(key, [])
        if value is None or not others or any(said == value for said, _, _ in others):
            continue
        if value == "either" and len({said for said, _, _ in others}) > 1:
            continue  # It names both sides.
        said, start, end = others[0]
        message = f"the text says {_NAMES.get(key, key)} {said}, and the data say {value}"
        yield Finding(message, route, "change one of them", text_range=(start, end))
