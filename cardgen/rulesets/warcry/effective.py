"""Changes in force: those of a card, or those that its text says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cardgen.game import KeyPath, Model, did_you_mean, join_words, slugify
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import BEARING, BY_PLAYERS, KEPT, NUMBERS, WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.selections import Condition, Group, Moment
from cardgen.rulesets.warcry.words import BANS, EVENTS, PLAN_WORDS, SPANS, Fact

if TYPE_CHECKING:
    from cardgen.game import CardData


# The blessing that lets a fighter use Inspiring Presence; an attack and an activation ask for that.
HEROISM = "heroism"


class RuleLike(Protocol):
    """A card or rule with changes and a text."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it does, as data."""

    @property
    def text(self) -> str | None:
        """What it does, in words."""


def changes_of(rule: RuleLike) -> tuple[Change, ...]:
    """Return the changes of a rule, or those that its text says if every sentence was read; () for other texts."""
    if rule.changes or not rule.text:
        return rule.changes
    changes, settings = read_changes(rule.text, price_of(rule) or ""), getattr(rule, "settings", None)
    if not changes or settings is None or not settings.own_runemarks:
        return changes
    # What is read from a text has no names of the project yet.
    data = (change.model_dump(mode="json", by_alias=True, exclude_unset=True) for change in changes)
    return tuple(
        type(change).model_validate(each, context=settings) for change, each in zip(changes, data, strict=True)
    )


def why_not(rule: Ability | Rule | Trait | Blessing, marks: Collection[str]) -> str:
    """Return why a rule is not for a fighter with some runemarks, or '' if it is.

    An ability needs all of its runemarks, and what a trait grants one of them; `only_for` and `not_for` say more.
    """
    own, changes, needed = {*marks}, changes_of(rule), getattr(rule, "runemarks", ())
    choices = [(mark,) for mark in needed] if isinstance(rule, Ability) else [needed]
    for one_of in (*choices, *(change.only_for for change in changes)):
        if one_of and own.isdisjoint(one_of):
            return f"it lacks the runemark {join_words([rule.settings.name_of(mark) for mark in one_of])}"
    excluded = [mark for change in changes for mark in change.not_for if mark in own]
    return f"it has the runemark {rule.settings.name_of(excluded[0])}" if excluded else ""


def price_of(rule: object) -> str | None:
    """Return the price of an ability or a rule that has one; blessings only have points."""
    price = getattr(rule, "price", None)
    return price if isinstance(price, str) else None


def own_changes(blessing: RuleLike | None) -> tuple[Change, ...]:
    """Return the changes of a blessing for its own fighter, which the procedures apply as far as they are constant.

    A blessing that is used once in a while, or under a condition, has none: the players apply it.
    """
    if blessing is None or has_use(blessing):
        return ()
    return tuple(change for change in changes_of(blessing) if change.of == "self")


def has_use(rule: RuleLike) -> bool:
    """Return whether changes of a rule say how often, or when, it can be used, so that it does not always apply."""
    return any(change.only_if or change.not_if for change in changes_of(rule))


def limit_of(trait: Trait | None, rule: RuleLike) -> Condition | None:
    """Return how often a rule of a battle trait can be used, by the key `once` or by changes of the rule, or None."""
    if trait is not None and trait.once is not None:
        return Condition(once=trait.once)
    uses = (change.only_if for change in changes_of(rule))
    return next((use for use in uses if use and use.once), None)


def is_by_chance(rule: RuleLike) -> bool:
    """Return whether a rule that always applies says when it can be used by more than how often."""
    return any(change.not_if or (change.only_if and not _is_of_uses(change.only_if)) for change in changes_of(rule))


def is_limit(change: Change) -> bool:
    """Return whether all that a change says is how often its rule can be used."""
    return change.model_fields_set == {"only_if"} and _is_of_uses(change.only_if)


def _is_of_uses(use: Condition | None) -> bool:
    return use is not None and use.model_fields_set <= {"once", "by_fighter"}


@lru_cache(maxsize=512)
def read_changes(text: str, price: str = "") -> tuple[Change, ...]:
    """Return the changes that a text says, or () if a sentence of it was not read, or only loosely."""
    from cardgen.game import Level
    from cardgen.rulesets.warcry.wording.consequences import read_sentences

    readings = read_sentences(text, price)
    if any(reading.level != Level.READ for reading in readings):
        return ()
    return tuple(change for reading in readings for change in reading.value)


class PlacedChange(NamedTuple):
    """A change, and where a card says it: under a key of `changes`, or in a range of its text."""

    change: Change
    route: KeyPath
    text_range: tuple[int, int] | None = None

    def at(self, *keys: str | int) -> KeyPath:
        """Return the place of one of its keys, or of a key in it."""
        return self.route if self.text_range else (*self.route, *keys)


def placed_changes(rule: RuleLike) -> Iterator[PlacedChange]:
    """Yield the changes of a rule, or those of a text of which every sentence was read."""
    if rule.changes:
        yield from (PlacedChange(change, ("changes", index)) for index, change in enumerate(rule.changes))
    elif changes_of(rule):
        from cardgen.rulesets.warcry.wording.consequences import read_sentences

        for reading in read_sentences(rule.text or "", price_of(rule) or ""):
            yield from (PlacedChange(change, ("text",), (reading.start, reading.end)) for change in reading.value)


def parts_of(model: Model, route: KeyPath = ()) -> Iterator[tuple[Model, KeyPath]]:
    """Yield a change, moment, group, or condition, and those in it, each with the keys that lead to it."""
    yield model, route
    for name, info in type(model).model_fields.items():
        if isinstance(value := getattr(model, name), Model):
            yield from parts_of(value, (*route, info.alias or name))


def is_declared(change: Change) -> bool:
    """Return whether all words of a change are declared; those of any other count as relevant to everything."""
    for part, _ in parts_of(change):
        fields = next((model.model_fields for model in (Change, Group, Condition) if isinstance(part, model)), None)
        if fields is not None and not part.model_fields_set <= fields.keys():
            return False
        if isinstance(part, Moment) and part.event not in EVENTS:
            return False
    return change.span in (None, *SPANS) and BANS.keys() >= {*change.cannot}


def before_wait(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return the changes of a rule that happen when it is used, and not at a later moment or after the hit rolls."""
    return tuple(takewhile(lambda change: not change.waits, changes))


def follows_hit_rolls(change: Change) -> bool:
    """Return whether a change of a reaction comes after the hit rolls, or asks for more than the attack it answers."""
    counts_rolls = change.condition and (change.condition.ones or change.condition.misses)
    is_of_attack = change.of == "attacker" and change.nonzero(WEAPON_NUMBERS) and change.span != "attack"
    return bool(
        change.bonus_attack or change.bonus_disengage or counts_rolls or is_of_attack or isinstance(change.per, str)
    )


def needs_players(change: Change) -> bool:
    """Return whether the players of a battle apply something of a change of a rule that is used."""
    is_shown = (change.has(NUMBERS) or change.has(KEPT)) and not change.can_be_kept
    return is_shown or change.has(BY_PLAYERS) or change.closer or not is_declared(change)


def left_out_of_use(rule: RuleLike) -> Iterator[Change]:
    """Yield the changes of an ability or a reaction that the players apply, though the referee knows their keys.

    Those are the ones after a later moment, those that follow the hit rolls of an attack that is answered, and all of a
    reaction that is made after the attack, or that is not offered.
    """
    changes = changes_of(rule)
    moments = [change.reacts for change in changes if change.reacts]
    is_late = any(moment.event != "targeted" or isinstance(moment.of, Group) for moment in moments)
    is_over = False
    for change in changes:
        is_over = is_over or change.waits
        if not change.reacts and (is_over or is_late or (moments and follows_hit_rolls(change))):
            yield change


# The keys of a change by a battle trait that count in an attack, or say when, for whom, and how it does.
_FOLLOWED = {
    *BEARING, "move", "weapon", "reach", "at_least", "fixed_at", "of", "condition", "unless", "during", "when",
    "incoming", "next", "span", "may", "target",
}  # fmt: skip


def is_followed(change: Change) -> bool:
    """Return whether the referee can add a change to numbers if its conditions hold."""
    keys = change.model_fields_set - ({"only_if"} if _is_of_uses(change.only_if) else set())
    return (
        is_declared(change)
        and not keys - _FOLLOWED
        and change.target in (None, "picked")
        and not change.weapon.startswith("one")
        and not (change.incoming and change.toughness)
    )


def is_conditional(change: Change) -> bool:
    """Return whether a change without a moment counts in each attack, or round, in which its conditions hold."""
    is_number = change.has((*BEARING, "move")) and not change.min_range and not change.next
    return is_number and is_followed(change) and conditions_of(change) is not None


def is_of_value(change: Change) -> bool:
    """Return whether a change of a battle trait is of the values of the abilities that are used."""
    is_set = change.ability_value is not None and change.condition is not None and change.condition.targets is not None
    return bool(change.raise_value or change.lowest_value or is_set)


def in_battle(rule: RuleLike, *, is_limited: bool) -> Iterator[tuple[Change, str]]:
    """Yield the changes of a rule of a battle trait, each with what the match tracker does with it."""
    moment, changes = None, changes_of(rule)
    targets_pick, by_chance = any(change.target == "picked" for change in changes), is_by_chance(rule)
    for change in changes:
        moment = change.when or moment
        if is_limit(change):
            yield change, "counts how often it is used"
        elif by_chance and not moment:
            yield change, LEFT[0]
        else:
            yield change, _done_in_battle(change, moment, is_limited=is_limited, targets_pick=targets_pick)


def _done_in_battle(change: Change, moment: Moment | None, *, is_limited: bool, targets_pick: bool) -> str:
    """Return what the match tracker does with a change of a battle trait, which may have a moment."""
    what = LEFT[0]
    if change.has(("initiative", "wild_dice", "impact")) and change.is_free:
        what = "applies it when dice are rolled"
    elif is_simple(change) and not is_limited:
        what = "adds it to the numbers of the fighters"
    elif is_of_value(change):
        what = "adds it to the value of the ability, and asks for what it does not know"
    elif moment and moment.event in MOMENTS and not change.lends:
        is_applied = (change.incoming or not needs_players(change)) and change.roll_each != "sets"
        what = "applies it at its moment" if is_applied else LEFT[1]
    elif not moment and (is_conditional(change) or (change.pick and targets_pick)):
        asks = is_limited and not change.first_critical
        what = "asks whether it is used" if asks else "adds it to the numbers of the fighters while it is so"
    elif change.healing and change.of == Group(side="enemy"):
        what = "applies it when damage points are removed"
    elif change.many_abilities:
        what = "offers abilities again in the activations of a battle"
    return what


# What the match tracker does with what it leaves to the players, and the moments that it knows.
LEFT = ("shows it to the players at the start of each battle round", "asks for its effect at its moment")
MOMENTS = EVENTS.where(lambda event: event.is_tracked)


def unplayed(rule: RuleLike, name: str) -> Iterator[str]:
    """Yield what battles leave to the players of a rule that fighters use."""
    left = [*left_out_of_use(rule)]
    yield from unapplied(rule, name, lambda change: not (change in left or needs_players(change)))


# The keys of changes that are added to a fighter's numbers, or that the procedures ask for.
_IN_NUMBERS = frozenset(with_facts(Fact.IN_NUMBERS))


class ChoiceProblem(NamedTuple):
    """What is wrong with a choice, and what to do about it."""

    message: str
    help: str


def choice_problem(trait: Trait | None, choice: str) -> ChoiceProblem | None:
    """Return the problem with the choice of an alternative by name, or None."""
    if trait is None:
        return ChoiceProblem("a choice needs a battle trait", "add 'trait', or remove 'choice'")
    names = [rule.name for rule in trait.choices]
    if not names:
        return ChoiceProblem(f"'{trait.name}' offers no choice", "remove 'choice'")
    if not _alternatives(trait, choice):
        message = f"unknown choice '{choice[:60]}'{did_you_mean(choice, names)}"
        return ChoiceProblem(message, f"choose {join_words(names)}")
    return None


def open_choice(trait: Trait) -> ChoiceProblem | None:
    """Return the problem of a trait with several alternatives left, or None."""
    if len(trait.choices) < 2:
        return None
    names = join_words([rule.name for rule in trait.choices])
    return ChoiceProblem(f"'{trait.name}' offers a choice", f"name {names}")


def narrow(trait: Trait, choice: str | None) -> Trait:
    """Return a trait with the alternative of this name only, or unchanged if there is none."""
    alternatives = _alternatives(trait, choice) if choice else ()
    return trait.model_copy(update={"choices": alternatives}) if alternatives else trait


def _alternatives(trait: Trait, choice: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in trait.choices if rule.id == slugify(choice))[:1]


def settle(trait: Trait, alternative: Rule) -> Trait:
    """Return a trait that grants an alternative and offers no choice; its text only introduced the choice."""
    return trait.model_copy(update={"choices": (), "grants": (*trait.grants, alternative), "text": None})


def passive_rules(trait: Trait | None) -> tuple[Trait | Rule, ...]:
    """Return a trait and what it grants without a price, which always applies."""
    return (trait, *(rule for rule in trait.grants if not rule.price)) if trait else ()


def passive_changes(trait: Trait | None, runemarks: Collection[str] | None = None) -> tuple[Change, ...]:
    """Return the changes that always apply; with `runemarks`, those for a fighter that has them."""
    return tuple(
        change
        for rule in passive_rules(trait)
        if runemarks is None or not why_not(rule, runemarks)
        for change in changes_of(rule)
        if trait and _applies_by_itself(trait, rule, change) and _is_for(change, runemarks)
    )


def _is_for(change: Change, runemarks: Collection[str] | None) -> bool:
    """Return whether a change is for every fighter of the warband, or for those with some runemarks."""
    if isinstance(change.of, Group):
        others = change.of.model_copy(update={"runemarks": ()})
        has_marks = runemarks is None or {*change.of.runemarks} <= {*runemarks}
        return others == Group(side="friend") and has_marks
    return change.of == "self"


def _applies_by_itself(trait: Trait, rule: Trait | Rule, change: Change) -> bool:
    """Return whether a change always applies, or at a moment of its own such as the start of the battle."""
    if change.wild_dice or change.initiative:
        return change.is_free
    return trait.once is None and not has_use(rule)


def for_players(trait: Trait | None) -> tuple[Trait | Rule, ...]:
    """Return the rules of a trait that only players can apply: those in words, with a condition, or of limited use."""
    return tuple(rule for rule in passive_rules(trait) if trait and any(_left_out(trait, rule)))


def unapplied(rule: RuleLike, name: str, is_applied: Callable[[Change], bool]) -> Iterator[str]:
    """Yield that a rule has only text, or the words of its changes that a procedure does not apply."""
    changes = changes_of(rule)
    if not changes and rule.text:
        yield f"'{name}' has only text"
    if not all(map(is_applied, changes)):
        from cardgen.rulesets.warcry.wording.sentences import sentences  # loaded here because few cards need it

        for change, words in zip(changes, sentences(changes), strict=True):
            if words and not is_applied(change):
                yield f"'{name}' is not applied: {words}"


def _left_out(trait: Trait, rule: Trait | Rule) -> Iterator[str]:
    """Yield a note for what the procedures do not apply of a rule without a price."""
    if introduces(rule):
        return
    limit = limit_of(trait, rule)
    if limit and any(not _applies_by_itself(trait, rule, change) for change in changes_of(rule)):
        yield f"'{rule.name}' applies once per {USE_SPANS[limit.once or '']} only"
    else:
        yield from unapplied(rule, rule.name, lambda change: is_simple(change) and not has_use(rule))


# How often a rule can be used, in words.
USE_SPANS = {"activation": "activation", "round": "battle round", "battle": "battle"}


def introduces(rule: Trait | Rule) -> bool:
    """Return whether the text only introduces what the card grants or offers."""
    others = isinstance(rule, Trait) and (rule.grants or rule.choices)
    return bool(others and rule.text and rule.text.rstrip().endswith(":") and not rule.changes)


def conditions_of(change: Change) -> list[tuple[Condition, bool]] | None:
    """Return what must be true, or must not be, of the fighter that a change of a battle trait is for.

    None if that is not all that decides, as for fighters within some inches of another.
    """
    of, found = change.of, list[tuple[Condition, bool]]()
    if isinstance(of, Group):
        states = {key: getattr(of, key) for key in of.model_fields_set if key in Condition.model_fields}
        if of.side != "friend" or "within" in states or of.model_fields_set - {*states, "side", "any_runemarks"}:
            return None
        marks = [(mark,) for mark in states.pop("runemarks", ())] + [of.any_runemarks] * bool(of.any_runemarks)
        found = [(Condition(runemarks=each), True) for each in marks]
        found += [(Condition(**states), True)] if states else []
    elif of not in ("self", "subject"):
        return None
    for condition, wanted in ((change.condition, True), (change.during, True), (change.unless, False)):
        if condition and condition.of not in ("self", "each", "subject"):
            return None
        found += [(condition, wanted)] if condition else []
    return found


def is_simple(change: Change) -> bool:
    """Return whether a change is one of numbers that the procedures add to those of fighters."""
    is_of_numbers = is_declared(change) and not change.model_fields_set - _IN_NUMBERS
    return is_of_numbers and change.is_constant and _is_for(change, None)


def traits_not_simulated(*traits: Trait | None) -> Iterator[str]:
    """Yield which rules are left to the players: those that are not applied, and those that a fighter has to pay for.

    What is not understood counts as something that bears on the result.
    """
    for trait in filter(None, traits):
        for rule in passive_rules(trait):
            yield from _left_out(trait, rule)
        yield from (f"'{rule.name}' has the price '{rule.price}'" for rule in trait.grants if rule.price)


def trait_of(data: CardData | None, choice: str | None) -> Trait | None:
    """Return a battle trait with the alternative that a player chose, or with all of them.

    Raises ValueError for a choice that it does not offer.
    """
    from cardgen.game import optional_card  # loaded here because checks do not need the referee

    trait = optional_card(data, Trait)
    if choice is not None and (problem := choice_problem(trait, choice)):
        raise ValueError(problem.message)
    return narrow(trait, choice) if trait else None


def trait_in_force(data: CardData | None, choice: str | None) -> Trait | None:
    """Return a battle trait with the chosen alternative in force.

    Raises ValueError for a choice that it does not offer, and for one that is open.
    """
    trait = trait_of(data, choice)
    if trait is None or not trait.choices:
        return trait
    if problem := open_choice(trait):
        raise ValueError("; ".join(problem))
    return settle(trait, trait.choices[0])


def rules_texts(plan: Battleplan) -> Iterator[tuple[KeyPath, str]]:
    """Yield the path and the text of each rule of a battleplan, in the order of the card."""
    sections = [(("sections", index), section) for index, section in enumerate(plan.sections)]
    for path, section in (*sections, *(((key,), section) for key, section in plan.main_sections.items())):
        if section.text:
            yield (*path, "text"), section.text
        yield from (((*path, "scores", index, "text"), score.text) for index, score in enumerate(section.scores))
    if plan.victory:
        yield ("victory",), plan.victory


def needs(plan: Battleplan) -> Iterator[tuple[KeyPath, str]]:
    """Yield the path and the need of each condition and rule of a battleplan, in the order of the card."""
    for key, section in plan.main_sections.items():
        words = [((key, "scores", index, "when"), score.when) for index, score in enumerate(section.scores)]
        for path, word in (*words, ((key, "rule"), section.rule)):
            if word and PLAN_WORDS[word].needs:
                yield path, PLAN_WORDS[word].needs
