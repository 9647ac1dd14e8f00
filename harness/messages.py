"""Lines and messages of the protocol as the harness reads them: bounded, checked, explained.

Every reply is held against its JSON Schema by `fits`, which takes microseconds; the jsonschema
package, which can explain, is imported only when a reply does not fit. What no schema can say (as
many observations as looks, every key that was asked for) is up to `judge`. Requests are made here
of files that have been checked, so they are held against the schema by the tests, all of them, and
by `rulings adapter-check`, but not each time that they are sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from harness.fits import Test, compiled
from harness.model import Engine
from harness.protocol.sdk import PROTOCOL

LONGEST_LINE = 1024 * 1024
"""A reply may be no longer than this many bytes."""

LONGEST_NAME = 200
"""What an engine calls itself is cut to this many characters."""

SCHEMAS = Path(__file__).parent / "protocol" / "schema"


class BadMessageError(Exception):
    """A line or message that the protocol does not allow; the text says why."""


def read_line(line: bytes) -> dict[str, Any]:
    """Read one line as a JSON object. Raises `BadMessageError`."""
    try:
        message = _DECODER.decode(line.decode("utf-8"))
        if b"\\u" in line:
            # JSON can name half of a character; no report could be written with it.
            json.dumps(message, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise BadMessageError(f"half of a surrogate pair in {shown(line)}") from None
    except UnicodeDecodeError as problem:
        raise BadMessageError(
            f"not UTF-8 ({problem.reason} at byte {problem.start}): {shown(line)}"
        ) from None
    except RecursionError:
        raise BadMessageError(f"nested too deeply: {shown(line)}") from None
    except ValueError as problem:
        raise BadMessageError(f"not JSON ({problem}): {shown(line)}") from None
    if not isinstance(message, dict):
        raise BadMessageError(f"not a JSON object: {shown(line)}")
    return message


def read_hello(message: Mapping[str, Any], how: str) -> Engine:
    """Make an `Engine` of the reply to `hello`. Raises `BadMessageError`."""
    if message.get("type") == "error":
        raise BadMessageError(f"it answered hello with an error: {message.get('reason')}")
    if message.get("type") != "hello":
        raise BadMessageError(f"it answered hello with {shown(message.get('type'))}")
    if message.get("protocol") != PROTOCOL or isinstance(message.get("protocol"), bool):
        raise BadMessageError(
            f"it speaks protocol {shown(message.get('protocol'))}, this harness speaks {PROTOCOL}"
        )
    about = message.get("engine")
    if not isinstance(about, dict):
        raise BadMessageError("its hello has no engine")
    for key in ("name", "version"):
        if not isinstance(about.get(key), str) or not about[key]:
            raise BadMessageError(f"its hello gives no engine.{key}")
    for key in ("language", "homepage", "license"):
        if not isinstance(about.get(key), (str, type(None))):
            raise BadMessageError(f"its hello has an engine.{key} that is no string")
    capabilities = message.get("capabilities")
    if not _is_list_of_strings(capabilities):
        raise BadMessageError("its hello has no capabilities that are a list of strings")
    cards = message.get("cards")
    if cards is not None and not _is_list_of_strings(cards):
        raise BadMessageError("its hello has cards that are no list of strings")
    if not fits("reply", message):
        raise BadMessageError("its hello is wrong: " + "; ".join(problems("reply", message)[:2]))
    return Engine(
        name=about["name"][:LONGEST_NAME],
        version=about["version"][:LONGEST_NAME],
        how=how,
        language=_cut(about.get("language")),
        homepage=_cut(about.get("homepage")),
        license=_cut(about.get("license")),
        protocol=PROTOCOL,
        capabilities=tuple(capabilities or ()),
        cards=None if cards is None else tuple(cards),
    )


def fits(direction: str, message: Mapping[str, Any]) -> bool:
    """Say whether a message fits its schema: `direction` is "request" or "reply"."""
    kind = message.get("type")
    return isinstance(kind, str) and kind in _tests(direction) and _tests(direction)[kind](message)


def problems(direction: str, message: Mapping[str, Any]) -> list[str]:
    """Say what the schema of the message has against it, in the order of the message."""
    kind = message.get("type")
    kinds = _schema(direction)["$defs"]["types"]["enum"]
    if kind not in kinds:
        return [f"type: {shown(kind)} is not one of {', '.join(kinds)}"]
    found = sorted(
        _validator(direction, kind).iter_errors(message), key=lambda each: each.json_path
    )
    return [f"{each.json_path.removeprefix('$.')}: {each.message[:300]}" for each in found]


def shown(value: Any) -> str:
    """Show what was said, on one line, shortened, with nothing that a terminal would obey."""
    if isinstance(value, bytes):
        text = ascii(value[:120])[1:]
        return text if len(value) <= 120 else f"{text}… ({len(value)} bytes)"
    text = json.dumps(value)
    return text if len(text) <= 120 else text[:120] + "…"


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _cut(value: str | None) -> str | None:
    return None if value is None else value[:LONGEST_NAME]


@cache
def _schema(direction: str) -> Any:
    return json.loads((SCHEMAS / f"{direction}.json").read_text(encoding="utf-8"))


@cache
def _tests(direction: str) -> dict[str, Test]:
    definitions = _schema(direction)["$defs"]
    return {
        kind: compiled({"$defs": definitions, "$ref": f"#/$defs/{kind}"})
        for kind in definitions["types"]["enum"]
    }


@cache
def _validator(direction: str, kind: str) -> Any:
    from jsonschema import Draft202012Validator  # 0.1 s: only when something is to be explained

    schema = _schema(direction)
    return Draft202012Validator(
        {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": f"#/$defs/{kind}"}
    )
