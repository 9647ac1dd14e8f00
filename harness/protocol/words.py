"""The words of the protocol that both sides have to know: events and attributes that are sets."""

from __future__ import annotations

EVENTS = frozenset(
    {
        "became",
        "transformed",
        "entered",
        "left",
        "died",
        "cast",
        "countered",
        "triggered",
        "attached",
        "unattached",
        "tapped",
        "untapped",
        "phased in",
        "phased out",
        "drew",
        "discarded",
        "exiled",
        "damaged",
        "gained life",
        "lost life",
        "turned face up",
        "sacrificed",
        "destroyed",
        "returned",
        "milled",
        "created",
        "blocked",
        "attacked",
        "step",
        "turn",
        "lost",
    }
)
"""What can happen. The word is a key of the event; its value says to whom."""

SETS = frozenset({"colors", "types", "supertypes", "subtypes", "keywords", "blocking"})
"""Attributes whose values are compared without order and without repetition."""

SORTED = frozenset({"permanents"})
"""Attributes whose values are compared without order, each as often as it stands there."""


def event_word(event: object) -> str | None:
    """Find the event word of an event or an expected event; None if there is not exactly one.

    `tapped` is also an attribute of `entered` and `created`: beside another word it is that.
    """
    if not isinstance(event, dict):
        return None
    found = [word for word in event if word in EVENTS]
    if len(found) > 1:
        found = [word for word in found if word != "tapped"]
    return found[0] if len(found) == 1 else None
