"""The fixed limits of Warniris cards: one line for each code."""

from __future__ import annotations

from cardgen.rulesets.limits import Breach

ATTRIBUTE = Breach("WN101", "attribute-limits", "Mind, Body and Spirit go from 1 to 5")
WEAPON_TYPE = Breach("WN102", "weapon-type", "a type is CW (combat weapon), RW (ranged weapon) or P (power)")
WEAPON_LINE = Breach("WN103", "weapon-line", "write NAME: TYPE Rn Pn Dn Hn, for instance 'Rifle: RW R15 P1 D1'")
STAT = Breach("WN104", "stat-limits", "Wounds go from 1 to 30, Movement from 0 to 73 cm (the table's diagonal)")
PROFILE = Breach("WN105", "profile-limits", "Range goes to 73 cm, Penetration to 10, Damage and Healing to 30")
AMOUNT = Breach("WN106", "effect-limits", "write a whole number within the limits; a change is +N or -N")
SILENT_EFFECT = Breach("WN107", "silent-effect", "say what happens to whom, for instance bearer: {heal: 1}")
ENDLESS = Breach("WN108", "while-without-for", "'while' needs 'for': action, activation, turn or battle")
SILENT_CARD = Breach("WN109", "silent-card", "write effects, or text for what effects cannot say")
MISSION = Breach(
    "WN110", "mission-limits", "a mission is worth 1 to 10 VP, has a number from 1 to 99, and counts to 20"
)
SILENT_MISSION = Breach("WN111", "silent-mission", "write earn, or text for what earn cannot say")
PROXY_BASE = Breach("WN113", "proxy-base", "proxies are made for bases of 25, 28.5, 30, 32 and 40 mm")
TOKEN = Breach("WN114", "token-limits", "a token counts from 1 to 99")
WARBAND = Breach("WN112", "warband-members", "list up to 4 members, or the minions of a Horde")
