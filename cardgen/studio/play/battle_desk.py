"""The part of the engine that sets up battles, and runs the one that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee import match, secret_file
from cardgen.pipeline.referee.session import load_transcript, verify_transcript
from cardgen.pipeline.referee.setup import (
    TrialRequest,
    load_referee,
    resolve_config,
    trial_parameters,
)
from cardgen.project.confinement import is_inside
from cardgen.project.files import is_device_name
from cardgen.quantity import quantity
from cardgen.referee.answer_check import InvalidAnswerError
from cardgen.rulesets.ruleset import Ruleset, games
from cardgen.studio.engine.rules.trial_fields import card_sources, ruling_fields, trial_fields
from cardgen.studio.option_fields import FieldChoice, OptionField
from cardgen.studio.page_words import label_of, page_words
from cardgen.studio.play.battle import SIDES, Battle, WrongSideError
from cardgen.studio.play.battle_state import SAVE_NAME, BattleOrder, BattleState, Refused, SaveRow, SetupForm

_TRIAL = "battle"
_MOST_SAVES = 50


class BattleDesk:
    """The functions that the server calls for battles, each with plain arguments and answers."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._battle: Battle | None = None

    def form(self, game: str = "") -> SetupForm:
        """Return what can be chosen for a battle of a game, '' for that of the project.

        Raises CardgenError for a game without battles.
        """
        rules, trials = load_referee(game or None, self._root)
        lookup = CardLookup(rules, (), self._root)
        options = trial_parameters(_TRIAL, rules.id, self._root)
        config = resolve_config(rules, trials, (), (), self._root)
        return SetupForm(
            rules.id,
            _games(rules),
            tuple(_with_side(field) for field in trial_fields(options)),
            card_sources((option for option, _ in options.values()), lookup),
            ruling_fields(rules.rulings, config.rulings),
            ruling_fields(trials.policies, config.policy),
            self._new_save_name(),
        )

    def _new_save_name(self) -> str:
        names = (f"battle{number}.jsonl" for number in ("", *(f"-{number}" for number in range(2, 1000))))
        return next(name for name in names if not (self._root / name).exists())

    def saves(self) -> tuple[SaveRow, ...]:
        """Return the saved battles of the project that are not over, the latest first."""
        paths = [path for path in self._root.glob("*.jsonl") if SAVE_NAME.fullmatch(path.name)]
        paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        return tuple(row for path in paths[:_MOST_SAVES] if (row := _save_row(path)))

    def begin(self, order: BattleOrder) -> BattleState:
        """Begin a battle. Raises CardgenError as `cardgen battle` does."""
        files = tuple(self._inside(each) for each in order.files)
        request = TrialRequest(
            _TRIAL, order.values, order.rulings, order.policies, files, order.game or None, self._root
        )
        save = self._save_path(order.save or self._new_save_name())
        begun = match.begin(request, save, order.seed or None, players_roll=order.players_roll)
        try:
            return self._open(begun)
        except CardgenError:
            secret_file.remove(save)
            save.unlink()
            raise

    def resume(self, name: str) -> BattleState:
        """Resume a saved battle. Raises CardgenError for a file that is not one, or is over."""
        path = self._save_path(name)
        if path.is_symlink():
            raise _error(name, "links cannot be resumed")
        return self._open(match.resume(path, lambda _: None))

    def reply(self, step: int, value: Any, side: int) -> BattleState | Refused:
        """Answer the question of a step as a side, by its place."""
        return self._change(lambda battle: battle.reply(step, value, side))

    def undo(self, step: int, side: int) -> BattleState | Refused:
        """Undo the last answer of any player, as a side, by its place."""
        return self._change(lambda battle: battle.undo(step, side))

    def verify(self, name: str) -> str:
        """Compute every die and every decision of a save anew. Raises CardgenError with the first that is wrong."""
        verdict = verify_transcript(self._save_path(name))
        dice = quantity(verdict.dice, "die", "dice")
        return f"Computed anew: {quantity(verdict.questions, 'answer')} and {dice} are as they must be."

    def leave(self) -> None:
        """Stop the battle; it is saved."""
        if self._battle:
            self._battle.close()
        self._battle = None

    def _change(self, change: Callable[[Battle], None]) -> BattleState | Refused:
        if self._battle is None:
            raise _error(_TRIAL, "no battle is being played")
        try:
            change(self._battle)
        except InvalidAnswerError as error:
            return Refused(page_words(str(error)), isinstance(error, WrongSideError))
        return self._battle.state()

    def _open(self, begun: match.Match) -> BattleState:
        self.leave()
        self._battle = Battle(begun)
        return self._battle.state()

    def _save_path(self, name: str) -> Path:
        if not SAVE_NAME.fullmatch(name) or is_device_name(name):
            advice = "use letters, digits, spaces, and hyphens, and end it with .jsonl"
            raise _error("save", f"'{name[:80]}' is not a valid name of a save file", advice)
        return self._root / name

    def _inside(self, name: str) -> Path:
        path = self._root / name
        try:
            is_own = is_inside(self._root, path)
        except (OSError, ValueError):  # such as a link to itself, or a null character
            is_own = False
        if not is_own:
            raise _error("cards", f"'{name[:80]}' is outside the project")
        return path


def _games(rules: Ruleset) -> tuple[FieldChoice, ...]:
    """Return all games; only the one in use is loaded, so the others have names that are made of their ids."""
    return tuple(FieldChoice(each, rules.name if each == rules.id else label_of(each)) for each in games())


def _with_side(field: OptionField) -> OptionField:
    """Return a field with a label that says so if it is that of a side: 'Side A' for 'a'."""
    return replace(field, label=f"Side {field.label}") if field.name in SIDES else field


def _save_row(path: Path) -> SaveRow | None:
    """Return the row of a saved battle, or None for another file, and a battle that is over."""
    try:
        transcript = load_transcript(path)
    except CardgenError:
        return None
    if transcript.is_finished or transcript.header.trial != _TRIAL:
        return None
    situation = transcript.header.situation
    names = [str(each.get("name", "")) for key in SIDES if isinstance(each := situation.get(key), Mapping)]
    return SaveRow(path.name, " against ".join(names), len(transcript.answers))


def _error(place: str, message: str, advice: str = "") -> CardgenError:
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(place), advice))
