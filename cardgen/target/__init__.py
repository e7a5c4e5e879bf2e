"""Exports of cards to programs and services, which `cardgen export` lists as targets."""
