"""Losses, optimizers and metrics from Keras on JAX in float64, stored as three JSON files (see README.md)."""

import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"

import pathlib

import jax
import json_lists
import keras
import numpy as np

HERE = pathlib.Path(__file__).parent
RANDOM = np.random.default_rng(2)


def draw(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def probabilities(*shape):
    """Rows that sum to 1 in float32, up to rounding."""
    e = np.exp(draw(*shape))
    return (e / e.sum(axis=-1, keepdims=True)).astype(np.float32)


def sigmoid(*shape):
    return (1 / (1 + np.exp(-draw(*shape)))).astype(np.float32)


def labels(classes, *shape):
    return RANDOM.integers(0, classes, shape)


def one_hot(classes, *shape):
    return np.eye(classes, dtype=np.float32)[labels(classes, *shape)]


def loss_case(name, class_name, targets, predictions, **config):
    loss = getattr(keras.losses, class_name)(**config)
    truth = np.asarray(targets, np.float64 if np.asarray(targets).dtype.kind == "f" else np.int32)
    value, gradient = jax.value_and_grad(lambda p: loss(truth, p))(np.asarray(predictions, np.float64))
    if value.dtype != np.float64 or gradient.dtype != np.float64:
        raise SystemExit(f"{name} computed in {value.dtype}")
    return {
        "name": name,
        "class_name": class_name,
        "identifier": loss.name,
        "config": config,
        "targets": json_lists.lists(targets),
        "predictions": json_lists.lists(predictions),
        "value": json_lists.lists(value),
        "gradient": json_lists.lists(gradient),
    }


def losses():
    sparse, categorical = "SparseCategoricalCrossentropy", "CategoricalCrossentropy"
    binary, squares = "BinaryCrossentropy", "MeanSquaredError"
    far = np.array([[40, -30, 5], [-60, 70, 69.5], [0, 0, 0]], np.float32)
    sure = np.array([[1, 0, 0], [0.25, 0.75, 0], [0, 0.5, 0.5]], np.float32)
    uneven = (3 * probabilities(4, 5)).astype(np.float32)
    far_binary = np.array([[35], [-35], [80], [-80], [0.5]], np.float32)
    yield loss_case("sparse", sparse, labels(5, 6), probabilities(6, 5))
    yield loss_case("sparse_from_logits", sparse, labels(5, 6), 2 * draw(6, 5), from_logits=True)
    yield loss_case("sparse_from_far_logits", sparse, np.array([1, 0, 2]), far, from_logits=True)
    yield loss_case("sparse_sure", sparse, np.array([0, 1, 2]), sure)
    yield loss_case("sparse_sum_not_1", sparse, labels(5, 4), uneven)
    yield loss_case("sparse_positions", sparse, labels(4, 2, 3), probabilities(2, 3, 4))
    yield loss_case("categorical", categorical, one_hot(4, 5), probabilities(5, 4))
    yield loss_case("categorical_soft", categorical, probabilities(5, 4), probabilities(5, 4))
    yield loss_case("categorical_sum_not_1", categorical, one_hot(5, 4), uneven)
    yield loss_case("categorical_from_logits", categorical, one_hot(4, 5), 2 * draw(5, 4), from_logits=True)
    yield loss_case("categorical_soft_from_logits", categorical, probabilities(3, 6), draw(3, 6), from_logits=True)
    yield loss_case("categorical_from_far_logits", categorical, np.eye(3, dtype=np.float32), far, from_logits=True)
    yield loss_case("binary", binary, RANDOM.integers(0, 2, (6, 1)).astype(np.float32), sigmoid(6, 1))
    yield loss_case("binary_soft_columns", binary, sigmoid(4, 3), sigmoid(4, 3))
    yield loss_case("binary_sure", binary, np.array([[1], [0]], np.float32), np.array([[1], [0]], np.float32))
    columns = RANDOM.integers(0, 2, (4, 3)).astype(np.float32)
    yield loss_case("binary_from_logits", binary, columns, 2 * draw(4, 3), from_logits=True)
    far_targets = np.array([[1], [0], [0], [1], [1]], np.float32)
    yield loss_case("binary_from_far_logits", binary, far_targets, far_binary, from_logits=True)
    yield loss_case("squares", squares, draw(5, 3), draw(5, 3))
    yield loss_case("squares_column", squares, draw(4, 1), draw(4, 1))
    yield loss_case("squares_positions", squares, draw(2, 3, 4), draw(2, 3, 4))


def optimizer_case(name, class_name, **config):
    initial = draw(7)
    gradients = [draw(7) * np.array([1, 1, 10, 0.1, 1e-3, 1e-6, 0], np.float32) for _ in range(10)]
    variable = keras.Variable(initial.astype(np.float64), dtype="float64")
    optimizer = getattr(keras.optimizers, class_name)(**config)
    optimizer.build([variable])
    weights = []
    for gradient in gradients:
        optimizer.apply([gradient.astype(np.float64)], [variable])
        weights.append(json_lists.lists(variable.numpy()))
    return {
        "name": name,
        "class_name": class_name,
        "config": config,
        "initial": json_lists.lists(initial),
        "gradients": [json_lists.lists(g) for g in gradients],
        "weights": weights,
    }


def optimizers():
    yield optimizer_case("sgd", "SGD", learning_rate=0.1)
    yield optimizer_case("sgd_momentum", "SGD", learning_rate=0.05, momentum=0.9)
    yield optimizer_case("sgd_nesterov", "SGD", learning_rate=0.05, momentum=0.9, nesterov=True)
    yield optimizer_case("adam", "Adam", learning_rate=0.01)
    yield optimizer_case("adam_betas", "Adam", learning_rate=0.002, beta_1=0.8, beta_2=0.95, epsilon=1e-3)


def metric_case(name, class_name, batches, **config):
    metric = getattr(keras.metrics, class_name)(**config)
    rows = []
    for targets, predictions in batches:
        metric.update_state(targets, predictions)
        rows.append(
            {
                "targets": json_lists.lists(targets),
                "predictions": json_lists.lists(predictions),
                "result": float(f"{float(metric.result()):.9g}"),
            }
        )
    return {
        "name": name,
        "class_name": class_name,
        "identifier": metric.name,
        "config": config,
        "batches": rows,
    }


def metrics():
    sparse = [(labels(4, n), probabilities(n, 4)) for n in (8, 5, 1)]
    yield metric_case("sparse", "SparseCategoricalAccuracy", sparse)
    column = [(labels(4, n)[:, None], probabilities(n, 4)) for n in (6, 3)]
    yield metric_case("sparse_column", "SparseCategoricalAccuracy", column)
    tie = np.array([[0.4, 0.4, 0.2], [0.2, 0.4, 0.4]], np.float32)
    yield metric_case("sparse_tie", "SparseCategoricalAccuracy", [(np.array([0, 2]), tie)])
    yield metric_case("sparse_positions", "SparseCategoricalAccuracy", [(labels(3, 2, 4), probabilities(2, 4, 3))])
    categorical = [(one_hot(4, n), probabilities(n, 4)) for n in (8, 5, 1)]
    yield metric_case("categorical", "CategoricalAccuracy", categorical)
    binary = [(RANDOM.integers(0, 2, (n, 1)).astype(np.float32), sigmoid(n, 1)) for n in (7, 4)]
    yield metric_case("binary", "BinaryAccuracy", binary)
    edge = [(np.array([[1], [0]], np.float32), np.array([[0.5], [0.5]], np.float32))]
    yield metric_case("binary_at_threshold", "BinaryAccuracy", edge)
    columns = [(RANDOM.integers(0, 2, (5, 3)).astype(np.float32), sigmoid(5, 3))]
    yield metric_case("binary_columns", "BinaryAccuracy", columns)
    yield metric_case("binary_threshold", "BinaryAccuracy", binary, threshold=0.7)


if __name__ == "__main__":
    keras.config.set_floatx("float64")
    json_lists.write(HERE / "losses.json", losses())
    json_lists.write(HERE / "optimizers.json", optimizers())
    json_lists.write(HERE / "metrics.json", metrics())
