"""Battles in the studio: a shared screen, and a page of each player, perhaps on another device.

The battle runs in the engine's process. The pages of players come from a server of their own, which knows nothing else
of the studio.
"""
