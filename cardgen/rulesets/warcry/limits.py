"""The limit rules of Warcry cards."""

from cardgen.game import LimitRule

CHARACTERISTIC = LimitRule(
    "WC101",
    "characteristic-limits",
    "Move is 0 to 30 inches, Toughness 1 to 12, Wounds 1 to 60, and points 0 to 1000",
)
SHAPE = LimitRule("WC102", "weapon-shape", "a shape is a weapon's runemark, such as sword, ranged, or claws")
LINE = LimitRule("WC103", "weapon-shorthand", "write NAME: SHAPE Rn An Sn Dn/n, such as 'Bow: ranged R3-15 A2 S3 D1/3'")
WEAPON = LimitRule(
    "WC104", "weapon-characteristics", "Range is 0 to 30 inches, Attacks and Strength 1 to 12, and Damage 0 to 20"
)
CHANGE = LimitRule("WC105", "change-limits", "write a whole number within the limits; write a change as +N or -N")
EMPTY_CHANGE = LimitRule("WC106", "silent-change", "add what changes, such as {attacks: +1, weapon: melee}")
SELECTION = LimitRule(
    "WC117", "selection-limits", "distances are 1 to 30 inches, points and Wounds 1 to 60, and fighters 1 to 9"
)
COST = LimitRule("WC151", "cost-limits", "a cost in a rule is 1 to 1000 points")
EMPTY_CONDITION = LimitRule("WC118", "silent-condition", "say what must be true, such as {took_down: any}")
FACES = LimitRule("WC119", "die-faces", "write the faces of a die, such as 4+, 3-5, or 6")
MOMENT = LimitRule("WC150", "moment-keys", "remove the key, or use another event")
PRICE = LimitRule("WC107", "ability-price", "write double, triple, quad, reaction, action, or free")
RUNEMARK_COUNT = LimitRule("WC108", "too-many-runemarks", "a fighter has a faction runemark and up to three others")
WEAPON_COUNT = LimitRule("WC109", "weapon-count", "a fighter has one or two weapons")
EMPTY_RULE = LimitRule("WC110", "silent-rule", "add changes, or a text for anything that changes cannot express")
BLESSING = LimitRule("WC111", "blessing-points", "both prices of a blessing are 0 to 200 points")
MAP = LimitRule("WC112", "map-limits", "a battlefield is 12 to 72 inches long and wide, and battle rounds are 1 to 9")
ROSTER = LimitRule(
    "WC113", "roster-limits", "up to 20 of a fighter, 1 to 20 victory points, and 1 to 10000 points in a warband"
)
PROXY_BASE = LimitRule("WC114", "miniature-base", "proxies are made for bases of 25, 28.5, 32, 40, 50, and 60 mm")
OWN_NAME = LimitRule(
    "WC116", "own-runemark", "write the name of a faction, runemark, or shape of your own; its id is derived from it"
)
TOKEN = LimitRule("WC115", "token-count", "the value of a token is 1 to 99")
