"""The table: disks, players, and everything that the tracker remembers about a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cardgen.game import (
    CardData,
    DeckCard,
    Effect,
    EffectRules,
    Log,
    Measurement,
    Player,
    Procedure,
    Roll,
    StackField,
    StackModel,
    affect,
    apply_text,
    choose,
    choose_one,
    confirm,
    select,
)
from cardgen.rulesets.diskwars.referee.disk import (
    ARCANE,
    CHAOS,
    DAMAGE_TYPES,
    IMPACT,
    MAGIC,
    RANGED,
    RANGES,
    RULING,
    Crossing,
    Disk,
    Harm,
    Health,
    Shot,
    ShotEnd,
    Terrain,
    battle_die,
    candidates,
    cross,
    damage_taken,
    names_harm,
    shoot,
    suffer,
    terrain_of,
)
from cardgen.rulesets.diskwars.referee.strength import Strength


@dataclass(eq=False, kw_only=True)
class Piece(StackModel):
    """A disk in a battle, and what has happened to it."""

    disk: Disk
    card: CardData
    health: Health = field(default_factory=Health)

    @property
    def name(self) -> str:
        """Its name, which no other disk has."""
        return self.disk.name

    @property
    def is_hero(self) -> bool:
        """Whether it leads a regiment."""
        return self.card.get("role") == "hero"

    @property
    def status(self) -> str:
        """Its damage, wounds, and tokens, or the place where it is."""
        tokens = {"activated": self.health.is_activated, "empowered": self.health.is_empowered}
        words = [str(self.health), *(word for word, is_there in tokens.items() if is_there)]
        return ", ".join([each for each in words if each != "0 damage"] if self.is_present else [self.place])

    def __str__(self) -> str:
        return f"{self.name} ({self.status})" if self.status else self.name


@dataclass(eq=False, kw_only=True)
class Table(StackField[Piece]):
    """A battle in progress, with the places of the players whose cards are being resolved."""

    resolved: set[int] = field(default_factory=set)

    @property
    def first(self) -> str:
        """The name of the first player; by the ruling `eliminated-player`, '' once that player is eliminated."""
        return "" if self.order[0].is_out and self.says("eliminated-player", "none") else self.active[0].name

    @property
    def scenario_rules(self) -> list[Effect]:
        """What the active scenario changes."""
        return [rule for each in self.shared for rule in each.data.get("bonuses", ())]

    def terrain_of(self, card: CardData) -> Terrain:
        """Return the terrain of a card, with the keywords that the active scenario gives all terrain."""
        more = {each["stat"] for each in self.scenario_rules if each["whom"] == "terrain"}
        terrain = terrain_of(card)
        assert terrain
        return terrain._replace(keywords=terrain.keywords | more)

    def pins(self, upper: Piece, lower: Piece) -> bool:
        """Return whether a disk pins another: it lies on it, by the ruling `stacks` without a disk between them."""
        return lower in upper.beneath and (self.says("stacks", "touching") or upper.touches(lower))

    def is_pinned(self, who: Piece) -> bool:
        """Return whether a disk cannot be activated because others lie on it."""
        counts_friends = self.says("friendly-pin", "pins")
        return any(self.pins(each, who) and (counts_friends or each.side != who.side) for each in self.present)

    def pinned_by(self, who: Piece, *, is_enemy: bool = True) -> list[Piece]:
        """Return the enemies, or the friends, that a disk pins."""
        return [each for each in self.present if self.pins(who, each) and (each.side != who.side) == is_enemy]

    def ready(self, player: Player[Any]) -> list[Piece]:
        """Return the disks of a player on the field that can be activated."""
        return [each for each in self.of_player(player) if not (each.health.is_activated or self.is_pinned(each))]

    def profile(self, who: Piece) -> Disk:
        """Return a disk with what the scenario, terrain, and passive abilities give it."""
        disk = who.disk
        for each in self.scenario_rules:
            is_met = {"all": True, "heroes": who.is_hero, "units": not who.is_hero}
            if is_met.get(each["whom"]):
                disk = disk.with_rule(each["stat"], each["amount"])
            elif each["whom"] == "wounded":
                disk = disk._replace(if_wounded=(*disk.if_wounded, (each["stat"], each["amount"])))
        for each in who.ground:
            disk = disk.with_terrain(each, self.rules)
        impact = disk.impact and with_bonuses(disk.impact, self.bonuses(who, "impact"))
        return disk._replace(impact=impact)

    def movement(self, who: Piece) -> int:
        """Return the flips that a disk has in a move."""
        return with_bonuses(self.profile(who).at(who.health).movement, self.bonuses(who, "movement"))

    def bonuses(self, who: Piece, stat: str, *, is_far: bool = False) -> list[Effect]:
        """Return what the passive ability of its player's card adds, which is in force until the card is discarded."""
        owner = self.owner(who)
        if not owner.cards or not (owner.index in self.resolved or self.says("passive-start", "reveal")):
            return []
        is_light = not who.disk.keywords.isdisjoint(("flying", "strider"))
        is_met = {"always": True, "ready": not who.health.is_activated, "light": is_light, "far": is_far}
        return [
            each for each in owner.cards[0].data.get("bonuses", ()) if each["stat"] == stat and is_met[each["when"]]
        ]

    def hurt(self, blows: Iterable[tuple[Piece, Harm]]) -> Procedure[None]:
        """Deal damage to disks at once."""
        for who, harm in blows:
            who.health = suffer(self.profile(who), who.health, harm, self.rules)
            yield Log(
                "{} takes {} damage: {}", (who.name, damage_taken(self.profile(who), harm, self.rules), who.health)
            )
        yield from self.remove([each for each in self.present if each.health.is_out])


def with_bonuses(number: int, bonuses: Iterable[Effect]) -> int:
    """Return a number with what bonuses add, at least 0; those that leave at least 1 of it come last."""
    for each in sorted(bonuses, key=lambda each: bool(each.get("floor"))):
        lowered = number + int(each["amount"])
        number = max(lowered, min(number, 1)) if each.get("floor") else lowered
    return max(0, number)


def move(table: Table, who: Piece, flips: int | None = None, *, may_fight: bool = True) -> Procedure[None]:
    """Move a disk by flips, each of which can pin, trample, and cross terrain; without `may_fight`, onto no enemy.

    By default, it has the flips of its movement, which a wound on the way can change.
    """
    made, first_pins, struck, crossed = 0, set[Piece](), set[Piece](), set[str]()
    is_flying, is_sure = "flying" in who.disk.keywords, not who.disk.keywords.isdisjoint(("flying", "strider"))
    models = [each for each in table.present if may_fight or each.side == who.side]
    while who.is_present and (left := (table.movement(who) if flips is None else flips) - made) > 0:
        until = "flips until its move ends" if is_flying else "flips until it overlaps something, or its move ends"
        used = yield Measurement("flips", who.name, until, 0, left)
        if not used:
            break
        # Of several flips, all but the last overlapped nothing, so the last one brings the disk back onto terrain.
        before, made = [*who.ground] if used == 1 else [], made + used
        yield from table.leave(who)
        yield from table.lay(who, [each for each in models if each.is_present])
        enemies, stopped = set(table.pinned_by(who)), not (who.beneath or who.ground)
        ends = any("rough" in each.keywords for each in who.ground if each not in before) and not is_sure
        is_first = not first_pins or (enemies <= first_pins and table.says("relentless-first", "same"))
        halts = bool(enemies) and not ("relentless" in who.disk.keywords and is_first)
        first_pins |= enemies
        yield from _trample(table, who, struck)
        clears = table.says("cleared-way", "goes-on") and table.says("impact-moment", "before")
        halts &= not (clears and not table.pinned_by(who))
        if is_flying or not is_sure:
            yield from _cross(table, who, crossed, Crossing(1, stops=True))
        if is_flying or ends or halts or stopped:
            break
    if made and not is_flying and is_sure and table.says("strider-rest", "hurt"):
        yield from _cross(table, who, crossed, Crossing(1, stops=True))


def _trample(table: Table, who: Piece, struck: set[Piece]) -> Procedure[None]:
    """Deal impact damage to the disks that a moving disk pins now."""
    impact = table.profile(who).impact
    friends = table.pinned_by(who, is_enemy=False) if table.says("impact-friends", "all") else []
    pinned = [each for each in (*table.pinned_by(who), *friends) if impact]
    if table.says("impact-again", "once"):
        pinned = [each for each in pinned if each not in struck]
    struck.update(pinned)
    yield from table.hurt([(each, Harm(impact, source=IMPACT)) for each in pinned])


def _cross(table: Table, who: Piece, crossed: set[str], crossing: Crossing) -> Procedure[None]:
    """Roll for the dangerous terrain that a disk overlaps."""
    for each in [each for each in who.ground if each.dangerous]:
        is_again = each.name in crossed and table.says("dangerous-again", "once")
        crossed.add(each.name)
        if who.is_present and not is_again:
            disk = table.profile(who)
            who.health = yield from cross(disk, who.health, each.dangerous, crossing, table.rules)
            yield from table.hurt(())


DEPLOYED, REINFORCED = "deployed", "reinforced"


def gifts(zone: Iterable[DeckCard], when: str) -> list[str]:
    """Return what the cards of a zone give disks that are deployed, or that reinforce, in it."""
    return [each["gives"] for card in zone for each in card.data.get("bonuses", ()) if each["when"] == when]


def receive(who: Piece, given: Sequence[str]) -> Procedure[None]:
    """Let a disk have keywords for the battle, an empowerment token, or no activation token."""
    for each in given:
        if each in ZONE_TOKENS:
            who.health = who.health._replace(**ZONE_TOKENS[each])
        else:
            who.disk = who.disk._replace(keywords=who.disk.keywords | {each})
        yield Log("{}: {}", (who.name, each))


def reinforce(table: Table, who: Piece) -> Procedure[None]:
    """Bring a disk from the reserve onto the field, with an activation token."""
    is_flanking = "flank" in who.disk.keywords and (
        yield from confirm("flank", who.name, "flanks: touches any edge, outside of enemy zones, and pins no enemy")
    )
    may_pin = table.says("reinforce-enemy", "allowed") and not is_flanking
    who.place, who.health = "field", who.health._replace(is_activated=True)
    yield Log("{} reinforces", (who.name,))
    zones = {} if is_flanking else table.zones.get(who.side, {})
    if any(gifts(zone, REINFORCED) for zone in zones.values()):
        zone = yield from choose("zone", who.name, "zone in which it reinforces", zones)
        yield from receive(who, gifts(zone, REINFORCED))
    models = [each for each in table.present if may_pin or each.side == who.side]
    yield from table.lay(who, models)
    yield from _cross(table, who, set(), Crossing(1, reinforces=True))


ZONE_TOKENS = {"empowered": {"is_empowered": True}, "ready": {"is_activated": False}}
PASS, NOBODY = "passes", "nobody"
# What effects do to tokens.
TOKENS = {"empower": {"is_empowered": True}, "refresh": {"is_activated": False}, "exhaust": {"is_activated": True}}
# What players can report of abilities that have only text, and what they are asked for.
REPORTS: dict[str, dict[str, tuple[str, ...]]] = {
    "damage": {"amount": (), "damage": DAMAGE_TYPES}, "move": {"amount": ()}, **{each: {} for each in TOKENS}
}  # fmt: skip
# Whom effects strike among whom are enemies.
_ENEMIES = ("enemy", "any", "enemies", "all")
Step = Callable[[], Procedure[None]]


def act(table: Table, who: Piece) -> Procedure[None]:
    """Take one action with an activated disk; a mobile one can add a shot or focus ability to its move."""
    steps = _steps(table, who)
    moves: dict[str, Step] = {"moves": partial(move, table, who)} if table.movement(who) else {}
    options: dict[str, Sequence[Step]] = {name: (step,) for name, step in {**moves, **steps}.items()}
    if "mobile" in who.disk.keywords and moves:
        options |= _with_move(moves["moves"], steps)
    for step in (yield from choose("action", who.name, "action", {**options, PASS: ()})):
        has_stopped = bool(table.pinned_by(who)) and table.says("mobile-pin", "forbidden")
        if who.is_present and not (has_stopped and step in steps.values() and "moved" in who.acts):
            who.acts |= {"moved"} if step in moves.values() else set()
            yield from step()
    who.acts.discard("moved")
    who.health = who.health._replace(is_activated=True)


def _with_move(moves: Step, steps: Mapping[str, Step]) -> dict[str, Sequence[Step]]:
    """Return what a mobile disk can do with its move: one of the steps before it, or after it."""
    return {
        **{f"{name}, then moves": (step, moves) for name, step in steps.items()},
        **{f"moves, then {name}": (moves, step) for name, step in steps.items()},
    }


def scout(table: Table, who: Piece) -> Procedure[None]:
    """Make the free move of a scout, which lies on no enemy afterwards and gets no activation token.

    By the ruling `scout-mobile`, a mobile one can use its focus ability, unless that is known to damage enemies.
    """
    moves, focus = partial(move, table, who, may_fight=False), _focus(table, who)
    options: dict[str, Sequence[Step]] = {"moves": (moves,)}
    strikes = any(each["do"] == "damage" and each["whom"] in _ENEMIES for each in who.card.get("focus_effects", ()))
    if "mobile" in who.disk.keywords and not strikes and table.says("scout-mobile", "allowed"):
        options |= _with_move(moves, focus)
    steps = (yield from choose("scouts", who.name, "free move", options)) if len(options) > 1 else options["moves"]
    for step in steps:
        if who.is_present:
            yield from step()


def _focus(table: Table, who: Piece) -> dict[str, Step]:
    """Return the focus ability that a disk prints."""
    if not (text := who.card.get("focus")):
        return {}
    effects = who.card.get("focus_effects", ())
    return {"uses its focus ability": partial(apply_text, table, who, text, effects, _effect_rules(table))}


def _steps(table: Table, who: Piece) -> dict[str, Step]:
    """Return the ranged attacks and focus abilities of a disk."""
    steps: dict[str, Step] = {}
    rules = _effect_rules(table)
    if not (table.pinned_by(who) and table.says("pinning-shot", "target")):
        steps |= {f"shoots with {each.name}": partial(_shoot, table, who, each) for each in who.disk.ranged}
    if who.disk.magic:
        effect = {"name": "Magic", "do": "damage", "whom": "enemy", "within": "medium", "amount": who.disk.magic}
        steps["uses Magic"] = partial(affect, table, who, [{**effect, "damage": ARCANE, "source": MAGIC}], rules)
    return {**steps, **_focus(table, who)}


def _shoot(table: Table, who: Piece, attack: Any) -> Procedure[None]:
    """Choose a target, and shoot."""
    probe = Harm(1, attack.damage, RANGED)
    targets = [
        each for each in table.present if each is not who and not names_harm(each.disk.immune, probe, table.rules)
    ]
    if table.says("own-targets", "enemies"):
        targets = [each for each in targets if each.side != who.side]
    if table.says("pinning-shot", "shooter"):
        targets = [each for each in targets if not table.pinned_by(each)]
    what = f"target in sight, within {attack.range} range"
    target = yield from choose_one("target", who.name, what, targets, NOBODY)
    if target is None:
        return
    reaches = RANGES[: RANGES.index(attack.range) + 1]
    distance = yield from choose("range", who.name, f"range of {target.name}", {each: each for each in reaches})
    is_far = distance != RANGES[0]
    bonuses = [*table.bonuses(who, "shots", is_far=is_far), *table.bonuses(target, "shelter", is_far=is_far)]
    faces = candidates(table.settings[RULING])[0]
    attack = attack._replace(missile=with_bonuses(attack.missile, bonuses))
    has_cover = any("cover" in each.keywords for each in target.ground)
    shot = Shot(who.name, attack, table.profile(target), faces, table.rules, None, distance == RANGES[-1], has_cover)
    struck: list[Piece] = []
    end: ShotEnd = yield from shoot(shot, target.health, None, partial(_seek, table, who, target, probe, struck))
    for piece, each in zip((target, *struck), end, strict=False):
        if each:
            yield Log("{}: {}", (piece.name, each.words(piece.health)))
            piece.health = each.health
    yield from table.hurt(())


def _seek(table: Table, who: Piece, target: Piece, probe: Harm, struck: list[Piece]) -> Procedure[Any]:
    """Ask which disk scatter hits: the nearest to the target within short range."""
    own = [who] if not table.says("scatter-target", "anyone") else []
    others = [each for each in table.present if each is not target and each not in own]
    if table.says("scatter-target", "enemies"):
        others = [each for each in others if each.side != who.side]
    if table.says("immune-scatter", "next"):
        others = [each for each in others if not names_harm(each.disk.immune, probe, table.rules)]
    sight = ", in sight" if table.says("scatter-sight", "needed") else ""
    near = yield from select("scatter", who.name, f"disks nearest to {target.name} within short range{sight}", others)
    if len(near) > 1 and table.says("scatter-tie", "random"):
        near = [near[(yield Roll("tie", who.name, "which of them", len(near))) - 1]]
    piece = yield from choose_one("nearest", who.name, "which of them", near)
    if piece is None:
        return None
    struck.append(piece)
    return table.profile(piece), piece.health


def use_battle_ability(table: Table, user: Piece, card: Any) -> Procedure[None]:
    """Use the battle ability of a command card; an unstable one can strike its user, too."""
    effects, rules = card.get("battle_effects", ()), _effect_rules(table)
    if not card.get("unstable"):
        yield from apply_text(table, user, card["battle"], effects, rules)
        return
    yield from apply_text(table, user, card["battle"], effects, rules, backlash=partial(_strikes_user, table, user))


def _strikes_user(table: Table, user: Piece) -> Procedure[bool]:
    """Roll for an unstable ability, and return whether it strikes its user."""
    result = yield battle_die(candidates(table.settings[RULING])[0], user.name, "unstable")
    is_known, what = table.says("unstable-result", CHAOS), f"{result} strikes its user"
    strikes = result == CHAOS if is_known else (yield from confirm("unstable", user.name, what))
    if strikes:
        yield Log("the ability strikes {}, too", (user.name,))
    return bool(strikes)


def _effect_rules(table: Table) -> EffectRules[Piece]:
    def is_allowed(who: Piece, effect: Effect) -> bool:
        if effect["do"] == "empower":
            return not who.health.is_empowered
        return effect["do"] != "damage" or not names_harm(who.disk.immune, _harm_of(effect, 1), table.rules)

    return EffectRules(is_allowed, partial(_strike, table), REPORTS)


def _harm_of(effect: Effect, amount: int) -> Harm:
    return Harm(amount, effect.get("damage", DAMAGE_TYPES[0]), effect.get("source", ""))


def _strike(table: Table, user: Piece, effect: Effect, targets: Sequence[Piece]) -> Procedure[None]:
    """Let an effect strike disks."""
    strength, is_damage = Strength.read(effect.get("amount", 0)), effect["do"] == "damage"
    has_own_dice = is_damage and strength.is_rolled and table.says("shared-d6", "each")
    number, blows = 0, list[tuple[Piece, Harm]]()
    for each in targets:
        if not blows or has_own_dice:
            what = f"{effect['name']} at {each.name}" if has_own_dice else effect["name"]
            number = yield from strength.amount(user.name, what)
        blows.append((each, _harm_of(effect, number)))
    if is_damage:
        yield from table.hurt(blows)
        return
    for each in targets:
        each.health = each.health._replace(**TOKENS.get(effect["do"], {}))
        yield Log("{}: {}", (effect["name"], each))
        if effect["do"] in ("move", "shift"):
            may_fight = effect["do"] == "move" and table.says("effect-move", "allowed")
            yield from move(table, each, number, may_fight=may_fight)
