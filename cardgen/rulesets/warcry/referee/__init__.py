"""The procedures of Warcry.

Each is written once and read three ways: rolled, worked out, and asked.
"""
