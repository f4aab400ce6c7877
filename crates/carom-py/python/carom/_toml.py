"""Writes dictionaries as the TOML of model files."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import Fault, ModelError

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(data: Mapping[str, Any]) -> str:
    """The text of a model file with the same words as the dictionary."""
    lines: list[str] = []
    _table(lines, "", data)
    return "\n".join(lines) + "\n"


def _table(lines: list[str], path: str, data: Mapping[str, Any]) -> None:
    tables: list[tuple[str, Mapping[str, Any]]] = []
    for key, value in data.items():
        if not isinstance(key, str):
            raise _refuse(path or "dictionary", f"a key is {key!r}, expected a text")
        here = f"{path}.{_key(key)}" if path else _key(key)
        if isinstance(value, Mapping) and value:
            tables.append((here, value))
        else:
            lines.append(f"{_key(key)} = {value_text(here, value)}")
    for here, table in tables:
        lines.append(f"\n[{here}]")
        _table(lines, here, table)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def value_text(path: str, value: Any) -> str:
    """One value as TOML writes it; ``path`` names it in messages."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if math.isnan(number):
            raise _refuse(path, "it is nan, expected a number")
        return repr(number) if math.isfinite(number) else ("inf" if number > 0 else "-inf")
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(str(k))} = {value_text(path, v)}" for k, v in value.items())
        return "{ " + inner + " }" if inner else "{}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
        if not isinstance(value, list):
            return value_text(path, value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(value_text(path, v) for v in value) + "]"
    kind = type(value).__name__
    raise _refuse(path, f"a {kind}, expected a number, a text, a bool, a list or a table")


def _text(text: str) -> str:
    escaped = "".join(
        {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(c)
        or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}")
        for c in text
    )
    return f'"{escaped}"'


def _refuse(path: str, message: str) -> ModelError:
    return ModelError(f"{path}: {message}", [Fault("dictionary", None, None, path, message)])
