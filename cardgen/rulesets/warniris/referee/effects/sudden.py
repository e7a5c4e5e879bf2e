"""What effects do to a miniature at once, apart from Damage."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Log, Procedure, Roll
from cardgen.rulesets.warniris.effect import Deeds, Die
from cardgen.rulesets.warniris.limits import TABLE_DIAGONAL
from cardgen.rulesets.warniris.referee.effects.recovery import heal
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.state import State

_ACTIONS = {"P": "Channel", "any": "Attack or Channel"}
_WEAPONS = {"CW": " with a CW", "RW": " with an RW"}


def do_at_once(game: Game, state: State, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[State]:
    """Heal somebody, say where its player may set it, and score; `who` is the bearer."""
    if deeds.most_healed:
        points = yield from amount(game, other, f"{effect.name}: Wounds", deeds.heal, deeds.heal_die)
        state = yield from heal(game, state, other, points, effect.name)
    yield from _steps(game, who, other, effect, deeds)
    if deeds.free_attack:
        action = f"{_ACTIONS.get(deeds.free_attack, 'Attack')}{_WEAPONS.get(deeds.free_attack, '')}"
        yield Log("{}: {} may make a free {}", (effect.name, game.name(other), action))
    if deeds.score:
        yield Log("{}: {} scores {} VP", (effect.name, game.name(other), deeds.score))
        state = game.notes.note_counters(state.change_counter(game.vp_counter(game.sides[other]), deeds.score))
    return state


def amount(game: Game, who: int, what: str, points: int, die: Die | None) -> Procedure[int]:
    """Return a number of points, with a die for more of them; the faces of a D3 are those of a D6 in pairs."""
    if not die:
        return points
    faces = tuple(str(1 + (face - 1) * int(die[1:]) // 6) for face in range(1, 7))
    return points + int((yield Roll(f"{what} {game.name(who)}", game.name(who), what, faces=faces)))


def _steps(game: Game, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[None]:
    """Say how far a miniature may be moved, and how; nothing is known about its distances then."""
    for text, distance in _movements(deeds):
        yield Log(text, (effect.name, game.name(other), *((distance,) if distance else ()), *_bearer(game, who, text)))
        game.notes.move(other, distance or TABLE_DIAGONAL)
    if deeds.swap:
        game.notes.move(who, TABLE_DIAGONAL)


_TEXTS = {
    "move": "{}: its player may shift {} up to {} cm",
    "free_move": "{}: {} may make a free Move of up to {} cm, with a Body Test for each enemy in its way",
    "push": "{}: {} may be pushed up to {} cm straight away from {}",
    "pull": "{}: {} may be pulled up to {} cm straight toward {}",
}
_SWAP = "{}: {} may swap places with {}"


def _movements(deeds: Deeds) -> Iterator[tuple[str, int]]:
    for name, text in _TEXTS.items():
        if distance := getattr(deeds, name):
            yield text, distance
    if deeds.swap:
        yield _SWAP, 0


def _bearer(game: Game, who: int, text: str) -> tuple[str, ...]:
    return (game.name(who),) if text in (_TEXTS["push"], _TEXTS["pull"], _SWAP) else ()
