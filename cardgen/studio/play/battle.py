"""A battle in progress in the engine's process: its course, its log, and its secrets."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import game_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.editor.session import draw_entry
from cardgen.matches import match
from cardgen.matches.match import Match, MatchCourse
from cardgen.matches.saves import remove_secret, unwritable
from cardgen.matches.session import (
    TrialRequest,
    exact_odds,
    load_referee,
    load_transcript,
    prepare_situation,
    resolve_config,
    trial_parameters,
    verify_transcript,
    with_referee,
)
from cardgen.project.files import display_path, is_device_name
from cardgen.project.project import Project
from cardgen.referee import play
from cardgen.referee.parameters import Parameter
from cardgen.referee.play import InvalidAnswerError, LogEntry
from cardgen.referee.requests import (
    Answer,
    Decision,
    MarkedMeasurement,
    Measurement,
    Question,
    Roll,
    Scoreboard,
    SealedDecision,
    SecretLog,
    Selection,
    SideStatus,
    Test,
)
from cardgen.referee.transcript import Header, commitment
from cardgen.referee.trial import RulesConfig, not_adjudicated_sentence
from cardgen.runtime.regular_file import is_file, is_inside
from cardgen.runtime.workspace import Workspace
from cardgen.studio.engine.rule_answers import (
    OddsAnswer,
    card_sources,
    odds_views,
    ruling_fields,
    trial_fields,
    trial_names,
)
from cardgen.studio.page_words import FieldChoice, label_of, page_words
from cardgen.studio.play.seats import (
    SAVE_NAME,
    TOO_LATE,
    BattleOrder,
    BattleState,
    QuestionState,
    Refused,
    SaveRow,
    SetupForm,
)
from cardgen.units import quantity

Cards: TypeAlias = tuple[Mapping[str, Any], ...]
SIDES = ("a", "b", "c", "d")
# The lines of the log that pages show.
_LOG_LINES = 150
# Whom a question is for that every player may answer; some have no name.
_EVERYBODY = "both players"
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
        self._begin_log()
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
        self._secrets.clear()
        self._begin_log()
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

    def _begin_log(self) -> None:
        self._log.clear()
        self._log.extend((line, "told") for line in self._match.errors)

    def _listen(self, told: LogEntry, _: bool) -> None:
        if isinstance(told, str):
            self._log.append((capitalized(told), "told"))
        else:
            kind = "die" if isinstance(told.question, Test | Roll) else "event"
            line = play.entry_line(told)
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
            self._match.trial_run.header,
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
        if names.setdefault(name, place) != place or name == _EVERYBODY:
            raise _ambiguity(name, save)
    for name, place in _names(board):
        if any(names.get(each, place) != place for each in _readings(name)):
            raise _ambiguity(name, save)


def _ambiguity(name: str, save: Path) -> CardgenError:
    message = f"a question for '{name}' could be for either side, so the studio cannot tell who may answer"
    advice = "give that side or unit another name, or play with 'cardgen battle'"
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(save)), advice))


_TRIAL = "battle"
_MOST_SAVES = 50
# Bytes of saves to read for a list of them; a battle of hours has some hundred KiB.
_MOST_BYTES = 32 << 20


class BattleDesk:
    """The functions that the server calls for battles, each with plain arguments and answers."""

    def __init__(self, root: Path) -> None:
        self._root, self._workspace = root, Workspace(root)
        self._battle: Battle | None = None

    def form(self, game: str = "") -> SetupForm:
        """Return what can be chosen for a battle of a game, '' for that of the project.

        Raises CardgenError for a game without battles.
        """
        project = Project.open(self._workspace)
        rules, trials = with_referee(game_of(project, game or None))
        lookup = CardLookup(rules, (), project, needed=())
        options = trial_parameters(_TRIAL, rules.id, self._workspace)
        fields = trial_fields(options)
        config = resolve_config(rules, trials, (), (), project)
        # All games; only the one in use is loaded, so the others have names that are made of their ids.
        games = tuple(
            FieldChoice(each, rules.name if each == rules.id else label_of(each)) for each in project.workspace.game_ids
        )
        return SetupForm(
            rules.id,
            games,
            # With a label that says so if a field is that of a side: 'Side A' for 'a'.
            tuple(replace(each, label=f"Side {each.label}") if each.name in SIDES else each for each in fields),
            card_sources((option for option, _ in options.values()), lookup),
            ruling_fields(rules.rulings, config.rulings),
            ruling_fields(trials.policies, config.policy),
            self._new_save_name(),
        )

    def _new_save_name(self) -> str:
        names = (f"battle{number}.jsonl" for number in ("", *(f"-{number}" for number in range(2, 1000))))
        return next(name for name in names if not (self._root / name).exists())

    def saves(self) -> tuple[SaveRow, ...]:
        """Return the saved battles of the project that are not over, the latest first, up to a number and a size."""
        files = list[tuple[float, int, Path]]()
        for path in self._root.glob("*.jsonl"):
            with suppress(OSError):  # a link that leads nowhere
                if SAVE_NAME.fullmatch(path.name) and is_file(path, self._root):
                    status = path.stat()
                    files.append((status.st_mtime, status.st_size, path))
        rows, room = list[SaveRow](), _MOST_BYTES
        for _, size, path in sorted(files, reverse=True)[:_MOST_SAVES]:
            if size <= room:
                room -= size
                rows += filter(None, (_save_row(path),))
        return tuple(rows)

    def begin(self, order: BattleOrder) -> BattleState:
        """Begin a battle. Raises CardgenError as `cardgen battle` does."""
        files = tuple(self._inside(each) for each in order.files)
        needed = None if files else ()  # the page says which files of the project cannot be read
        request = TrialRequest(
            _TRIAL, order.values, order.rulings, order.policies, files, order.game or None, self._workspace, needed
        )
        save = self._save_path(order.save or self._new_save_name())
        begun = match.begin(request, save, order.seed or None, players_roll=order.players_roll)
        try:
            return self._open(begun)
        except CardgenError:
            remove_secret(save)
            save.unlink()
            raise

    def resume(self, name: str) -> BattleState:
        """Resume a saved battle. Raises CardgenError for a file that is not one, or is over."""
        path = self._save_path(name)
        if path.is_symlink():
            raise _error(name, "links cannot be resumed")
        return self._open(match.resume(path, lambda _: None, self._workspace))

    def reply(self, step: int, value: Any, side: int) -> BattleState | Refused:
        """Answer the question of a step as a side, by its place."""
        return self._change(lambda battle: battle.reply(step, value, side))

    def undo(self, step: int, side: int) -> BattleState | Refused:
        """Undo the last answer of any player, as a side, by its place."""
        return self._change(lambda battle: battle.undo(step, side))

    def verify(self, name: str) -> str:
        """Compute every die and every decision of a save anew. Raises CardgenError with the first that is wrong."""
        verdict = verify_transcript(self._save_path(name), self._workspace)
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


_PICTURE_DPI = 200
_AS_PRINTED = "These are the odds of the cards and what they carry, whatever has happened in this battle."


class Companion:
    """Pictures and odds of the cards of a battle, in a process that is not that of the battle.

    Each call has all that it needs, so that it goes on after its process has ended.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        # The battle whose cards were drawn last, with the project and its cards at that time.
        self._drawing: tuple[Header, Project, CardLookup] | None = None

    def fighters(self, header: Header) -> tuple[tuple[str, ...], ...]:
        """Return the names of the cards that fight on each side."""
        return tuple(map(tuple, self._sides(header)))

    def picture(self, header: Header, card: tuple[int, str]) -> bytes:
        """Return the front of a card, by its side and name, as PNG; b'' if the project's is no longer what fights.

        Raises CardgenError if it cannot be drawn.
        """
        data = self._sides(header)[card[0]][card[1]][0]
        if self._drawing is None or self._drawing[0] != header:
            opened = Project.open(Workspace(self._root))
            self._drawing = header, opened, CardLookup(game_of(opened, header.game), (), opened, needed=())
        _, project, lookup = self._drawing
        entry = lookup.find(data["id"], (data["kind"],))
        return draw_entry(project, lookup.linked(entry), _PICTURE_DPI) if lookup.card_data(entry) == data else b""

    def odds(self, header: Header, *cards: tuple[int, str]) -> OddsAnswer:
        """Return the odds of a card against another, each by its side and name: of the first trial that has any."""
        workspace, sides, problem = Workspace(self._root), self._sides(header), "There is no trial of these cards."
        rules, trials = load_referee(header.game, workspace)
        for name in trial_names(trials):
            options = trial_parameters(name, header.game, workspace)
            values = _trial_values(options, [sides[side][each] for side, each in cards])
            try:
                if values:
                    config = RulesConfig(header.rulings, header.policy)
                    prepared = (run := prepare_situation(rules, trials, name, values, config, header.settings)).prepared
                    notes = (not_adjudicated_sentence((each,)) for each in prepared.not_simulated)
                    return OddsAnswer(prepared.title, odds_views(exact_odds(run)), (_AS_PRINTED, *notes))
            except CardgenError as error:
                problem = page_words(error.diagnostics[0].message)
        return OddsAnswer(problem=problem)

    def _sides(self, header: Header) -> tuple[dict[str, Cards], ...]:
        """Return the cards that fight on each side by name, each before those that it and its side carry.

        Cards of one name that carry different things cannot be told apart by it; what not all carry is left out.
        """
        kinds = load_referee(header.game, Workspace(self._root))[1].fighters
        sides: tuple[dict[str, Cards], ...] = tuple({} for _ in SIDES)
        for side, key in zip(sides, SIDES, strict=True):
            for cards in _fighters(header.situation.get(key), kinds):
                known = side.get(cards[0]["name"], cards)
                side[cards[0]["name"]] = tuple(each for each in cards if each in known)
        return sides


def _fighters(part: object, kinds: Collection[str], gear: Cards = ()) -> Iterator[Cards]:
    if isinstance(part, Mapping) and part.get("kind") in kinds:
        yield (part, *gear)
    elif isinstance(part, Mapping):
        cards = (each for each in part.values() if isinstance(each, Mapping) and each.get("kind") not in (None, *kinds))
        carried = (*gear, *cards)
        for each in part.values():
            yield from _fighters(each, kinds, carried)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _fighters(each, kinds, gear)


def _trial_values(options: Mapping[str, tuple[Parameter, bool]], both: Sequence[Cards]) -> dict[str, Any]:
    """Return the values of a trial: its first two roles of a kind are for cards of that kind; none if it has one."""
    values: dict[str, Any] = {}
    for place, cards in enumerate(both):
        for card in cards:
            fitting = ((name, each.sort) for name, (each, _) in options.items() if card["kind"] in each.kinds)
            roles = [(name, sort) for name, sort in fitting if sort in ("card", "cards")]
            if place < len(roles):
                values[roles[place][0]] = (card,) if roles[place][1] == "cards" else card
            elif card is cards[0]:
                return {}
    return values


# A selection names fewer options than this.
_MOST_CHOICES = 500


def capitalized(text: str, who: str = "") -> str:
    """Return a line of a save as a screen shows it: with a capital, also after the name of who it is about."""
    name = f"{who}: " if who and text.startswith(f"{who}: ") else ""
    return _with_capital(name) + _with_capital(text.removeprefix(name))


def _with_capital(text: str) -> str:
    start = len(text) - len(text.lstrip())
    return f"{text[:start]}{text[start : start + 1].upper()}{text[start + 1 :]}"


def question_state(question: Question, side: int | None, side_name: str = "") -> QuestionState:
    """Return a question as data; `side` is the place of the side that is asked, whose name need not be repeated."""
    is_named = question.who not in ("", side_name)
    text = capitalized(f"{question.who}: {question.what}" if is_named else question.what, question.who)
    match question:
        case SealedDecision():
            return QuestionState("seal", text, side, _shown(question.options))
        case Decision():
            return QuestionState("choose", text, side, _shown(question.options))
        case Selection():
            once = tuple(map(question.options.index, question.once))
            low, high = question.bounds or (0, 0)
            return QuestionState(
                "select", text, side, _shown(question.options), low, high, most=question.most, once=once
            )
        case MarkedMeasurement():
            low, high, unit = question.low, question.high, question.unit
            return QuestionState("mark", text, side, (), low, high, unit, _shown(question.marks), question.hint)
        case Measurement():
            return QuestionState("measure", text, side, low=question.low, high=question.high, unit=question.unit)
        case Roll(faces=(_, *_)):
            return QuestionState("choose", text, side, _shown(tuple(dict.fromkeys(question.faces))))
    text = capitalized(play.question_text(question), question.who)
    return QuestionState("die", text, side, low=1, high=question.sides)


def _shown(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(capitalized, options))


def answer_of(question: Question, value: Any) -> Answer:
    """Return the answer that a page has sent: places of options, and numbers.

    Raises InvalidAnswerError for anything else.
    """
    match question:
        case Decision() | SealedDecision():
            return _option(question.options, value)
        case Selection():
            return tuple(_option(question.options, place) for place in _list(value))
        case MarkedMeasurement():
            number, *marks = _list(value) or (None,)
            return (_number(number), *(_option(question.marks, place) for place in marks))
        case Roll(faces=(_, *_)):
            return question.faces.index(_option(tuple(dict.fromkeys(question.faces)), value)) + 1
        case Measurement() | Test() | Roll():
            return _number(value)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST_CHOICES:
        raise InvalidAnswerError("choose any of the options")
    return value


def _option(options: tuple[str, ...], place: object) -> str:
    if type(place) is not int or not 0 <= place < len(options):
        raise InvalidAnswerError("choose one of the options")
    return options[place]


def _number(value: object) -> int:
    if type(value) is not int:
        raise InvalidAnswerError("enter a whole number")
    return value
