"""Dice of a game file, from its section `dice` and its steps."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.diagnostic import CardgenError
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.dice import MOST_FACES, DieSpec, FaceList, FaceWeights
from cardgen.game_file.trial.dice import Face, GameDie
from cardgen.referee.dice_notation import DiceExpression, parse
from cardgen.referee.ruling import Ruling
from cardgen.source import KeyPath
from cardgen.validation.suggestion import did_you_mean

UNKNOWN = "unknown"


def compile_dice(context: GameContext) -> dict[str, GameDie]:
    """Return the dice of a game by name.

    Report mistakes in them.
    """
    dice = {}
    for name, spec in context.spec.dice.items():
        path = ("dice", name)
        if _is_notation(name):
            context.report(path, f"the name '{name}' is dice notation", "choose another name", key=True)
        elif (spec.faces is None) == (spec.candidates is None):
            context.report(path, "a die needs either 'faces' or 'candidates'", key=spec.faces is None)
        else:
            dice[name] = GameDie(name, _candidates(spec, path, context))
    return dice


def _is_notation(text: str) -> bool:
    try:
        parse(text)
    except CardgenError:
        return False
    return True


def _candidates(spec: DieSpec, path: KeyPath, context: GameContext) -> tuple[tuple[Face, ...], ...]:
    if spec.faces is not None:
        return (_faces(spec.faces, (*path, "faces"), context),)
    candidates = enumerate(spec.candidates or ())
    return tuple([_faces(each.faces, (*path, "candidates", index, "faces"), context) for index, each in candidates])


def _faces(written: FaceWeights | FaceList, path: KeyPath, context: GameContext) -> tuple[Face, ...]:
    """Return every face of a die, equal ones next to each other.

    Names that are whole numbers are numbers.
    """
    if isinstance(written, Mapping):
        weights = {_face(name): weight for name, weight in written.items()}
    else:
        weights = {}
        for name in written:
            weights[_face(name)] = weights.get(_face(name), 0) + 1
    if sum(weights.values()) > MOST_FACES:
        context.report(path, f"a die has at most {MOST_FACES} faces, not {sum(weights.values())}")
        return ("?",)
    return tuple([face for face, weight in weights.items() for _ in range(weight)])


def _face(name: str | int) -> Face:
    digits = str(name).removeprefix("-")
    return int(name) if digits.isascii() and digits.isdigit() and len(digits) < 7 else str(name)


def find_dice(
    name: str, path: KeyPath, dice: Mapping[str, GameDie], context: GameContext
) -> DiceExpression | GameDie | None:
    """Return dice in dice notation, or a die of the game.

    Return None if there are none, which is reported.
    """
    if name in dice:
        return dice[name]
    try:
        return parse(name)
    except CardgenError as error:
        first = error.diagnostics[0]
        close = did_you_mean(name, dice)
        message = f"unknown die '{name}'{close}" if close else first.message
        context.report(path, message, "" if close else f"{first.help}, or the name of a die of the game")
        return None


def candidate_policy(die: GameDie) -> Ruling:
    """Return the policy that chooses the faces of a die whose true faces are unknown."""
    settings = {str(number): _in_words(faces) for number, faces in enumerate(die.candidates, start=1)}
    unknown = {UNKNOWN: "Odds are ranges; rolls use the first candidate."}
    return Ruling(die.name, f"Which faces does the die '{die.name}' have?", {**unknown, **settings})


def _in_words(faces: tuple[Face, ...]) -> str:
    return ", ".join(f"{faces.count(face)} {face}" for face in dict.fromkeys(faces))
