"""YAML means what it says, whatever is in it is told with its place, and nothing raises."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import sources, yamlfile


@pytest.fixture(scope="module")
def slow() -> ModuleType:
    """Give the reader as it is where PyYAML has no LibYAML."""
    name = "yamlfile_without_libyaml"
    spec = importlib.util.spec_from_file_location(name, yamlfile.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    hidden = {"yaml._yaml": sys.modules.get("yaml._yaml")}
    sys.modules["yaml._yaml"] = None  # type: ignore[assignment]
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules.update({key: found for key, found in hidden.items() if found is not None})
    return module


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("null", None),
        ("~", None),
        ("Null", "Null"),
        ("0010", "0010"),
        ("1:30", "1:30"),
        ("0x1F", "0x1F"),
        ("0o17", "0o17"),
        ("1_000", "1_000"),
        ("1e3", "1e3"),
        (".inf", ".inf"),
        ("728", 728),
        ("-2", -2),
        ("0", 0),
        ("702.145b", "702.145b"),
        ("2021-09-24", "2021-09-24"),
        ("2021-09-24 10:00:00", "2021-09-24 10:00:00"),
        ('"702.10"', "702.10"),
        ("'true'", "true"),
        ("''", ""),
        ("Lim-Dûl's Vault", "Lim-Dûl's Vault"),
        ("<<", "<<"),
        ("=", "="),
        ("9" * 40, "9" * 40),
    ],
)
def test_a_value_is_what_it_says(text: str, value: Any) -> None:
    document = yamlfile.read(f"key: {text}\n".encode())
    assert document.faults == []
    assert document.value == {"key": value}
    assert type(document.value["key"]) is type(value)


def test_keys_are_words() -> None:
    document = yamlfile.read(b"no: 1\n728: 2\ntrue: 3\n2021-02-31: 4\n")
    assert document.value == {"no": 1, "728": 2, "true": 3, "2021-02-31": 4}
    assert document.faults == []


@pytest.mark.parametrize(
    ("data", "kind", "line", "column"),
    [
        (b"a: 1\nb: 2\na: 3\n", "duplicate-key", 3, 1),
        (b"a: {b: 1, b: 2}\n", "duplicate-key", 1, 11),
        (b"a: &x [1]\n", "alias", 1, 4),
        (b"a: 1\nb: *x\n", "alias", 2, 4),
        (b"a: !!python/object:os.system x\n", "tag", 1, 4),
        (b"a: !!str 1\n", "tag", 1, 4),
        (b"a:\n  - 702.10\n", "decimal", 2, 5),
        (b"a: .5\n", "decimal", 1, 4),
        (b"a: 2021-02-30\n", "date", 1, 4),
        (b"a: b: c\n", "syntax", 1, 5),
        (b"a:\n\tb: 1\n", "syntax", 2, 1),
        (b"a: [1, 2\nb: 3\n", "syntax", 2, 2),
        (b"a: 'x\n", "syntax", 1, 4),
        (b"a: 1\n---\nb: 2\n", "documents", 2, 1),
        (b"a: \xff\n", "not-utf8", 1, 4),
        ("a: 1\nü: ".encode() + b"\x80", "not-utf8", 2, 4),
        (b"a: 1\x07\n", "syntax", 1, 5),
        (b"", "empty", 1, 1),
        (b"# nothing\n", "empty", 1, 1),
        (b"? [a]\n: 1\n", "key", 1, 3),
        (b"#" * (sources.LARGEST + 1), "too-large", 1, 1),
        (b"[" * 40 + b"]" * 40, "too-deep", 1, 33),
    ],
)
def test_a_fault_has_a_kind_and_a_place(data: bytes, kind: str, line: int, column: int) -> None:
    faults = yamlfile.read(data).faults
    assert [(fault.kind, fault.line, fault.column) for fault in faults] == [(kind, line, column)]


def test_all_faults_are_told_in_one_go() -> None:
    document = yamlfile.read(b"a: 702.10\nb: !x y\na: 2\nc: 2021-13-01\n")
    assert [fault.kind for fault in document.faults] == ["decimal", "tag", "duplicate-key", "date"]
    assert document.faults[0].hint == 'quote it: "702.10"'
    assert "first on line 1" in document.faults[2].message


def test_a_thousand_million_laughs_are_not_laughed() -> None:
    lines = ["a0: &a0 [ha]"] + [
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)
    ]
    faults = yamlfile.read("\n".join(lines).encode()).faults
    assert {fault.kind for fault in faults} == {"alias"}


@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- ", b"? "])
def test_depth_is_no_danger(opening: bytes, slow: ModuleType) -> None:
    data = opening * 50_000
    for read in (yamlfile.read, slow.read):
        faults = read(data).faults
        assert faults
        assert {fault.kind for fault in faults} <= {"too-deep", "syntax"}


def test_positions_are_those_of_values_and_keys() -> None:
    document = yamlfile.read(b"a:\n  - b: x\n    attached to: y\n  - {c: 1, d: [2, 3]}\n")
    assert document.position(("a",)) == (2, 3)
    assert document.position(("a",), key=True) == (1, 1)
    assert document.position(("a", 0, "attached to")) == (3, 18)
    assert document.position(("a", 0, "attached to"), key=True) == (3, 5)
    assert document.position(("a", 1, "d", 1)) == (4, 19)
    assert document.position(("a", 7, "d")) == (2, 3), "as far as the path leads"
    assert document.lines(("a",)) == [2, 4]
    assert document.text(("a", 1, "c")) == "1"
    assert yamlfile.read(b"").position(("a",)) == (1, 1)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert yamlfile.read(b"\xef\xbb\xbfa: 1\n").value == {"a": 1}


PIECES = st.sampled_from(
    ["a", ": ", "- ", "\n", "  ", "[", "]", "{", "}", ",", "'", '"', "|\n", ">", "&x", "*x", "!t ",
     "#", "\t", "---\n", "...\n", "702.10", "2021-02-30", "? ", "~", "no", "%YAML", "@", "`",
     "\x00", "\x85", "\x7f", "ß", "🐺"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60), st.lists(PIECES, max_size=25).map(lambda p: "".join(p).encode())
    )
)
def test_no_bytes_raise(data: bytes) -> None:
    document = yamlfile.read(data)
    assert document.faults or document.root is not None
    lines = data.count(b"\n") + data.count(b"\r") + 3
    for fault in document.faults:
        assert 1 <= fault.line <= lines + data.count(b"\xc2\x85") + data.count(b"\xe2\x80")
        assert fault.column >= 1
        assert fault.message


def test_it_reads_the_same_without_libyaml(slow: ModuleType) -> None:
    paths = [*sources.files(sources.root() / "cards")][:12]
    paths += [*sources.files(sources.root() / "2021-09-24")][:3]
    assert len(paths) == 15
    for path in paths:
        fast, other = yamlfile.read(path.read_bytes()), slow.read(path.read_bytes())
        assert other.value == fast.value
        assert other.faults == fast.faults == []


@pytest.mark.parametrize(
    "data",
    [
        b"a: 1\na: 2\n",
        b"a: 702.10\n",
        b"a: &x 1\n",
        b"a: !t 1\n",
        b"a: 1\n---\nb: 1\n",
        b"a:\n\tb: 1\n",
    ],
)
def test_faults_are_the_same_without_libyaml(data: bytes, slow: ModuleType) -> None:
    assert [(f.kind, f.line, f.column) for f in slow.read(data).faults] == [
        (f.kind, f.line, f.column) for f in yamlfile.read(data).faults
    ]


def test_the_text_of_the_project_is_all_readable() -> None:
    for path in sources.files(Path(sources.root())):
        assert yamlfile.read(path.read_bytes()).faults == [], path
