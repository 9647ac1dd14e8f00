"""The adapter protocol: its page (README.md), its schemas (schema/) and its Python SDK."""

from harness.protocol.sdk import (
    PROTOCOL,
    Adapter,
    Command,
    EngineInfo,
    Refused,
    Unsupported,
    answer,
    serve,
)

__all__ = [
    "PROTOCOL",
    "Adapter",
    "Command",
    "EngineInfo",
    "Refused",
    "Unsupported",
    "answer",
    "serve",
]
