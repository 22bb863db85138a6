"""Keras's side of the .h5 exchange tests.

keras_exchange.py load FOLDER: loads each ours_*.h5 with keras.models.load_model, predicts images.npy into
  <name>.predictions.npy, writes <name>.json (optimizer, iterations, classes of layers) and, for the names in
  train.txt, trains one batch of the first 64 images on labels.npy and writes <name>.after/<layer>.<variable>.npy,
  with the moving averages as <layer>.<variable>.average.npy where the optimizer keeps them.
keras_exchange.py make FOLDER: writes keras_*.h5 (Sequential, Functional, a Keras 2 layout) and their predictions.
"""

import json
import os
import pathlib
import sys

os.environ["KERAS_BACKEND"] = "jax"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import h5py  # noqa: E402
import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers  # noqa: E402

BATCH = 64


def describe(model):
    info = {"layers": [type(layer).__name__ for layer in model.layers], "compiled": bool(model.compiled)}
    if model.compiled:
        optimizer = model.optimizer
        info["optimizer"] = type(optimizer).__name__
        info["iterations"] = int(np.asarray(optimizer.iterations))
        info["learning_rate"] = float(np.asarray(optimizer.learning_rate))
        info["loss"] = getattr(model.loss, "__name__", str(model.loss))
    return info


def rebuild_optimizer(model, path):
    """Gives the model the optimizer state of the file.

    Keras 3.15's load_model builds the optimizer without variables, for its own .h5 files too, so that only the
    iteration and the rate arrive and fit fails. This does what it means to do, and checks the names and their order.
    """
    optimizer = type(model.optimizer).from_config(model.optimizer.get_config())
    model.compile(optimizer, model.loss)
    optimizer.build(model.trainable_variables)
    with h5py.File(path) as file:
        group = file["optimizer_weights"]
        names = [str(name) for name in group.attrs["weight_names"]]
        values = [group[name][()] for name in names]
    wanted = [variable.path for variable in optimizer.variables]
    if names != wanted:
        raise SystemExit(f"optimizer_weights of {path}: {names}, Keras has {wanted}")
    for variable, value in zip(optimizer.variables, values):
        variable.assign(value)


def load(folder):
    images = np.load(folder / "images.npy")
    labels = np.load(folder / "labels.npy")
    trained = (folder / "train.txt").read_text().split()
    for path in sorted(folder.glob("ours_*.h5")):
        model = keras.models.load_model(path)
        np.save(folder / f"{path.stem}.predictions.npy", model.predict(images, batch_size=BATCH, verbose=0))
        (folder / f"{path.stem}.json").write_text(json.dumps(describe(model)))
        if path.stem not in trained:
            continue
        rebuild_optimizer(model, path)
        model.train_on_batch(images[:BATCH], labels[:BATCH])
        after = folder / f"{path.stem}.after"
        after.mkdir()
        for layer in model.layers:
            for variable in layer.weights:
                np.save(after / f"{layer.name}.{variable.name}.npy", np.asarray(variable))
        if model.optimizer.use_ema:
            averages = model.optimizer._model_variables_moving_average
            for variable, average in zip(model.trainable_variables, averages):
                np.save(after / f"{variable.path.replace('/', '.')}.average.npy", np.asarray(average))


def scramble(model):
    """Weights as after a training, so that a variable in a wrong place shows."""
    rng = np.random.default_rng(3)
    for layer in model.layers:
        for variable in layer.weights:
            value = np.asarray(variable)
            noise = rng.normal(0, 0.05, value.shape).astype(np.float32)
            variable.assign(np.abs(value + noise) if "variance" in variable.name else value + noise)


def sequential():
    return keras.Sequential(
        [
            keras.Input((28, 28, 1)),
            layers.Rescaling(1 / 255),
            layers.Conv2D(6, 3, strides=2, padding="same", activation="relu"),
            layers.BatchNormalization(),
            layers.MaxPooling2D(),
            layers.Dropout(0.3),
            layers.Reshape((-1,)),
            layers.Dense(12, activation="gelu", kernel_regularizer="l2"),
            layers.Dense(10, activation="softmax"),
        ]
    )


def functional():
    image = keras.Input((28, 28, 1), name="image")
    x = layers.Rescaling(1 / 127.5, offset=-1)(image)
    stem = layers.Conv2D(4, (3, 5), name="stem")(x)
    left = layers.BatchNormalization(scale=False)(stem)
    left = layers.Activation("tanh")(left)
    right = layers.Conv2D(4, 3, padding="same", groups=2, activation="elu")(stem)
    both = layers.Add()([left, right])
    wide = layers.Concatenate()([both, right, stem])
    pooled = layers.AveragePooling2D(3, strides=2, padding="same")(wide)
    mean = layers.GlobalAveragePooling2D()(wide)
    flat = layers.Flatten()(pooled)
    out = layers.Dense(10, activation="softmax")(layers.Concatenate()([mean, flat]))
    return keras.Model(image, out, name="branches")


def shared():
    image = keras.Input((28, 28, 1), name="image")
    x = layers.Rescaling(1 / 255)(image)
    conv = layers.Conv2D(1, 5, padding="same", activation="tanh", name="conv")
    pool = layers.MaxPooling2D(name="pool")
    x = pool(conv(pool(conv(x))))
    x = layers.Dense(12, activation="tanh", name="narrow")(layers.Flatten()(x))
    late = layers.Dense(12, activation="tanh", name="late")(x)
    dense = layers.Dense(12, activation="elu", name="dense")
    both = layers.Concatenate()([dense(late), dense(dense(x))])
    return keras.Model(image, layers.Dense(10, activation="softmax")(both), name="shared")


def write_keras2(path):
    """A file as tf.keras 2 with an old h5py wrote it: byte strings of fixed length, ':0', batch_input_shape."""
    rng = np.random.default_rng(5)
    kernel = (rng.normal(0, 0.2, (784, 10)) / 255).astype(np.float32)
    bias = rng.normal(0, 0.1, 10).astype(np.float32)
    common = {"trainable": True, "dtype": "float32"}
    config = {
        "class_name": "Sequential",
        "config": {
            "name": "sequential",
            "layers": [
                {"class_name": "Flatten", "config": {"name": "flatten", "batch_input_shape": [None, 28, 28, 1],
                                                     "data_format": "channels_last", **common}},
                {"class_name": "Dense", "config": {"name": "dense", "units": 10, "activation": "softmax",
                                                   "use_bias": True, "kernel_constraint": None, **common}},
            ],
        },
    }
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = np.bytes_("2.4.0")
        file.attrs["backend"] = np.bytes_("tensorflow")
        file.attrs["model_config"] = np.bytes_(json.dumps(config))
        weights = file.create_group("model_weights")
        weights.attrs["layer_names"] = np.array([b"flatten", b"dense"])
        weights.create_group("flatten").attrs["weight_names"] = np.array([])
        dense = weights.create_group("dense")
        dense.attrs["weight_names"] = np.array([b"dense/kernel:0", b"dense/bias:0"])
        dense["dense/kernel:0"] = kernel
        dense["dense/bias:0"] = bias
    return kernel, bias


def make(folder):
    images = np.load(folder / "images.npy")
    labels = np.load(folder / "labels.npy")
    models = {"keras_sequential": sequential(), "keras_functional": functional(), "keras_shared": shared()}
    optimizers = {
        "keras_sequential": keras.optimizers.SGD(0.01, momentum=0.9),
        "keras_functional": keras.optimizers.AdamW(0.002, weight_decay=0.02),
        "keras_shared": keras.optimizers.AdamW(0.002, weight_decay=0.02),
    }
    for name, model in models.items():
        scramble(model)
        model.compile(optimizers[name], "sparse_categorical_crossentropy", metrics=["accuracy"])
        for step in range(2):
            part = slice(BATCH * step, BATCH * (step + 1))
            model.train_on_batch(images[part], labels[part])
        model.save(folder / f"{name}.h5")
    # Keras 3.15 itself does not load this form; softmax(x W + b) in float64 stands for it.
    kernel, bias = write_keras2(folder / "keras_two.h5")
    powers = np.exp(images.reshape(len(images), -1).astype(np.float64) @ kernel + bias)
    two = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    np.save(folder / "keras_two.predictions.npy", two)
    for name, model in models.items():
        np.save(folder / f"{name}.predictions.npy", model.predict(images, batch_size=BATCH, verbose=0))


if __name__ == "__main__":
    {"load": load, "make": make}[sys.argv[1]](pathlib.Path(sys.argv[2]))
