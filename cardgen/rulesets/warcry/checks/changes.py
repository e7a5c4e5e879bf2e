"""Checks of changes."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from cardgen.game import CheckContext, CheckScope, Dice, Finding, Findings, misfit, quantity, told_changes
from cardgen.rulesets.warcry.cards import DICE, Ability, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import FIGHTER_NUMBERS, NUMBERS, STATES, WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.effective import changes_of, parts_of, placed_changes, price_of
from cardgen.rulesets.warcry.selections import CONDITION_STATES, GROUP_STATES, Group, Moment, SetChange, State
from cardgen.rulesets.warcry.words import EVENTS, SPANS, Fact

_BONUS_FOR_GOOD_ADVICE = {
    "reaction": ("write 'for: attack' or 'for: round'", "say when it ends: 'until the end of the battle round'"),
    "": ("write 'for: attack', 'for: activation', or 'for: round'",
         "say when it ends, such as 'until the end of its activation'"),
}  # fmt: skip


def bonus_for_good(ability: Ability | Rule) -> Findings:
    """Yield what dice or a reaction pay for and that has no end, or none of its own."""
    for placed in placed_changes(ability) if ability.price in (*DICE, "reaction") else ():
        change, route = placed.change, placed.route
        numbers = change.nonzero(NUMBERS)
        state = next((key for key in STATES if getattr(change, key)), "")
        has_end = change.span is not None or change.next is not None
        if numbers and not has_end:
            message = f"a {ability.price} changes {numbers[0][0].capitalize()} for good"
        elif state and not has_end:
            message, route = f"an effect of a {ability.price} has no end", placed.at(state)
        elif ability.price == "reaction" and change.span == "activation" and change.of == "self":
            message = "a reaction is not made in its fighter's own activation"
        else:
            continue
        data_advice, text_advice = _BONUS_FOR_GOOD_ADVICE.get(ability.price or "", _BONUS_FOR_GOOD_ADVICE[""])
        advice = text_advice if placed.text_range else data_advice
        yield Finding(message, route, help=advice, text_range=placed.text_range)


_PENALTIES = (*NUMBERS, "wild_dice")


def costly_penalty(blessing: Blessing) -> Findings:
    """Yield the first change of a blessing all of whose changes are penalties."""
    placed_all = [] if blessing.text and blessing.changes else [*placed_changes(blessing)]
    penalties = [(each, name) for each in placed_all for name, by in each.change.nonzero(_PENALTIES) if by < 0]
    if penalties and not any(_helps(each.change) for each in placed_all):
        placed, name = penalties[0]
        advice = "write a bonus, such as +1" if placed.text_range else "write a change as +N"
        yield Finding("the blessing only makes its fighter worse", placed.at(name), advice, placed.text_range)


def _helps(change: Change) -> bool:
    others = set(Change.FIELDS) - set(_PENALTIES) - {"impact"}
    return (
        change.impact < 0
        or change.incoming
        or change.of != "self"
        or any(by > 0 for _, by in change.nonzero(_PENALTIES))
        or any(getattr(change, name) for name in others)
    )


_CRIPPLING_PENALTY_ADVICE = {
    "move": "lower the penalty, or write 'cannot: [move]'",
    "wounds": "lower the penalty",
    "damage": "lower the penalty",
    "critical": "lower the penalty",
}


def crippling_penalty(card: Ability | Rule | Trait | Blessing, context: CheckContext) -> Findings:
    """Yield penalties that exceed the highest characteristic of the fighters in play, those of the kit among them."""
    for placed in placed_changes(card):
        for name, by in placed.change.nonzero(NUMBERS):
            highest = context.scope.compute_once(_highest).get(name) if by < 0 else None
            if highest is not None and -by > highest:
                message = f"no fighter has {-by} {name.capitalize()}; the highest is {highest}"
                advice = _CRIPPLING_PENALTY_ADVICE.get(name, f"lower the penalty, or write 'fixes: [{name}]'")
                yield Finding(message, placed.at(name), advice, placed.text_range)


def _highest(scope: CheckScope) -> Mapping[str, int]:
    """Return the highest of each characteristic among the fighters, by name; empty without fighters."""
    highest: dict[str, int] = {}
    for numbers in scope.facts_of_type(_highest_numbers, Fighter):
        for name, number in numbers.items():
            highest[name] = max(highest.get(name, number), number)
    return highest


def _highest_numbers(fighter: Fighter) -> dict[str, int]:
    """Return a fighter's characteristics by name, the highest of those that several weapons have."""
    of_weapons = {name: [getattr(weapon, name) for weapon in fighter.weapons] for name in WEAPON_NUMBERS}
    return {
        **{name: getattr(fighter.stats, name) for name in FIGHTER_NUMBERS},
        **{name: max(numbers) for name, numbers in of_weapons.items() if numbers},
    }


# The roll that the Take Cover reaction needs without any change.
TAKE_COVER = 4
# Keys that have a message of their own.
_KNOWN = ("weapon", "span", "per_points")
_OF_WEAPONS = with_facts(Fact.OF_WEAPONS)


def idle_key(change: Change) -> Findings:
    """Yield the keys that select or limit nothing, and values that are those of the rules."""
    from cardgen.rulesets.warcry.wording.sentences import idle_keys

    changes_weapons = bool(change.nonzero(WEAPON_NUMBERS))
    selects = change.has(_OF_WEAPONS)
    if change.weapon != "any" and not (changes_weapons or selects):
        yield Finding("'weapon' has no effect without a change of weapons", ("weapon",), help="remove it")
    if change.span and not changes_weapons and not change.nonzero(FIGHTER_NUMBERS):
        if not (change.when or change.has(STATES)):
            yield Finding("'for' has no effect without a change of a characteristic", ("for",), help="remove it")
    elif change.span == "attack" and change.move:
        message = "a change of Move has no effect during an attack"
        yield Finding(message, ("for",), help="write 'for: activation' or 'for: round'")
    if change.per_points > 1 and change.per not in ("dealt", "healed"):
        yield Finding(
            "'per_points' has no effect without 'per: dealt' or 'per: healed'", ("per_points",), help="remove it"
        )
    for name in idle_keys(change):
        if name not in _KNOWN:
            key = Change.model_fields[name].alias or name
            help_text = "write 'if' for what happens at once" if name == "during" else "remove it"
            yield Finding(f"'{key}' has no effect on this change", (key,), help=help_text)
    if change.take_cover == TAKE_COVER:
        yield Finding(f"Take Cover needs {TAKE_COVER}+ anyway", ("take_cover",), help="use another number")


def idle_moment(card: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the moments of reactions on other cards, and conditions of use on cards that nobody uses."""
    price = price_of(card)
    kind = f"a rule with the price '{price}'" if price else "a rule without a price"
    for placed in placed_changes(card):
        if placed.change.reacts and price != "reaction":
            message, advice = f"{kind} is not a reaction", "set the price to reaction, or remove 'reacts'"
            yield Finding(message, placed.at("reacts"), advice, placed.text_range, at_key=not placed.text_range)
        for key in ("only_if", "not_if") if price is None else ():
            condition = getattr(placed.change, key)
            if condition and not condition.model_fields_set <= {"once", "by_fighter"}:
                message, advice = f"{kind} always applies", f"write 'if' or 'while' instead of '{key}'"
                yield Finding(message, placed.at(key), advice, placed.text_range, at_key=not placed.text_range)


_FACES = re.compile(r"(\d+)(?:(\+)|-(\d+))?")


def impossible_faces(thing: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the faces of changes that the dice rolled before never show, or always."""
    dice = Dice()
    for placed in placed_changes(thing):
        change = placed.change
        if change.roll or change.roll_each:
            dice = Dice(2) if change.roll == "2d6" else Dice()
        if faces := _FACES.fullmatch(change.on_roll or ""):
            low = int(faces[1])
            high = dice.high if faces[2] else int(faces[3] or low)
            if message := misfit(dice, low, max(low, high)):
                advice = "roll: 2d6" if low > dice.high else f"use {dice.low + 1}+ to {dice.high}+"
                yield Finding(message, placed.at("on_roll"), advice, placed.text_range)


# Conditions, and their exceptions.
_EXCEPTIONS = (("condition", "unless"), ("during", "unless"), ("only_if", "not_if"))


def impossible_selection(card: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the keys of groups and conditions that exclude each other."""
    for placed in placed_changes(card):
        for part, route in parts_of(placed.change):
            problems = _exclusions(part) if isinstance(part, State) else _exceptions(part)
            for key, message, advice in problems:
                yield Finding(message, placed.at(*route, key), advice, placed.text_range)


def _exclusions(state: State) -> Iterator[tuple[str, str, str]]:
    """Yield a key, a message, and advice for each pair of keys that no fighter satisfies."""
    for one, word in (GROUP_STATES if isinstance(state, Group) else CONDITION_STATES).items():
        value = getattr(state, one, None)
        for other in word.never_with if value else ():
            if getattr(state, other, None):
                yield other, f"no fighter is both '{one}' and '{other}'", f"remove '{one}' or '{other}'"
        most = getattr(state, word.at_most, None)
        if value is not None and most is not None and value > most:
            message = f"no fighter has '{one}: {value}' and '{word.at_most}: {most}'"
            yield word.at_most, message, "swap the two numbers"
        outside = getattr(state, word.farther, None)
        if isinstance(value, int) and isinstance(outside, int) and value <= outside:
            limits = [quantity(inches, "inch", "inches") for inches in (value, outside)]
            message = f"nothing is within {limits[0]} and more than {limits[1]} away"
            yield word.farther, message, f"lower '{word.farther}', or raise '{one}'"


def _exceptions(change: object) -> Iterator[tuple[str, str, str]]:
    """Yield a key, a message, and advice for each condition of a change that is also its exception."""
    for condition, exception in _EXCEPTIONS if isinstance(change, Change) else ():
        if getattr(change, condition) and getattr(change, condition) == getattr(change, exception):
            key = Change.model_fields[condition].alias or condition
            yield exception, f"'{key}' and '{exception}' are the same condition", "remove one of them"


_AT_ONCE = with_facts(Fact.SUDDEN)
_NO_MOMENT_ADVICE = "say when, such as 'at the end of every battle round'"


def no_moment(card: Ability | Blessing | Rule | Trait) -> Findings:
    """Yield the changes that happen at some moment, if no text names it, and reactions without one."""
    if isinstance(card, Ability | Rule):
        yield from _reaction_to_nothing(card)
        return
    for placed in () if card.text and card.changes else placed_changes(card):
        if placed.change.when:
            return
        key = next((key for key in _AT_ONCE if getattr(placed.change, key)), "for" if placed.change.span else "")
        if key:
            message = "the card does not say when this happens"
            advice = _NO_MOMENT_ADVICE if card.text else "add a 'text' that says when"
            yield Finding(message, placed.at(key), advice, placed.text_range)


def _reaction_to_nothing(card: Ability | Rule) -> Findings:
    changes = changes_of(card) if card.price == "reaction" and not (card.text and card.changes) else ()
    if changes and not any(change.reacts for change in changes):
        advice = "say when it is made, such as 'when a melee attack targets this fighter, before the hit rolls'"
        if card.changes:
            advice = "add {reacts: {event: …}} to the changes, or a 'text' that says when it is made"
        key = "changes" if card.changes else "text"
        yield Finding("the reaction does not say what it answers", (key,), advice, at_key=True)


# What is over when abilities are used, in other words than its key.
_EARLIER = {key: key for key in with_facts(Fact.EARLY)} | {
    "wild_dice": "wild dice at the start of the battle",
    "initiative": "the initiative",
}


def too_late(ability: Ability | Rule) -> Findings:
    """Yield the changes of wild dice and of the initiative that a fighter has to pay for, and moments before that."""
    from cardgen.rulesets.warcry.wording.sentences import moment_phrase

    for placed in placed_changes(ability) if ability.price else ():
        change, messages = placed.change, dict[str, str]()
        for key in ("when", "reacts"):
            if (moment := getattr(change, key)) and _is_early(moment):
                messages[key] = f"too late for what happens {moment_phrase(moment)}"
        messages |= {key: f"too late to change {words}" for key, words in _EARLIER.items() if getattr(change, key)}
        for key, message in messages.items():
            yield Finding(message, placed.at(key), "use a battle trait or a blessing", placed.text_range)


def _is_early(moment: Moment) -> bool:
    """Return whether a moment is over when fighters use rules, which they do in the combat phase of battle round 1."""
    return EVENTS[moment.event].is_early or (moment.event == "round-start" and {*moment.rounds} == {1})


_UNUSED_PICK_ADVICE = {
    "pick": "add a change for it, such as 'of: picked'",
    "roll": "add a change for its faces, such as 'on_roll: 4+'",
}


def unused_pick(card: Ability | Rule | Trait | Blessing) -> Findings:
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
                yield Finding(message, place, _UNUSED_PICK_ADVICE[key], placed.text_range, at_key=not placed.text_range)


def missing_pick(card: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the changes for a picked fighter, or for faces of a die, that no change of the same card picks or rolls.

    A moment or a reaction names an enemy, and a text beside the changes may name anybody.
    """
    has_pick = has_roll = bool(card.text) or price_of(card) == "reaction"
    for placed in placed_changes(card):
        change = placed.change
        has_pick = has_pick or bool(change.pick or change.when or change.reacts)
        has_roll = has_roll or bool(change.roll or change.roll_each or change.when)
        key = "of" if change.of == "picked" and not has_pick else ""
        key = key or ("of" if change.of == "rolled" and not has_roll else "")
        key = key or ("on_roll" if change.on_roll and not has_roll else "")
        if key:
            is_pick = change.of == "picked" and not has_pick
            message = "no fighter is picked before this" if is_pick else "no die is rolled before this"
            advice = f"add a change before it, such as {'pick: {side: enemy, within: 6}' if is_pick else 'roll: 1'}"
            yield Finding(message, placed.at(key), advice, placed.text_range)


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


_WORDS = "value of this ability"


def valueless(ability: Ability | Rule) -> Findings:
    """Yield the changes and the text that use a missing value."""
    if ability.price is None or ability.price in DICE:
        return
    message = f"price '{ability.price}' uses no dice, so the ability has no value"
    advice = "set the price to double, triple, or quad, or write a number instead of the value"
    at = (ability.text or "").casefold().find(_WORDS)
    for placed in placed_changes(ability):
        for key in ("heal", "bonus_move", "deal", "roll", "times", "on_roll"):
            if "value" in str(getattr(placed.change, key)) and (at < 0 or not placed.text_range):
                yield Finding(message, placed.at(key), advice, placed.text_range)
    if at >= 0:
        yield Finding(message, ("text",), help=advice, text_range=(at, at + len(_WORDS)))


_TERMS = ("Move", "Toughness", "Wounds", "Attacks", "Strength", "Damage")
_WHOSE = r"(?:the |its |their |this |his |her )?"
_SPAN = re.compile(
    rf"until the end of {_WHOSE}(activation|battle round)|until {_WHOSE}(activation|battle round) (?:ends|is over)",
    re.IGNORECASE,
)
_SPANS = {"activation": "activation", "battle round": "round"}


def text_against_changes(card: Ability | Blessing | Rule | Trait) -> Findings:
    """Yield what the text says other than the changes: sentences that are read, and numbers and durations of others.

    The text of a battle trait is also compared with how often it can be used.
    """
    if isinstance(card, Trait) and card.once and card.text:
        for match in _OFTEN.finditer(card.text):
            words = (match["span"] or match["every"] or match["first"]).casefold()
            span = "round" if words.endswith("round") else words
            if span != card.once and not (match["every"] and card.once == "round"):
                message = f"the text says '{match[0]}', but 'once' is {card.once}"
                yield Finding(message, ("text",), "change one of the two", match.span())
    if not card.text or not card.changes:
        return
    numbers = [*_other_numbers(card.text, card.changes)]
    yield from numbers
    yield from _other_sentences(card, [finding.text_range[0] for finding in numbers if finding.text_range])


# How often something is used or happens; what happens in every battle round is not for once per battle.
_OFTEN = re.compile(
    r"(?<!more than )\bonce (?:(?:per|in|each|every|during|a|an|any|this|the) )+"
    r"(?P<span>activation|battle|(?:battle )?round)\b(?! round)"
    r"|\bat the (?:start|end) of (?:each|every) (?P<every>battle round)\b"
    r"|\bthe first time (?:(?:in|during|each|every|a|this|the) )+(?P<first>battle(?: round)?)\b",
    re.IGNORECASE,
)


# Abilities whose conditions the procedures know by their names.
_KNOWN_BY_NAME = frozenset(("respite", "reckoning"))


def _other_sentences(card: Ability | Blessing | Rule | Trait, places: Iterable[int]) -> Findings:
    """Yield the sentences that were read and say something else than the changes, and changes that no sentence says."""
    from difflib import get_close_matches

    from cardgen.game import Level
    from cardgen.rulesets.warcry.wording.consequences import read_sentences
    from cardgen.rulesets.warcry.wording.sentences import statements

    readings = read_sentences(card.text or "", price_of(card) or "")
    is_known = getattr(card, "id", "") in _KNOWN_BY_NAME
    in_data, so_far, before = statements(card.changes), list[Change](), 0
    in_text = statements([change for each in readings if each.level == Level.READ for change in each.value or ()])
    agrees = True
    for reading in readings if not is_known else ():
        so_far += (reading.value or ()) if reading.level == Level.READ else ()
        said = statements(so_far)
        lost = [each for each in said[before:] if each not in in_data]
        before, agrees = len(said), agrees and not lost
        if lost and not any(reading.start <= place < reading.end for place in places):
            near = get_close_matches(lost[0], [each for each in in_data if each not in in_text], 1, 0.4)
            advice = f"the changes say '{near[0]}'" if near else "add it to the changes, or remove it from the text"
            message = f"the changes do not say '{lost[0]}'"
            yield Finding(message, ("text",), advice, (reading.start, reading.end))
    unsaid = [each for each in in_data if each not in in_text]
    if agrees and unsaid and not is_known and all(each.level == Level.READ for each in readings):
        message = f"the text does not say '{unsaid[0]}'"
        yield Finding(message, ("changes",), "add it to the text, or remove it from the changes", at_key=True)


def _other_numbers(text: str, changes: Iterable[Change]) -> Findings:
    amounts: dict[str, set[int]] = defaultdict(set)
    for change in changes:
        for name, by in change.nonzero(NUMBERS):
            amounts["Damage" if name == "critical" else name.capitalize()].add(by)
    for term, told, place in sorted(told_changes(text, _TERMS), key=lambda each: each[2]):
        expected, unsaid = (
            amounts.get(term, set()),
            [each for each in amounts if not re.search(rf"\b{each[:-1]}", text)],
        )
        if expected and told not in expected:
            values = " and ".join(f"{by:+}" for by in sorted(expected))
            advice = f"the changes have {values} {term}"
            yield Finding(f"the text and the changes differ in {term}", ("text",), advice, place)
        elif not expected and amounts and len(unsaid) == len(amounts):
            message = f"the text changes {term}, and the changes {' and '.join(sorted(amounts))}"
            yield Finding(message, ("text",), "change one of the two", place)
    spans = {change.span for change in changes if change.span}
    for match in _SPAN.finditer(text) if spans else ():
        if _SPANS[(match[1] or match[2]).casefold()] not in spans:
            phrase = SPANS[min(spans)].help
            advice = f"the changes last {phrase}" if phrase.startswith("until") else f"the changes are {phrase}"
            yield Finding("the text and the changes differ in how long they last", ("text",), advice, match.span())
