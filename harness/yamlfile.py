"""Reads YAML so that it means what it says, and remembers where everything stands.

Only what data needs is let through: mappings with text keys, lists, text, whole numbers, true,
false and null. `on`, `no` and `yes` are words, `0010` and `1:30` are text, a date is its text in
ISO form (a day that does not exist is a fault), a duplicate key, an anchor, an alias or a tag is a
fault. Nothing here raises for a bad file: what is wrong is in `Document.faults`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from harness.sources import LARGEST

DEEPEST = 32
"""How many lists and mappings may stand in each other."""

Path = tuple[str | int, ...]

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_DECIMAL = re.compile(r"[-+]?[0-9]*\.[0-9]+|[-+]?[0-9]+\.", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_NULLS = frozenset({"", "~", "null"})
_DIGITS = 18
"""Longer whole numbers are of no use to a game and cost time to convert."""


class _Untagged:
    """Leaves the kind of every scalar open: which it is depends on its text and quotes alone."""

    def descend_resolver(self, parent: Any, index: Any) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        return ""


try:
    from yaml._yaml import CParser

    class _Composer(_Untagged, CParser):
        """Composes nodes with LibYAML."""

except ImportError:  # PyYAML without LibYAML: slower by a factor of ten, otherwise the same
    from yaml.composer import Composer
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class _Composer(_Untagged, Reader, Scanner, Parser, Composer):  # type: ignore[no-redef]
        """Composes nodes in Python."""

        def __init__(self, stream: str) -> None:
            Reader.__init__(self, stream)
            Scanner.__init__(self)
            Parser.__init__(self)
            Composer.__init__(self)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with the YAML of a file; `kind` names the sort of fault."""

    kind: str
    line: int
    column: int
    path: Path
    message: str
    hint: str = ""


@dataclass(slots=True)
class Document:
    """What a file says, with the place of every key and value.

    `value` is None when the file could not be read at all; then there is at least one fault.
    """

    value: Any = None
    faults: list[Fault] = field(default_factory=list)
    root: Node | None = None

    def position(self, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
        """Give line and column, from 1, of the value at a path, or of its key.

        A path that leads nowhere gives the place of the last thing on the way that exists.
        """
        node, found = self._walk(path)
        there = found if key and found is not None else node
        return _place(there) if there is not None else (1, 1)

    def lines(self, path: Sequence[str | int]) -> list[int]:
        """Give the line of each item of the list at a path."""
        node, _ = self._walk(path)
        if not isinstance(node, SequenceNode):
            return []
        return [item.start_mark.line + 1 for item in node.value]

    def text(self, path: Sequence[str | int]) -> str | None:
        """Give the text of a scalar as it stands in the file, without quotes; None for others."""
        node, _ = self._walk(path)
        return node.value if isinstance(node, ScalarNode) else None

    def _walk(self, path: Sequence[str | int]) -> tuple[Node | None, Node | None]:
        """Follow a path as far as it leads: the node there, and the key that it stands under."""
        node, key = self.root, None
        for part in path:
            if isinstance(node, MappingNode):
                found = next((pair for pair in node.value if pair[0].value == part), None)
                if found is None:
                    return node, key
                key, node = found
            elif isinstance(node, SequenceNode):
                if not isinstance(part, int) or part >= len(node.value):
                    return node, key
                key, node = None, node.value[part]
            else:
                return node, key
        return node, key


def read(data: bytes) -> Document:
    """Read the bytes of one file."""
    if len(data) > LARGEST:
        message = f"the file has more than the {LARGEST:,} bytes that are allowed"
        return unreadable("too-large", message, "make several files of it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"the byte 0x{data[problem.start]:02x} is not UTF-8"
        return unreadable("not-utf8", message, "save the file as UTF-8", line, column)
    faults = list(_anchors(text)) if "&" in text or "*" in text else []
    if faults:  # following an alias could take for ever, so nothing else is read
        return Document(faults=faults)
    try:
        root = _Composer(text).get_single_node()
    except yaml.YAMLError as problem:
        return Document(faults=[_syntax(text, problem)])
    except RecursionError:
        return unreadable("too-deep", *_TOO_DEEP)
    if root is None:
        return unreadable("empty", "the file is empty")
    document = Document(root=root)
    document.value = _value(root, (), document.faults)
    document.faults.sort(key=lambda fault: (fault.line, fault.column))
    return document


_TOO_DEEP = (f"lists and mappings stand more than {DEEPEST} deep in each other", "write it flatter")


def unreadable(kind: str, message: str, hint: str = "", line: int = 1, column: int = 1) -> Document:
    """Give the document of a file that says nothing, for one reason."""
    return Document(faults=[Fault(kind, line, column, (), message, hint)])


def _value(node: Node, path: Path, faults: list[Fault]) -> Any:
    if node.tag:
        name = node.tag.replace("tag:yaml.org,2002:", "!!")
        message = f"the tag {name} has no meaning here"
        faults.append(_fault("tag", node, path, message, "leave it out, and quote what is text"))
    if isinstance(node, ScalarNode):
        return _scalar(node, path, faults)
    if len(path) >= DEEPEST:
        faults.append(_fault("too-deep", node, path, *_TOO_DEEP))
        return None
    if isinstance(node, SequenceNode):
        return [_value(item, (*path, place), faults) for place, item in enumerate(node.value)]
    values: dict[str, Any] = {}
    places: dict[str, int] = {}
    for key, item in node.value:
        if not isinstance(key, ScalarNode):
            message = "a key is a word, not a list or a mapping"
            faults.append(_fault("key", key, path, message, "put quotes around it if it is text"))
            continue
        word = key.value
        if word in values:
            faults.append(
                _fault(
                    "duplicate-key",
                    key,
                    (*path, word),
                    f"the key {word!r} stands here twice, first on line {places[word]}",
                    "keep one of them",
                )
            )
            continue
        places[word] = key.start_mark.line + 1
        values[word] = _value(item, (*path, word), faults)
    return values


def _scalar(node: ScalarNode, path: Path, faults: list[Fault]) -> Any:
    text: str = node.value
    if node.style:  # quoted or a block: text, whatever it looks like
        return text
    if text in _NULLS:
        return None
    if text == "true":
        return True
    if text == "false":
        return False
    if not (text[0].isdigit() or text[0] in "+-."):
        return text
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _DIGITS else text
    if _DECIMAL.fullmatch(text):
        faults.append(
            _fault(
                "decimal",
                node,
                path,
                f"{text} without quotes is a number with a fraction, and loses its last zeros",
                f'quote it: "{text}"',
            )
        )
        return text
    if _DATE.fullmatch(text):
        try:
            date.fromisoformat(text)
        except ValueError:
            faults.append(
                _fault("date", node, path, f"{text} is no day of the calendar", "write YYYY-MM-DD")
            )
    return text


def _fault(kind: str, node: Node, path: Path, message: str, hint: str = "") -> Fault:
    return Fault(kind, *_place(node), path, message, hint)


def _place(node: Any) -> tuple[int, int]:
    """Give line and column, from 1, of a node or an event."""
    return node.start_mark.line + 1, node.start_mark.column + 1


def _anchors(text: str) -> Iterator[Fault]:
    """Find anchors and aliases, which composed nodes no longer show."""
    try:
        for event in yaml.parse(text, Loader=_EventLoader):
            name = getattr(event, "anchor", None)
            if name:
                alias = isinstance(event, yaml.AliasEvent)
                sign, noun = ("*", "alias") if alias else ("&", "anchor")
                yield Fault(
                    "alias",
                    *_place(event),
                    (),
                    f"{sign}{name} is an {noun}, and a file may have none",
                    "write the value out" if alias else "quote it if it is text",
                )
    except (yaml.YAMLError, RecursionError):
        return  # composing finds the same and tells it better


_EventLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_HELP = {
    "mapping values are not allowed": "put quotes around a text with a colon in it",
    "found character that cannot start any token": "put quotes around it if it is text",
    "did not find expected ',' or ']'": "close the list with ]",
    "did not find expected ',' or '}'": "close the mapping with }",
    "expected ',' or ']'": "close the list with ]",
    "expected ',' or '}'": "close the mapping with }",
    "did not find expected '-' indicator": "line the items of a list up",
    "did not find expected key": "line the keys of a mapping up",
    "found unexpected end of stream": "close the quotes",
    "could not find expected ':'": "put a colon and a space after a key",
}


def _syntax(text: str, problem: yaml.YAMLError) -> Fault:
    """Say in our words what PyYAML found, and where."""
    if isinstance(problem, yaml.MarkedYAMLError) and problem.problem_mark is not None:
        mark, context = problem.problem_mark, problem.context_mark
        said = (problem.problem or "").strip()
        if "another document" in said or "expected a single document" in (problem.context or ""):
            line, column = mark.line + 1, mark.column + 1
            message = "a second document begins here, and a file holds one"
            return Fault("documents", line, column, (), message, "make two files of it")
        if "nesting depth" in said:
            return Fault("too-deep", mark.line + 1, mark.column + 1, (), *_TOO_DEEP)
        lines = text.split("\n")
        here = lines[mark.line] if mark.line < len(lines) else ""
        indent = here[: len(here) - len(here.lstrip())]
        if "\t" in indent or here[mark.column : mark.column + 1] == "\t":
            column = here.index("\t") + 1
            message = "a tab stands where only spaces may"
            return Fault("syntax", mark.line + 1, column, (), message, "indent with spaces")
        where = mark if context is None or "end of stream" not in said else context
        hint = next((hint for words, hint in _HELP.items() if words in said), "")
        doing = f" {problem.context}" if problem.context else ""
        since = f" (begun on line {context.line + 1})" if context is not None and doing else ""
        message = f"not YAML:{doing}{since}{',' if doing else ''} {said}"
        return Fault("syntax", where.line + 1, where.column + 1, (), message, hint)
    odd = next((place for place, sign in enumerate(text) if not _printable(sign)), 0)
    line = text.count("\n", 0, odd) + 1
    column = odd - (text.rfind("\n", 0, odd) + 1) + 1
    message = f"the character U+{ord(text[odd]):04X} may not stand in a file" if text else "empty"
    return Fault("syntax", line, column, (), message, "leave it out")


def _printable(sign: str) -> bool:
    if sign in "\t\n\r\x85" or " " <= sign <= "~":
        return True
    return sign >= "\xa0" and sign not in "\ufffe\uffff"
