"""Loads, runs, judges and reports scenarios; knows no rule of the game."""

__version__ = "0.1.0"
