"""All duels of a crowd: as races where neither side keeps a state, and else as joint chains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import TypeAlias

from cardgen.game import (
    Assault,
    Competitor,
    CrowdScores,
    Library,
    Pairing,
    RulesConfig,
    TooManyPathsError,
    race_scores,
    round_robin_pairings,
)
from cardgen.rulesets.warniris.referee.duel.course import BlowLibrary, DuelCourse
from cardgen.rulesets.warniris.referee.duel.duel import Duel
from cardgen.rulesets.warniris.referee.duel.form import (
    attacker_content,
    duel_content,
    duel_form,
    endows,
    heals_once,
    keeps_no_state,
    target_content,
    with_weapons,
)
from cardgen.rulesets.warniris.referee.duel.race import Courses, Health, assault
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import Miniature
from cardgen.rulesets.warniris.referee.situations import build_miniatures

# All that the assaults of a side depend on, and all that assaults on it depend on, with its Wounds.
AttackerKey: TypeAlias = str
TargetKey: TypeAlias = tuple[str, Health]


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """A duel of every two competitors, in range of each other."""
    return round_robin_pairings(_miniatures(competitors), partial(_touching_duel, config))


def crowd(competitors: Sequence[Competitor], config: RulesConfig) -> CrowdScores:
    """The scores of the same duels as `round_robin`."""
    forms = [duel_form(each) for each in _miniatures(competitors)]
    with_names = any(
        effect.condition.weapon_name or any(deeds.weapon for _, deeds in effect.deeds)
        for form in forms
        for effect in form.effects
    )
    races, racing, library = Races(forms, config, with_names=with_names), can_race(config), Library()
    return race_scores(
        [
            races.keys(form) if racing and is_racer(form, config) else duel_content(form, with_names=with_names)
            for form in forms
        ],
        races.assault,
        lambda one, other: _smallest_duel(config, (forms[one], forms[other]), library),
    )


def _miniatures(competitors: Sequence[Competitor]) -> tuple[Miniature, ...]:
    return build_miniatures([(competitor.card, competitor.carries) for competitor in competitors])


def _touching_duel(config: RulesConfig, one: Miniature, other: Miniature, library: Library | None = None) -> Duel:
    return Duel(Game((one, other), (0, 1), config.rulings, config.policy), library=library)


def _smallest_duel(config: RulesConfig, forms: tuple[Miniature, Miniature], library: Library) -> Duel:
    """Return a duel without weapons that the policy never uses, if that spares effects."""
    duel = _touching_duel(config, *forms, library)
    if not (duel.game.has_fixed_weapons and any(effect.weapon for effect in duel.game.effects)):
        return duel
    return duel.with_forms(*(with_weapons(form, duel.weapons_in_use(who)) for who, form in enumerate(forms)))


def can_race(config: RulesConfig) -> bool:
    """Return whether duels in which neither side keeps a state are races under these rulings and this policy."""
    rulings, policy = config.rulings, config.policy
    has_early_reactions = policy["moment"] == "before" or rulings["reaction-when"] == "before-dice"
    return (
        rulings["elimination"] == "wins"
        and rulings["vp-tie"] != "wounds"
        and (has_early_reactions or policy["reactions"] == "never")
    )


def is_racer(form: Miniature, config: RulesConfig) -> bool:
    """Return whether a miniature has an attack and keeps no state, apart from effects of its weapons.

    Something that heals it once is not a state: nothing but the damage that it takes depends on it.
    """
    attacks = [weapon for weapon in form.weapons if weapon.needs_test]
    scores_ignored = config.rulings["ignored-vp"] == "scored" and any(
        deeds.ignore for effect in form.effects for _, deeds in effect.deeds
    )
    own = [effect for effect in form.effects if not (effect.weapon or heals_once(form, effect))]
    heals_target = any(weapon.healing for weapon in attacks)
    is_endowed = any(endows(weapon.effects) for weapon in form.card.weapons)
    has_one_health = len([effect for effect in form.effects if heals_once(form, effect)]) < 2
    has_state = is_endowed or scores_ignored or heals_target or not all(map(keeps_no_state, own))
    return bool(attacks) and has_one_health and not has_state


def health(form: Miniature, config: RulesConfig) -> Health:
    """Return the Wounds of a racer, and those that the policy gives back to it once."""
    effects = (effect for effect in form.effects if heals_once(form, effect))
    healing = sum(deeds.heal for effect in effects for _, deeds in effect.deeds)
    return Health(form.wounds, healing if config.policy["relics"] == "prompt" else 0)


class Races:
    """The assaults of a crowd; equal turns share theirs."""

    def __init__(self, forms: Sequence[Miniature], config: RulesConfig, *, with_names: bool) -> None:
        self.config, self.with_names = config, with_names
        self.most_damage = max((sum(health(each, config)) for each in forms), default=0)
        self._attackers: dict[AttackerKey, Miniature] = {}
        self._targets: dict[str, Miniature] = {}
        self._blows = BlowLibrary()
        self._course, self._assault = cache(self._course_of), cache(self._assault_of)
        self._last_duel = lru_cache(maxsize=1)(self._duel_of)

    def keys(self, form: Miniature) -> tuple[AttackerKey, TargetKey]:
        """Return all that a miniature's assaults, and assaults on it, depend on."""
        attacker, target = attacker_content(form, with_names=self.with_names), target_content(form)
        self._attackers.setdefault(attacker, form)
        self._targets.setdefault(target, form)
        return attacker, (target, health(form, self.config))

    def assault(self, attacker: AttackerKey, target: TargetKey) -> Assault | None:
        """Return the assault of a miniature on a target, or None if the weapons that it uses keep a state.

        Raises TooManyPathsError, with the names of both.
        """
        content, its_health = target
        try:
            courses = self._course(attacker, content).courses(its_health.wounds)
        except TooManyPathsError as error:
            error.fighters = self._attackers[attacker].name, self._targets[content].name
            raise
        return self._assault(courses, its_health) if courses else None

    def _course_of(self, attacker: AttackerKey, target: str) -> DuelCourse:
        return DuelCourse(partial(self._last_duel, attacker, target), self._blows)

    def _duel_of(self, attacker: AttackerKey, target: str) -> Duel:
        return _touching_duel(self.config, self._attackers[attacker], self._targets[target])

    def _assault_of(self, courses: Courses, target: Health) -> Assault:
        return assault(courses, target, self.most_damage)
