"""A battle in progress in the engine's process: its course, its log, and its secrets."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.referee.match import Match
from cardgen.pipeline.referee.match_course import MatchCourse
from cardgen.pipeline.referee.save_file import unwritable
from cardgen.project.files import display_path
from cardgen.referee import narration
from cardgen.referee.answer_check import InvalidAnswerError
from cardgen.referee.play import LogEntry
from cardgen.referee.requests import Question, Roll, SecretLog, Test
from cardgen.referee.scoreboard import Scoreboard, SideStatus
from cardgen.referee.secret import commitment
from cardgen.studio.play.battle_state import TOO_LATE, BattleState, QuestionState
from cardgen.studio.play.question_form import answer_of, capitalized, question_state

SIDES = ("a", "b", "c", "d")
# The lines of the log that pages show.
_LOG_LINES = 150
# Whom questions are for that every player may answer.
_EVERYBODY = frozenset({"both players", "spell"})
_SEVERAL = re.compile(r", \d+ of them\Z")


class WrongSideError(InvalidAnswerError):
    """An answer of a side that was not asked."""


class Battle:
    """A battle, from the form or from its save file, with everything that pages show of it."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._log: deque[tuple[str, str]] = deque(maxlen=_LOG_LINES)
        self._secrets: dict[str, list[str]] = {}
        self._file: BinaryIO = _open(match.path)
        self._course = MatchCourse(match, self._file, self._listen, self._confide)
        try:
            self._course.start()
            _require_own_names(self._board, match.path)
        except BaseException:
            self._file.close()
            raise

    @property
    def save(self) -> Path:
        """The save file."""
        return self._match.path

    def close(self) -> None:
        """Close the save file; the battle can be resumed from it."""
        self._file.close()

    def reply(self, step: int, value: Any, side: int) -> None:
        """Answer the question that waits, as a side, by its place.

        Raises InvalidAnswerError, also if `step` is that of another question, and WrongSideError if the question is for
        another side.
        """
        asked, board = self._require(step, side), self._board
        question = self._question(board)
        if question is None or not question.is_for(side):
            raise WrongSideError("It is not for you to answer this.")
        self._course.reply(answer_of(asked, value), board.sides[side].name)

    def undo(self, step: int, side: int) -> None:
        """Undo the last answer of any player, as a side, by its place. Raises InvalidAnswerError."""
        self._require(step, side)
        who = self._board.sides[side].name
        if not self._course.undo(who):
            raise InvalidAnswerError("nothing to undo")
        self._log.clear()
        self._secrets.clear()
        self._course.start()
        self._log.append((f"{who} undid the last answer", "undo"))

    def _require(self, step: int, side: int) -> Question:
        """Return the question that waits. Raises InvalidAnswerError if it is not that of a step."""
        if self._course.waiting is None:
            raise InvalidAnswerError("the battle is over")
        if step != self._step:
            raise InvalidAnswerError(TOO_LATE)
        if not 0 <= side < len(self._board.sides):
            raise WrongSideError("There is no such side.")
        return self._course.waiting.question

    @property
    def _step(self) -> int:
        """The number of lines of the save, which grows with every answer and undo, and stays when it is resumed."""
        return self._match.line_count

    @property
    def _board(self) -> Scoreboard:
        return self._course.scoreboard or self._plain_scoreboard()

    def _listen(self, told: LogEntry, _: bool) -> None:
        if isinstance(told, str):
            self._log.append((capitalized(told), "told"))
        else:
            kind = "die" if isinstance(told.question, Test | Roll) else "event"
            line = narration.entry_line(told)
            self._log.append((capitalized(line, told.question.who), kind))

    def _confide(self, secret: SecretLog) -> None:
        self._secrets.setdefault(secret.who, []).append(capitalized(secret.text))

    def state(self) -> BattleState:
        """Return everything about the battle, with the secrets of all sides."""
        prepared = self._match.trial_run.prepared
        board = self._board
        return BattleState(
            prepared.title,
            self._match.path.name,
            self._step,
            tuple(side.name for side in board.sides),
            board,
            tuple(self._log),
            self._question(board),
            {who: tuple(texts) for who, texts in self._secrets.items()},
            self._course.outcome,
            tuple(prepared.not_simulated),
            commitment(self._match.secret) if self._match.secret else "",
            self._course.can_undo,
        )

    def _question(self, board: Scoreboard) -> QuestionState | None:
        if self._course.waiting is None:
            return None
        question = self._course.waiting.question
        side = _side_of(question, board)
        return question_state(question, side, "" if side is None else board.sides[side].name)

    def _plain_scoreboard(self) -> Scoreboard:
        """Return the names of the sides, for a game that tells nothing else."""
        situation = self._match.trial_run.header.situation
        cards = [card for each in SIDES if isinstance(card := situation.get(each), Mapping) and "name" in card]
        names = [str(card["name"]) for card in cards] or ["Players"]
        return Scoreboard("", tuple(SideStatus(name, "", ()) for name in names))


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("ab")
    except OSError as error:
        raise unwritable(path, error) from None


def _side_of(question: Question, board: Scoreboard) -> int | None:
    """Return the place of the side that is asked, or None if anybody may answer."""
    sides = {side for name, side in _names(board) if name in _readings(question.who)}
    return sides.pop() if len(sides) == 1 else None


def _readings(who: str) -> tuple[str, ...]:
    """Return the names of a side or unit that a question can mean.

    'Brute, 6 of them' are several, and 'Plow Horse of Dyke Rider' is part of a unit.
    """
    several = _SEVERAL.sub("", who)
    ends = (who[match.end() :] for match in re.finditer(" of ", who))
    return (who, several, *ends)


def _names(board: Scoreboard) -> Iterator[tuple[str, int]]:
    """Yield the names of sides and units, each with the place of the side."""
    for place, side in enumerate(board.sides):
        yield side.name, place
        yield from ((unit.name, place) for unit in side.units)


def _require_own_names(board: Scoreboard, save: Path) -> None:
    """Raise CardgenError for a name that another side could be asked by, or everybody.

    Whoever writes the cards of one side could otherwise answer for the other.
    """
    names = dict[str, int]()
    for name, place in _names(board):
        if names.setdefault(name, place) != place or name in _EVERYBODY:
            raise _ambiguity(name, save)
    for name, place in _names(board):
        if any(names.get(each, place) != place for each in _readings(name)):
            raise _ambiguity(name, save)


def _ambiguity(name: str, save: Path) -> CardgenError:
    message = f"a question for '{name}' could be for either side, so the studio cannot tell who may answer"
    advice = "give that side or unit another name, or play with 'cardgen battle'"
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(save)), advice))
