"""How both sides of a battle stand, shown where it has changed."""

from __future__ import annotations

from collections import Counter

from cardgen.game import Log, Procedure, Scoreboard, SideStatus, UnitStatus
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State


class BattleStatus:
    """The lines for both sides, and what was shown last; points are counted in `unit`."""

    def __init__(self, game: Game, side_names: tuple[str, str], unit: str) -> None:
        self._game, self._side_names, self._unit = game, side_names, unit
        self._shown = ["", ""]
        self.turn = 0

    def reset(self) -> None:
        """Show both lines again."""
        self._shown, self.turn = ["", ""], 0

    def scoreboard(self) -> Scoreboard:
        """Return how both sides stand by the latest counters."""
        state = self._game.initial_state()
        if self._game.notes.counters:
            state = state._replace(counters=self._game.notes.counters)
        time = f"Turn {self.turn}" if self.turn else "Set-up"
        return Scoreboard(time, tuple(self._side_status(state, side) for side in (0, 1)))

    def _side_status(self, state: State, side: int) -> SideStatus:
        game = self._game
        people = [who for who, each in enumerate(game.sides) if each == side]
        units = [self._unit_status(state, who) for who in people if not game.miniatures[who].is_minion]
        minions = Counter({game.name(who): 0 for who in people if game.miniatures[who].is_minion})
        minions.update(game.name(who) for who in people if game.name(who) in minions and state.stands(who))
        units += [UnitStatus(name, f"{count} standing", not count) for name, count in minions.items()]
        score = f"{state.counters[game.vp_counter(side)]} {self._unit}"
        return SideStatus(self._side_names[side], score, tuple(units))

    def _unit_status(self, state: State, who: int) -> UnitStatus:
        wounds, most = state.wounds(who), self._game.miniatures[who].wounds
        return UnitStatus(self._game.name(who), f"{wounds}/{most} Wounds" if wounds else "out", not wounds)

    def show_changes(self, state: State) -> Procedure[None]:
        """Show the line of each side that has changed since it was last shown."""
        for side in (0, 1):
            line = self.side_line(state, side)
            if line != self._shown[side]:
                self._shown[side] = line
                yield Log("{}", (line,))

    def side_line(self, state: State, side: int) -> str:
        """Return 'The Ashen Oath (3 VP): Halvane Doru 5/7, Maerin Vex out'; Minions are counted by kind."""
        game = self._game
        people = [who for who, each in enumerate(game.sides) if each == side]
        words = [self._miniature_words(state, who) for who in people if not game.miniatures[who].is_minion]
        standing = (game.miniatures[who] for who in people if state.stands(who))
        crowd = Counter(miniature.card.name for miniature in standing if miniature.is_minion)
        words += [f"{count} {name}" for name, count in crowd.items()]
        return f"{self._side_names[side]} ({state.counters[game.vp_counter(side)]} {self._unit}): {', '.join(words)}"

    def _miniature_words(self, state: State, who: int) -> str:
        name, wounds = self._game.name(who), state.wounds(who)
        return f"{name} {wounds}/{self._game.miniatures[who].wounds}" if wounds else f"{name} out"
