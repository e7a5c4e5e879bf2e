"""A key of a change that has no effect.

Why is this bad?
    `weapon` selects the weapons for Attacks, Strength, and Damage only, and `for` limits changes of characteristics
    only. `while` is for what lasts, `if` for what happens at once. An attack ends before the fighter can move again,
    `per_points` counts damage points, and Take Cover needs a 4+ anyway. The sentence on the card leaves out what has no
    effect, and the card does not do what its author thinks.

Example
    game: warcry
    kind: ability
    name: Dash
    price: double
    changes:
      - {move: +2, weapon: melee, for: activation}  # WC317: 24

Example
    game: warcry
    kind: ability
    name: Dash
    price: double
    changes:
      - {move: +2, for: attack}  # WC317: 21

Example
    game: warcry
    kind: ability
    name: Rest
    price: double
    changes:
      - {heal: d6, for: round}  # WC317: 21

Example
    game: warcry
    kind: ability
    name: Dive
    price: double
    changes:
      - {bonus_move: move, while: {cover: true}}  # WC317: 31

Example
    game: warcry
    kind: ability
    name: Feast
    price: double
    changes:
      - {attacks: +1, per: hit, per_points: 2, for: activation}  # WC317: 41

Example
    game: warcry
    kind: trait
    name: Wary
    runemark: chaos
    changes:
      - {take_cover: 4}  # WC317: 18

Use instead
    game: warcry
    kind: ability
    name: Dash
    price: double
    changes:
      - {move: +2, for: activation}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.changes import Change

# The roll that the Take Cover reaction needs without any change.
TAKE_COVER = 4
# Keys that have a message of their own.
_KNOWN = ("weapon", "span", "per_points")
# What is for weapons, without being a change of a number.
_OF_WEAPONS = ("incoming", "halve", "half_damage", "double", "fixes", "reroll", "critical_face")


@rule("WC317", "warning", "certain")
def find(change: Change) -> Findings:
    """Yield the keys that select or limit nothing, and values that are those of the rules."""
    from cardgen.rulesets.warcry.wording.sentences import idle_keys

    changes_weapons = bool(change.nonzero(Change.WEAPON_FIELDS))
    selects = any(getattr(change, key) for key in _OF_WEAPONS)
    if change.weapon != "any" and not (changes_weapons or selects):
        yield Finding("'weapon' has no effect without a change of weapons", ("weapon",), help="remove it")
    if change.span and not changes_weapons and not change.nonzero(Change.FIGHTER_FIELDS):
        if not any(getattr(change, key) for key in (*Change.STATE_FIELDS, "when")):
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
