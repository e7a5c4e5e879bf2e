"""Checks of the texts of warriors, weapons, and scenarios against the data that the referee plays by."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from cardgen.game import Card, CheckContext, Features, Finding, Findings, KeyPath, contradictions
from cardgen.rulesets.skirmish import WARBAND, WARRIOR, WEAPON, save_with
from cardgen.rulesets.skirmish.wording import SCENARIOS, WARBANDS, WARRIORS, WEAPONS, claims_of

# What only the text of a weapon can say, with the value of a weapon that has no such thing. Its range, Strength, and
# hands are shown beside the text.
_TOLD = {
    "charge_bonus": 0, "first_bonus": 0, "first_strength": 0, "piercing": 0, "attacks": 0, "shots": 1,
    "shots_within": 0, "shots_penalty": 0,
}  # fmt: skip
_UNPENALIZED = ("thrown", "pistol")
# What follows from several keys, or from none, and what is said of a text that says something else.
_DERIVED = {
    "unpenalized": "a 'thrown' weapon or a 'pistol' has no penalty for long range or for moving, any other has both",
    "strikes_first": "no rule lets a weapon strike first",
    "saves": "no weapon takes away a whole armor save; 'piercing' takes up to 3 off",
    "serves_feet": "its rule 'mounted-only' forbids it",
    "serves_riders": "its rule 'foot-only' forbids it",
    "has_magic": "'magic' names no magic item",
    "magic_items": "the number of its magic items is {value}",
    "rides_up": "nobody climbs while mounted",
    "moves_and_shoots": "its rule 'move-or-fire' forbids it",
    "pierces": "'piercing' is 0",
    "worsens": "'piercing' and its Strength make saves {value[1]} worse",
    "frenzied_attacks": "with Frenzy, it has {value} Attacks",
    "frenzy_attacks": "Frenzy is +1 Attack",
    "armor_alone": "without a shield, its save is {value[1]}",
    "shield_alone": "with its shield, it has a save of {value[0]}",
    "melee_save": "none of its weapons for close combat makes this save",
    "heavy_save": "heavy armor makes a save of {value[0]}",
    "light_save": "light armor makes a save of {value[0]}",
    "heavy_shield_save": "heavy armor and a shield make a save of {value[0]}",
    "light_shield_save": "light armor and a shield make a save of {value[0]}",
    "armor_save": "its armor, shield, and mount make a save of {value}",
    "mounted": "'mount' says whether it rides, and says something else",
    "barded": "'barded' of its mount says something else",
    "a_mentioned": "its Attacks are {value[0]}",
    "m_mentioned": "its Movement is {value[0]}",
    "s_mentioned": "its Strength is {value[0]}",
    "save_mentioned": "nothing of it makes this save",
}
_COUNTS = {
    "models": "it has {value} models",
    "points": "its members cost {value} points",
    "wizards": "the number of its Wizards is {value}",
    "mounted": "the number of its riders is {value}",
    "heroes": "the number of its Heroes and Lords is {value}",
    "magic_items": "the number of its magic items is {value}",
    "leadership": "its leader has Leadership {value}",
    "leadership_mentioned": "none of its members has this Leadership",
    "leader_rank": "its leader has another rank",
    "is_undead": "not all of its members are Undead",
    "all_mounted": "not all of its members are mounted",
}
# The distance from a marker within which models hold it.
_HOLDING = 3
# What is decided by a number of models or markers.
_COUNTED = ("reach-edge", "carry", "survive")
# What is decided when the last turn ends.
_AT_THE_END = ("hold", "survive", "more-out")

# What is decided wherever models stand, and what texts name of all other ways to win.
_ANYWHERE = ("leader-out", "wiped-out", "more-out")
_PLACES = frozenset(("mark", "edge", "count", "last_turn", "reach"))

# How the names of a scenario's texts are shown.
_NAMES = {
    "last_turn": "turn",
    "turns": "turns:",
    "winner": "side",
    "mark": "marker",
    "count": "a number of",
    "table_width": "a width of",
    "table_depth": "a depth of",
    "attacker_in": "the attacker is in the",
    "defender_in": "the defender is in the",
    "reach": "a distance of",
    "attacker_within": "a zone of the attacker of",
    "defender_within": "a zone of the defender of",
    "side_models": "a number of models of",
}


def text_against_profile(card: Card, context: CheckContext) -> Findings:
    """Yield what the texts of a warrior or a weapon say of it that its keys do not say."""
    if context.card is not card:
        return
    if isinstance(card, WEAPON):
        weapon: Any = card
        values = {
            **vars(card),
            "unpenalized": any(rule in _UNPENALIZED for rule in weapon.rules),
            "strikes_first": False,  # No rule of a weapon does this or the next.
            "saves": True,
            "serves_feet": "mounted-only" not in weapon.rules,
            "serves_riders": "foot-only" not in weapon.rules,
            "moves_and_shoots": "move-or-fire" not in weapon.rules,
            "pierces": weapon.piercing > 0,
            "worsens": [weapon.piercing, weapon.piercing + max(0, weapon.strength - 3)],
        }
        claims = claims_of(WEAPONS, weapon.text or "").claims
        yield from contradictions(values, claims, ("text",), _DERIVED, type(card))
    elif isinstance(card, WARRIOR):
        for route, text in _texts(card):
            claims = claims_of(WARRIORS, text).claims
            mount = getattr(card, "mount", None)
            values = {**vars(card), "mounted": mount is not None, "barded": bool(mount and mount.barded)}
            values |= {"has_magic": bool(getattr(card, "magic", ())), "magic_items": len(getattr(card, "magic", ()))}
            values |= {"rides_up": False} if mount is not None else {}
            values |= _mentionable(card, context)
            if any("save" in key for claim in claims for key, _ in claim.meaning):
                values |= _saves(card, context)
            if "Frenzy" in getattr(card, "rules", ()):
                values |= {"frenzied_attacks": getattr(card, "a", 0) + 1, "frenzy_attacks": 1}
            yield from contradictions(values, claims, route, _DERIVED, type(card))
    elif isinstance(card, WARBAND):
        yield from contradictions(
            _of_members(card, context), claims_of(WARBANDS, card.text or "").claims, ("text",), _COUNTS
        )


def _of_members(warband: Any, context: CheckContext) -> dict[str, Any]:
    """Return what a text can say of the members of a warband; only their number if one of them is missing."""
    links = context.entry.links if context.entry else {}
    found = [(links.get(("warrior", each.card)), each.qty) for each in warband.members]
    values: dict[str, Any] = {"models": sum(number for _, number in found)}
    if not all(link for link, _ in found):
        return values
    warriors: list[Any] = [link.card for link, number in found if link for _ in range(number)]
    named = [each.ld for each in warriors if warband.leader in (each.name, each.id)]
    return values | {
        "points": sum(each.points for each in warriors),
        "wizards": sum(each.wizard > 0 for each in warriors),
        "mounted": sum(each.mount is not None for each in warriors),
        "heroes": sum(each.rank in ("hero", "lord") for each in warriors),
        "magic_items": sum(len(each.magic) for each in warriors),
        "leadership": max(named or [each.ld for each in warriors]),
        "leadership_mentioned": [each.ld for each in warriors],
        "leader_rank": [each.rank for each in warriors if not named or warband.leader in (each.name, each.id)],
        "is_undead": all("Undead" in each.rules for each in warriors),
        "all_mounted": all(each.mount is not None for each in warriors),
    }


def _mentionable(warrior: Any, context: CheckContext) -> dict[str, Any]:
    """Return the values that a passing mention of a warrior's profile can mean: its mount's or a weapon's as well."""
    links = context.entry.links if context.entry else {}
    weapons: list[Any] = [link.card for name in warrior.weapons if (link := links.get(("weapon", name)))]
    profiles = [warrior, *([warrior.mount] if warrior.mount else [])]
    bonuses = [0, *(getattr(each, key) for each in weapons for key in ("bonus", "charge_bonus", "first_bonus"))]
    strengths = [each.s + bonus for each in profiles for bonus in bonuses]
    return {
        "rules": [*warrior.rules, *(["Fear"] if "Terror" in warrior.rules else [])],
        "a_mentioned": [each.a + more for each in profiles for more in (0, 1)],
        "m_mentioned": [each.m * times for each in profiles for times in (1, 2)],
        "s_mentioned": [*strengths, *(each.strength for each in weapons if each.strength)],
    }


# The saves of armor and shield.
_CHART = {"heavy_save": 5, "light_save": 6, "heavy_shield_save": 4, "light_shield_save": 5}


def _saves(warrior: Any, context: CheckContext) -> dict[str, Any]:
    """Return the armor saves that texts of a warrior can name, some of them with the mount or without it."""
    whole = save_with(warrior)
    from_mount = 0 if warrior.mount is None else 1 + warrior.mount.barded
    saves: dict[str, Any] = {key: [save - from_mount, save] for key, save in _CHART.items()}
    bare = whole + warrior.shield  # without the shield
    saves |= {"armor_save": whole, "armor_alone": [whole, bare, bare + from_mount], "shield_alone": [whole, 6]}
    links = context.entry.links if context.entry else {}
    found = [links.get(("weapon", name)) for name in warrior.weapons]
    if None not in found:
        weapons = [link.card for link in found if link and not getattr(link.card, "range", 0)]
        in_melee = {save_with(warrior, each) for each in weapons}
        # That of the whole, or of the shield alone.
        saves["melee_save"] = sorted(in_melee | {7 - bare + save for save in in_melee if save < bare})
    ward = getattr(warrior, "ward", None)
    each = [[save] if isinstance(save, int) else save for key, save in saves.items() if key not in _CHART]
    saves["save_mentioned"] = [whole, *chain.from_iterable(each), *([ward] if ward else [])]
    return {key: save for key, save in saves.items() if save}


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
    read = claims_of(WEAPONS, weapon.text or "")
    if not read.is_whole:
        return
    said = {"piercing" if key in ("pierces", "worsens") else key for claim in read.claims for key, _ in claim.meaning}
    rules = {value for claim in read.claims for key, value in claim.meaning if key == "rules"}
    for key, usual in _TOLD.items():
        if key not in said and getattr(weapon, key) != usual:
            yield Finding(f"the text says nothing of '{key}: {getattr(weapon, key)}'", (key,), "say it, or remove it")
    for index, name in enumerate(weapon.rules):
        if name not in rules and not (name in _UNPENALIZED and "unpenalized" in said):
            yield Finding(f"the text says nothing of '{name}'", ("rules", index), "say it, or remove it")


# What a special rule rules out: the key of a clause, with the rules that do, and why.
_RULED_OUT = {
    "climbs": (("Animal",), "an Animal cannot climb"),
    "flees": (("Immune", "Frenzy"), "it never flees from a charge"),
    "panics": (("Immune", "Frenzy"), "panic and fear do not affect it"),
    "stays": (("Frenzy",), "it must charge an enemy in reach"),
    "shielded": (("Animal",), "an Animal carries no shield"),
    "lives": (("Undead",), "it is dead"),
    "hates_always": (("Hatred",), "it re-rolls misses in the first round of each combat only"),
    "slays_on_hit": (("Killing Blow",), "it slays on a 6 to wound"),
    "routs": (("Undead", "Immune"), "it takes rout tests all the same"),
}


def against_own_rule(card: Card, context: CheckContext) -> Findings:
    """Yield what the texts of a warrior say that one of its special rules rules out."""
    if context.card is not card or not isinstance(card, WARRIOR):
        return
    for route, text in _texts(card):
        for claim in claims_of(WARRIORS, text).claims:
            for key, _ in claim.meaning:
                names, why = _RULED_OUT.get(key, ((), ""))
                if name := next((each for each in names if each in getattr(card, "rules", ())), ""):
                    place = claim.start, claim.end
                    yield Finding(f"{name}: {why}", route, f"remove {name}, or change the text", text_range=place)


def text_against_scenario(card: Card, context: CheckContext) -> Findings:
    """Yield the numbers, sides, edges, and markers that texts of a scenario name in place of those of its data."""
    scenario: Any = card
    if context.card is not card or not hasattr(card, "victory"):
        return
    table: dict[str, Any] = {key: getattr(scenario, key) for key in ("table_width", "table_depth")}
    for side in ("attacker", "defender"):
        table[f"{side}_in"] = _parts_of_table(scenario, side)
        table |= _depths(scenario, side)
    limits = {force.models_max for force in scenario.forces}
    table |= {"side_models": tuple(sorted(limits))} if limits else {}
    texts: list[tuple[KeyPath, str]] = [(("setup",), scenario.setup or "")]
    texts += [(("special", name), text) for name, text in (scenario.special or {}).items()]
    for route, text in texts:
        yield from _other_names(text, route, {**table, "turns": scenario.turns or 0, "first": scenario.first})
    texts += [(("victory", index, "text"), way.text) for index, way in enumerate(scenario.victory)]
    for route, text in texts:
        yield from _missing_names(text, route, scenario)
    for index, way in enumerate(scenario.victory):
        names = {"turns": scenario.turns or 0, "edge": way.edge, "mark": way.mark, "winner": way.side}
        names |= {"count": way.count} if way.when in _COUNTED else {}
        names |= {"last_turn": scenario.turns} if way.when in _AT_THE_END else {}
        names |= {"reach": _HOLDING} if way.when == "hold" else {}
        yield from _other_names(way.text, ("victory", index, "text"), names)
        yield from _other_way(way.text, ("victory", index, "text"), way.when)
    for index, force in enumerate(scenario.forces):
        claims = claims_of(SCENARIOS, force.text or "").claims
        yield from contradictions(vars(force), claims, ("forces", index, "text"), model=type(force))


def _other_way(text: str, route: KeyPath, when: str) -> Findings:
    """Yield the first place at which a text decides the game by something else than its condition does."""
    named: dict[str, tuple[Any, int, int]] = {}
    for meaning, start, end in SCENARIOS.occurrences("mention", text):
        for key, said in meaning if isinstance(meaning, Features) else ():
            if key == "way" and said == when:
                return
            named.setdefault(key, (said, start, end))
    if "way" in named and _PLACES.isdisjoint(named):
        said, *place = named["way"]
        message = f"the text says 'when: {said}', and the data say {when}"
        yield Finding(message, route, "change one of them", text_range=(place[0], place[1]))
    elif "way" not in named and "leaves" in named and when in _ANYWHERE:
        _, start, end = named["leaves"]
        message = f"the text lets something leave the table, which 'when: {when}' does not ask for"
        yield Finding(message, route, "change one of them", text_range=(start, end))


def _missing_names(text: str, route: KeyPath, scenario: Any) -> Findings:
    """Yield the markers and turns that a text names, and that the scenario does not have."""
    marks = {marker.mark for marker in scenario.markers}
    named = [each for each in SCENARIOS.occurrences("mention", text) if isinstance(each[0], Features)]
    has_labels = any(meaning.get("label") in marks for meaning, _, _ in named if isinstance(meaning, Features))
    for meaning, start, end in named:
        said = dict(meaning) if isinstance(meaning, Features) else {}
        mark, turn = said.get("mark") or (said.get("label") if has_labels else None), said.get("named_turn", 0)
        if mark and marks and mark not in marks:
            advice = f"add it to 'markers', or write {' or '.join(sorted(marks))}"
            yield Finding(f"no marker has the letter {mark}", route, advice, text_range=(start, end))
        if scenario.turns and turn > scenario.turns:
            message = f"the scenario ends after turn {scenario.turns}"
            yield Finding(message, route, "change the turn, or 'turns'", text_range=(start, end))


def _parts_of_table(scenario: Any, side: str) -> tuple[str, ...]:
    """Return the quarters of the compass in which a side sets up, at least in part."""
    middle = {"west": scenario.table_width / 2, "north": scenario.table_depth / 2}
    parts = set()
    for zone in (each for each in scenario.zones if each.side == side):
        parts |= {"west"} if zone.left < middle["west"] else set()
        parts |= {"north"} if zone.top < middle["north"] else set()
        parts |= {"east"} if zone.left + zone.width > middle["west"] else set()
        parts |= {"south"} if zone.top + zone.depth > middle["north"] else set()
    return tuple(sorted(parts))


def _depths(scenario: Any, side: str) -> dict[str, Any]:
    """Return how deep the zones of a side are at the edges from which its texts measure."""
    key, zones = f"{side}_within", [zone for zone in scenario.zones if zone.side == side]
    text = " ".join((scenario.setup or "", *(scenario.special or {}).values()))
    told = [meaning for meaning, _, _ in SCENARIOS.occurrences("mention", text) if isinstance(meaning, Features)]
    depths: list[float] = []
    for edge in (meaning.get(f"{side}_edge") for meaning in told if meaning.get(key)):
        for zone in zones:
            right, bottom = scenario.table_width - zone.left, scenario.table_depth - zone.top
            depth = {"west": zone.left + zone.width, "north": zone.top + zone.depth, "east": right, "south": bottom}[
                edge
            ]
            depths.append(int(depth) if float(depth).is_integer() else depth)
    return {key: tuple(depths)} if depths else {}


def _other_names(text: str, route: KeyPath, values: dict[str, Any]) -> Findings:
    """Yield the first place at which a text names something else than each value, unless it names that, too."""
    named: dict[str, list[tuple[Any, int, int]]] = {}
    for meaning, start, end in SCENARIOS.occurrences("mention", text):
        for key, said in meaning if isinstance(meaning, Features) else ():
            named.setdefault(key, []).append((said, start, end))
    for key, value in values.items():
        others = named.get(key, [])
        right = value if isinstance(value, tuple) else (value,)
        if value is None or not others or any(said in right for said, _, _ in others):
            continue
        if value == "either" and len({said for said, _, _ in others}) > 1:
            continue  # It names both sides.
        said, start, end = others[0]
        message = f"the text says {_NAMES.get(key, key)} {said}, and the data say {' and '.join(map(str, right))}"
        yield Finding(message, route, "change one of them", text_range=(start, end))
