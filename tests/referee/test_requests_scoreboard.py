"""How screens see a battle: the scoreboard that a procedure offers is always current."""

from __future__ import annotations

from cardgen.referee.play import play, questions
from cardgen.referee.requests import Decision, LiveScoreboard, Log, Procedure, Scoreboard, SideStatus, UnitStatus


def duel() -> Procedure[int]:
    wounds = [3]

    def current() -> Scoreboard:
        unit = UnitStatus("Brute", f"{wounds[0]}/3", not wounds[0])
        return Scoreboard("Turn 1", (SideStatus("A", "", (unit,)),))

    yield LiveScoreboard(current)
    while wounds[0]:
        yield Log("on guard")
        wounds[0] -= (yield Decision("blow", "A", "how hard", ("soft", "hard"))) == "hard"
    return wounds[0]


def test_the_scoreboard_follows_the_battle() -> None:
    boards: list[LiveScoreboard] = []
    course = questions(duel(), lambda _: None, show=boards.append)
    path, question = next(course)
    assert (path, question.who) == ("blow", "A")
    assert boards[0].current().sides[0].units == (UnitStatus("Brute", "3/3"),)
    course.send("hard")
    assert boards[0].current().sides[0].units == (UnitStatus("Brute", "2/3"),)
    assert len(boards) == 1


def test_a_scoreboard_is_not_recorded() -> None:
    events: list[object] = []
    play(duel(), lambda *_: "hard", events.append)
    assert len(events) == 6
