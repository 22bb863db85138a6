"""Writes cases as JSON: floats with 9 digits, one tensor a line."""

import json

import numpy as np


def lists(array):
    """An array as nested lists; floats are shortened to 9 significant digits."""
    array = np.asarray(array)
    if array.dtype.kind in "iu":
        return array.tolist()
    if not np.all(np.isfinite(array)):
        raise SystemExit("a reference value is not finite")
    return _short(array.tolist())


def _short(value):
    return [_short(v) for v in value] if isinstance(value, list) else float(f"{value:.9g}")


def write(path, cases):
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = []
    for case in cases:
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in case.items()]
        blocks.append(" {\n" + ",\n".join(lines) + "\n }")
    path.write_text("[\n" + ",\n".join(blocks) + "\n]\n")
    print(f"{path.name}: {len(blocks)} cases, {path.stat().st_size} bytes")
