"""Services of the operating system: files, processes, time, memory.

All stages use them; they know nothing of cards.
"""
