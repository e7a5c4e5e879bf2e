"""The games: subpackages with a `RULESET`, and entry points in 'cardgen.rulesets'."""

from cardgen.rulesets.registry import default_game, games, ruleset

__all__ = ["default_game", "games", "ruleset"]
