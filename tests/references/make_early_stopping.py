"""Keras's EarlyStopping on sequences of values, stored in early_stopping.json (see README.md).

A first value that is NaN is left out: Keras takes it for the best, after which nothing can be better.
"""

import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["JAX_ENABLE_X64"] = "1"

import json
import math
import pathlib

import keras
import numpy as np

HERE = pathlib.Path(__file__).parent
NAN = float("nan")
FROM_RULES = [
    ({"patience": 3}, [0.5] * 8),
    ({}, [1, 0.9, 0.95, 0.8]),
    ({"min_delta": 0.25, "patience": 1}, [1, 0.75, 0.5]),
    ({"patience": 5, "restore_best_weights": True}, [5, 4, 3, 2, 2.5]),
    ({"patience": 2}, [3, NAN, NAN, 1]),
    ({"patience": 2, "baseline": 0.4}, [1, 0.9, 0.8, 0.85, 0.3]),
    ({"patience": 1, "start_from_epoch": 3, "restore_best_weights": True}, [1, 2, 3, 4, 5, 6]),
    ({"patience": 0}, [1, 1, 1]),
    ({"patience": 2, "mode": "max"}, [0.1, 0.3, 0.2, 0.3, 0.5]),
]


class Model:
    """Weights that are the number of the epoch, from 0."""

    def __init__(self):
        self.weights = -1
        self.stop_training = False

    def get_weights(self):
        return self.weights

    def set_weights(self, weights):
        self.weights = weights


def run(config, values):
    callback = keras.callbacks.EarlyStopping(monitor="value", **{"mode": "min", **config})
    model = Model()
    callback.set_model(model)
    callback.on_train_begin()
    epochs = 0
    for epoch, value in enumerate(values):
        model.weights = epoch
        callback.on_epoch_end(epoch, {"value": value})
        epochs += 1
        if model.stop_training:
            break
    callback.on_train_end()
    return {
        "config": {"mode": "min", **config},
        "values": [None if math.isnan(value) else value for value in values],
        "epochs": epochs,
        "stopped": bool(model.stop_training),
        "weights": model.weights,
    }


def random_cases(count):
    random = np.random.default_rng(12)
    for _ in range(count):
        config = {
            "mode": str(random.choice(["min", "max"])),
            "patience": int(random.integers(0, 5)),
            "min_delta": float(random.choice([0, 0.0625, 0.25])),
            "start_from_epoch": int(random.choice([0, 0, 2])),
            "restore_best_weights": bool(random.integers(2)),
        }
        if random.integers(3) == 0:
            config["baseline"] = float(random.integers(0, 16)) / 16
        values = [float(v) / 16 for v in random.integers(0, 16, 14)]
        for i in range(config["start_from_epoch"] + 1, 14):
            if random.integers(8) == 0:
                values[i] = NAN
        yield config, values


def main():
    cases = [run(config, values) for config, values in [*FROM_RULES, *random_cases(200)]]
    text = "[\n" + ",\n".join(json.dumps(case, allow_nan=False) for case in cases) + "\n]\n"
    (HERE / "early_stopping.json").write_text(text)


if __name__ == "__main__":
    main()
