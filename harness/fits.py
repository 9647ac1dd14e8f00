"""Says whether a value fits a JSON Schema: quickly, and nothing more.

The jsonschema package, which knows what to say about a value that does not fit, takes a tenth of a
second to import and four milliseconds a scenario; a corpus is nearly always good, so this asks
first. It has just the keywords that the project's schemas use, refuses to compile any other, and
a test holds it against jsonschema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

Test = Callable[[Any], bool]
Schema = Mapping[str, Any] | bool

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_SAYS_NOTHING = frozenset({"$schema", "$id", "$defs", "$comment", "title", "description"})
_TOGETHER = frozenset({"then", "else"})


def compiled(schema: Mapping[str, Any]) -> Test:
    """Make a test of a schema. Raises `NotImplementedError` for a keyword that it lacks."""
    return _Compiler(schema).test(schema)


class _Compiler:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.references: dict[str, Test] = {}

    def test(self, schema: Schema) -> Test:
        if isinstance(schema, bool):
            return lambda value: schema
        tests = []
        for keyword, wanted in schema.items():
            if keyword in _SAYS_NOTHING or keyword in _TOGETHER:
                continue
            make = getattr(self, f"_{keyword.lstrip('$')}", None)
            if make is None:
                raise NotImplementedError(f"the keyword {keyword}")
            tests.append(make(wanted, schema))
        if len(tests) == 1:
            return tests[0]  # type: ignore[no-any-return]
        return lambda value: all(test(value) for test in tests)

    def _ref(self, wanted: str, schema: Mapping[str, Any]) -> Test:
        if wanted not in self.references:
            # A schema may refer to itself: what stands in for it looks it up when it is asked.
            self.references[wanted] = lambda value: self.references[wanted](value)
            target: Any = self.root
            for part in wanted.removeprefix("#/").split("/"):
                target = target[part]
            self.references[wanted] = self.test(target)
        return self.references[wanted]

    def _type(self, wanted: str | list[str], schema: Mapping[str, Any]) -> Test:
        kinds = tuple(_TYPES[word] for word in ([wanted] if isinstance(wanted, str) else wanted))
        if bool in kinds:
            return lambda value: isinstance(value, kinds)
        return lambda value: isinstance(value, kinds) and not isinstance(value, bool)

    def _enum(self, wanted: list[Any], schema: Mapping[str, Any]) -> Test:
        words = frozenset(wanted)
        return lambda value: (value is None or isinstance(value, str)) and value in words

    def _const(self, wanted: Any, schema: Mapping[str, Any]) -> Test:
        return lambda value: type(value) is type(wanted) and value == wanted

    def _pattern(self, wanted: str, schema: Mapping[str, Any]) -> Test:
        search = re.compile(wanted).search
        return lambda value: not isinstance(value, str) or search(value) is not None

    def _format(self, wanted: str, schema: Mapping[str, Any]) -> Test:
        if wanted != "date":
            raise NotImplementedError(f"the format {wanted}")
        return lambda value: not isinstance(value, str) or is_date(value)

    def _minimum(self, wanted: int, schema: Mapping[str, Any]) -> Test:
        return lambda value: not isinstance(value, int) or value >= wanted

    def _maximum(self, wanted: int, schema: Mapping[str, Any]) -> Test:
        return lambda value: not isinstance(value, int) or value <= wanted

    def _minItems(self, wanted: int, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        return lambda value: not isinstance(value, list) or len(value) >= wanted

    def _maxItems(self, wanted: int, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        return lambda value: not isinstance(value, list) or len(value) <= wanted

    def _uniqueItems(self, wanted: bool, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        return lambda value: not isinstance(value, list) or _all_differ(value)

    def _items(self, wanted: Schema, schema: Mapping[str, Any]) -> Test:
        test = self.test(wanted)
        return lambda value: not isinstance(value, list) or all(test(item) for item in value)

    def _minProperties(self, wanted: int, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        return lambda value: not isinstance(value, dict) or len(value) >= wanted

    def _maxProperties(self, wanted: int, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        return lambda value: not isinstance(value, dict) or len(value) <= wanted

    def _required(self, wanted: list[str], schema: Mapping[str, Any]) -> Test:
        if len(wanted) == 1:
            (key,) = wanted
            return lambda value: not isinstance(value, dict) or key in value
        return lambda value: not isinstance(value, dict) or all(key in value for key in wanted)

    def _propertyNames(self, wanted: Schema, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        test = self.test(wanted)
        return lambda value: not isinstance(value, dict) or all(test(key) for key in value)

    def _properties(self, wanted: Mapping[str, Schema], schema: Mapping[str, Any]) -> Test:
        tests = {key: self.test(inner) for key, inner in wanted.items()}

        def test(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            for key, item in value.items():
                inner = tests.get(key)
                if inner is not None and not inner(item):
                    return False
            return True

        return test

    def _additionalProperties(  # noqa: N802
        self, wanted: Schema, schema: Mapping[str, Any]
    ) -> Test:
        known = frozenset(schema.get("properties", ()))
        if wanted is False:
            return lambda value: not isinstance(value, dict) or known.issuperset(value)
        test = self.test(wanted)
        return lambda value: (
            not isinstance(value, dict)
            or all(test(item) for key, item in value.items() if key not in known)
        )

    def _dependentSchemas(  # noqa: N802
        self, wanted: Mapping[str, Schema], schema: Mapping[str, Any]
    ) -> Test:
        tests = {key: self.test(inner) for key, inner in wanted.items()}
        return lambda value: (
            not isinstance(value, dict)
            or all(test(value) for key, test in tests.items() if key in value)
        )

    def _oneOf(self, wanted: list[Schema], schema: Mapping[str, Any]) -> Test:  # noqa: N802
        keys = {key for inner in wanted if (key := _only_key(inner)) is not None}
        if len(keys) == len(wanted):
            return lambda value: not isinstance(value, dict) or len(keys & value.keys()) == 1
        tests = [self.test(inner) for inner in wanted]
        return lambda value: sum([test(value) for test in tests]) == 1

    def _anyOf(self, wanted: list[Schema], schema: Mapping[str, Any]) -> Test:  # noqa: N802
        tests = [self.test(inner) for inner in wanted]
        return lambda value: any(test(value) for test in tests)

    def _allOf(self, wanted: list[Schema], schema: Mapping[str, Any]) -> Test:  # noqa: N802
        tests = [self.test(inner) for inner in wanted]
        return lambda value: all(test(value) for test in tests)

    def _minLength(self, wanted: int, schema: Mapping[str, Any]) -> Test:  # noqa: N802
        return lambda value: not isinstance(value, str) or len(value) >= wanted

    def _not(self, wanted: Schema, schema: Mapping[str, Any]) -> Test:
        test = self.test(wanted)
        return lambda value: not test(value)

    def _if(self, wanted: Schema, schema: Mapping[str, Any]) -> Test:
        condition = self.test(wanted)
        then, otherwise = self.test(schema.get("then", True)), self.test(schema.get("else", True))
        return lambda value: (then if condition(value) else otherwise)(value)


def _only_key(schema: Schema) -> str | None:
    """Give the key that a schema asks for and nothing else, as the branches of a step do."""
    if isinstance(schema, bool) or schema.keys() != {"required"} or len(schema["required"]) != 1:
        return None
    return str(schema["required"][0])


_TYPES: dict[str, type] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "object": dict,
    "string": str,
}


def is_date(text: str) -> bool:
    """Say whether a text is a day of the calendar, YYYY-MM-DD."""
    if _DATE.fullmatch(text) is None:  # fromisoformat knows weeks and days of the year too
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _all_differ(items: list[Any]) -> bool:
    try:
        return len(set(items)) == len(items)
    except TypeError:
        return all(item not in items[:place] for place, item in enumerate(items))
