"""Y: what keeps a file from being read as YAML that means what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from harness.checks.base import FileCheck
from harness.files import File, Shelf
from harness.problem import Problem, dotted


class ReadingCheck(FileCheck):
    """Tells of one sort of fault that the reader found."""

    fault: ClassVar[str]

    def check_file(self, file: File, shelf: Shelf) -> Iterator[Problem]:
        """Tell of the faults of this sort."""
        for fault in file.document.faults:
            if fault.kind == self.fault:
                yield Problem(
                    file.shown,
                    fault.line,
                    fault.column,
                    self.code,
                    dotted(fault.path),
                    fault.message,
                    fault.hint,
                )


class Syntax(ReadingCheck):
    """The file is not YAML."""

    code, slug, fault = "Y001", "not-yaml", "syntax"


class TooLarge(ReadingCheck):
    """The file is larger than anybody would write one by hand."""

    code, slug, fault = "Y002", "too-large", "too-large"


class NotUtf8(ReadingCheck):
    """The file is not in UTF-8."""

    code, slug, fault = "Y003", "not-utf8", "not-utf8"


class Empty(ReadingCheck):
    """The file says nothing."""

    code, slug, fault = "Y004", "empty-file", "empty"


class Documents(ReadingCheck):
    """The file holds more than one YAML document."""

    code, slug, fault = "Y005", "several-documents", "documents"


class DuplicateKey(ReadingCheck):
    """A key stands twice in one mapping."""

    code, slug, fault = "Y006", "duplicate-key", "duplicate-key"


class KeyIsNoWord(ReadingCheck):
    """A key is a list or a mapping."""

    code, slug, fault = "Y007", "key-is-no-word", "key"


class Alias(ReadingCheck):
    """The file has an anchor or an alias."""

    code, slug, fault = "Y008", "alias", "alias"


class Tag(ReadingCheck):
    """A value has a tag."""

    code, slug, fault = "Y009", "tag", "tag"


class TooDeep(ReadingCheck):
    """Lists and mappings stand too deep in each other."""

    code, slug, fault = "Y010", "too-deep", "too-deep"


class Decimal(ReadingCheck):
    """A number with a fraction stands there, nearly always a rule number without quotes."""

    code, slug, fault = "Y011", "unquoted-number", "decimal"


class NoSuchDay(ReadingCheck):
    """A date that the calendar does not have."""

    code, slug, fault = "Y012", "no-such-day", "date"


class Unreadable(ReadingCheck):
    """There is no such file, or it may not be read."""

    code, slug, fault = "Y013", "unreadable", "unreadable"


CHECKS = (
    Syntax(),
    TooLarge(),
    NotUtf8(),
    Empty(),
    Documents(),
    DuplicateKey(),
    KeyIsNoWord(),
    Alias(),
    Tag(),
    TooDeep(),
    Decimal(),
    NoSuchDay(),
    Unreadable(),
)
