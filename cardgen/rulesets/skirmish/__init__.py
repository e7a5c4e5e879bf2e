"""Warhammer Skirmish: fights between handfuls of warriors. Its cards, rulings, and most checks are in `game.yaml`."""

from cardgen.game import game_from_file

RULESET = game_from_file(__name__)
