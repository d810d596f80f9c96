"""Valid data with some parts replaced as the bytes say, because random bytes are hardly ever JSON or TOML."""

from __future__ import annotations

import copy
from typing import Any

_STRANGE: tuple[Any, ...] = (
    None, True, 0, -1, 1, 7, 2**63, 1.5, float("inf"), "", "A", "A roll 6 5 2", "A keep 6", "camera", "\x00", "é" * 50,
    [], {}, [[]], [0], ["A"], {"": 0}, {"template": "{a}", "values": {}}, [[[[[[]]]]]],
)  # fmt: skip


def mutated(good: Any, data: bytes) -> Any:
    """A modified copy of `good` (dicts, lists, plain values). Each pair of bytes is one step: the place, and the
    modification."""
    body = copy.deepcopy(good)
    for where, what in zip(data[::2], data[1::2], strict=False):
        places = list(_places(body))
        if not places:
            return body
        holder, key = places[where % len(places)]
        match what % 32:
            case strange if strange < len(_STRANGE):
                holder[key] = copy.deepcopy(_STRANGE[strange])
            case 24 | 25:
                del holder[key]
            case 26 | 27 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case 28 if isinstance(holder, dict):
                holder[f"{key}{what}"] = holder[key]
            case _:
                other, name = places[what % len(places)]
                holder[key] = copy.deepcopy(other[name])
    return body


def _places(body: Any) -> Any:
    """Every place in the data as (dict or list, key), the outermost first."""
    keys = body.keys() if isinstance(body, dict) else range(len(body)) if isinstance(body, list) else ()
    for key in list(keys):
        yield body, key
        yield from _places(body[key])
