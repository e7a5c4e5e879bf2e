"""How Warniris is played: procedures over states, written once, for every interpreter of `cardgen.referee`."""
