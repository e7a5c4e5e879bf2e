"""Checks of the texts of warriors, weapons, and scenarios against the data that the referee plays by."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from cardgen.game import (
    Card,
    CheckContext,
    Claim,
    Features,
    Finding,
    Findings,
    KeyPath,
    contradictions,
    mismatches,
    split_sentences,
)
from cardgen.rulesets.skirmish import WARBAND, WARRIOR, WEAPON, save_with
from cardgen.rulesets.skirmish.wording import CLAIMS, SCENARIOS, WARBANDS, WARRIORS, WEAPONS, all_claims_of, claims_of

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
    "has_magic": "'magic' lists no magic item",
    "magic_items": "the number of its magic items is {value}",
    "rides_up": "nobody climbs while mounted",
    "moves_and_shoots": "its rule 'move-or-fire' forbids it",
    "pierces": "'piercing' is 0",
    "told_range": "its range is {value[0]}",
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
    "range_mentioned": "none of its weapons has this range",
    "slays_from": "Killing Blow slays on a 6 to wound",
    "poison_from": "Poison wounds on a 6 to hit",
    "terror_within": "Terror is for models within 6 inches",
    "with_shield": "'hands' says otherwise",
    "weapons": "it has no such weapon",
    "half_range": "half of its range is {value[0]}",
    "in_turn": "its rule 'strikes-last' says otherwise",
    "poisoned": "'poison' in 'rules' says otherwise",
    "worn": "'armor' says otherwise",
    "sturdy": "'w' says otherwise",
    "m_double": "at the double, it moves {value[0]} inches",
    "is_wizard": "'wizard' is 0",
    "shoots": "'weapons' has a missile weapon",
    "armed": "'weapons' says otherwise",
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
    "leader_named": "'leader' is another member",
    "followers": "without its leader, it has {value[0]} models",
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
    "told_models": "models:",
    "told_points": "points:",
    "count": "a number of",
    "table_width": "a width of",
    "table_depth": "a depth of",
    "attacker_in": "the attacker is in the",
    "defender_in": "the defender is in the",
    "reach": "a distance of",
    "attacker_within": "a zone of the attacker of",
    "defender_within": "a zone of the defender of",
    "side_models": "a number of models of",
    "both_within": "zones of",
    "table_width_feet": "a width in feet of",
    "table_depth_feet": "a depth in feet of",
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
            "in_turn": "strikes-last" not in weapon.rules,
            "poisoned": "poison" in weapon.rules,
            "pierces": weapon.piercing > 0,
            "with_shield": weapon.hands == 1,
            "slays_from": 6,
            "poison_from": 6,
            **({"told_range": [weapon.range, weapon.range // 2, weapon.shots_within]} if weapon.range else {}),
            **({"half_range": [weapon.range // 2, -(-weapon.range // 2)]} if weapon.range else {}),
            "worsens": [weapon.piercing, weapon.piercing + max(0, weapon.strength - 3)],
        }
        claims = all_claims_of(WEAPONS, weapon.text or "")
        yield from contradictions(values, claims, ("text",), _DERIVED, type(card))
    elif isinstance(card, WARRIOR):
        for route, text in _texts(card):
            claims = all_claims_of(WARRIORS, text)
            mount = getattr(card, "mount", None)
            values = {**vars(card), "mounted": mount is not None, "barded": bool(mount and mount.barded)}
            values |= {"has_magic": bool(getattr(card, "magic", ())), "magic_items": len(getattr(card, "magic", ()))}
            values |= {"rides_up": False} if mount is not None else {}
            values |= _mentionable(card, context)
            if any("save" in key for claim in claims for key, _ in claim.meaning):
                values |= _saves(card, context)
            values |= _of_rules(card)
            yield from contradictions(values, claims, route, _DERIVED, type(card))
        for index, text in enumerate(getattr(card, "magic", ())):
            # Whatever else an item changes is not a characteristic of the warrior.
            wards = [claim for claim in claims_of(WARRIORS, text).claims if claim.meaning.get("ward")]
            yield from contradictions(vars(card), wards, ("magic", index), model=type(card))
    elif isinstance(card, WARBAND):
        yield from contradictions(
            _of_members(card, context), claims_of(WARBANDS, card.text or "").claims, ("text",), _COUNTS
        )


def _of_rules(warrior: Any) -> dict[str, Any]:
    """Return the numbers of the special rules that a warrior has."""
    values = {
        "Frenzy": {"frenzied_attacks": warrior.a + 1, "frenzy_attacks": 1},
        "Killing Blow": {"slays_from": 6},
        "Poison": {"poison_from": 6},
        "Terror": {"terror_within": 6},
    }
    return {key: value for name, own in values.items() if name in warrior.rules for key, value in own.items()}


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
        **({"leader_named": _leader_names(warband, warriors)} if named else {}),
        "followers": [len(warriors) - 1, len(warriors)],
        "leader_rank": [each.rank for each in warriors if not named or warband.leader in (each.name, each.id)],
        "is_undead": all("Undead" in each.rules for each in warriors),
        "all_mounted": all(each.mount is not None for each in warriors),
    }


def _leader_names(warband: Any, warriors: Sequence[Any]) -> list[Any]:
    """Return the names that the text of a warband gives to its leader and that no other member has."""
    others = {each.name.lower() for each in warriors if warband.leader not in (each.name, each.id)}
    claims = claims_of(WARBANDS, warband.text or "").claims
    names = [said for claim in claims for key, said in claim.meaning if key == "leader_named"]
    return [name for name in names if name not in others]


def _mentionable(warrior: Any, context: CheckContext) -> dict[str, Any]:
    """Return the values that a passing mention of a warrior's profile can mean: its mount's or a weapon's as well."""
    links = context.entry.links if context.entry else {}
    weapons: list[Any] = [link.card for name in warrior.weapons if (link := links.get(("weapon", name)))]
    profiles = [warrior, *([warrior.mount] if warrior.mount else [])]
    more = {0, 1 if len(weapons) < len(warrior.weapons) or "Frenzy" in warrior.rules else 0}
    more |= {first + each.attacks for each in weapons for first in more}
    bonuses = [0, *(getattr(each, key) for each in weapons for key in ("bonus", "charge_bonus", "first_bonus"))]
    strengths = [each.s + bonus for each in profiles for bonus in bonuses]
    return {
        "weapons": _arms(warrior),
        "worn": {"none": ["none"], "light": ["some"]}.get(warrior.armor, ["some", "full"]),
        "sturdy": warrior.w > 1,
        "m_double": [each.m * 2 for each in profiles],
        "is_wizard": [warrior.wizard > 0, *([True] if _has_spells(warrior) else [])],
        "shoots": any(each.range for each in weapons) or len(weapons) < len(warrior.weapons),
        "armed": bool(warrior.weapons),
        "rules": [*warrior.rules, *(["Fear"] if "Terror" in warrior.rules else [])],
        "a_mentioned": [each.a + extra for each in profiles for extra in sorted(more)],
        "m_mentioned": [each.m * times for each in profiles for times in (1, 2)],
        "s_mentioned": [*strengths, *(each.strength for each in weapons if each.strength or each.first_strength)],
        **_ranges(weapons),
    }


def _has_spells(warrior: Any) -> bool:
    """Return whether something else than its level lets a warrior cast spells."""
    own = " ".join((*warrior.rules, *warrior.magic, *(warrior.special or {}).values())).lower()
    return any(word in own for word in ("spell", "caster", "magic"))


def _arms(warrior: Any) -> list[Any]:
    """Return the weapons that the texts of a warrior name and that one of its weapons or magic items can be."""
    own = " ".join((*warrior.weapons, *warrior.magic)).lower()
    claims = [claim for _, text in _texts(warrior) for claim in claims_of(WARRIORS, text).claims]
    named = [said for claim in claims for key, said in claim.meaning if key == "weapons"]
    return [*warrior.weapons, *(name for name in named if str(name) in own or str(name).replace(" ", "") in own)]


def _ranges(weapons: Sequence[Any]) -> dict[str, Any]:
    """Return the distances of missile weapons that a text can name; none without such a weapon."""
    missiles = [each for each in weapons if each.range]
    distances = [each for weapon in missiles for each in (weapon.range, weapon.range / 2, weapon.shots_within)]
    return {"range_mentioned": [int(each) for each in distances]} if missiles else {}


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
            yield Finding(
                f"the text says nothing of '{key}: {getattr(weapon, key)}'",
                (key,),
                "mention it in the text, or remove the key",
            )
    for index, name in enumerate(weapon.rules):
        if name not in rules and not (name in _UNPENALIZED and "unpenalized" in said):
            yield Finding(
                f"the text says nothing of '{name}'", ("rules", index), "mention it in the text, or remove the key"
            )


# What a special rule rules out: the key of a clause, with the rules that do, and why.
_RULED_OUT = {
    "climbs": (("Animal",), "an Animal cannot climb"),
    "flees": (("Immune", "Frenzy"), "it never flees from a charge"),
    "panics": (("Immune", "Frenzy", "Undead"), "panic does not affect it"),
    "stays": (("Frenzy",), "it must charge an enemy in reach"),
    "shielded": (("Animal",), "an Animal carries no shield"),
    "lives": (("Undead",), "it is dead"),
    "hates_always": (("Hatred",), "it re-rolls misses in the first round of each combat only"),
    "slays_on_hit": (("Killing Blow",), "it slays on a 6 to wound"),
    "routs": (("Undead", "Immune"), "it takes rout tests all the same"),
    "alone": (("Immune",), "it takes All Alone tests all the same"),
    "tests_stupidity": (("Stupidity",), "it tests its Leadership at the start of its turn"),
    "feared": (("Fear", "Terror"), "enemies test their Leadership to charge it"),
    "easy": (("Large", "Monster"), "missiles have +1 to hit it"),
    "rolls_injury": (("Swarm",), "swarms only lose Wounds, and make no injury roll"),
    "slain": (("Swarm", "Monster", "Large"), "Killing Blow slays man-sized enemies"),
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


# What the game or its guidelines leave out, and why.
_LEFT_OUT = {
    "results": "a skirmish counts no combat results",
    "pursuit": "nobody pursues in a skirmish",
    "ranks": "every model is a unit of its own",
    "flight": "nothing flies in a skirmish",
    "machines": "skirmishes do without war machines and chariots",
    "banners": "skirmishes do without banners and musicians",
}
_DENIED = re.compile(r"(?i)\b(?:no|not|never|none|nor|neither|without|cannot|nobody|nothing|ignores?)\b|n't\b")


def left_out(card: Card, context: CheckContext) -> Findings:
    """Yield what special rules and forces have that a skirmish or its guidelines leave out."""
    special = getattr(card, "special", None) or {}
    texts: list[tuple[KeyPath, str]] = [(("special", name), text) for name, text in special.items()]
    forces = enumerate(getattr(card, "forces", ()))
    texts += [(("forces", index, "text"), force.text or "") for index, force in forces]
    own = [(("text",), getattr(card, "text", None) or "")] if isinstance(card, (WEAPON, WARRIOR)) else []
    for route, text in [*texts, *own] if context.card is card else ():
        for sentence in split_sentences(text):
            for what, start, end in CLAIMS.occurrences("unused", sentence.text):
                is_rule = route != ("text",) or what in ("results", "pursuit", "ranks")
                if is_rule and not _DENIED.search(sentence.text[: start + 12]):
                    place = sentence.start + start, sentence.start + end
                    yield Finding(_LEFT_OUT[str(what)], route, "write another rule, or leave it out", text_range=place)


def text_against_scenario(card: Card, context: CheckContext) -> Findings:
    """Yield the numbers, sides, edges, and markers that texts of a scenario name in place of those of its data."""
    scenario: Any = card
    if context.card is not card or not hasattr(card, "victory"):
        return
    table: dict[str, Any] = {key: getattr(scenario, key) for key in ("table_width", "table_depth")}
    for side in ("attacker", "defender"):
        table[f"{side}_in"] = _parts_of_table(scenario, side)
        table |= _depths(scenario, side)
    table |= {f"{key}_feet": getattr(scenario, key) / 12 for key in ("table_width", "table_depth")}
    table["both_within"] = tuple(sorted({_depth(scenario, zone) for zone in scenario.zones}))
    limits = {force.models_max for force in scenario.forces}
    table |= {"side_models": tuple(sorted(limits))} if limits else {}
    texts: list[tuple[KeyPath, str]] = [((key,), getattr(scenario, key) or "") for key in ("reason", "setup")]
    texts += [(("special", name), text) for name, text in (scenario.special or {}).items()]
    for route, text in texts:
        named = _mentions(text, scenario)
        values = {**table, "turns": scenario.turns or 0, "first": scenario.first}
        yield from mismatches(named, route, values, _NAMES)
        yield from _other_sites(text, route, scenario)
    texts += [(("victory", index, "text"), way.text) for index, way in enumerate(scenario.victory)]
    for route, text in texts:
        yield from _missing_names(text, route, scenario)
    for index, way in enumerate(scenario.victory):
        names = {"turns": scenario.turns or 0, "edge": way.edge, "mark": way.mark, "winner": way.side}
        names |= {"count": way.count} if way.when in _COUNTED else {}
        names |= {"last_turn": scenario.turns} if way.when in _AT_THE_END else {}
        names |= {"reach": _HOLDING} if way.when == "hold" else {}
        named = _mentions(way.text, scenario, way)
        yield from mismatches(named, ("victory", index, "text"), names, _NAMES)
        yield from _other_way(named, ("victory", index, "text"), way.when)
    for index, force in enumerate(scenario.forces):
        claims = claims_of(SCENARIOS, force.text or "").claims
        yield from contradictions(vars(force), claims, ("forces", index, "text"), model=type(force))
        told = {"told_models": _around(force.models_min, force.models_max)}
        told |= {"told_points": _around(force.points_min, force.points_max)}
        yield from mismatches(claims, ("forces", index, "text"), told, _NAMES)


def _around(least: int, most: int) -> tuple[int, ...]:
    """Return what a text can say of limits: 'two or three' and 'fewer than four' are the same."""
    return least, most, least - 1, most + 1


def _mentions(text: str, scenario: Any, way: Any = None) -> list[Claim]:
    """Return what a text mentions, with the names of forces and markers for sides and letters.

    A text of a `way` to win with a part of the name of its marker names no other one.
    """
    read = _occurrences(text)
    plain, places = _renamed(text, _letters_and_sides(scenario))
    said = {key for meaning, _, _ in read for key, _ in meaning}
    mark = getattr(way, "mark", None)
    own = [word[:4] for marker in scenario.markers if marker.mark == mark for word in marker.name.lower().split()]
    said |= {"mark"} if any(re.search(rf"(?i)\b{re.escape(word)}", text) for word in own) else set()
    found = _occurrences(plain)
    for meaning, start, end in (*found, *(_on_the_way(plain, found) if way else _of_the_start(plain))):
        more = {key: value for key, value in meaning if key not in said}
        if more:
            read.append(Claim(Features.of(**more), places[start], places[end - 1] + 1))
    return read


def _occurrences(text: str) -> list[Claim]:
    found = SCENARIOS.occurrences("mention", text)
    return [Claim(meaning, start, end) for meaning, start, end in found if isinstance(meaning, Features)]


_COMPASS = {word: edge for edge in ("north", "east", "south", "west") for word in (edge, f"{edge}ern")}
# What a number counts besides models and markers, and what a number stands after if it counts nothing.
_COUNTED_OTHERWISE = frozenset(("inch", "turn", "points", "sides", "players", "feet", "wound", "dice", "side"))
_NO_COUNT = frozenset(("turn", "within", "roll", "or", "by", "than", "first", "last", "other", "of", "each", "every"))


def _on_the_way(text: str, read: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the edges and the number that the text of a way to win names in any other wording."""
    inside = {place for _, start, end in read for place in range(start, end)}
    tokens = [token for token in SCENARIOS.tokenize(text) if token.word not in ("a", "an", "the")]
    numbers = []
    for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False):
        last, following = before.word if before else "", after.word if after else ""
        is_edge = token.word in _COMPASS and (following == "edge" or not token.is_capitalized)
        if is_edge and last != "from" and following != "of":
            yield Claim(Features.of(edge=_COMPASS[token.word]), token.start, token.end)
        is_count = token.kind == "number" and last not in _NO_COUNT and following not in _COUNTED_OTHERWISE
        if is_count and token.start not in inside and token.value not in (0, 1):
            numbers.append(Claim(Features.of(count=token.value), token.start, token.end))
    if len(numbers) == 1 and not any("count" in dict(meaning) for meaning, _, _ in read):
        yield numbers[0]


# How somebody sets up or arrives, and what makes it another place, a later time, or a part of the side.
_ARRIVING = frozenset(
    (
        *("set", "sets", "begin", "deploy", "deploys", "wait", "waits", "sleep", "sleeps", "stand", "stands", "camp"),
        *("camps", "lie", "lies", "hide", "hides", "gather", "gathers", "come", "comes", "march", "arrive", "arrives"),
        *("enter", "enters", "approach", "approaches", "ride", "sneak", "sneaks", "creep", "creeps", "walk", "move"),
        *("storm", "storms", "rush", "rushes", "land", "lands", "climb", "attack", "attacks", "appear", "appears"),
    )
)
_AT = frozenset(("from", "at", "in", "along", "on", "by", "near"))
_ELSEWHERE = frozenset(("turn", "half", "some", "reserves", "later", "not", "never", "no", "if", "when", "or"))
_FIRST = re.compile(
    r"(?i)\b(?:(?:take|have|get|gain)s? the (?:first|opening) turn|opens the (?:game|fight)"
    r"|(?:go|move|act|play|start)(?:e?s)? (?:first|before (?:(?:any|every)(?:one|body) else|the other side)))\b"
)
_OPEN = re.compile(r"(?i)\b(?:if|when|whoever|whichever|unless|or|roll|rolls|not|never|cannot|nobody|may|can|then)\b")
_ENDS = re.compile(
    r"(?i)\b(?:game|battle|fight|skirmish)\b.*\b(?:over|ends?|stops?|lasts?|goes on)\b"
    r"|\b(?:ends?|stops?) the (?:game|battle|fight|skirmish)\b|\b(?:everyone|everybody)\b.*\bhome\b"
)


def _of_the_start(text: str) -> Iterator[Claim]:
    """Yield where a part of a sentence sets up the only side that it names, who begins, and the turn that ends it."""
    actors: list[str] = []
    for sentence in split_sentences(text):
        begins = _FIRST.search(sentence.text)
        named = re.findall("attacker|defender", sentence.text[: begins.start() if begins else None])
        is_told = re.search(r"(?i)\bthey\b", sentence.text) is not None
        actors = named or actors
        if begins and len(set(actors)) == 1 and (named or is_told) and not _OPEN.search(sentence.text):
            start = sentence.start + begins.start()
            yield Claim(Features.of(first=actors[0]), start, sentence.start + begins.end())
        tokens = [token for token in SCENARIOS.tokenize(sentence.text) if token.word not in ("a", "an", "the")]
        sides, part = set[str](), list[str]()
        for index, (token, after) in enumerate(zip(tokens, (*tokens[1:], None), strict=False)):
            before = tokens[index - 1] if index else None
            last, following = before.word if before else "", after.word if after else ""
            part = [] if token.word in ",;:" else [*part, token.word]
            sides = {"attacker", "defender"}.intersection(part) or sides
            place = sentence.start + token.start, sentence.start + token.end
            is_place = token.word in _COMPASS and not token.is_capitalized and last in _AT and following != "of"
            if is_place and len(sides) == 1 and _ARRIVING.intersection(part) and _ELSEWHERE.isdisjoint(part):
                yield Claim(Features.of(**{f"{min(sides)}_in": _COMPASS[token.word]}), *place)
            is_part = before is not None and before.written in _NO_COUNT
            is_duration = token.kind == "number" and following == "turn" and not is_part
            beyond = tokens[index + 2].word if len(tokens) > index + 2 else ""
            if is_duration and beyond not in ("of", "in") and _ENDS.search(sentence.text):
                yield Claim(Features.of(turns=token.value), *place)


def _letters_and_sides(scenario: Any) -> dict[str, str]:
    """Return what stands for the names of a scenario: sides for forces, letters for markers, '' for places."""
    names = {each.name: "" for each in (*scenario.terrain, *scenario.zones)}
    letters: dict[str, set[str]] = {}
    for marker in scenario.markers:
        letters.setdefault(marker.name, set()).add(marker.mark)
    names = {name: f"marker {min(own)}" for name, own in letters.items() if len(own) == 1} | names
    return {force.name.removeprefix("The "): force.side for force in scenario.forces} | names


def _renamed(text: str, names: dict[str, str]) -> tuple[str, list[int]]:
    """Return a text with other words for names, unless they are '', and where each of its characters was before."""
    words = {name.lower(): stands for name, stands in names.items() if name}
    by_length = sorted(words, key=lambda name: -len(name))
    plain, places, last = "", [], 0
    for match in re.finditer(rf"(?i)\b({'|'.join(map(re.escape, by_length))})s?\b", text) if words else ():
        new = words[match[1].lower()] or match[0]
        plain += text[last : match.start()] + new
        places += [*range(last, match.start()), *[match.start()] * (len(new) - 1), match.end() - 1]
        last = match.end()
    return plain + text[last:], [*places, *range(last, len(text))]


# The map is that of the start.
_LATER = re.compile(r"(?i)\b(?:after|when|whenever|if|until|once|while|turns?|then|becomes?)\b")


def _other_sites(text: str, route: KeyPath, scenario: Any) -> Findings:
    """Yield what a text says of a terrain feature or marker that the map has otherwise."""
    sites = [*scenario.terrain, *scenario.markers]
    for name in {site.name: None for site in sites if site.name.lower() in text.lower()}:
        plain, places = _renamed(text, {each.name: "landmark" if each.name == name else "" for each in sites})
        for meaning, start, end in SCENARIOS.occurrences("site", plain):
            said = dict(meaning) if isinstance(meaning, Features) else {}
            if _LATER.search(plain, plain.rfind(".", 0, start) + 1, start):
                continue
            if right := _otherwise(said, [site for site in sites if site.name == name], scenario):
                place = places[start], places[end - 1] + 1
                yield Finding(f"on the map, {right}", route, "change the text, or the map", text_range=place)


def _otherwise(said: dict[str, Any], found: Sequence[Any], scenario: Any) -> str:
    """Return what the map has in place of what is said of sites with a name; '' if it agrees."""
    if "number" in said:
        return "" if said["number"] == len(found) else f"'{found[0].name}' is there {len(found)} times"
    site, width, depth = found[0], getattr(found[0], "width", 0), getattr(found[0], "depth", 0)
    if len(found) > 1:
        return ""
    far = {
        "west": site.left,
        "north": site.top,
        "east": scenario.table_width - site.left - width,
        "south": scenario.table_depth - site.top - depth,
    }
    sides = {"west": scenario.table_width, "east": scenario.table_width}
    if (part := said.get("part")) and 2 * far[part] >= sides.get(part, scenario.table_depth):
        return f"'{site.name}' is on the other half of the table"
    if "distance" in said and said["distance"] != far[said["edge"]]:
        return f"'{site.name}' is {far[said['edge']]:g} inches from the {said['edge']} edge"
    if said.get("level") and getattr(site, "level", 0) not in (0, said["level"]):
        return f"the highest floor of '{site.name}' is {site.level} inches up"
    if width and "size" in said and not {said["size"], said.get("other", width)} <= {width, depth}:
        return f"'{site.name}' is {width:g} by {depth:g} inches"
    return ""


def _other_way(mentions: Sequence[Claim], route: KeyPath, when: str) -> Findings:
    """Yield the first place at which a text decides the game by something else than its condition does."""
    named: dict[str, tuple[Any, int, int]] = {}
    for meaning, start, end in mentions:
        for key, said in meaning:
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
        turn = turn or (said.get("last_turn", 0) if route[0] != "victory" else 0)
        number = sum(each.mark == said.get("label") for each in scenario.markers)
        if number and said.get("placed", number) != number:
            message = f"on the map, {number} of the markers have the letter {said['label']}"
            yield Finding(message, route, "change the text, or the map", text_range=(start, end))
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


def _depth(scenario: Any, zone: Any) -> float:
    """Return how far a zone reaches into the table from the edge that is nearest to its far side."""
    right, bottom = scenario.table_width - zone.left, scenario.table_depth - zone.top
    depth = min(zone.left + zone.width, zone.top + zone.depth, right, bottom)
    return int(depth) if float(depth).is_integer() else depth


def _depths(scenario: Any, side: str) -> dict[str, Any]:
    """Return how deep the zones of a side are at the edges from which its texts measure."""
    key, zones = f"{side}_within", [zone for zone in scenario.zones if zone.side == side]
    text = " ".join((scenario.setup or "", *(scenario.special or {}).values()))
    told = [meaning for meaning, _, _ in _mentions(text, scenario)]
    depths: list[float] = []
    for edge in (meaning.get(f"{side}_edge") for meaning in told if meaning.get(key)):
        for zone in zones:
            right, bottom = scenario.table_width - zone.left, scenario.table_depth - zone.top
            depth = {"west": zone.left + zone.width, "north": zone.top + zone.depth, "east": right, "south": bottom}[
                edge
            ]
            depths.append(int(depth) if float(depth).is_integer() else depth)
    return {key: tuple(depths)} if depths else {}
