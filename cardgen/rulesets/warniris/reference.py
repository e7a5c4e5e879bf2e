"""The content of Warniris reference sheets: cards, tables, the values that they quote, and odds under the rulings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from cardgen.game import (
    SIDES,
    Block,
    Card,
    CardData,
    ContentProvider,
    Field,
    Flag,
    GameData,
    GlossaryTerm,
    Int,
    Model,
    NoOptions,
    NotAvailableError,
    PreparedTrial,
    ReferenceContent,
    Ruleset,
    Table,
    Text,
    card_data,
    default_config,
    definition_list,
    fact_values,
    find_each,
    left_out_note,
    percent,
    rows_table,
    table,
    text_entries,
)
from cardgen.rulesets.warniris.battle.battle import DEFENDER_COUNT
from cardgen.rulesets.warniris.cards import HORDE_SIZE, MAX_MEMBERS, Ability, Character, Minion, Stats, Warband
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION
from cardgen.rulesets.warniris.referee.modifiers import GAP_PENALTY
from cardgen.rulesets.warniris.referee.situations import AttackSituation, TestSituation
from cardgen.rulesets.warniris.rulebook import MAX_ATTRIBUTE, MIN_ATTRIBUTE, POLICIES, TURNS
from cardgen.rulesets.warniris.trials import EVENT_VERBS, set_up_attack, set_up_test
from cardgen.rulesets.warniris.weapon_line import NUMBER_LETTERS, WEAPON_TYPES

FighterCard = Character | Minion
FighterKind = Literal["character", "minion"]
FIGHTER_KINDS: tuple[FighterKind, ...] = ("character", "minion")


class KindOptions(Model):
    """Options that select cards; a warband's sheet shows only its own without `all`."""

    kind: Annotated[Text, Field(description="character, minion, relic, or mission")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="include cards outside the warband")] = False


class FighterKindOptions(KindOptions):
    """Options that select Characters or Minions."""

    kind: FighterKind = "character"


def select_cards(options: KindOptions, data: GameData) -> tuple[Card, ...]:
    """Return the selected cards. Raise NotAvailableError for an unknown kind or name."""
    printed = [name for name, kind in data.rules.kinds.items() if kind.is_printed]
    if options.kind not in printed:
        raise NotAvailableError.unknown("kind of card", options.kind, printed, ("kind",))
    names = _names_in(data.card_list, options.kind) if isinstance(data.card_list, Warband) and not options.all else None
    return data.select(options.kind, options.only, names)


def _names_in(warband: Warband, kind: str) -> Iterable[str | None] | None:
    """Return the cards of a kind that a warband lists; None for missions."""
    names: dict[str, Iterable[str | None]] = {
        "character": (member.character for member in warband.members),
        "relic": (member.relic for member in warband.members),
        "minion": (troop.minion for troop in warband.minions),
    }
    return names.get(kind)


def select_fighters(options: KindOptions, data: GameData) -> tuple[FighterCard, ...]:
    """Return the selected fighters."""
    return tuple(card for card in select_cards(options, data) if isinstance(card, Character | Minion))


def _characteristic_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table("stat", (letters[0] for letters in Stats.SYNONYMS.values()), data)


def _number_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table("number", NUMBER_LETTERS, data)


def _type_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table("type", WEAPON_TYPES, data)


def _letter_table(sort: str, letters: Iterable[str], data: GameData) -> Table:
    """Return a table of letters, the terms they stand for, and their definitions."""
    printed = data.rules.abbreviation
    names = ((printed(f"{sort} {each}"), printed(f"{sort}_name {each}")) for each in letters)
    rows = ((letter, f"**{name}**\u2002{_definition(letter, name, data)}") for letter, name in names)
    return table(("", ""), rows, "ll")


def _definition(letter: str, name: str, data: GameData) -> str:
    """Return the definition of a term without its letter, which has its own cell."""
    text = data.term(name).definition.removeprefix(f"{letter}: ")
    return text[0].upper() + text[1:]


LETTER_PROVIDERS = {
    "characteristics": ContentProvider(
        _characteristic_letters, "the letters of the characteristics and their meanings"
    ),
    "weapon-numbers": ContentProvider(_number_letters, "the letters in the line of a weapon and their meanings"),
    "weapon-types": ContentProvider(_type_letters, "the weapon types CW, RW, and P"),
}
_NO_VALUE = "–"


class TermOptions(Model):
    """Terms to list in addition to those on the cards in play."""

    terms: Annotated[tuple[Text, ...], Field(description="terms of the glossary")] = ()


def _stat_table(options: FighterKindOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of characteristics."""
    cards = select_fighters(options, data)
    if cards:
        head = ("", *(data.rules.abbreviation(f"stat {letter}") for letter, _ in cards[0].stats.printed))
        yield table(head, ((card.name, *(str(value) for _, value in card.stats.printed)) for card in cards))


def _weapon_table(options: FighterKindOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of weapons and Powers, with their effects below it."""
    weapons = [(card, weapon) for card in select_fighters(options, data) for weapon in card.weapons]
    letters = [letter for letter in NUMBER_LETTERS if any(_number_of(weapon, letter) for _, weapon in weapons)]
    rows = (
        (
            weapon_label(card, weapon),
            data.rules.abbreviation(f"type {weapon.type}"),
            *(str(_number_of(weapon, letter) or _NO_VALUE) for letter in letters),
        )
        for card, weapon in weapons
    )
    head = (
        data.rules.abbreviation(each) for each in ("note Weapon", "number T", *(f"number {each}" for each in letters))
    )
    yield from rows_table(tuple(head), rows)
    texts = {weapon.name: text for _, weapon in weapons if (text := data.rules.describe(weapon))}
    yield from text_entries(texts.items())


def weapon_label(card: FighterCard, weapon: Weapon) -> str:
    """Return the marked-up names of a weapon and its owner."""
    return f"**{weapon.name}** *{card.name}*"


def _number_of(weapon: Weapon, letter: str) -> int:
    value: int = getattr(weapon, NUMBER_LETTERS[letter][0])
    return value


def _card_entries(options: KindOptions, data: GameData) -> Iterator[Block]:
    """Yield each card with its printed text."""
    return text_entries((_heading(card), _card_text(card, data.rules)) for card in select_cards(options, data))


def _heading(card: Card) -> str:
    number = getattr(card, "number", None)
    return f"{number} {card.name}" if number else card.name


def _card_text(card: Card, rules: Ruleset) -> str:
    """Return the marked-up text of a card."""
    if isinstance(card, Character | Minion):
        stats = " ".join(f"{rules.abbreviation(f'stat {letter}')}\u00a0{value}" for letter, value in card.stats.printed)
        lines = "; ".join(f"{weapon.name} {_line(weapon, rules)}" for weapon in card.weapons)
        return " ".join(filter(None, (f"{stats}.", f"{lines}." if lines else "", *_ability_texts(card, rules))))
    points = f" **{card.vp}\u00a0{rules.abbreviation('note VP')}**" if hasattr(card, "vp") else ""
    return f"{_once_prefix(card, rules)}{rules.describe(card)}{points}"


def _line(weapon: Weapon, rules: Ruleset) -> str:
    """Return the type and the numbers of a weapon, as the game abbreviates them."""
    values = ((letter, _number_of(weapon, letter)) for letter in NUMBER_LETTERS)
    numbers = " ".join(f"{rules.abbreviation(f'number {letter}')}{value}" for letter, value in values if value)
    return f"{rules.abbreviation(f'type {weapon.type}')} {numbers}"


def _ability_texts(card: FighterCard, rules: Ruleset) -> Iterator[str]:
    for ability in getattr(card, "abilities", ()):
        yield f"**{ability.name}**: {_once_prefix(ability, rules)}{rules.describe(ability)}"


def _once_prefix(thing: Card | Ability, rules: Ruleset) -> str:
    label = rules.once_label(thing)
    return f"*{label}.* " if label else ""


def _ability_entries(options: FighterKindOptions, data: GameData) -> Iterator[Block]:
    """Yield abilities, each with the name of its Character."""
    return text_entries(
        (ability.name, f"*{card.name}.* {_once_prefix(ability, data.rules)}{data.rules.describe(ability)}")
        for card in select_fighters(options, data)
        for ability in getattr(card, "abilities", ())
    )


def _carried_relics(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the relics of a warband, with their bearers."""
    members = data.card_list.members if isinstance(data.card_list, Warband) else ()
    entries = []
    for member in members:
        if member.relic:
            relic, bearer = data.find("relic", member.relic), data.find("character", member.character)
            entries.append((relic.name, f"*{bearer.name}.* {_card_text(relic, data.rules)}"))
    return text_entries(entries)


def _terms_on_cards(options: TermOptions, data: GameData) -> Iterator[Block]:
    """Yield the terms on the cards of a warband, in glossary order."""
    always = {term.name for term in find_each(options.terms, data.term, "terms")}
    words = f" {' '.join(_printed_words(data))} "
    terms = [t for t in data.rules.terms if t.name in always or any(f" {form} " in words for form in _written_forms(t))]
    yield definition_list(terms)


def _written_forms(term: GlossaryTerm) -> tuple[str, ...]:
    """Return the forms of a term as cards print them; everyday words may have a small letter."""
    return (*term.forms, *(form[0].lower() + form[1:] for form in term.everyday))


def _printed_words(data: GameData) -> Iterator[str]:
    """Yield the words on the cards in play, without markup."""
    for kind in ("character", "minion", "relic"):
        for card in select_cards(KindOptions(kind=kind), data):
            weapons: Sequence[Weapon] = getattr(card, "weapons", ())
            names = {weapon.type: data.rules.abbreviation(f"type_name {weapon.type}") for weapon in weapons}
            used = (f"{names[weapon.type]} {data.rules.describe(weapon)}" for weapon in weapons)
            joined = " ".join((_card_text(card, data.rules), *used))
            yield "".join(letter if letter.isalnum() or letter in "-'’" else " " for letter in joined)


CARD_PROVIDERS = {
    "stats": ContentProvider(_stat_table, "a table of characteristics, one fighter per row", FighterKindOptions),
    "weapons": ContentProvider(_weapon_table, "a table of weapons and Powers, one per row", FighterKindOptions),
    "cards": ContentProvider(_card_entries, "cards of a kind, with their text", KindOptions),
    "abilities": ContentProvider(_ability_entries, "abilities and their effects", FighterKindOptions),
    "relics-borne": ContentProvider(_carried_relics, "the relics of a warband and their bearers"),
    "terms-in-play": ContentProvider(_terms_on_cards, "the terms that appear on the cards of a warband", TermOptions),
}
ATTRIBUTE_VALUES = range(MIN_ATTRIBUTE, MAX_ATTRIBUTE + 1)
_ATTACKER, _TARGET = "attacker", "target"
# Tables of a warband are about its fighters, whatever they carry.
RELICS = "Relics"


class SuccessOptions(Model):
    """The highest Penetration to list; by default, the highest on any card."""

    penetration: Annotated[Int | None, Field(ge=0, le=6, description="the highest Penetration in the table")] = None


class AttackerOptions(Model):
    """The attackers; on a warband's sheet, its own fighters."""

    attackers: FighterKind = "minion"


class AttackTableOptions(Model):
    """Whether the table is only for lists with Minions."""

    of_hordes: Annotated[Flag, Field(description="only on the sheets of lists with Minions")] = False


class WoundingOptions(AttackerOptions):
    """The attackers and their targets."""

    targets: FighterKind = "minion"


def _success_table(options: SuccessOptions, data: GameData) -> Iterator[Block]:
    """Yield the successful rolls out of 6, by attribute and Penetration."""
    highest = options.penetration if options.penetration is not None else _highest_penetration(data)
    head = ("", *(f"{data.rules.abbreviation('number P')}{value}" for value in range(highest + 1)))
    rows = (
        (str(value), *(str(_success_chance(value, pierce, data) * SIDES) for pierce in range(highest + 1)))
        for value in ATTRIBUTE_VALUES
    )
    yield table(head, rows)


def _success_chance(attribute: int, penetration: int, data: GameData) -> Fraction:
    """Return the chance to pass a Test to resist."""
    situation = TestSituation(_dummy_card(_TARGET, attribute), "body", penetration=penetration)
    trial = set_up_test(situation, default_config(data, POLICIES))
    assert trial.odds is not None
    return trial.odds()[0].parts[0][1]


def _highest_penetration(data: GameData) -> int:
    cards = [card for kind in FIGHTER_KINDS for card in select_fighters(_all_fighters(kind), data)]
    return max((weapon.penetration for card in cards for weapon in card.weapons), default=0)


def _attack_table(options: AttackTableOptions, data: GameData) -> Iterator[Block]:
    """Yield the chance to wound, by attribute to hit (rows) and to resist (columns)."""
    if options.of_hordes and not (isinstance(data.card_list, Warband) and data.card_list.minions):
        return
    head = ("", *map(str, ATTRIBUTE_VALUES))
    rows = (
        (
            str(hits),
            *(
                _wound_percent(_attack(_dummy_card(_ATTACKER, hits), _dummy_card(_TARGET, resists), data))
                for resists in ATTRIBUTE_VALUES
            ),
        )
        for hits in ATTRIBUTE_VALUES
    )
    yield table(head, rows)


def _defence_table(options: AttackerOptions, data: GameData) -> Iterator[Block]:
    """Yield each weapon's odds by the attribute that resists, before Penetration."""
    targets = [_dummy_card(_TARGET, value) for value in ATTRIBUTE_VALUES]
    columns = [(str(value), target) for value, target in zip(ATTRIBUTE_VALUES, targets, strict=True)]
    yield from _odds_table(options, columns, data)


def _wound_table(options: WoundingOptions, data: GameData) -> Iterator[Block]:
    """Yield each weapon's odds against each target."""
    targets = select_fighters(_all_fighters(options.targets), data)
    yield from _odds_table(options, [(target.name, card_data(target)) for target in targets], data)


def _odds_table(options: AttackerOptions, targets: list[tuple[str, CardData]], data: GameData) -> Iterator[Block]:
    """Yield each weapon's chance to wound the targets, given with their headings, below what the chances leave out."""
    left_out: dict[str, None] = {}
    rows = []
    # The attackers: on a warband's sheet, all its fighters.
    kinds = FIGHTER_KINDS if isinstance(data.card_list, Warband) else (options.attackers,)
    for attacker in (card for kind in kinds for card in select_fighters(FighterKindOptions(kind=kind), data)):
        for weapon in (each for each in attacker.weapons if each.needs_test):
            attacks = [_attack(card_data(attacker), target, data, weapon.name) for _, target in targets]
            left_out |= dict.fromkeys(note for each in attacks for note in each.not_simulated)
            rows.append((weapon_label(attacker, weapon), *map(_wound_percent, attacks)))
    if isinstance(data.card_list, Warband) and any(each.relic for each in data.card_list.members):
        left_out[RELICS] = None
    if targets and rows:
        yield from left_out_note(left_out)
        yield from rows_table(("", *(heading for heading, _ in targets)), rows)


def _all_fighters(kind: FighterKind) -> FighterKindOptions:
    """Return options that select all fighters of a kind, on any sheet."""
    return FighterKindOptions(kind=kind, all=True)


def _attack(attacker: CardData, target: CardData, data: GameData, weapon: str | None = None) -> PreparedTrial:
    return set_up_attack(AttackSituation(attacker, target, weapon), default_config(data, POLICIES))


def _wound_percent(trial: PreparedTrial) -> str:
    """Return the chance that one attack wounds, in percent."""
    assert trial.odds is not None
    chances = trial.odds()[0].chances
    return percent(next(chance for words, chance in chances if words.endswith(f" {EVENT_VERBS['damage']}")), 0)


def _dummy_card(name: str, attribute: int) -> CardData:
    """Return a fighter with equal attributes and a weapon without Penetration."""
    stats = {"mind": attribute, "body": attribute, "spirit": attribute, "wounds": 1, "movement": 0}
    weapons = [{"name": "weapon", "type": "RW", "range": 1, "damage": 1}]
    return {"kind": Minion.KIND, "name": name, "stats": stats, "weapons": weapons}


ODDS_PROVIDERS = {
    "odds-of-success": ContentProvider(
        _success_table, "the number of successes in 6 rolls, by attribute and Penetration", SuccessOptions
    ),
    "odds-of-attacks": ContentProvider(
        _attack_table, "the chance to wound, by the attributes that hit and resist", AttackTableOptions
    ),
    "odds-by-defence": ContentProvider(
        _defence_table, "the chance of each weapon to wound, by the attribute that resists it", AttackerOptions
    ),
    "odds-of-wounding": ContentProvider(
        _wound_table, "the chance of each weapon to wound each target", WoundingOptions
    ),
}
FACTS = {
    "least": str(MIN_ATTRIBUTE),
    "most": str(MAX_ATTRIBUTE),
    "members": str(MAX_MEMBERS),
    "turns": str(TURNS),
    "actions": str(ACTIONS_PER_ACTIVATION),
    "defenders": str(DEFENDER_COUNT),
    "horde": str(HORDE_SIZE),
    "gap": str(GAP_PENALTY).replace("-", "−"),
}


def _find_fighter(name: str, data: GameData) -> Character | Minion:
    for kind in FIGHTER_KINDS:
        with suppress(NotAvailableError):
            card = data.find(kind, name)
            assert isinstance(card, Character | Minion)
            return card
    raise NotAvailableError.unknown("fighter", name, [card.id for kind in FIGHTER_KINDS for card in data.cards[kind]])


def _stat_value(argument: str, data: GameData) -> str:
    """Return a characteristic of a fighter: <stat brute B>."""
    words = argument.split()
    if len(words) != 2:
        raise NotAvailableError("'stat' requires a fighter and a letter", "write, for instance, <stat brute B>")
    values = dict(_find_fighter(words[0], data).stats.printed)
    if words[1] not in values:
        raise NotAvailableError.unknown("characteristic", words[1], values)
    return str(values[words[1]])


def _weapon_value(argument: str, data: GameData) -> str:
    """Return the line of a weapon: <weapon sentinel Rifle>."""
    words = argument.split()
    if len(words) < 2:
        raise NotAvailableError(
            "'weapon' requires a fighter and its weapon", "write, for instance, <weapon sentinel Rifle>"
        )
    fighter, name = _find_fighter(words[0], data), " ".join(words[1:])
    for weapon in fighter.weapons:
        if weapon.name.casefold() == name.casefold():
            return _line(weapon, data.rules)
    raise NotAvailableError.unknown(f"weapon of {fighter.name}", name, [weapon.name for weapon in fighter.weapons])


REFERENCE = ReferenceContent(
    sheets=Path(__file__).with_name("sheets"),
    content_providers={**LETTER_PROVIDERS, **CARD_PROVIDERS, **ODDS_PROVIDERS},
    inline_values={"fact": fact_values(FACTS), "stat": _stat_value, "weapon": _weapon_value},
    list_kinds=("warband",),
)
