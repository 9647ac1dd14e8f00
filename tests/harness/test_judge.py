"""What is expected and what is seen make a verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.judge import Leaf, all_leaves, clip, judge, leaves, same
from harness.model import Verdict
from harness.scenario import Scenario

MakeScenario = Callable[..., Scenario]


def saw(*observations: Any, number: int = 1) -> dict[str, Any]:
    return {"type": "observations", "id": number, "observations": list(observations)}


def holds(expect: dict[str, Any], observation: dict[str, Any]) -> bool:
    return all(leaf.holds for leaf in leaves(expect, observation))


# -- one look


@pytest.mark.parametrize(
    ("attribute", "wanted", "got", "equal"),
    [
        ("zone", "graveyard", "graveyard", True),
        ("zone", "graveyard", "exile", False),
        ("power", 6, 6, True),
        ("power", 6, 6.0, True),
        ("power", 6, "6", False),
        ("power", 1, True, False),
        ("power", None, None, True),
        ("power", None, 0, False),
        ("tapped", True, True, True),
        ("tapped", False, None, False),
        ("tapped", True, 1, False),
        ("attached to", "nothing", None, True),
        ("attached to", "nothing", "bob", False),
        ("attacking", "nothing", None, True),
        ("colors", ["black", "red"], ["red", "black"], True),
        ("colors", ["black"], ["black", "black"], True),
        ("colors", [], None, True),
        ("colors", ["black"], ["black", "red"], False),
        ("types", ["creature"], ["creature", {"odd": []}], False),
        ("subtypes", ["Human", "Rogue"], ["Rogue", "Human"], True),
        ("blocking", "wolf", ["wolf"], True),
        ("blocking", "nothing", [], True),
        ("blocking", ["wolf", "bear"], ["bear", "wolf"], True),
        ("permanents", ["Plains", "Forest", "Plains"], ["Forest", "Plains", "Plains"], True),
        ("permanents", ["Plains", "Forest"], ["Forest", "Plains", "Plains"], False),
        ("counters", {}, None, True),
        ("counters", {"+1/+1": 2}, {"+1/+1": 2, "stun": 0}, True),
        ("counters", {"+1/+1": 2}, {"+1/+1": 1}, False),
        ("name", "Wolf", ["Wolf"], False),
    ],
)
def test_values_compare_as_the_scenario_language_says(
    attribute: str, wanted: Any, got: Any, equal: bool
) -> None:
    assert same(wanted, got, attribute) is equal
    expect = {"objects": {"wolf": {attribute: wanted}}}
    assert holds(expect, {"objects": {"wolf": {attribute: got}}}) is equal


def test_lists_without_a_meaning_of_their_own_keep_their_order() -> None:
    assert not same(["alice", "bob"], ["bob", "alice"], "targets")


@pytest.mark.parametrize(
    ("expect", "holds"),
    [
        ({"has": ["lifelink"]}, [True]),
        ({"has": ["lifelink", "haste"]}, [True, False]),
        ({"lacks": ["haste"]}, [True]),
        ({"lacks": ["lifelink"]}, [False]),
    ],
)
def test_has_and_lacks_look_among_the_keywords(expect: dict[str, Any], holds: list[bool]) -> None:
    seen = {"objects": {"wolf": {"keywords": ["lifelink", "nightbound"]}}}
    assert [leaf.holds for leaf in leaves({"objects": {"wolf": expect}}, seen)] == holds


def test_what_has_no_keywords_lacks_all_of_them() -> None:
    seen = {"objects": {"wolf": {"keywords": None}}}
    assert holds({"objects": {"wolf": {"lacks": ["haste"]}}}, seen)


def test_the_whole_stack_is_compared_from_the_top() -> None:
    expect = {"stack": [{"ability of": "curse", "controller": "alice"}, {"object": "ruffian"}]}
    ability = {"object": None, "ability of": "curse", "controller": "alice"}
    spell = {"object": "ruffian", "ability of": None, "controller": "bob"}
    assert holds(expect, {"stack": [ability, spell]})
    assert leaves(expect, {"stack": [ability]}) == [
        Leaf("stack", expect["stack"], [ability], False)
    ]
    wrong = [leaf for leaf in leaves(expect, {"stack": [spell, ability]}) if not leaf.holds]
    assert [leaf.path for leaf in wrong] == [
        "stack.1.ability of",
        "stack.1.controller",
        "stack.2.object",
    ]


def test_an_empty_stack_is_a_thing_that_can_be_wrong() -> None:
    assert leaves({"stack": []}, {"stack": []}) == [Leaf("stack", [], [], True)]
    assert not holds({"stack": []}, {"stack": [{"object": "ruffian"}]})


NIGHT = {"became": "night"}
TURNED = {"transformed": "wolf"}


@pytest.mark.parametrize(
    ("wanted", "log", "equal"),
    [
        ([NIGHT, TURNED], [NIGHT, TURNED], True),
        ([NIGHT, TURNED], [TURNED, NIGHT], False),
        ([NIGHT, TURNED], [NIGHT], False),
        ([NIGHT], [NIGHT, NIGHT], False),
        ([NIGHT], [], False),
        # Another value of a word that is listed is not what the look is about.
        ([NIGHT, TURNED], [NIGHT, {"transformed": "bear"}, TURNED], True),
        ([NIGHT], [{"became": "day"}, NIGHT], True),
        # Attributes are compared when given.
        ([{"entered": "wolf", "face": "back"}], [{"entered": "wolf", "face": "back"}], True),
        ([{"entered": "wolf", "face": "back"}], [{"entered": "wolf", "face": "front"}], False),
        ([{"entered": "wolf", "face": "back"}], [{"entered": "wolf"}], False),
        ([{"entered": "wolf"}], [{"entered": "wolf", "face": "front", "tapped": True}], True),
        ([{"entered": "wolf", "tapped": True}], [{"tapped": True, "entered": "wolf"}], True),
        (
            [{"damaged": "bob", "amount": 3}],
            [{"amount": 3.0, "by": "wolf", "damaged": "bob"}],
            True,
        ),
        ([], [NIGHT], True),
    ],
)
def test_events_are_projected_onto_what_the_look_names(
    wanted: list[Any], log: list[Any], equal: bool
) -> None:
    assert holds({"events": wanted}, {"events": log}) is equal


def test_no_events_forbid_and_are_part_of_the_sequence() -> None:
    expect = {"events": [NIGHT], "no events": [{"entered": "bear"}]}
    assert holds(expect, {"events": [NIGHT, {"entered": "wolf"}]})
    wrong = leaves(expect, {"events": [{"entered": "bear"}, NIGHT]})
    assert [(leaf.path, leaf.holds) for leaf in wrong] == [("events", False), ("no events", False)]
    assert leaves({"no events": [NIGHT]}, {"events": [TURNED]}) == [
        Leaf("no events", NIGHT, [], True)
    ]


def test_no_events_with_attributes_forbid_only_that() -> None:
    expect = {"events": [NIGHT], "no events": [{"entered": "bear", "face": "back"}]}
    assert holds(expect, {"events": [NIGHT, {"entered": "bear", "face": "front"}]})
    assert not holds(expect, {"events": [NIGHT, {"entered": "bear", "face": "back"}]})


def test_any_of_holds_when_all_of_one_branch_holds() -> None:
    expect = {
        "any of": [
            {"designation": "day", "objects": {"wolf": {"face": "front"}}},
            {"designation": "night", "objects": {"wolf": {"face": "back"}}},
        ]
    }
    assert holds(expect, {"designation": "night", "objects": {"wolf": {"face": "back"}}})
    mixed = {"designation": "night", "objects": {"wolf": {"face": "front"}}}
    assert leaves(expect, mixed) == [
        Leaf(
            "any of",
            expect["any of"],
            {"designation": "night", "objects.wolf.face": "front"},
            False,
        )
    ]


def test_turn_and_players_are_compared_key_by_key() -> None:
    expect = {"turn": {"active": "bob", "step": "upkeep"}, "players": {"alice": {"life": 20}}}
    seen = {"turn": {"active": "bob", "step": "draw"}, "players": {"alice": {"life": 20}}}
    assert [(leaf.path, leaf.holds) for leaf in leaves(expect, seen)] == [
        ("turn.active", True),
        ("turn.step", False),
        ("players.alice.life", True),
    ]


# -- a whole scenario

CAST = {"cast": {"player": "alice", "object": "ruffian"}}
LOOK = {"expect": {"objects": {"ruffian": {"face": "front", "power": 3}}}}
LATER = {"expect": {"designation": "night"}}
RIGHT = {"objects": {"ruffian": {"face": "front", "power": 3}}}
WRONG = {"objects": {"ruffian": {"face": "back", "power": 2}}}


def test_everything_held(scenario: MakeScenario) -> None:
    assert judge(scenario(CAST, LOOK, LATER), saw(RIGHT, {"designation": "night"})) == (
        Verdict.PASS,
        None,
    )


def test_a_mismatch_names_step_path_expected_got_and_the_first_rule(
    scenario: MakeScenario,
) -> None:
    verdict, detail = judge(scenario(CAST, LOOK, LATER), saw(WRONG, {"designation": "day"}))
    assert verdict is Verdict.FAIL
    assert detail == {
        "kind": "mismatch",
        "step": 2,
        "path": "objects.ruffian.face",
        "expected": "front",
        "got": "back",
        "rule": "702.145b",
        "reason": None,
        "mismatches": [
            {"path": "objects.ruffian.face", "expected": "front", "got": "back"},
            {"path": "objects.ruffian.power", "expected": 3, "got": 2},
        ],
    }


def refused(step: Any, *observations: Any, reason: Any = "it is illegal") -> dict[str, Any]:
    return {
        "type": "refused",
        "id": 1,
        "step": step,
        "reason": reason,
        "observations": list(observations),
    }


def test_a_legal_action_refused_is_a_fail(scenario: MakeScenario) -> None:
    verdict, detail = judge(scenario(LOOK, CAST, LATER), refused(2, RIGHT))
    assert verdict is Verdict.FAIL and detail is not None
    assert (detail["kind"], detail["step"], detail["reason"]) == ("refused", 2, "it is illegal")
    assert (detail["expected"], detail["got"], detail["rule"]) == ("allowed", "refused", "702.145b")


def test_what_was_seen_before_the_refusal_counts_first(scenario: MakeScenario) -> None:
    verdict, detail = judge(scenario(LOOK, CAST), refused(2, WRONG))
    assert verdict is Verdict.FAIL and detail is not None
    assert (detail["kind"], detail["step"]) == ("mismatch", 1)


def test_an_illegal_action_has_to_be_refused(scenario: MakeScenario) -> None:
    illegal = scenario(LOOK, {**CAST, "refused": True})
    assert judge(illegal, refused(2, RIGHT)) == (Verdict.PASS, None)
    verdict, detail = judge(illegal, saw(RIGHT))
    assert verdict is Verdict.FAIL and detail is not None
    assert (detail["kind"], detail["step"]) == ("allowed", 2)
    assert judge(illegal, refused(2, WRONG))[0] is Verdict.FAIL


def test_another_step_refused_than_the_illegal_one_is_a_fail(scenario: MakeScenario) -> None:
    verdict, detail = judge(scenario(CAST, {**CAST, "refused": True}), refused(1))
    assert verdict is Verdict.FAIL and detail is not None
    assert (detail["kind"], detail["step"]) == ("refused", 1)


def test_unsupported_and_error_are_told_as_they_are(scenario: MakeScenario) -> None:
    one = scenario(CAST, LOOK)
    said = {"type": "unsupported", "id": 1, "what": "card", "name": "Moonmist", "reason": "new"}
    assert judge(one, said) == (
        Verdict.UNSUPPORTED,
        {"kind": "card", "name": "Moonmist", "reason": "new"},
    )
    assert judge(one, {"type": "error", "id": 1, "reason": "I broke"}) == (
        Verdict.ERROR,
        {"kind": "engine", "reason": "I broke", "log": ""},
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (None, "the reply is null, not an object"),
        ([], "the reply is [], not an object"),
        ({}, "the reply has no type"),
        ({"type": 3}, "the reply has the type 3, not a string"),
        ({"type": "hello"}, 'the reply has the type "hello", which answers no run'),
        ({"type": "observations"}, "the reply has no observations"),
        (
            {"type": "observations", "observations": {}},
            "the reply has the observations {}, not a list",
        ),
        (saw(), "the scenario looks twice, the reply has no observations"),
        (saw(RIGHT), "the scenario looks twice, the reply has 1 observation"),
        (saw(RIGHT, RIGHT, RIGHT), "the scenario looks twice, the reply has 3 observations"),
        (saw(RIGHT, None), "observation 2 (step 3): it is null, not an object"),
        (saw(RIGHT, {}), "observation 2 (step 3): designation was asked for and is missing"),
        (
            saw({"objects": {}}, {"designation": "night"}),
            "observation 1 (step 2): objects.ruffian was asked for and is missing",
        ),
        (
            saw({"objects": {"ruffian": None}}, {"designation": "night"}),
            "observation 1 (step 2): objects.ruffian is null, not an object",
        ),
        # A misshapen observation is not hidden by an earlier one that does not hold.
        (saw(WRONG, {}), "observation 2 (step 3): designation was asked for and is missing"),
        (refused(0), "refused step 0 of a scenario with 3 steps"),
        (refused(4), "refused step 4 of a scenario with 3 steps"),
        (refused(True), "refused step True of a scenario with 3 steps"),
        (refused("1"), 'the reply has the step "1", not a number'),
        (refused(2), "refused step 2, which is a look: a look cannot be refused"),
        (refused(1, RIGHT), "before step 1 the scenario looks never, the reply has 1 observation"),
        (
            {"type": "unsupported", "what": "mood", "name": "x"},
            'unsupported names "mood", not a card, capability, step, look or given',
        ),
        ({"type": "unsupported", "what": "card", "name": None}, "the reply has the name null, not"),
    ],
)
def test_a_misshapen_reply_is_a_protocol_error_and_never_a_traceback(
    scenario: MakeScenario, reply: Any, reason: str
) -> None:
    verdict, detail = judge(scenario(CAST, LOOK, LATER), reply)
    assert verdict is Verdict.ERROR and detail is not None
    assert detail["kind"] == "protocol"
    assert detail["reason"].startswith(reason)


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (None, "events is null, not a list"),
        ([3], "event 1 is 3, which has not one event word"),
        ([{"happened": "x"}], 'event 1 is {"happened": "x"}, which has not one event word'),
        ([{"died": "x", "left": "x"}], "event 1 is "),
    ],
)
def test_misshapen_events_are_protocol_errors(
    scenario: MakeScenario, log: Any, reason: str
) -> None:
    verdict, detail = judge(scenario({"expect": {"events": [NIGHT]}}), saw({"events": log}))
    assert verdict is Verdict.ERROR and detail is not None
    assert detail["reason"].startswith(f"observation 1 (step 1): {reason}")


def test_a_stack_that_is_no_list_is_a_protocol_error(scenario: MakeScenario) -> None:
    verdict, detail = judge(scenario({"expect": {"stack": []}}), saw({"stack": "empty"}))
    assert verdict is Verdict.ERROR and detail is not None
    assert detail["reason"] == 'observation 1 (step 1): stack is "empty", not a list'


def test_a_reason_that_is_no_text_is_shown_as_what_it_is(scenario: MakeScenario) -> None:
    _, detail = judge(scenario(CAST), refused(1, reason={"why": 1}))
    assert detail is not None and detail["reason"] == '{"why": 1}'


def test_all_leaves_give_their_places(scenario: MakeScenario) -> None:
    found = all_leaves(scenario(CAST, LOOK, LATER), saw(RIGHT, {"designation": "day"}))
    assert [(place, leaf.path, leaf.holds) for place, leaf in found] == [
        (2, "objects.ruffian.face", True),
        (2, "objects.ruffian.power", True),
        (3, "designation", False),
    ]


def test_what_an_engine_says_is_cut_to_size(scenario: MakeScenario) -> None:
    deep: Any = "end"
    for _ in range(50):
        deep = [deep]
    assert clip("x" * 3000) == "x" * 2000 + "… (3000 characters)"
    assert len(clip(list(range(1000)))) == 101
    assert clip({str(number): number for number in range(1000)})["…"] == "1000 keys"
    assert "end" not in repr(clip(deep))
    _, detail = judge(scenario({"expect": {"designation": "day"}}), saw({"designation": deep}))
    assert detail is not None and len(repr(detail)) < 500
