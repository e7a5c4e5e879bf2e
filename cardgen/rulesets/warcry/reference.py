"""Content providers of Warcry's reference sheets, and the numbers that they quote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cardgen.game import (
    Block,
    Card,
    CardGroup,
    CardOptions,
    ContentProvider,
    Die,
    Field,
    GameData,
    Int,
    Model,
    NoOptions,
    NotAvailableError,
    ReferenceContent,
    Text,
    TextBlock,
    card_data,
    decimal,
    fact_values,
    left_out_note,
    odds,
    percent,
    rich_text,
    rows_table,
    slugify,
    table,
    text_entries,
)
from cardgen.rulesets.warcry.cards import (
    DICE,
    MAX_REGULAR_WOUNDS,
    POINTS_LIMIT,
    Ability,
    Blessing,
    Fighter,
    Member,
    Trait,
    Warband,
)
from cardgen.rulesets.warcry.effective import narrow, own_changes
from cardgen.rulesets.warcry.limits import ALLIANCES, MELEE_REACH, Settings, Weapon
from cardgen.rulesets.warcry.pack import MAX_FIGHTERS, MIN_FIGHTERS, ROLE_LIMITS
from cardgen.rulesets.warcry.referee.activation import ACTIONS, STRIKE_FACE
from cardgen.rulesets.warcry.referee.attack import face_to_hit, prepare_attack, price_of, resolve_attack, roll_hits
from cardgen.rulesets.warcry.referee.duel import ROUNDS
from cardgen.rulesets.warcry.referee.fighter import FighterStats, apply_changes, not_simulated, weapons_for
from cardgen.rulesets.warcry.referee.initiative import INITIATIVE_DICE, SET_NAMES, Hand, has_set, roll_hand
from cardgen.rulesets.warcry.wording.sentences import describe, once_label

C = TypeVar("C", bound=Card)


@dataclass(frozen=True)
class WeaponProfile:
    """A weapon of a fighter before and after a blessing.

    `fighter` is the name of its fighter, and `bearer` has that of a blessing that can change the weapon, too.
    `certain` has the changes that apply to it in any case; `possible` also has those of a blessing for a single
    weapon that its player picks.
    """

    fighter: str
    bearer: str
    printed: Weapon
    certain: Weapon
    possible: Weapon

    def versions(self) -> Iterator[tuple[str, Weapon]]:
        """Yield its values with their bearer: those in any case, and those after its player picked it."""
        if self.possible == self.certain:
            yield self.bearer, self.certain
        else:
            yield (self.fighter if self.certain == self.printed else self.bearer), self.certain
            yield f"{self.bearer}{'' if self.certain == self.printed else ', picked'}", self.possible

    def cells(self) -> tuple[str, ...]:
        """Return the cells of its row: Range, Attacks, Strength, and Damage."""
        versions = [
            (each.attacks, each.strength, f"{each.damage}/{each.critical}")
            for each in (self.printed, self.certain, self.possible)
        ]
        return self.printed.reach, *(value_cell(*map(str, values)) for values in zip(*versions, strict=True))


@dataclass(frozen=True)
class Profile:
    """A fighter with its blessing, if it has one; on the sheet of a warband, with the line that names them."""

    fighter: Fighter
    blessing: Blessing | None = None

    @property
    def points(self) -> int:
        """Its cost, including the blessing."""
        return self.fighter.points + (self.blessing.price(self.fighter) if self.blessing else 0)

    @cached_property
    def weapons(self) -> tuple[WeaponProfile, ...]:
        """Its weapons."""
        candidates = weapons_for(self.fighter.weapons, own_changes(self.blessing)) if self.blessing else ()
        single = candidates[0].name if len(candidates) == 1 else ""
        weapons = []
        for printed, certain in zip(self.fighter.weapons, self.stats(single).weapons, strict=True):
            possible, bearer = self.stats(printed.name).weapon(printed.name), self.fighter.name
            if self.blessing and possible != printed:
                bearer = f"{bearer}, {self.blessing.name}"
            weapons.append(WeaponProfile(self.fighter.name, bearer, printed, certain, possible))
        return tuple(weapons)

    def stats(self, single_weapon: str = "") -> FighterStats:
        """Return its values; `single_weapon` has a blessing for one weapon."""
        return apply_changes(FighterStats.of(self.fighter), own_changes(self.blessing), single_weapon)

    def cells(self) -> tuple[str, ...]:
        """Return the cells of its row: Move, Toughness, Wounds, and points."""
        names, stats = ("move", "toughness", "wounds"), self.stats()
        pairs = ((str(getattr(self.fighter.stats, name)), str(getattr(stats, name))) for name in names)
        return *(value_cell(*pair) for pair in pairs), str(self.points)


def value_cell(printed: str, certain: str, possible: str = "") -> str:
    """Return a value as a cell: bold if it changed, and in one line with one that depends on the choice of a weapon."""
    value = certain if certain == printed else f"**{certain}**"
    return f"{value}\u00a0({possible})" if possible not in ("", certain) else value


def profiles(options: CardOptions, data: GameData) -> tuple[Profile, ...]:
    """Return the selected fighters.

    On the sheet of a warband, those are its fighters with their blessings, each combination once; on that of a faction
    or grand alliance, all of its fighters.
    """
    if isinstance(data.card_list, Warband) and not (options.all or options.only):
        members = {(member.fighter, member.blessing): member for member in data.card_list.members}
        return tuple(profile for _, profile in _roster_lines(members.values(), data))
    mark = data.group.id if data.group and not (options.all or options.only) else ""
    cards = (card for card in data.select(Fighter.KIND, options.only) if isinstance(card, Fighter))
    return tuple(Profile(card) for card in cards if not mark or mark in card.marks)


def fighters(options: CardOptions, data: GameData) -> tuple[Fighter, ...]:
    """Return the selected fighters, each once."""
    return tuple({each.fighter.id: each.fighter for each in profiles(options, data)}.values())


def icons(marks: Iterable[str]) -> str:
    """Return the icons of runemarks as markup."""
    return " ".join(f"{{{mark}}}" for mark in marks)


def _roster_lines(members: Iterable[Member], data: GameData) -> Iterator[tuple[Member, Profile]]:
    for member in members:
        fighter = data.find(Fighter.KIND, member.fighter)
        blessing = data.find(Blessing.KIND, member.blessing) if member.blessing else None
        assert isinstance(fighter, Fighter)
        assert blessing is None or isinstance(blessing, Blessing)
        yield member, Profile(fighter, blessing)


def _roster_table(_: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of a warband: fighters, blessings, numbers, and points."""
    if not isinstance(data.card_list, Warband):
        return
    rows, total = [], 0
    for member, profile in _roster_lines(data.card_list.members, data):
        points = profile.points
        total += points * member.qty
        leads = " *leader*" if member.leader else ""
        name = profile.blessing.name if profile.blessing else ""
        rows.append((f"{profile.fighter.name}{leads}", name, str(points), str(member.qty), str(points * member.qty)))
    rows.append((f"**Total** of at most {data.card_list.limit}", "", "", "", f"**{total}**"))
    yield from rows_table(("Fighter", "Blessing", "Each", "Number", "Points"), rows)


def _fighter_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of characteristics."""
    chosen, rows = profiles(options, data), []
    for each in chosen:
        blessing = f" *{each.blessing.name}*" if each.blessing else ""
        heading = f"**{each.fighter.name}**{blessing} {icons(each.fighter.runemarks)}".rstrip()
        rows.append((heading, *each.cells()))
    yield from rows_table(("", "Move", "Tough.", "Wounds", "Points"), rows)
    if any(each.blessing for each in chosen):
        yield TextBlock(rich_text("Points include blessings. Values in bold were changed by a blessing."))


def weapon_profiles(options: CardOptions, data: GameData) -> list[WeaponProfile]:
    """Return the weapons of the selected fighters, each once."""
    weapons = [weapon for profile in profiles(options, data) for weapon in profile.weapons]
    return list({(weapon.bearer, weapon.printed.name): weapon for weapon in weapons}.values())


def _weapon_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of weapons, one per row."""
    weapons = weapon_profiles(options, data)
    rows = ((f"{{{each.printed.icon}}} **{each.printed.name}** *{each.bearer}*", *each.cells()) for each in weapons)
    yield from rows_table(("Weapon", "Rng", "A", "S", "D"), rows)
    if any(weapon.certain != weapon.possible for weapon in weapons):
        yield TextBlock(rich_text("In parentheses: the value if the player picks this weapon for the blessing."))


TOUGHNESS = range(3, 7)
# Of mean damage: the table is about weapons as they are printed or blessed.
LEFT_OUT = "abilities, battle traits, and reactions"


class SetOptions(Model):
    """Option for the first row of the table."""

    fewest: Annotated[Int, Field(ge=2, le=6, description="lowest number of dice")] = 4


def _to_hit_table(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the roll to hit and the chances of each result."""
    rows = []
    for words, strength in (("higher", 5), ("equal", 4), ("lower", 3)):
        face = face_to_hit(strength, 4)
        die = odds(roll_hits, 1, face, "")
        hit, critical = die.chance(lambda tally: tally.hits > 0), die.chance(lambda tally: tally.criticals > 0)
        rows.append((words, f"{face}+", percent(hit, 0), percent(critical, 0)))
    yield from rows_table(("Strength", "Roll", "Hit", "Crit."), rows)


def _sets_table(options: SetOptions, data: GameData) -> Iterator[Block]:
    """Yield the chances of each set by number of dice."""
    dice = {count: odds(roll_hand, count, 0, "") for count in range(options.fewest, INITIATIVE_DICE + 1)}
    rows = (
        (f"{count} dice", *(percent(die.chance(partial(has_set, count=size)), 0) for size in SET_NAMES))
        for count, die in dice.items()
    )
    yield from rows_table(("", *SET_NAMES.values()), rows)


def _singles_table(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the chances of each number of singles on six dice."""
    die: Die[Hand] = odds(roll_hand, INITIATIVE_DICE, 0, "")
    chances = sorted(dict(die.map(lambda hand: hand.singles)).items())
    cells = [decimal(chance * 100, 0) for _, chance in chances]
    yield table(("Singles", *(str(count) for count, _ in chances)), [("in %", *cells)])


def _damage_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield the mean damage of each weapon by the target's Toughness, below what it leaves out.

    A weapon that a player can pick for a blessing has two rows, without and with it.
    """

    def mean_damage(weapon: Weapon, toughness: int) -> str:
        fighter = FighterStats("", 0, toughness, 1, (weapon,), frozenset())
        attack = prepare_attack(fighter, weapon, fighter, cover=False, reaction="", rulings=data.rulings)
        return decimal(odds(resolve_attack, attack).mean(lambda harm: harm.target), 1)

    rows = []
    for weapon in weapon_profiles(options, data):
        for bearer, version in weapon.versions():
            means = (mean_damage(version, each) for each in TOUGHNESS)
            rows.append((f"**{weapon.printed.name}** *{bearer}*", *means))
    if rows:
        blessings = (card_data(each.blessing) for each in profiles(options, data) if each.blessing)
        yield from left_out_note((LEFT_OUT, *not_simulated(*blessings)))
    yield from rows_table(("", *(f"T{toughness}" for toughness in TOUGHNESS)), rows)


UNIVERSAL = "universal"


class RuleCardOptions(Model):
    """Selection of cards of a kind, by name, tag, or price.

    On a warband's sheet, only abilities that the warband can use are selected by default; on that of a faction or grand
    alliance, only its own.
    """

    kind: Annotated[Text, Field(description="ability, trait, or blessing")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    tag: Annotated[Text | None, Field(description="only cards with this tag")] = None
    price: Annotated[Text | None, Field(description="only abilities with this price")] = None


class TraitOptions(Model):
    """Selection of battle traits; by default, those of the sheet's warband or faction."""

    runemark: Annotated[Text | None, Field(description="a faction or grand alliance")] = None


def _card_entries(options: RuleCardOptions, data: GameData) -> Iterator[Block]:
    """Yield cards with their printed text."""
    kinds = (Ability.KIND, Trait.KIND, Blessing.KIND)
    if options.kind not in kinds:
        raise NotAvailableError.unknown("kind of card", options.kind, kinds, ("kind",))
    cards = (card for card in data.select(options.kind, options.only) if _is_wanted(card, options, data))
    yield from text_entries((_card_heading(card), _card_text(card, data)) for card in cards)


def _is_wanted(card: Card, options: RuleCardOptions, data: GameData) -> bool:
    if options.only:
        return True
    if isinstance(card, Ability):
        if options.price and price_of(card, data.rulings) != options.price:
            return False
        if data.group and data.group.id not in card.runemarks:
            return False
        if isinstance(data.card_list, Warband) and not options.tag:
            # The universal abilities have a list of their own.
            people = fighters(CardOptions(), data)
            if UNIVERSAL in card.tags or not any(each.marks.issuperset(card.runemarks) for each in people):
                return False
    return options.tag is None or options.tag in card.tags


def _trait_entries(options: TraitOptions, data: GameData) -> Iterator[Block]:
    """Yield the battle traits of a faction and its grand alliance.

    The trait that the sheet's warband has picked comes first, with the alternative that it chooses, and is marked.
    """
    marks, warband = _trait_marks(options, data), data.card_list
    picked = data.find(Trait.KIND, warband.trait) if isinstance(warband, Warband) and warband.trait else None
    traits = [
        card for card in _of_type(Trait, data) if card.runemark in marks and not (picked and card.id == picked.id)
    ]
    entries = [
        (_card_heading(card), _card_text(card, data))
        for card in sorted(traits, key=lambda card: (marks.index(card.runemark), card.name))
    ]
    if isinstance(warband, Warband) and isinstance(picked, Trait) and picked.runemark in marks:
        chosen = narrow(picked, warband.choice)
        entries.insert(0, (_card_heading(chosen), f"**Chosen.** {_card_text(chosen, data)}"))
    return text_entries(entries)


def _trait_marks(options: TraitOptions, data: GameData) -> list[str]:
    mark, settings = slugify(options.runemark) if options.runemark is not None else "", Settings.of(data.workspace)
    if options.runemark is not None and not settings.alliance_of(mark):
        known = [*ALLIANCES, *settings.all_factions]
        raise NotAvailableError.unknown("runemark", options.runemark, known, ("runemark",))
    if options.runemark is None and data.group:
        mark = data.group.id
    if options.runemark is not None or data.group:
        return list(dict.fromkeys((mark, settings.alliance_of(mark))))
    people = fighters(CardOptions(), data) if isinstance(data.card_list, Warband) else ()
    shared = [{card.faction for card in people}, {card.alliance for card in people}]
    return [mark for marks in shared if len(marks) == 1 for mark in marks if mark]


def _card_heading(card: Card) -> str:
    return f"{card.name} ({card.runemark_name})" if isinstance(card, Trait) else card.name


def _card_text(card: Card, data: GameData) -> str:
    """Return the printed text of a card as one paragraph of markup, with the price that rulings give an ability."""
    parts = []
    if isinstance(card, Ability):
        parts.append(f"{{{price_of(card, data.rulings)}}} {icons(card.runemarks)}".strip())
    if isinstance(card, Blessing):
        parts.append(f"**{card.points.regular}/{card.points.elite}**")
    if once_label(card):
        parts.append(f"*{once_label(card)}.*")
    parts.append(describe(card))
    for rule in (*getattr(card, "choices", ()), *getattr(card, "grants", ())):
        price = f"{{{rule.price}}} " if rule.price else ""
        parts.append(f"{price}**{rule.name}:** {describe(rule)}")
    return " ".join(filter(None, parts))


Names = Mapping[str, str]
PRICES: Names = {**{price: price.title() for price in (*DICE, "reaction", "action")}, "wild": "Wild die"}


class LegendOptions(Model):
    """The runemarks to show.

    By default those that the cards of the sheet's warband or faction have.
    """

    of: Annotated[
        Literal["used", "alliances", "order", "chaos", "death", "destruction", "roles", "weapons", "prices"],
        Field(description="used, alliances, the factions of a grand alliance, roles, weapons, or prices"),
    ] = "used"


def factions(data: GameData) -> Iterator[CardGroup]:
    """Yield all factions and grand alliances; those with fighters or abilities are in use."""
    own, people = _own_names(data), [card.faction for card in _of_type(Fighter, data)]
    used = {*people, *(mark for card in _of_type(Ability, data) for mark in card.runemarks)}
    settings = Settings.of(data.workspace)
    marks = dict.fromkeys((*settings.all_factions, *people, *ALLIANCES))
    return (CardGroup(mark, own.get(mark) or settings.name_of(mark), mark in used) for mark in marks)


def _legend(options: LegendOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of icons and names."""
    names = _used_names(data) if options.of == "used" else _all_names(options.of, data)
    if names:
        legend = table(("", ""), ((f"{{{mark}}}", name) for mark, name in names.items()), "ll")
        yield legend.without_row_headers() if options.of == "used" else legend.as_legend()


def _all_names(kind: str, data: GameData) -> Names:
    """Return the runemarks of a kind by icon, with those that only the project's cards have."""
    settings, own = Settings.of(data.workspace), _own_names(data)
    match kind:
        case "alliances":
            return ALLIANCES
        case "weapons":
            return {f"weapon-{shape}": name for shape, name in settings.all_shapes.items()}
        case "prices":
            return PRICES
        case "roles":
            used = {card.faction for card in _of_type(Fighter, data)} | {
                card.runemark for card in _of_type(Trait, data)
            }
            names, marks = settings.all_roles, [mark for mark in own if mark not in used]
        case _:
            names = settings.factions_of(kind)
            marks = [card.faction for card in _of_type(Fighter, data) if card.alliance == kind]
    unknown = {mark: own.get(mark) or settings.name_of(mark) for mark in marks if mark not in settings.all_runemarks}
    return {**names, **unknown}


def _own_names(data: GameData) -> Names:
    """Return the names of all runemarks on the cards."""
    names: dict[str, str] = {}
    for fighter in _of_type(Fighter, data):
        names.update((*fighter.names, (fighter.faction, fighter.faction_name)))
    for ability in _of_type(Ability, data):
        names.update(ability.names)
    names.update((trait.runemark, trait.runemark_name) for trait in _of_type(Trait, data))
    return names


def _used_names(data: GameData) -> Names:
    """Return the runemarks of the fighters and abilities of a warband or faction."""
    marks = {mark for card in fighters(CardOptions(), data) for mark in card.marks}
    group = data.group.id if data.group else ""
    for ability in _of_type(Ability, data):
        if group in ability.runemarks or (isinstance(data.card_list, Warband) and marks.issuperset(ability.runemarks)):
            marks.update(ability.runemarks)
    names = {**Settings.of(data.workspace).all_runemarks, **_own_names(data)}
    return {mark: name for mark, name in names.items() if mark in marks}


def _of_type(model: type[C], data: GameData) -> Iterator[C]:
    return (card for card in data.cards.get(model.KIND, ()) if isinstance(card, model))


CONTENT_PROVIDERS = {
    "fighters": ContentProvider(_fighter_table, "a table of characteristics, one fighter per row", CardOptions),
    "roster": ContentProvider(_roster_table, "the lines of a warband, with blessings and points", CardOptions),
    "weapons": ContentProvider(_weapon_table, "a table of weapons, one per row", CardOptions),
    "to-hit": ContentProvider(_to_hit_table, "the roll that hits, with chances of hits and critical hits"),
    "odds-of-sets": ContentProvider(
        _sets_table, "chances of doubles, triples, and quads by number of dice", SetOptions
    ),
    "odds-of-singles": ContentProvider(_singles_table, "chances of each number of singles on six dice"),
    "odds-of-damage": ContentProvider(_damage_table, "mean damage of each weapon by Toughness", CardOptions),
    "cards": ContentProvider(_card_entries, "abilities, battle traits, or blessings, with their text", RuleCardOptions),
    "traits": ContentProvider(_trait_entries, "the battle traits of a faction and its grand alliance", TraitOptions),
    "runemarks": ContentProvider(_legend, "icons and names of runemarks, weapons, and prices", LegendOptions),
}


FACTS = {
    "actions": str(ACTIONS),
    "dice": str(INITIATIVE_DICE),
    "points": str(POINTS_LIMIT),
    "fewest": str(MIN_FIGHTERS),
    "most": str(MAX_FIGHTERS),
    "melee": str(MELEE_REACH),
    "heroes": str(ROLE_LIMITS["hero"]),
    "monsters": str(ROLE_LIMITS["monster"]),
    "allies": str(ROLE_LIMITS["ally"]),
    "regular": str(MAX_REGULAR_WOUNDS),
    "strikes": f"{STRIKE_FACE}+",
}

REFERENCE = ReferenceContent(
    sheets=Path(__file__).with_name("sheets"),
    content_providers=CONTENT_PROVIDERS,
    inline_values={"fact": fact_values({**FACTS, "rounds": lambda data: str(ROUNDS[data.rulings["rounds"]])})},
    list_kinds=("warband",),
    groups={"faction": factions},
    shared_kinds=(Trait.KIND, Blessing.KIND),
)
