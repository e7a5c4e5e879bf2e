"""What each page may see of a battle: nothing of the secrets of others."""

from __future__ import annotations

from typing import Any

from cardgen.studio.play.battle_state import BattleState, QuestionState
from cardgen.studio.play.table import SCREEN, WATCH, Table

View = dict[str, Any]


def battle_view(state: BattleState, table: Table, place: str, problem: str = "") -> View:
    """Return the battle for a page as plain data: for a seat with its secrets, the shared screen, or spectators.

    Only this function decides what leaves the server. `problem` tells why the battle cannot go on.
    """
    side = None if place in (SCREEN, WATCH) else int(place) - 1
    board = state.scoreboard
    view: View = {
        "title": state.title,
        "save": state.save,
        "step": state.step,
        "time": board.time,
        "sides": [
            {"name": each.name, "score": each.score, "units": [unit._asdict() for unit in each.units]}
            for each in board.sides
        ],
        "log": [{"text": text.strip(), "kind": kind} for text, kind in state.log],
        "question": state.question and _question_view(state.question, side),
        "outcome": list(state.outcome),
        "notes": list(state.notes),
        "commitment": state.commitment,
        "canUndo": state.can_undo and side is not None and not state.outcome,
        "seats": _seats_view(table),
        "side": side,
        "problem": problem,
    }
    if side is None:
        view["code"] = table.code if place == SCREEN and not table.is_over else ""
    else:
        view["secrets"] = list(state.secrets.get(state.sides[side], ()))
        view["seatCode"] = table.seats[place].code
    return view


def _question_view(question: QuestionState, side: int | None) -> View:
    """Return a question for one side, or for the screen (None); options of others' secret choices are left out."""
    is_mine = question.is_for(side)
    if question.kind == "seal" and not is_mine:
        return {"kind": "seal", "text": question.text, "side": question.side, "mine": False}
    return {
        **question._asdict(),
        "options": list(question.options),
        "marks": list(question.marks),
        "mine": is_mine,
    }


def _seats_view(table: Table) -> list[View]:
    return [
        {"place": place, "name": seat.name, "taken": seat.is_taken, "here": seat.window_count > 0}
        for place, seat in table.seats.items()
    ]
