"""Fighters as the referee uses them, impact damage, and the initiative phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cardgen.game import (
    CardData,
    Decision,
    Log,
    MemoizedCall,
    Procedure,
    Roll,
    card_of_kind,
    find_by_name,
    missing_part,
    optional_card,
    quantity,
    roll_pool,
)
from cardgen.rulesets.warcry.cards import DICE, Ability, Blessing, Fighter, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import HEROISM, changes_of, is_simple, own_changes, passive_changes
from cardgen.rulesets.warcry.limits import Weapon

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Situation = TypeVar("Situation", bound="DataclassInstance")
FIGHTERS, BLESSINGS, TRAITS, ABILITIES = ("fighter",), ("blessing",), ("trait",), ("ability",)
MAX_DISTANCE = 40


class NoWeaponError(ValueError):
    """A blessing has no weapon to improve."""


class FighterStats(NamedTuple):
    """A fighter's numbers.

    `cover_face` is what a die must show in Take Cover; `ignored_cover` says against which attacks cover does not count.
    `rerolls` are the types of attacks whose hit rolls are re-rolled, with 'ones', 'misses', or 'one', and
    `critical_faces` those whose hit rolls are critical hits from a face on.
    """

    name: str
    move: int
    toughness: int
    wounds: int
    weapons: tuple[Weapon, ...]
    runemarks: frozenset[str]
    cover_face: int = 4
    ignored_cover: str = ""
    rerolls: tuple[tuple[str, str], ...] = ()
    critical_faces: tuple[tuple[str, int], ...] = ()

    def weapon(self, name: str) -> Weapon:
        """Return the weapon of a name, in any case.

        Raises ValueError for a weapon that it does not have.
        """
        match = find_by_name(self.weapons, name)
        if match is None:
            raise ValueError(missing_part(self.name, "weapon", name, (weapon.name for weapon in self.weapons)))
        return match

    def require_standing(self, damage: int) -> None:
        """Raise ValueError if this damage takes the fighter down."""
        if damage >= self.wounds:
            raise ValueError(f"{self.name} has {self.wounds} Wounds: with {damage} damage points it is taken down")


def fighter_stats(
    card: CardData,
    blessing: CardData | None = None,
    trait: Trait | None = None,
    weapon: str | None = None,
    distance: int | None = None,
    trait_weapon: str | None = None,
) -> FighterStats:
    """Return the numbers of a card with its blessing and battle trait.

    A blessing or trait of one weapon improves the one named, or else one that is in range at the distance, in inches;
    `trait_weapon` names that of the trait if it differs. Raises ValueError for a card of another kind, and for a trait
    of a runemark that the fighter does not have.
    """
    fighter = card_of_kind(card, Fighter)
    numbers = fighter.stats
    stats = FighterStats(fighter.name, numbers.move, numbers.toughness, numbers.wounds, fighter.weapons, fighter.marks)
    if trait:
        if trait.runemark not in (fighter.faction, fighter.alliance):
            raise ValueError(f"{fighter.name} cannot have '{trait.name}': it is for {trait.runemark_name}")
        changes = passive_changes(trait, fighter.marks)
        candidates = single_weapons(stats.weapons, changes)
        stats = apply_changes(stats, changes, pick_weapon(candidates, trait_weapon or weapon, distance))
    if blessing_card := optional_card(blessing, Blessing):
        stats = apply_changes(
            stats, own_changes(blessing_card), _blessed_weapon(stats, blessing_card, weapon, distance)
        )
    return stats


def _blessed_weapon(fighter: FighterStats, blessing: Blessing, weapon: str | None, distance: int | None) -> str:
    """Return the name of the weapon that a blessing improves.

    The one named, or the first in range that it may be for, or the first of all.
    """
    changes = own_changes(blessing)
    candidates = single_weapons(fighter.weapons, changes) or weapons_for(fighter.weapons, changes)
    if not candidates:
        raise NoWeaponError(f"{fighter.name} has no weapon that '{blessing.name}' could improve")
    return pick_weapon(candidates, weapon, distance)


def pick_weapon(candidates: Sequence[Weapon], weapon: str | None, distance: int | None) -> str:
    """Return the name of the weapon named, or of the first in range, or of the first; '' if there is none."""
    named = find_by_name(candidates, weapon) if weapon is not None else None
    near = (arm for arm in candidates if distance is not None and in_range(arm, distance))
    pick = named or next(near, candidates[0] if candidates else None)
    return pick.name if pick else ""


def single_weapons(weapons: Iterable[Weapon], changes: Iterable[Change]) -> list[Weapon]:
    """Return the weapons that the changes of a single weapon may be for; none if no change is of a single weapon."""
    singles = [change for change in changes if change.weapon.startswith("one")]
    return weapons_for(weapons, singles) if singles else []


def weapons_for(weapons: Iterable[Weapon], changes: Iterable[Change]) -> list[Weapon]:
    """Return the weapons that all of some changes may be for."""
    filters = [change.weapon for change in changes]
    return [weapon for weapon in weapons if all(_applies_to(weapon, each) for each in filters)]


def apply_changes(fighter: FighterStats, changes: Iterable[Change], single_weapon: str = "") -> FighterStats:
    """Return the fighter after some changes.

    `single_weapon` is the weapon that a change of a single weapon is for. Changes that need a moment, a condition, or a
    certain target are left out.
    """
    for change in changes:
        if not change.is_constant:
            continue
        fighter = fighter._replace(
            move=_changed(fighter.move, change, "move", 0),
            toughness=_changed(fighter.toughness, change, "toughness", 1),
            wounds=_changed(fighter.wounds, change, "wounds", 1),
            weapons=tuple(_apply_to_weapon(arm, change, single_weapon) for arm in fighter.weapons),
            cover_face=change.take_cover or fighter.cover_face,
            ignored_cover=_ignored_cover(fighter.ignored_cover, change.no_cover),
            rerolls=(*fighter.rerolls, (change.weapon, change.reroll)) if change.reroll else fighter.rerolls,
            critical_faces=_with_critical_face(fighter, change),
        )
    return fighter


def _ignored_cover(before: str, more: str | None) -> str:
    """Return the attacks against which cover does not count: both kinds that are named, if they differ."""
    return "any" if before and more and before != more else more or before


def _with_critical_face(fighter: FighterStats, change: Change) -> tuple[tuple[str, int], ...]:
    faces = ((change.weapon, change.critical_face),) if change.critical_face else ()
    return (*fighter.critical_faces, *faces)


def _changed(number: int, change: Change, name: str, lowest: int) -> int:
    """Return a characteristic after a change: doubled, halved and rounded up, raised, or lowered to a minimum."""
    if name in change.fixes:
        number = change.fixed_at
    if name in change.double:
        number *= 2
    if name in change.halve:
        number = (number + 1) // 2
    by: int = getattr(change, name)
    if by < 0 and change.at_least is not None:
        return max(min(number, change.at_least), number + by)
    return max(lowest, number + by)


def _apply_to_weapon(weapon: Weapon, change: Change, single_weapon: str) -> Weapon:
    if not _applies_to(weapon, change.weapon) or (change.weapon.startswith("one") and weapon.name != single_weapon):
        return weapon
    if change.reach is not None and weapon.range > change.reach:
        return weapon
    lowest = {"range": max(1, weapon.min_range), "attacks": 1, "strength": 1, "damage": 0, "critical": 0}
    numbers = {name: _changed(getattr(weapon, name), change, name, least) for name, least in lowest.items()}
    return weapon.model_copy(update=numbers)


def _applies_to(weapon: Weapon, weapon_filter: str) -> bool:
    """Return whether a change for such weapons applies to this weapon."""
    attack_type = weapon_filter.removeprefix("one-")
    return attack_type in ("any", "one") or (attack_type == "melee") == weapon.melee


def in_range(weapon: Weapon, distance: int) -> bool:
    """Return whether a target is in range; both limits count."""
    return weapon.min_range <= distance <= weapon.range


def not_simulated(*cards: CardData | None) -> Iterator[str]:
    """Yield the abilities and blessings that the procedures leave to the players."""
    for card in (card_of_kind(data, Ability, Blessing) for data in cards if data):
        assert isinstance(card, Ability | Blessing)
        if card.id == HEROISM:
            continue
        changes = changes_of(card)
        if card.text and not changes:
            yield f"'{card.name}' has only text"
        elif isinstance(card, Blessing) and not all(map(_is_of_numbers, changes)):
            from cardgen.rulesets.warcry.wording.sentences import sentences  # loaded here because few cards need it

            for change, words in zip(changes, sentences(changes), strict=True):
                if words and not _is_of_numbers(change):
                    yield f"'{card.name}' is not applied: {words}"


def idle_cards(
    situation: Situation,
    choices: Mapping[str, str],
    figures: Callable[[Situation], object],
    what: str,
    notes: Sequence[str],
) -> Iterator[str]:
    """Yield which cards of a situation could be left out without a change of the figures that the odds depend on.

    `choices` are the fields of the cards, each with that of the choice that the card offers, or ''. A card that the
    others need is not left out: a blessing may lend the runemark for an ability. Neither is one that `notes` mention.
    """
    now = figures(situation)
    for key, choice in choices.items():
        card: CardData | None = getattr(situation, key)
        if card is None or _is_mentioned(card, notes):
            continue
        try:
            without = figures(replace(situation, **{key: None, **({choice: None} if choice else {})}))
        except ValueError:
            continue
        if without == now:
            yield f"'{card['name']}' has no effect on this {what}"


def _is_mentioned(card: CardData, notes: Iterable[str]) -> bool:
    """Return whether some note names a card, or a rule that it grants or offers."""
    names = [part["name"] for part in (card, *card.get("grants", ()), *card.get("choices", ()))]
    return any(f"'{name}'" in note for note in notes for name in names)


def _is_of_numbers(change: Change) -> bool:
    """Return whether a change of a blessing is one of its fighter's numbers at all times."""
    return change.of == "self" and is_simple(change)


# Impact damage by the die if high rolls are worse; if low rolls are, the die is read as 7 less what it shows.
IMPACT_DAMAGE = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 3}


def impact_damage(who: str, modifier: int, *, low_is_worse: bool) -> Procedure[int]:
    """Roll the impact damage of a fighter.

    `modifier` is that of the enemy's battle trait; the die shows 1 at least.
    """
    face = yield Roll("impact", who, "impact damage")
    shown = max(1, int(face) + modifier)
    return IMPACT_DAMAGE[7 - shown if low_is_worse else shown]


INITIATIVE_DICE = 6
# A set of two dice is a double, of three a triple, of four or more a quad.
SET_NAMES = dict(enumerate(DICE, 2))
LARGEST_SET = max(SET_NAMES)
KEEP, SINGLE = "keep it", "use it as a single"
REROLL, KEEP_ONES = "roll them again", "keep them"


class DiceSet(NamedTuple):
    """Ability dice of one value: 2, 3, or 4 of them.

    4 stands for more too. `lifted` says that a wild die has lifted it, which happens once at most.
    """

    value: int
    size: int
    lifted: bool = False

    def __str__(self) -> str:
        return f"{SET_NAMES[self.size]} of {self.value}"


class Hand(NamedTuple):
    """One player's dice after the initiative roll.

    Singles, sets by value, and the wild dice left.
    """

    singles: int
    sets: tuple[DiceSet, ...]
    wild: int = 0

    @property
    def dice(self) -> str:
        """The ability dice and wild dice in words."""
        sets = ", ".join(map(str, self.sets)) or "no sets"
        wild = f", {quantity(self.wild, 'wild die', 'wild dice')}" if self.wild else ""
        return f"{sets}{wild}"

    def __str__(self) -> str:
        return f"{quantity(self.singles, 'single')}, {self.dice}"


def hand_of(faces: tuple[int, ...], wild: int = 0) -> Hand:
    """Return the hand of some faces.

    Values shown once are singles, the others sets.
    """
    counts = Counter(faces)
    sets = tuple(DiceSet(value, min(count, LARGEST_SET)) for value, count in sorted(counts.items()) if count > 1)
    return Hand(sum(count == 1 for count in counts.values()), sets, wild)


def roll_dice(count: int, who: str) -> Procedure[tuple[int, ...]]:
    """Roll some initiative dice; return their faces in order."""
    no_faces: tuple[int, ...] = ()
    return (yield from roll_pool(count, Roll("die", who, "initiative die"), no_faces, _insert_face))


def _insert_face(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    return tuple(sorted((*faces, face)))


def roll_hand(count: int, wild: int, who: str, rerolls: bool = False) -> Procedure[Hand]:
    """Roll a player's initiative dice; return them as a hand.

    With `rerolls` the 1s may be rolled again, once: that is advised if the hand has more singles on average then.
    """
    faces = yield MemoizedCall(roll_dice, (count, who))
    ones = faces.count(1)
    if rerolls and ones:
        singles = sum(faces.count(face) == 1 for face in range(1, 7))
        default = REROLL if mean_singles(faces[ones:], ones) > singles else KEEP_ONES
        decision = yield Decision("ones", who, f"{ones} of the dice show 1", (REROLL, KEEP_ONES), default)
        if decision == REROLL:
            rerolled = yield MemoizedCall(roll_dice, (ones, who))
            faces = tuple(sorted((*faces[ones:], *rerolled)))
    return hand_of(faces, wild)


def mean_singles(kept: Sequence[int], rolled: int) -> Fraction:
    """Return how many faces are shown by one die alone on average, after some dice were rolled beside those kept."""
    other = Fraction(5, 6)
    never, once = other**rolled, rolled * (1 - other) * other ** (rolled - 1)
    return sum(({0: once, 1: never}.get(kept.count(face), Fraction()) for face in range(1, 7)), Fraction())


def lift_set(hand: Hand, lifted_set: DiceSet) -> Hand:
    """Return the hand after a wild die has lifted a set."""
    sets = tuple(DiceSet(s.value, s.size + 1, True) if s == lifted_set else s for s in hand.sets)
    return Hand(hand.singles, sets, hand.wild - 1)


def liftable_sets(hand: Hand, value: int = 1) -> tuple[DiceSet, ...]:
    """Return the sets that a wild die can lift, the best last; those of `value` or more are better than others.

    One die to a set at most, and none beyond a quad.
    """
    candidates = (each for each in hand.sets if not each.lifted and each.size < LARGEST_SET)
    return tuple(sorted(candidates, key=lambda each: (each.value >= value, each.size, each.value)))


def use_wild_dice(
    hand: Hand, who: str, policy: str, singles: int = 0, single_counts: bool = True, value: int = 1
) -> Procedure[Hand]:
    """Use or save each wild die; whoever saves one saves the rest.

    A die is one more single, or lifts a set.

    By the `policy` 'lift' the best set is lifted, first those of `value` or more; by 'seize' dice become singles until
    there are `singles` more; and by 'keep' they are saved. Without `single_counts` a single changes nothing; if no set
    can be lifted either, nothing is asked.
    """
    wanted = hand.singles + singles
    for _ in range(hand.wild):
        sets = liftable_sets(hand, value)
        if not (sets or single_counts):
            break
        lifts = {f"make the {each} a {SET_NAMES[each.size + 1]}": each for each in sets}
        default = KEEP
        if policy == "lift" and sets:
            default = next(words for words, each in lifts.items() if each == sets[-1])
        elif policy == "seize" and hand.singles < wanted:
            default = SINGLE
        decision = yield Decision(
            "wild", who, "a wild die", (KEEP, *([SINGLE] if single_counts else []), *lifts), default
        )
        if decision == SINGLE:
            hand = Hand(hand.singles + 1, hand.sets, hand.wild - 1)
        elif decision == KEEP:
            break
        else:
            hand = lift_set(hand, lifts[decision])
    return hand


def has_set(hand: Hand, count: int, value: int = 1) -> bool:
    """Return whether a hand has a set of this size and value.

    Larger sets and higher values count too.
    """
    return any(each.size >= count and each.value >= value for each in hand.sets)


class Players(NamedTuple):
    """The two players: their dice, wild dice, and battle traits.

    `policy` is that of wild dice.

    `rerolls` are those who roll each 1 again, `picks` those who settle ties instead of a roll-off.
    """

    names: tuple[str, str]
    dice: tuple[int, int]
    wild: tuple[int, int]
    rerolls: tuple[bool, bool]
    picks: tuple[bool, bool]
    policy: str


class InitiativeOrder(NamedTuple):
    """Who has the initiative, whether it was seized, and both hands."""

    first: int
    seized: bool
    hands: tuple[Hand, Hand]


def roll_initiative(players: Players) -> Procedure[InitiativeOrder]:
    """Play the initiative phase: rolls, wild dice, and seizing."""
    one = yield from roll_hand(players.dice[0], players.wild[0], players.names[0], players.rerolls[0])
    other = yield from roll_hand(players.dice[1], players.wild[1], players.names[1], players.rerolls[1])
    for name, hand in zip(players.names, (one, other), strict=True):
        yield Log("{}: {}", (name, hand))
    return (yield from settle_initiative(players, (one, other)))


def settle_initiative(players: Players, hands: tuple[Hand, Hand]) -> Procedure[InitiativeOrder]:
    """Settle the initiative of two hands, which may be seized.

    Most singles has the initiative, and a tie is rolled off. Whoever has it decides on wild dice first. Then singles
    are counted again: strictly more takes the initiative, newly equal is rolled off.
    """
    before = (hands[0].singles, hands[1].singles)
    first = (0 if before[0] > before[1] else 1) if before[0] != before[1] else (yield from _break_tie(players, hands))
    yield Log("{} has the initiative", (players.names[first],))
    second = 1 - first
    after = list(hands)
    is_threatened = hands[second].singles + hands[second].wild >= hands[first].singles
    after[first] = yield from use_wild_dice(hands[first], players.names[first], players.policy, 0, is_threatened)
    gap = after[first].singles - hands[second].singles
    # Singles help whoever is behind if enough wild dice make it a tie at least; one more than the gap takes it.
    useful = min(gap + 1, hands[second].wild) if 0 <= gap <= hands[second].wild else 0
    after[second] = yield from use_wild_dice(hands[second], players.names[second], players.policy, useful, useful > 0)
    counted = (after[0].singles, after[1].singles)
    leader = first
    if counted[second] > counted[first]:
        leader = second
    elif counted[0] == counted[1] and before[0] != before[1]:
        leader = yield from _roll_off(players)
    if leader != first:
        yield Log("{} seizes the initiative", (players.names[leader],))
    return InitiativeOrder(leader, leader != first, (after[0], after[1]))


def _break_tie(players: Players, hands: tuple[Hand, Hand]) -> Procedure[int]:
    """Roll off a tie, unless a battle trait lets a player choose.

    If both have it, they roll off, and the winner chooses (battlepack: Master Manipulators). By default, players choose
    themselves; if both have wild dice and use them to seize the initiative, they choose their opponent, and seize it.
    """
    picker = players.picks.index(True) if sum(players.picks) == 1 else (yield from _roll_off(players))
    if not any(players.picks):
        return picker
    is_seized = players.policy == "seize" and hands[0].wild > 0 and hands[1].wild > 0
    default = players.names[1 - picker if is_seized else picker]
    choice = yield Decision(
        "tie", players.names[picker], "who has the initiative after the tie", players.names, default
    )
    return players.names.index(str(choice))


def _roll_off(players: Players) -> Procedure[int]:
    """Roll off; return the winner.

    A roll-off is rolled again until it is decided, so one even chance stands for it.
    """
    won = yield Roll("roll-off", "", f"roll-off: 1 if {players.names[0]} wins it, 2 if {players.names[1]}", 2)
    return int(won) - 1
