"""The report on the balance of a project's cards: request, computation, and everything found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.entry import Entry
from cardgen.pipeline.load import game_settings
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee import setup
from cardgen.pipeline.referee.balance.adjustments import Adjuster, Adjustment, unadjusted_reason
from cardgen.pipeline.referee.balance.arena import Arena
from cardgen.pipeline.referee.balance.card_fields import cost_of, field_texts, has_number, inner_fields
from cardgen.pipeline.referee.balance.result import Balance, ClassRows
from cardgen.pipeline.referee.balance.round_robin import ComputeOptions, compute_scores
from cardgen.pipeline.referee.balance.strengths import Strengths
from cardgen.pipeline.referee.balance.teams import TeamRequest, TeamResult, simulate_teams
from cardgen.project import Project
from cardgen.referee.play import require_seed
from cardgen.referee.trial import Competitor, GameTrials
from cardgen.validation.suggestion import did_you_mean

# Outliers of each side for which adjustments are sought.
MOST_ADJUSTED = 25
# At most this many inner fields are named in a message.
_MOST_FIELDS = 12


@dataclass(frozen=True, slots=True)
class CarriedCards:
    """The cards that fighters carry: some by name, or everything allowed."""

    names: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class BalanceRequest:
    """What to compute.

    `switches` are rulings and policy as texts. `cost` and `fields` are the fields of costs and groups, by default those
    of the game. `adjust` seeks adjustments of outliers, and `adjusted` those of cards by name. `teams`, if not None,
    are simulated.
    """

    paths: tuple[Path, ...] = ()
    kinds: tuple[str, ...] = ()
    carried: CarriedCards = CarriedCards()
    switches: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    game: str | None = None
    cost: str | None = None
    fields: tuple[str, ...] = ()
    adjust: bool = False
    adjusted: tuple[str, ...] = ()
    teams: TeamRequest | None = None


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """Everything that was found.

    `adjustment_note` says why no changes are proposed, and `left_out` names the rules of the cards that their duels do
    not play.
    """

    balance: Balance
    strengths: Strengths
    adjustments: dict[int, list[Adjustment]] = field(default_factory=dict)
    adjustment_note: str = ""
    teams: list[TeamResult] = field(default_factory=list)
    team_request: TeamRequest | None = None
    game: str = ""
    left_out: tuple[str, ...] = ()


def compute_report(request: BalanceRequest, options: ComputeOptions) -> BalanceReport:
    """Compute the scores of all pairs of cards, and what they tell.

    Cards compete alone and with each carried card. Raises CardgenError for fewer than two cards, and if no card can
    carry what `carried` names.
    """
    if request.teams:
        require_seed(request.teams.seed)
    rules, trials = setup.load_referee(request.game)
    arena = Arena(rules, trials, setup.resolve_config(rules, trials, *request.switches))
    competitors = _all_competitors(CardLookup(rules, request.paths), request, trials)
    _require_fields(competitors, request)
    names = _names(competitors)
    with game_settings.in_force(Project.find()):
        balance = Balance(names, ClassRows(*compute_scores(arena, competitors, options)), competitors)
        costs = [cost_of(each, trials, request.cost) for each in competitors]
        strengths = Strengths(balance, costs, request.fields or trials.groups)
        places = _adjusted_places(strengths, request)
        adjustments = Adjuster(arena, strengths).adjustments(places, options.on_progress) if places else {}
        note = unadjusted_reason(strengths, places) if request.adjust or request.adjusted else ""
        teams = simulate_teams(strengths, request.teams, options.on_progress) if request.teams else []
        left_out = arena.left_out(competitors)
    return BalanceReport(balance, strengths, adjustments, note, teams, request.teams, rules.id, left_out)


def _all_competitors(lookup: CardLookup, request: BalanceRequest, trials: GameTrials) -> tuple[Competitor, ...]:
    for kind in request.kinds:
        if kind not in trials.fighters:
            message = f"cards of kind '{kind}' do not fight (one of {', '.join(trials.fighters)})"
            raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--kind")))
    entries = lookup.entries(request.kinds or trials.fighters)
    if len(entries) < 2:
        message = f"a ranking needs at least 2 cards, not {len(entries)}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("cards")))
    return tuple(_competitors(lookup, entries, trials, request.carried))


def _competitors(
    lookup: CardLookup, entries: Sequence[Entry], trials: GameTrials, carried: CarriedCards
) -> list[Competitor]:
    """Return each card alone, and each bearer with each carried card."""
    carried_entries = [lookup.find(name, trials.equipment) for name in carried.names]
    carried_entries = lookup.entries(trials.equipment) if carried.everything else list(dict.fromkeys(carried_entries))
    bearers = [entry for entry in entries if entry.kind in trials.carriers]
    if (carried.names or carried.everything) and not (carried_entries and bearers):
        message = "none of these cards can carry anything" if not bearers else "no cards to carry"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--with")))
    carried_data = [lookup.card_data(each) for each in carried_entries]
    return [
        Competitor(lookup.card_data(entry), carries)
        for entry in entries
        for carries in (None, *(carried_data if entry.kind in trials.carriers else ()))
    ]


def _names(competitors: Sequence[Competitor]) -> tuple[tuple[str, str], ...]:
    """Return the names of each card and what it carries; different cards with the same name also have their ids."""
    ids: dict[str, set[object]] = {}
    for each in competitors:
        ids.setdefault(each.card["name"], set()).add(each.card.get("id"))
    labels = (each.card["name"] if len(ids[each.card["name"]]) == 1 else _with_id(each.card) for each in competitors)
    carried = (each.carries["name"] if each.carries else "" for each in competitors)
    return tuple(zip(labels, carried, strict=True))


def _with_id(card: Mapping[str, object]) -> str:
    return f"{card['name']} ({card.get('id')})"


def _require_fields(competitors: Sequence[Competitor], request: BalanceRequest) -> None:
    """Raise CardgenError if no card has a field that groups the cards, or a number that prices them."""
    for path in request.fields:
        if not any(field_texts(each, path) for each in competitors):
            raise _unknown_field(competitors, path, "--by")
    if request.cost and not any(has_number(each, request.cost) for each in competitors):
        if not any(field_texts(each, request.cost) for each in competitors):
            raise _unknown_field(competitors, request.cost, "--cost")
        message = f"field '{request.cost}' has no numbers"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--cost"), "name a field with a number"))


def _unknown_field(competitors: Sequence[Competitor], path: str, option: str) -> CardgenError:
    inner = sorted({f"{path}.{key}" for each in competitors for key in inner_fields(each, path)})
    if inner:
        message, help_ = f"field '{path}' has fields of its own", f"name one of them: {', '.join(inner[:_MOST_FIELDS])}"
    else:
        fields = sorted({key for each in competitors for key in each.card})
        message = f"unknown field '{path}'{did_you_mean(path, fields)}"
        help_ = f"none of the cards has it; fields are {', '.join(fields)}"
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(option), help_))


def _adjusted_places(strengths: Strengths, request: BalanceRequest) -> list[int]:
    """Return the places of the cards to adjust. Raises CardgenError for an unknown name."""
    places = []
    if request.adjust:
        both = (strengths.outliers("strong")[:MOST_ADJUSTED], strengths.outliers("weak")[:MOST_ADJUSTED])
        places += [each.place for outliers in both for each in outliers]
    names, cards = strengths.balance.names, strengths.balance.cards
    for name in request.adjusted:
        matches = [place for place, label in enumerate(names) if name.casefold() in _calls(label, cards[place])]
        if not matches:
            message = f"unknown card '{name[:60]}'{did_you_mean(name[:80], names)}"
            raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place("--adjust-card")))
        places += matches
    return list(dict.fromkeys(places))


def _calls(label: str, competitor: Competitor) -> tuple[str, ...]:
    """Return what users can call a competitor: its label and, if it carries nothing, the name of its card."""
    name = () if competitor.carries else (str(competitor.card["name"]),)
    return tuple(each.casefold() for each in (label, *name))
