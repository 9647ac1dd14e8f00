"""S: where a file does not have the shape that its schema asks for.

The schema decides; here its verdicts become sentences that say what would be right.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from harness import sources
from harness.checks.base import FileCheck, did_you_mean, listed
from harness.files import File, Shelf
from harness.fits import Test, compiled, is_date
from harness.problem import Problem

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

KINDS = ("ruling", "card", "catalog", "editions")

FORMS = {
    "\\S": "a text that is not empty",
    "^[a-z][a-z0-9-]*$": "an id: small letters, digits and hyphens, a letter first",
    "^[a-z0-9][a-z0-9.-]*$": "a key: small letters, digits, hyphens and dots",
    "^[a-z0-9][a-z0-9-]*$": "a key: small letters, digits and hyphens",
    "^[1-9][0-9]{2}(\\.[1-9][0-9]*[a-z]*)?$": 'a rule number such as "702.145b", or "728"',
    "^[^\\s#]([^#\\n]*[^\\s#])?$": "a name: one line without # and without spaces at its ends",
    "^[^/#]+/[^/#]+#[^#]+$": "a scenario's id: folder/file#name",
    "^(\\{([0-9]+|[WUBRGC])\\})*$": 'mana such as "{2}{B}"',
    "^(\\{[0-9WUBRGCXSP/]+\\})+$": 'a mana cost such as "{2}{B}"',
    "^[0-9a-f]{64}$": "a SHA-256: 64 hexadecimal digits in small letters",
    "^[A-Z]": "a word with a capital letter first",
    "^[a-z]": "a word in small letters",
    "^[0-9*+-]+$": 'a whole number, or a text such as "*" or "1+*"',
}
"""What a pattern of the schemas asks for, in words."""

TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "object": "a mapping",
    "string": "a text",
}


@cache
def schema(kind: str) -> dict[str, Any]:
    """Read the schema of a kind of file."""
    value: dict[str, Any] = json.loads(sources.schema(kind).read_bytes())
    return value


@cache
def _test(kind: str) -> Test:
    return compiled(schema(kind))


def fits(kind: str, value: Any) -> bool:
    """Say whether a value has the shape of its kind."""
    return _test(kind)(value)


@cache
def validator(kind: str) -> Draft202012Validator:
    """Make the validator of a kind of file; it takes a tenth of a second to import."""
    import jsonschema

    checker = jsonschema.FormatChecker(formats=())
    checker.checks("date")(lambda value: not isinstance(value, str) or is_date(value))
    return jsonschema.Draft202012Validator(schema(kind), format_checker=checker)


@dataclass(frozen=True, slots=True)
class Error:
    """One verdict of a schema: the keyword that says no, what it wants, and of what it says so."""

    keyword: str
    wanted: Any
    instance: Any
    schema: Any
    path: tuple[str | int, ...]
    of_key: bool
    """Whether it is about a key of the instance, not the instance."""
    message: str


def errors(kind: str, value: Any) -> Iterator[Error]:
    """Give all that the schema has against a value."""
    for error in validator(kind).iter_errors(value):
        yield Error(
            keyword=str(error.validator),
            wanted=error.validator_value,
            instance=error.instance,
            schema=error.schema,
            path=tuple(error.absolute_path),
            of_key="propertyNames" in error.absolute_schema_path,
            message=error.message,
        )


class ShapeCheck(FileCheck):
    """Tells of the schema's errors under some of its keywords."""

    keywords: ClassVar[frozenset[str]]

    def check_file(self, file: File, shelf: Shelf) -> Iterator[Problem]:
        """Tell of the errors of this sort."""
        if file.document.root is None or file.fits:
            return
        faulty = {fault.path for fault in file.document.faults}
        for error in file.shape_errors:
            if error.keyword in self.keywords and error.path not in faulty:
                yield from self.tell(file, error)

    @abstractmethod
    def tell(self, file: File, error: Error) -> Iterable[Problem]:
        """Make problems of one error."""


class UnknownKey(ShapeCheck):
    """A key that is not known there."""

    code, slug = "S001", "unknown-key"
    keywords = frozenset({"additionalProperties"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Name the nearest key that is known there and not yet used."""
        known = error.schema.get("properties", {})
        for key in error.instance:
            if key not in known:
                free = [each for each in known if each not in error.instance]
                hint = did_you_mean(key, free, f"known here: {', '.join(known)}")
                yield file.problem(
                    self.code,
                    (*error.path, key),
                    f"the key {key!r} is not known here",
                    hint,
                    key=True,
                )


class MissingKey(ShapeCheck):
    """A key that must be there is not."""

    code, slug = "S002", "missing-key"
    keywords = frozenset({"required"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Say what the key is for."""
        # One error a missing key: jsonschema names it in the message alone.
        key = next(
            key
            for key in error.wanted
            if key not in error.instance and error.message.startswith(repr(key))
        )
        about = described(file.kind, error.schema.get("properties", {}).get(key, {}))
        yield file.problem(
            self.code,
            error.path,
            f"the key {key!r} is missing",
            f"{key}: {about}" if about else "",
            key=True,
        )


class WrongType(ShapeCheck):
    """A list where a text is wanted, a number where a word is wanted, and the like."""

    code, slug = "S003", "wrong-type"
    keywords = frozenset({"type"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Say what is wanted, what stands there, and how to mend it."""
        wanted = error.wanted
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        value = error.instance
        message = f"{listed(TYPES[kind] for kind in kinds)} is wanted here, not {_named(value)}"
        hint = ""
        text = file.document.text(error.path)
        if "string" in kinds and text and isinstance(value, (int, bool)):
            hint = f'quote it: "{text}"'
        elif "array" in kinds and isinstance(value, (str, int)):
            hint = f"write [{text}]"
        elif "array" in kinds and isinstance(value, Mapping):
            hint = "put it into a list: [{…}]"
        elif "boolean" in kinds and isinstance(value, str):
            near = {"yes": "true", "on": "true", "no": "false", "off": "false"}
            hint = f"write {near[value.lower()]}" if value.lower() in near else ""
        elif "integer" in kinds and isinstance(value, str) and value.isdigit() and len(value) > 18:
            message, hint = "the number is larger than any that is allowed", ""
        elif "integer" in kinds and isinstance(value, str) and value.isdigit():
            hint = f"write {value.lstrip('0') or '0'}, without quotes and leading zeros"
        yield file.problem(self.code, error.path, message, hint)


class UnknownWord(ShapeCheck):
    """A word that is not one of those that may stand there."""

    code, slug = "S004", "unknown-word"
    keywords = frozenset({"enum", "const"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Name the nearest word that may stand there."""
        wanted = error.wanted
        known = wanted if error.keyword == "enum" else [json.dumps(wanted)]
        value = error.instance
        text = file.document.text(error.path)
        shown = _named(value) if text is None or value is None else repr(text)
        every = f"write {listed(known)}"
        few = len(known) <= 4 or not isinstance(value, str)
        hint = every if few else did_you_mean(value, known, every)
        yield file.problem(self.code, error.path, f"{shown} may not stand here", hint)


class WrongForm(ShapeCheck):
    """A text or number of the wrong form."""

    code, slug = "S005", "wrong-form"
    keywords = frozenset({"pattern", "format", "minimum", "maximum"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Say in words what form is wanted."""
        value = error.instance
        wanted = {
            "pattern": FORMS.get(str(error.wanted), str(error.wanted)),
            "format": "a day of the calendar, YYYY-MM-DD",
            "minimum": f"at least {error.wanted}",
            "maximum": f"at most {error.wanted}",
        }[error.keyword]
        shown = repr(value) if isinstance(value, str) else str(value)
        yield file.problem(
            self.code,
            (*error.path, value) if error.of_key else error.path,
            f"{shown} does not have the form that is wanted here",
            f"wanted: {wanted}",
            key=error.of_key,
        )


class NotOne(ShapeCheck):
    """Of several words exactly one must be there, and it is none or more."""

    code, slug = "S006", "not-one"
    keywords = frozenset({"oneOf"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Say which words there are, and which of them are there."""
        value = error.instance
        if not isinstance(value, Mapping):
            return
        if any(key not in error.schema.get("properties", {}) for key in value):
            return  # the word is there and misspelt, which is told already
        words = [branch["required"][0] for branch in error.wanted]
        found = [word for word in words if word in value]
        if found:
            message = f"{' and '.join(found)} stand together, and only one of them may"
            hint = "make a step of each" if error.schema.get("title") == "Step" else "keep one"
        else:
            what = str(error.schema.get("title", "")).lower()
            message = f"this {what or 'mapping'} has none of its words"
            hint = f"write one of {', '.join(words)}"
        yield file.problem(self.code, error.path, message, hint)


class WrongCount(ShapeCheck):
    """A list or mapping with too few, too many or equal members."""

    code, slug = "S007", "wrong-count"
    keywords = frozenset({"minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Say how many are wanted."""
        value, wanted = error.instance, error.wanted
        if error.keyword == "uniqueItems":
            twice = next(place for place, item in enumerate(value) if item in value[:place])
            message = f"{_shown(value[twice])} stands in this list twice"
            yield file.problem(self.code, (*error.path, twice), message, "keep one of them")
            return
        what = "list" if error.keyword.endswith("Items") else "mapping"
        bound = "at least" if error.keyword.startswith("min") else "at most"
        items = "item" if wanted == 1 else "items"
        message = f"this {what} must have {bound} {wanted} {items}, not {len(value)}"
        yield file.problem(self.code, error.path, message)


class MisplacedKey(ShapeCheck):
    """A key that may not stand beside another."""

    code, slug = "S008", "misplaced-key"
    keywords = frozenset({"not"})

    def tell(self, file: File, error: Error) -> Iterator[Problem]:
        """Say beside what it may not stand."""
        key = str(error.path[-1]) if error.path else ""
        beside = {
            "date": "only an official ruling has a date",
            "id": "count repeats objects that have no id",
            "choices": "a look asks nobody",
            "refused": "a look cannot be refused",
        }.get(key, "")
        yield file.problem(
            self.code,
            error.path,
            f"the key {key!r} may not stand here",
            beside or "leave it out",
            key=True,
        )


def described(kind: str, property_schema: Any) -> str:
    """Give the first sentence of a property's description."""
    if not isinstance(property_schema, Mapping):
        return ""
    text = str(property_schema.get("description", ""))
    return text.partition(". ")[0].rstrip(".")


def _named(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {_shown(value)}"
    return "a list" if isinstance(value, Sequence) else "a mapping"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


CHECKS = (
    UnknownKey(),
    MissingKey(),
    WrongType(),
    UnknownWord(),
    WrongForm(),
    NotOne(),
    WrongCount(),
    MisplacedKey(),
)
