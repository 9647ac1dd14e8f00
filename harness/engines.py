"""One small language for reaching any engine: a name, `cmd:…` or `python:module:factory`."""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import pkgutil
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from harness.connection import CannotStartError, Connection, InProcess, Pipe
from harness.protocol.sdk import Adapter, Command

GROUP = "card_rulings.engines"
"""Third parties publish an engine under a name in this entry point group."""

BUILT_IN = "harness.adapters"
"""Packages in here are engines too: `<name>/adapter.py` has the factory `engine`."""

DEFAULT = "reference"


class UnknownEngineError(Exception):
    """No engine is reached by that; the text says what would be."""


class Reachable(ABC):
    """An engine that can be started, any number of times."""

    how: str

    @abstractmethod
    def connect(self, *, apart: bool = False) -> Connection:
        """Start it. With `apart` it has a process of its own even if it could do without.

        Raises `CannotStartError`.
        """


@dataclass(frozen=True)
class Process(Reachable):
    """An engine that is a command."""

    how: str
    argv: tuple[str, ...]

    def connect(self, *, apart: bool = False) -> Connection:
        """Start the command."""
        return Pipe(self.argv)


@dataclass(frozen=True)
class Factory(Reachable):
    """A function in Python that gives an `Adapter`, or the `Command` that an engine is."""

    how: str
    module: str
    attribute: str
    arguments: tuple[str, ...] = ()

    def connect(self, *, apart: bool = False) -> Connection:
        """Call the function; start the command if that is what it gives."""
        made = self._make()
        if isinstance(made, Command):
            return Pipe(made.argv, made.env, made.cwd, made.start_timeout)
        if not isinstance(made, Adapter):
            raise CannotStartError(
                f"{self.module}:{self.attribute} gave a {type(made).__name__}, "
                "not an Adapter or a Command"
            )
        if not apart:
            return InProcess(made)
        made.close()
        target = f"{self.module}:{self.attribute}"
        return Pipe([sys.executable, "-m", "harness.protocol", target, *self.arguments])

    def _make(self) -> Any:
        try:
            made: Any = importlib.import_module(self.module)
            for name in self.attribute.split("."):
                made = getattr(made, name)
            return made(*self.arguments)
        except CannotStartError:
            raise  # it says all there is to say
        except (Exception, SystemExit) as problem:
            if isinstance(problem, LookupError) and self.arguments and problem.args:
                # There is no such engine behind the name: `fault:NOPE`.
                raise CannotStartError(str(problem.args[0])) from None
            # One that ends the process, with status 0 perhaps, must not end the run as passed.
            import traceback

            raise CannotStartError(
                f"{self.module}:{self.attribute}: {type(problem).__name__}: {problem}",
                "\n".join(traceback.format_exc().splitlines()[-20:]),
            ) from None


@dataclass(frozen=True, slots=True)
class Listed:
    """An engine that was found by name, and how; nothing has been started to say this."""

    name: str
    version: str | None
    how: str
    package: str | None
    summary: str | None
    takes_argument: bool = False


def resolve(spec: str) -> Reachable:
    """Find out how an engine is reached; nothing is started yet.

    - `NAME`: an entry point of the group `card_rulings.engines`, or an adapter in
      `harness/adapters/`; `NAME:ARGUMENT` where its factory takes one (`fault:no-daybound`)
    - `cmd:COMMAND`: a command, split as a POSIX shell splits
    - `python:MODULE:FACTORY` or `python:MODULE:FACTORY:ARGUMENT`: in this process

    Raises `UnknownEngineError`.
    """
    kind, colon, rest = spec.partition(":")
    if kind == "cmd" and colon:
        return _command(spec, rest)
    if kind == "python" and colon:
        return _python(spec, rest)
    arguments = (rest,) if colon else ()
    for point in _entry_points():
        if point.name == kind:
            return Factory(spec, point.module, point.attr or "engine", arguments)
    if kind in _built_in():
        return Factory(spec, f"{BUILT_IN}.{_package(kind)}.adapter", "engine", arguments)
    names = sorted({point.name for point in _entry_points()} | set(_built_in()))
    near = difflib.get_close_matches(kind, names, 1)
    raise UnknownEngineError(
        f"no engine is called {kind!r}"
        + (f"; did you mean {near[0]!r}?" if near else ".")
        + f" There are: {', '.join(names) or 'none'}; or say cmd:COMMAND or python:MODULE:FACTORY."
    )


def listing() -> list[Listed]:
    """List the engines that have a name, in the order of their names, without starting any."""
    found: dict[str, Listed] = {}
    for name in _built_in():
        found[name] = _about_built_in(name)
    for point in _entry_points():
        dist, tree = point.dist, _source(point.module)
        about = ast.get_docstring(tree) or (dist.metadata["Summary"] if dist else "")
        found[point.name] = Listed(
            name=point.name,
            version=dist.version if dist else None,
            how=point.value,
            package=dist.name if dist else None,
            summary=about.partition("\n")[0] or None,
            takes_argument=_takes_argument(tree, point.attr),
        )
    return [found[name] for name in sorted(found)]


def _command(spec: str, rest: str) -> Process:
    try:
        argv = tuple(shlex.split(rest))
    except ValueError as problem:
        raise UnknownEngineError(f"{spec!r} cannot be split into words: {problem}") from None
    if not argv:
        raise UnknownEngineError("cmd: needs a command behind it")
    return Process(spec, argv)


def _python(spec: str, rest: str) -> Factory:
    module, _, rest = rest.partition(":")
    attribute, colon, argument = rest.partition(":")
    if not module or not attribute:
        raise UnknownEngineError(f"{spec!r} has to be python:MODULE:FACTORY")
    if "" not in sys.path and sys.path[0] != ".":
        sys.path.insert(0, "")  # as `python -m` does: the user's own folder
    return Factory(spec, module, attribute, (argument,) if colon else ())


def _entry_points() -> Iterator[metadata.EntryPoint]:
    yield from metadata.entry_points(group=GROUP)


def _built_in() -> list[str]:
    package = importlib.import_module(BUILT_IN)
    return [
        module.name.replace("_", "-")
        for module in pkgutil.iter_modules(package.__path__)
        if module.ispkg and importlib.util.find_spec(f"{BUILT_IN}.{module.name}.adapter")
    ]


def _package(name: str) -> str:
    """Give the package of a built-in engine: `python-mtg` is in `python_mtg`."""
    return name.replace("-", "_")


def _about_built_in(name: str) -> Listed:
    """Read what the package says of itself; its adapter is not imported, its engine not started."""
    package = importlib.import_module(f"{BUILT_IN}.{_package(name)}")
    distribution = getattr(package, "PACKAGE", None)
    version = None
    if distribution:
        try:
            version = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            version = None
    summary = (package.__doc__ or "").strip().partition("\n")[0] or None
    return Listed(
        name, version, f"{BUILT_IN}.{_package(name)}.adapter:engine", distribution, summary
    )


def _source(module: str) -> ast.Module:
    """Read the source of a module without importing it, which could be slow; empty if it has none.

    The packages that it is in are imported.
    """
    try:
        spec = importlib.util.find_spec(module)
        return ast.parse(Path(spec.origin).read_text("utf-8") if spec and spec.origin else "")
    except (ImportError, OSError, SyntaxError, ValueError):
        return ast.parse("")


def _takes_argument(tree: ast.Module, factory: str) -> bool:
    """Say whether the factory needs an argument."""
    return any(
        isinstance(node, ast.FunctionDef)
        and node.name == factory
        and len(node.args.posonlyargs + node.args.args) > len(node.args.defaults)
        for node in tree.body
    )
