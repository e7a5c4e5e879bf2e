"""The rules of Warniris as data: glossary, rulings on open questions, policies for choices, and fixed limits."""

from pathlib import Path

from cardgen.game import LimitRule, read_rulings

EXAMPLES = Path(__file__).with_name("examples")
GLOSSARY = Path(__file__).with_name("glossary.txt")
RULINGS = read_rulings(Path(__file__).with_name("rulings.txt"))
POLICIES = read_rulings(Path(__file__).with_name("policies.txt"))

MIN_ATTRIBUTE, MAX_ATTRIBUTE = 1, 5
# In cm, from corner to corner of a table of 60 cm by 42 cm.
TABLE_DIAGONAL = 73
TURNS, MAX_WOUNDS = 5, 30

ATTRIBUTE = LimitRule("WN101", "attribute-limits", "Mind, Body, and Spirit range from 1 to 5")
WEAPON_TYPE = LimitRule("WN102", "weapon-type", "write CW (combat weapon), RW (ranged weapon), or P (power)")
WEAPON_LINE = LimitRule("WN103", "weapon-line", "write NAME: TYPE Rn Pn Dn Hn, for instance 'Rifle: RW R15 P1 D1'")
STAT = LimitRule("WN104", "stat-limits", "Wounds range from 1 to 30, Movement from 0 to 73 cm (the table's diagonal)")
PROFILE = LimitRule(
    "WN105", "profile-limits", "Range goes up to 73 cm, Penetration up to 10, Damage and Healing up to 30"
)
AMOUNT = LimitRule("WN106", "effect-limits", "write a whole number within the limits; a change is +N or -N")
EMPTY_EFFECT = LimitRule("WN107", "silent-effect", "write what happens to whom, for instance bearer: {heal: 1}")
MISSING_DURATION = LimitRule(
    "WN108", "while-without-for", "'while' requires 'for': action, activation, turn, or battle"
)
EMPTY_CARD = LimitRule("WN109", "silent-card", "write effects, or text for what effects cannot express")
MISSION = LimitRule(
    "WN110",
    "mission-limits",
    "a mission is worth 1 to 10 VP, has a number from 1 to 99, and requires a count of at most 20",
)
EMPTY_MISSION = LimitRule("WN111", "silent-mission", "write earn, or text for what earn cannot express")
PROXY_BASE = LimitRule("WN113", "proxy-base", "bases measure 25, 28.5, 30, 32, or 40 mm")
TOKEN = LimitRule("WN114", "token-limits", "a token has a value from 1 to 99")
WARBAND = LimitRule("WN112", "warband-members", "list up to 4 members, or the minions of a Horde")
